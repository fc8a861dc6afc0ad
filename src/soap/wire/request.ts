import type { RecordValue } from '../../plain/value.js';
import type { Fields, Operation } from '../../contract/build.js';
import { credentialsField } from '../../contract/records/credentials.js';
import { escapeAttribute } from '../../xml/writer.js';
import { maskedCredentials, secretsOf } from '../codec/credentials.js';
import { encodeFields } from '../codec/encode.js';
import { writeEnvelope } from './envelope.js';
import type { Headers, HttpRequest } from '../transport/http.js';
import { createMask } from './mask.js';
import { contentTypeOf, soapActionOf, soapVersions, type SoapVersion } from './version.js';
import { usage } from '../../errors/usage.js';

/** XML that the user wrote: elements that follow the credentials, or a whole envelope. */
export type Written =
  { readonly kind: 'elements'; readonly xml: string } | { readonly kind: 'envelope'; readonly xml: string };

/** What a request is made of. */
export interface RequestText {
  readonly operation: Operation;
  /** Parameters by name; Req must be there, Nil may be null or left out, Opt may be left out. */
  readonly input: RecordValue;
  /** XML that is sent instead of the input. */
  readonly written?: Written;
  /** Value of ApiCredentials, see credentials.ts. */
  readonly credentials: RecordValue;
  readonly namespace: string;
  readonly version: SoapVersion;
  /** Absolute URL of the service. */
  readonly url: string;
}

const credentialsFields: Fields = { credentials: credentialsField };

type Addressed = Pick<RequestText, 'operation' | 'namespace' | 'version' | 'url'>;

function requestOf({ operation, namespace, version, url }: Addressed): Omit<HttpRequest, 'body'> {
  const action: Headers =
    soapVersions[version].soapAction === 'header' ? { soapaction: soapActionOf(namespace, operation.name) } : {};
  return {
    method: 'POST',
    url,
    headers: { 'content-type': contentTypeOf(version), accept: 'text/xml, application/soap+xml', ...action },
  };
}

function withContent(text: RequestText, content: string): HttpRequest {
  const { operation, namespace, version } = text;
  const body = `<${operation.name} xmlns="${escapeAttribute(namespace)}">${content}</${operation.name}>`;
  return { ...requestOf(text), body: writeEnvelope(version, body) };
}

function parametersOf({ operation, input, written }: RequestText): string {
  if (written !== undefined) return written.xml;
  if (Object.hasOwn(input, 'credentials')) {
    throw usage('credentials', 'credentials come from the profile, not from the input');
  }
  return encodeFields(operation.parameters, input, { direction: 'request', of: operation.name });
}

/**
 * The HTTP request of a call, credentials first (interface document, "What the service does"). Throws `usage` with the
 * path of the first value that does not fit the contract.
 */
export function writeRequest(text: RequestText): HttpRequest {
  if (text.written?.kind === 'envelope')
    return { ...requestOf(text), body: new TextEncoder().encode(text.written.xml) };
  const parameters = parametersOf(text);
  const { credentials } = text;
  const place = { direction: 'request', of: 'credentials' } as const;
  return withContent(text, encodeFields(credentialsFields, { credentials }, place) + parameters);
}

/**
 * The same request for people to read. Its secrets are replaced before it is written; only in an envelope that the user
 * wrote are they searched for. Throws `usage`, as writeRequest does.
 */
export function writeMaskedRequest(text: RequestText): HttpRequest {
  if (text.written?.kind === 'envelope') {
    const xml = createMask(secretsOf(text.credentials))(text.written.xml);
    return { ...requestOf(text), body: new TextEncoder().encode(xml) };
  }
  const parameters = parametersOf(text);
  const credentials = maskedCredentials(text.credentials);
  // A mask is no guid; the direction `response` allows any text.
  const place = { direction: 'response', of: 'credentials' } as const;
  return withContent(text, encodeFields(credentialsFields, { credentials }, place) + parameters);
}
