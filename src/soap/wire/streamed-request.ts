import { RelctlError } from '../../core/errors/relctl-error.js';
import { isStreamed, type HttpRequest, type OutgoingRequest, type StreamedBody } from '../transport/http.js';
import { bodyWithContent } from './content/placed.js';

/** Base64 that is sent as the value of one parameter. The text of the input is only shown. */
export interface StreamedContent extends StreamedBody {
  /** Name of the parameter. */
  readonly member: string;
}

/** The same request with content, if there is any, that is made while it is sent. Throws `bug` without a place for it. */
export function withContent(request: HttpRequest, content: StreamedContent | undefined): OutgoingRequest {
  if (content === undefined) return request;
  const body = bodyWithContent(request.body, content);
  if (isStreamed(body)) return { ...request, body };
  throw new RelctlError('bug', `the request has no place for the content of ${content.member}`);
}
