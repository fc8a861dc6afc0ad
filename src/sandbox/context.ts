import type { RecordValue } from '../plain/value.js';
import type { Operation } from '../contract/build.js';
import type { HttpRequest, HttpResponse } from '../soap/transport/http.js';
import type { ReceivedRequest } from '../soap/wire/receive.js';
import type { DatasetParameters } from './dataset/making.js';
import type { Store } from './store/open.js';

/** A request whose operation is known. */
export interface Asked extends ReceivedRequest {
  readonly operation: Operation;
}

/** What came of the execution of a request: the result, and the operation by whose contract it is written. */
export interface Executed {
  readonly operation: Operation;
  readonly result: RecordValue;
  /** What is empty is written as an empty element rather than nil. */
  readonly bare?: boolean;
}

/** Middleware of the execution of a request: sees or changes what is asked and what is answered. May throw a refusal. */
export type Middleware = (asked: Asked, execute: (asked: Asked) => Executed) => Executed;

/**
 * How requests are taken. `strict`: schema, order and forms must be right. `asmx`: as lenient as a .NET .asmx service is,
 * which passes over what it does not know and gives what is missing its default.
 */
export const sandboxModes = ['strict', 'asmx'] as const;

/** See sandboxModes. */
export type SandboxMode = (typeof sandboxModes)[number];

/** The address under which a forwarded port, or a proxy, brings others to the sandbox. */
export interface PublicUrl {
  /** Scheme, host and port, as browsers name the origin of a page. */
  readonly origin: string;
  /** Host and port, in lower case; no port where it is the usual one of the scheme. */
  readonly host: string;
  /** What stands before the paths of the sandbox; '' or a path without a slash at its end. */
  readonly path: string;
}

/** What handlers and the endpoint work on: an open sandbox without its server. */
export interface SandboxContext {
  readonly store: Store;
  /** XML namespace of the service. */
  readonly namespace: string;
  readonly mode: SandboxMode;
  /** What the data set was made from, as kept in the database. */
  readonly dataset: DatasetParameters;
  /** The wall clock, for audit data. */
  readonly now: () => Date;
  /** A new GUID in lower case. */
  readonly newId: () => string;
  /** The address by which others reach it; without one, only this machine does. */
  readonly publicUrl?: PublicUrl;
  /** The middleware of all requests, if there is any. */
  readonly middleware?: Middleware;
}

/** XML namespace of the sandbox; the first half of its SOAPAction values. */
export const sandboxNamespace = 'http://relctl.example/sandbox';

/** Path of the service (interface document, "What the service does"). */
export const servicePath = '/V1/service.asmx';

/** A request on its way to the endpoint, with what stands around it. */
export interface ServedRequest {
  readonly context: SandboxContext;
  readonly request: HttpRequest;
  /** Hears of each fault that befalls the request, as its plan says it. */
  readonly onFault?: (text: string) => void;
}

/** The service, or something around it that lets requests through. */
export type Serve = (served: ServedRequest) => Promise<HttpResponse>;
