import type { Body, StreamedBody } from '../../transport/http.js';

/** Content that is sent in the place of a text of a result, as it is: it holds nothing that XML has another form for. */
export interface PlacedContent extends StreamedBody {
  /** Name of the member that it belongs to. */
  readonly member: string;
  /** Text that the result has for it; no value, so that nobody can take it for one. */
  readonly standIn: string;
}

/** A body with content in the place of the text of its member; as it is when nothing in it stands for that. */
export function bodyWithContent(
  body: Uint8Array,
  content: Omit<PlacedContent, 'standIn'> & { readonly standIn?: string },
): Body {
  const whole = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // No value can hold a tag: in text and attributes `<` is a reference.
  const opening = `<${content.member}>`;
  const from = whole.indexOf(opening + (content.standIn ?? ''));
  if (from === -1) return body;
  const before = whole.subarray(0, from + opening.length);
  const { length } =
    content.standIn ?? whole.subarray(before.length, whole.indexOf(`</${content.member}>`, before.length));
  // What follows the text that stands for it stays: a fault may have added to it.
  const behind = whole.subarray(before.length + length);
  return {
    length: before.length + content.length + behind.length,
    *open() {
      yield before;
      yield* content.open();
      yield behind;
    },
  };
}
