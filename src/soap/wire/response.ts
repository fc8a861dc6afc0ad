import type { RecordValue } from '../../core/values/value.js';
import type { Operation } from '../../contract/build.js';
import { fullResult } from '../../contract/walk.js';
import { escapeAttribute } from '../../xml/escape.js';
import { encodePieces } from '../codec/encode.js';
import { writeEnvelope } from './envelope.js';
import { faultElement, type FaultContent } from './fault.js';
import type { Headers } from '../transport/http.js';
import { contentTypeOf, type SoapVersion } from './version.js';

/** A result for writing. */
export interface ResponseText {
  readonly operation: Operation;
  /** Members of the result with those of the envelope (`Result`, `Data`) beside them; any key order. */
  readonly result: RecordValue;
  readonly namespace: string;
  readonly version: SoapVersion;
  /** Nested elements without content, and an empty result, are empty elements instead of nil. */
  readonly bare?: boolean;
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

/** The element of a result. Nested elements without content are nil, and so is a result without any, unless `bare` is set. */
function* responsePieces({ operation, result, namespace, bare = false }: ResponseText): Generator<string> {
  const { name } = operation;
  const direction = bare ? 'bare-response' : 'response';
  yield `<${name}Response xmlns="${escapeAttribute(namespace)}">`;
  let isEmpty = true;
  for (const piece of encodePieces(fullResult(operation), result, { direction, of: name })) {
    if (isEmpty && piece !== '') {
      isEmpty = false;
      yield `<${name}Result>`;
    }
    yield piece;
  }
  if (isEmpty) yield bare ? `<${name}Result />` : `<${name}Result xsi:nil="true" />`;
  else yield `</${name}Result>`;
  yield `</${name}Response>`;
}

/** The HTTP answer with a result; nested elements without content are nil unless `bare` (rule 4). Throws `bug`. */
export function writeResponse(text: ResponseText): WholeResponse {
  const body = writeEnvelope(text.version, responsePieces(text));
  return { status: 200, headers: { 'content-type': contentTypeOf(text.version) }, body };
}

/** The HTTP answer with a fault: status 500, as .NET services send it. */
export function writeFault({ version, ...content }: FaultText): WholeResponse {
  return {
    status: 500,
    headers: { 'content-type': contentTypeOf(version) },
    body: writeEnvelope(version, [faultElement(version, content)]),
  };
}
