import type { Fields, Operation } from '../contract/build.js';
import { credentialsField } from '../contract/records/credentials.js';
import { RelctlError } from '../errors/relctl-error.js';
import { escapeAttribute } from '../xml/writer.js';
import { maskedCredentials } from './credentials.js';
import { encodeFields } from './encode.js';
import { writeEnvelope } from './envelope.js';
import type { Headers, HttpRequest } from './http.js';
import type { RecordValue } from './values.js';
import { contentTypeOf, soapActionOf, soapVersions, type SoapVersion } from './version.js';

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

const credentialsFields: Fields = { credentials: credentialsField };

function withContent({ operation, namespace, version, url }: RequestText, content: string): HttpRequest {
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

function parametersOf({ operation, input }: RequestText): string {
  if (Object.hasOwn(input, 'credentials')) {
    throw new RelctlError('usage', 'credentials come from the profile, not from the input', {
      facts: { path: 'credentials' },
    });
  }
  return encodeFields(operation.parameters, input, { direction: 'request', of: operation.name });
}

/**
 * The HTTP request of a call, credentials first (interface document, "What the service does"). Throws `usage` with the
 * path of the first value that does not fit the contract; nothing was sent then.
 */
export function writeRequest(text: RequestText): HttpRequest {
  const parameters = parametersOf(text);
  const { credentials } = text;
  const place = { direction: 'request', of: 'credentials' } as const;
  return withContent(text, encodeFields(credentialsFields, { credentials }, place) + parameters);
}

/** The same request for people to read: its secrets are replaced before it is written, not searched for in it. */
export function writeMaskedRequest(text: RequestText): HttpRequest {
  const parameters = parametersOf(text);
  const credentials = maskedCredentials(text.credentials);
  // A mask is no guid; a response may hold any text.
  const place = { direction: 'response', of: 'credentials' } as const;
  return withContent(text, encodeFields(credentialsFields, { credentials }, place) + parameters);
}
