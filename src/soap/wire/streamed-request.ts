import { RelctlError } from '../../errors/relctl-error.js';
import type { HttpRequest, OutgoingRequest, StreamedBody } from '../transport/http.js';
import { writeMaskedRequest, writeRequest, type RequestText } from './request.js';

/** Base64 that is sent as the value of one parameter. The text of the input is only shown. */
export interface StreamedContent extends StreamedBody {
  /** Name of the parameter. */
  readonly member: string;
}

/** Puts content into the place that a request has for it. Throws `bug` without that. */
function withContent(request: HttpRequest, content: StreamedContent): OutgoingRequest {
  const whole = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength);
  // No value can hold a tag: in text and attributes `<` is a reference.
  const opening = `<${content.member}>`;
  const [from, until] = [whole.indexOf(opening), whole.indexOf(`</${content.member}>`)];
  if (from === -1 || until === -1)
    throw new RelctlError('bug', `the request has no place for the content of ${content.member}`);
  const before = whole.subarray(0, from + opening.length);
  const behind = whole.subarray(until);
  return {
    ...request,
    body: {
      length: before.length + content.length + behind.length,
      *open() {
        yield before;
        yield* content.open();
        yield behind;
      },
    },
  };
}

/**
 * The request of a call with content that is made while it is sent. Throws `usage` as writeRequest, `bug` without the
 * member.
 */
export const writeStreamedRequest = (text: RequestText, content: StreamedContent): OutgoingRequest =>
  withContent(writeRequest(text), content);

/** The same request with its secrets replaced before it is written, as writeMaskedRequest makes it. */
export const writeMaskedStreamedRequest = (text: RequestText, content: StreamedContent): OutgoingRequest =>
  withContent(writeMaskedRequest(text), content);
