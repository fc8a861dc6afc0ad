import { RelctlError } from '../../errors/relctl-error.js';
import { isStreamed, type HttpRequest, type OutgoingRequest, type StreamedBody } from '../transport/http.js';
import { bodyWithContent } from './content/placed.js';
import { writeMaskedRequest, writeRequest, type RequestText } from './request.js';

/** Base64 that is sent as the value of one parameter. The text of the input is only shown. */
export interface StreamedContent extends StreamedBody {
  /** Name of the parameter. */
  readonly member: string;
}

/** Puts content into the place that a request has for it. Throws `bug` without that. */
function withContent(request: HttpRequest, content: StreamedContent): OutgoingRequest {
  const body = bodyWithContent(request.body, content);
  if (isStreamed(body)) return { ...request, body };
  throw new RelctlError('bug', `the request has no place for the content of ${content.member}`);
}

/** A request with content made while it is sent. Throws `usage` as writeRequest, `bug` without the member. */
export const writeStreamedRequest = (text: RequestText, content: StreamedContent): OutgoingRequest =>
  withContent(writeRequest(text), content);

/** The same request with its secrets replaced before it is written, as writeMaskedRequest makes it. */
export const writeMaskedStreamedRequest = (text: RequestText, content: StreamedContent): OutgoingRequest =>
  withContent(writeMaskedRequest(text), content);
