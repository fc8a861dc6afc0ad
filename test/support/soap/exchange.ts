import type { Value } from '../../../src/core/values/value.js';
import type { Fields, Operation } from '../../../src/contract/build.js';
import { readResponse, type Answer } from '../../../src/soap/wire/answer.js';
import type { Rows } from '../../../src/soap/codec/rows.js';
import { nodeOfFields } from '../../../src/soap/codec/decode-plan.js';
import { Decoder } from '../../../src/soap/codec/decode.js';
import { createNoteCollector, type Note } from '../../../src/soap/codec/notes.js';
import { XmlReader } from '../../../src/xml/reader.js';

export const namespace = 'http://crm.example/service';
export const url = 'https://crm.example/V1/service.asmx';

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Bytes as they come off a socket. */
export async function* stream(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** Reads an answer that came in these chunks. */
export const read = (
  operation: Operation,
  chunks: readonly Uint8Array[],
  { status = 200, type = 'text/xml; charset=utf-8' } = {},
): Promise<Answer> =>
  readResponse(operation, { status, headers: { 'content-type': type }, body: stream(chunks) }, { namespace });

/** What an element with these fields becomes; its text may use the prefixes xsi, xsd and t (the service's namespace). */
export function decoded(
  fields: Fields,
  content: string,
  rows?: Rows,
  isResult = false,
): { readonly value: Value | undefined; readonly notes: readonly Note[] } {
  const notes = createNoteCollector();
  const decoder = new Decoder(nodeOfFields(fields), {
    namespace,
    notes,
    namespaceOf: (prefix) => reader.namespaceOf(prefix),
    rows,
    isResult,
  });
  const reader: XmlReader = new XmlReader(decoder);
  const spaces = `xmlns="${namespace}" xmlns:t="${namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:g="http://microsoft.com/wsdl/types/"`;
  reader.write(bytesOf(`<r ${spaces}>${content}</r>`));
  reader.end();
  return { value: decoder.value, notes: notes.all() };
}

/** An envelope around a Body, as services write it. */
export const envelope = (body: string, version: '1.1' | '1.2' = '1.1'): string => {
  const soap =
    version === '1.1' ? 'http://schemas.xmlsoap.org/soap/envelope/' : 'http://www.w3.org/2003/05/soap-envelope';
  return `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${soap}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body>${body}</soap:Body></soap:Envelope>`;
};
