import type { HttpRequest } from '../soap/transport/http.js';

/** Facts of a request that was not parsed yet. */
export interface RequestWords {
  /** Name of the operation by its action, or else by the first element in the Body; '' when there is neither. */
  readonly operation: string;
  readonly page: number | undefined;
}

const lastPart = (action: string): string => /([^/"]+)"?$/.exec(action.trim())?.[1] ?? '';

const actionOf = ({ headers }: HttpRequest): string => {
  const action = headers['soapaction'] ?? /;\s*action="?([^";]+)/i.exec(headers['content-type'] ?? '')?.[1];
  return lastPart(action ?? '');
};

const inBody = /<(?:[\w.-]+:)?Body\b[^>]*>\s*<(?:[\w.-]+:)?([\w.-]+)/;
const pageNumber = /<(?:[\w.-]+:)?pageNumber\b[^>]*>\s*\+?(\d{1,10})\s*</;

/** Finds operation and page in the text of a request, which may not be well-formed. */
export function wordsOf(request: HttpRequest): RequestWords {
  const text = Buffer.from(request.body).toString('utf8');
  const page = pageNumber.exec(text)?.[1];
  return {
    operation: actionOf(request) || (inBody.exec(text)?.[1] ?? ''),
    page: page === undefined ? undefined : Number(page),
  };
}
