import type { Operation } from '../contract/build.js';
import { RelctlError } from '../errors/relctl-error.js';
import type { Headers, HttpRequest, HttpResponse } from './http.js';
import type { Note, RecordValue } from './values.js';
import type { FaultSide, SoapVersion } from './version.js';

/** All that makes a request. */
export interface RequestText {
  readonly operation: Operation;
  /** Parameters by name; Req must be there, Nil may be null or left out, Opt may be left out. */
  readonly input: RecordValue;
  /** Value of ApiCredentials, see credentials.ts. */
  readonly credentials: RecordValue;
  readonly namespace: string;
  readonly version: SoapVersion;
  /** Absolute URL of the service. */
  readonly url: string;
}

/** A decoded answer of the service that is neither a fault nor a refusal. */
export interface Answer {
  /** Own members of the result, unknown ones last. */
  readonly result: RecordValue;
  /** `Result` and `Data`, as far as the answer has them. */
  readonly envelope?: RecordValue;
  readonly notes: readonly Note[];
  readonly version: SoapVersion;
}

/** A request as the service receives it. */
export interface ReceivedRequest {
  readonly version: SoapVersion;
  readonly operationName: string;
  /** The operation of the contract; absent when the contract knows no such name (input is then empty). */
  readonly operation?: Operation;
  /** Undefined when the element is absent, null when it is nil. */
  readonly credentials: RecordValue | null | undefined;
  readonly input: RecordValue;
}

/** A result for writing. */
export interface ResponseText {
  readonly operation: Operation;
  /** Members of the result with those of the envelope (`Result`, `Data`) beside them; any key order. */
  readonly result: RecordValue;
  readonly namespace: string;
  readonly version: SoapVersion;
}

/** A fault for writing. */
export interface FaultText {
  readonly version: SoapVersion;
  readonly code: FaultSide;
  readonly message: string;
  /** Text of the detail element; an empty detail when left out. */
  readonly detail?: string;
}

/** An HTTP answer that is whole in memory. */
export interface WholeResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export const writeRequest = (text: RequestText): HttpRequest => {
  throw new RelctlError('bug', `not written yet ${text.url}`);
};

export const readResponse = async (
  operation: Operation,
  response: HttpResponse,
  expected: { readonly namespace: string },
): Promise<Answer> => {
  await Promise.resolve();
  throw new RelctlError('bug', `not written yet ${operation.name} ${response.status} ${expected.namespace}`);
};

export const readRequest = (request: HttpRequest, service: { readonly namespace: string }): ReceivedRequest => {
  throw new RelctlError('bug', `not written yet ${request.url} ${service.namespace}`);
};

export const writeResponse = (text: ResponseText): WholeResponse => {
  throw new RelctlError('bug', `not written yet ${text.operation.name}`);
};

export const writeFault = (text: FaultText): WholeResponse => {
  throw new RelctlError('bug', `not written yet ${text.message}`);
};
