import type { Operation } from '../../contract/build.js';
import { maskedCredentials } from '../../soap/codec/credentials.js';
import { encodeFields } from '../../soap/codec/encode.js';
import { writeEnvelope } from '../../soap/wire/envelope.js';
import type { HttpRequest } from '../../soap/transport/http.js';
import type { Direction } from '../../soap/values/invalid-value.js';
import { isRecord, type RecordValue } from '../../soap/values/values.js';
import { contentTypeOf, soapActionOf, soapVersions, type SoapVersion } from '../../soap/wire/version.js';
import { escapeAttribute } from '../../xml/writer.js';
import { servicePath } from '../context.js';
import { requestFields } from '../credentials.js';

/** A call that a form stands for. */
export interface Call {
  readonly operation: Operation;
  /** Parameters, credentials among them. */
  readonly values: RecordValue;
  readonly version: SoapVersion;
  readonly namespace: string;
}

function envelope({ operation, values, version, namespace }: Call, direction: Direction): Uint8Array {
  const { name } = operation;
  const content = encodeFields(requestFields(operation), values, { direction, of: name });
  return writeEnvelope(version, `<${name} xmlns="${escapeAttribute(namespace)}">${content}</${name}>`);
}

/**
 * The request that a client would send for a call. Credentials may be left out of it, as a form can. Throws `usage` with
 * the path of the first value that does not fit.
 */
export function requestOf(call: Call): HttpRequest {
  const { operation, version, namespace } = call;
  const action =
    soapVersions[version].soapAction === 'header' ? { soapaction: soapActionOf(namespace, operation.name) } : {};
  return {
    method: 'POST',
    url: servicePath,
    headers: { 'content-type': contentTypeOf(version), ...action },
    body: envelope(call, 'request'),
  };
}

/** The envelope of a call for people to read, without its secrets. */
export function shownEnvelope(call: Call): string {
  const { credentials } = call.values;
  const shown = isRecord(credentials) ? { ...call.values, credentials: maskedCredentials(credentials) } : call.values;
  // A mask is no guid; a response may hold any text. What is empty is sent bare, and so it is shown.
  return Buffer.from(envelope({ ...call, values: shown }, 'bare-response')).toString('utf8');
}
