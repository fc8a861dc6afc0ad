import type { Operation } from '../contract/build.js';
import { escapeAttribute } from '../xml/writer.js';
import { encodeFields } from './encode.js';
import { writeEnvelope } from './envelope.js';
import { faultElement, type FaultContent } from './fault.js';
import type { Headers } from './http.js';
import { resultFields } from './result-fields.js';
import type { RecordValue } from './values.js';
import { contentTypeOf, type SoapVersion } from './version.js';

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

/** The HTTP answer that carries a result. Throws `bug` when the result does not fit the contract. */
export function writeResponse({ operation, result, namespace, version }: ResponseText): WholeResponse {
  const content = encodeFields(resultFields(operation), result, { direction: 'response', of: operation.name });
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
