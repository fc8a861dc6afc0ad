import type { RecordValue } from '../../core/values/value.js';
import type { Fields, Operation } from '../../contract/build.js';
import { credentialsField } from '../../contract/records/shared.js';
import { escapeAttribute } from '../../xml/escape.js';
import { maskedCredentials, secretsOf } from '../codec/credentials.js';
import { encodeFields } from '../codec/encode.js';
import { writeEnvelope } from './envelope.js';
import type { Headers, WholeRequest } from '../transport/http.js';
import { createMask } from '../../core/secrets/mask.js';
import { contentTypeOf, soapActionHeader, type SoapActionForm, type SoapVersion } from './version.js';
import { usage } from '../../core/errors/relctl-error.js';

/** XML that the user wrote: elements that follow the credentials, or a whole envelope. */
export type Written = Readonly<{ kind: 'elements' | 'envelope'; xml: string }>;

/** What a call asks for, whoever sends it. */
export interface CallText {
  readonly operation: Operation;
  /** Parameters by name; Req must be there, Nil may be null or left out, Opt may be left out. */
  readonly input: RecordValue;
  /** XML that is sent instead of the input. */
  readonly written?: Written;
}

/** What a request is made of. */
export interface RequestText extends CallText {
  /** Value of ApiCredentials, see credentials.ts. */
  readonly credentials: RecordValue;
  readonly namespace: string;
  readonly version: SoapVersion;
  readonly isVersionChosen?: boolean | undefined;
  /** Form of the header SOAPAction; that of the interface document when absent. */
  readonly soapAction?: SoapActionForm | undefined;
  /** Absolute URL of the service. */
  readonly url: string;
}

const credentialsFields: Fields = { credentials: credentialsField };

type Addressed = Pick<RequestText, 'operation' | 'namespace' | 'version' | 'isVersionChosen' | 'soapAction' | 'url'>;

/** The version of a request: unless it was chosen, one that the WSDL has. */
function versionOf({ operation: { wire }, version, isVersionChosen }: Addressed): SoapVersion {
  const { versions = [version] } = wire ?? {};
  return isVersionChosen === true || versions.includes(version) ? version : (versions[0] ?? version);
}

function requestOf(addressed: Addressed): Omit<WholeRequest, 'body'> {
  const { operation, namespace, soapAction: form, url } = addressed;
  const version = versionOf(addressed);
  const named = { namespace, operation: operation.name, described: operation.wire?.soapAction };
  const value = soapActionHeader(version, named, form);
  const action: Headers = value === undefined ? {} : { soapaction: value };
  return {
    method: 'POST',
    url,
    headers: {
      'content-type': contentTypeOf(version, operation.wire?.soapAction),
      accept: 'text/xml, application/soap+xml',
      ...action,
    },
  };
}

function withContent(text: RequestText, content: string): WholeRequest {
  const { operation } = text;
  const { local, namespace } = operation.wire?.request ?? { local: operation.name, namespace: text.namespace };
  const body = `<${local} xmlns="${escapeAttribute(namespace)}">${content}</${local}>`;
  return { ...requestOf(text), body: writeEnvelope(versionOf(text), [body]) };
}

/** The element of the credentials; none for an operation that takes none. */
function credentialsIn(
  { operation }: RequestText,
  { credentials, direction }: { readonly credentials: RecordValue; readonly direction: 'request' | 'response' },
): string {
  if (operation.wire?.takesCredentials === false) return '';
  return encodeFields(credentialsFields, { credentials }, { direction, of: 'credentials' });
}

function parametersOf({ operation, input, written }: RequestText): string {
  if (written !== undefined) return written.xml;
  if (operation.wire?.takesCredentials !== false && Object.hasOwn(input, 'credentials')) {
    throw usage('credentials', 'credentials come from the profile, not from the input');
  }
  return encodeFields(operation.parameters, input, { direction: 'request', of: operation.name });
}

/** The HTTP request of a call, credentials first. Throws `usage` with the path of the first value that does not fit. */
export function writeRequest(text: RequestText): WholeRequest {
  if (text.written?.kind === 'envelope')
    return { ...requestOf(text), body: new TextEncoder().encode(text.written.xml) };
  const parameters = parametersOf(text);
  return withContent(text, credentialsIn(text, { credentials: text.credentials, direction: 'request' }) + parameters);
}

/** The same with its secrets replaced before it is written; in an envelope of the user they are searched. Throws `usage`. */
export function writeMaskedRequest(text: RequestText): WholeRequest {
  if (text.written?.kind === 'envelope') {
    const xml = createMask(secretsOf(text.credentials))(text.written.xml);
    return { ...requestOf(text), body: new TextEncoder().encode(xml) };
  }
  const parameters = parametersOf(text);
  const credentials = maskedCredentials(text.credentials);
  // A mask is no guid; the direction `response` allows any text.
  return withContent(text, credentialsIn(text, { credentials, direction: 'response' }) + parameters);
}
