import type { Fields, Operation } from '../contract/build.js';
import { credentialsField } from '../contract/records/credentials.js';
import { findOperation } from '../contract/service.js';
import { fullResult } from '../contract/walk.js';
import { RelctlError } from '../errors/relctl-error.js';
import { visible } from '../lexical/text.js';
import type { XmlName } from '../xml/events.js';
import { createXmlReader } from '../xml/reader.js';
import { escapeAttribute } from '../xml/writer.js';
import { Decoder } from './decode.js';
import { fieldsEncoder, type Encoder } from './encode.js';
import { EnvelopeReader, RawReader, writeEnvelope } from './envelope.js';
import { faultElement, type FaultContent } from './fault.js';
import type { Headers, HttpRequest } from './http.js';
import { createNotebook } from './notes.js';
import type { Note, RecordValue } from './values.js';
import { contentTypeOf, soapActionOf, soapVersions, versionOf, type SoapVersion } from './version.js';

export { readResponse, type Answer } from './answer.js';

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
export interface FaultText extends FaultContent {
  readonly version: SoapVersion;
}

/** An HTTP answer that is whole in memory. */
export interface WholeResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

interface OperationPlan {
  /** Credentials first, then the parameters, in the order of the wire. */
  readonly requestFields: Fields;
  readonly encodeRequest: Encoder;
  readonly encodeResult: Encoder;
}

const plans = new WeakMap<Operation, OperationPlan>();

function planOf(operation: Operation): OperationPlan {
  const known = plans.get(operation);
  if (known !== undefined) return known;
  const requestFields = { credentials: credentialsField, ...operation.parameters };
  const made = {
    requestFields,
    encodeRequest: fieldsEncoder(requestFields, 'request'),
    encodeResult: fieldsEncoder(fullResult(operation), 'response'),
  };
  plans.set(operation, made);
  return made;
}

/**
 * The HTTP request of a call (interface document, "What the service does"). Throws `usage` with the path of the first
 * value that does not fit the contract; nothing was sent then.
 */
export function writeRequest({ operation, input, credentials, namespace, version, url }: RequestText): HttpRequest {
  if (Object.hasOwn(input, 'credentials')) {
    throw new RelctlError('usage', 'credentials come from the profile, not from the input', {
      facts: { path: 'credentials' },
    });
  }
  const content = planOf(operation).encodeRequest({ credentials, ...input }, '');
  const body = `<${operation.name} xmlns="${escapeAttribute(namespace)}">${content}</${operation.name}>`;
  const action: Headers =
    soapVersions[version].soapAction === 'header' ? { soapaction: soapActionOf(namespace, operation.name) } : {};
  return {
    method: 'POST',
    url,
    headers: { 'content-type': contentTypeOf(version), accept: 'text/xml, application/soap+xml', ...action },
    body: writeEnvelope(version, body),
  };
}

/** The HTTP answer that carries a result. Throws `usage` when the result does not fit the contract. */
export function writeResponse({ operation, result, namespace, version }: ResponseText): WholeResponse {
  const content = planOf(operation).encodeResult(result, '');
  const { name } = operation;
  const inner = content === '' ? `<${name}Result />` : `<${name}Result>${content}</${name}Result>`;
  const body = writeEnvelope(
    version,
    `<${name}Response xmlns="${escapeAttribute(namespace)}">${inner}</${name}Response>`,
  );
  return { status: 200, headers: { 'content-type': contentTypeOf(version) }, body };
}

/** The HTTP answer that carries a fault: status 500, as .NET services send it. */
export function writeFault({ version, ...content }: FaultText): WholeResponse {
  return {
    status: 500,
    headers: { 'content-type': contentTypeOf(version) },
    body: writeEnvelope(version, faultElement(version, content)),
  };
}

function clientFault(message: string): RelctlError {
  return new RelctlError('refused', message, { facts: { code: 'Client' } });
}

const noteWords: Readonly<Partial<Record<Note['kind'], string>>> = {
  'missing-field': 'is required',
  'unknown-field': 'is not known',
  'bad-value': 'has a value that does not fit its type',
  'out-of-order': 'has its members in another order than the contract',
};

/** The first thing about a request that a strict service does not take. */
function refuseOddities(operationName: string, notes: readonly Note[]): void {
  for (const { kind, path, value } of notes) {
    const words = noteWords[kind];
    if (words === undefined) continue;
    throw clientFault(
      `${path === operationName ? 'The request' : path} ${words}${value === undefined ? '' : `: '${value}'`}.`,
    );
  }
}

function operationAt(name: XmlName, namespace: string): Operation | undefined {
  if (versionOf(name.namespace) === undefined && name.namespace !== namespace) {
    throw clientFault(
      `The element ${visible(name.local)} is in the namespace '${visible(name.namespace, 80)}'; the service's is '${namespace}'.`,
    );
  }
  return findOperation(name.local);
}

/**
 * A request as a strict service reads it: schema, order, forms. Throws `refused` with code `Client` for what it does not
 * take, and `bad-answer` (the reader's) for what is not XML or not SOAP.
 */
export function readRequest(
  request: Pick<HttpRequest, 'body'>,
  service: { readonly namespace: string },
): ReceivedRequest {
  const notes = createNotebook();
  const rules = { namespace: service.namespace, notes };
  const seen: { name?: string; operation?: Operation; decoder?: Decoder } = {};
  const envelope = new EnvelopeReader({
    begin(name) {
      seen.name = name.local;
      const operation = operationAt(name, service.namespace);
      if (operation === undefined) return new RawReader(name);
      seen.operation = operation;
      seen.decoder = new Decoder(planOf(operation).requestFields, operation.name, rules);
      return seen.decoder;
    },
  });
  const reader = createXmlReader(envelope);
  reader.write(request.body);
  reader.end();
  if (seen.name === undefined) throw clientFault('The Body of the envelope is empty.');
  const version = envelope.version ?? '1.1';
  if (seen.operation === undefined || seen.decoder === undefined) {
    return { version, operationName: seen.name, credentials: undefined, input: {} };
  }
  const { credentials, ...input } = seen.decoder.finish();
  refuseOddities(seen.operation.name, notes.list());
  // The decoder gives records, nil or nothing for a field whose type is a record.
  const given = credentials as RecordValue | null | undefined;
  return { version, operationName: seen.name, operation: seen.operation, credentials: given, input };
}
