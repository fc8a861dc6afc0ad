import { type Body, type StreamedBody, isStreamed, type WholeRequest, type HttpRequest } from '../transport/http.js';
import { RelctlError } from '../../core/errors/relctl-error.js';

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
  const tail = whole.subarray(before.length + length);
  return {
    length: before.length + content.length + tail.length,
    *open() {
      yield before;
      yield* content.open();
      yield tail;
    },
  };
}

/** Base64 that is sent as the value of one parameter. The text of the input is only shown. */
export interface StreamedContent extends StreamedBody {
  /** Name of the parameter. */
  readonly member: string;
}

/** The same request with content, if there is any, that is made while it is sent. Throws `bug` without a place for it. */
export function withContent(request: WholeRequest, content: StreamedContent | undefined): HttpRequest {
  if (content === undefined) return request;
  const body = bodyWithContent(request.body, content);
  if (isStreamed(body)) return { ...request, body };
  throw new RelctlError('bug', `the request has no place for the content of ${content.member}`);
}
