import { type IncomingRequest, piecesOf } from '../soap/transport/http.js';

/** Facts of a request that was not parsed yet. */
export interface RequestWords {
  /** Name of the operation by its action, or else by the first element in the Body; '' when there is neither. */
  readonly operation: string;
  readonly page: number | undefined;
}

const lastPart = (action: string): string => /([^/"]+)"?$/.exec(action.trim())?.[1] ?? '';

const actionOf = ({ headers }: IncomingRequest): string => {
  const action = headers['soapaction'] ?? /;\s*action="?([^";]+)/i.exec(headers['content-type'] ?? '')?.[1];
  return lastPart(action ?? '');
};

const inBody = /<(?:[\w.-]+:)?Body\b[^<>]*>\s*<(?:[\w.-]+:)?([\w.-]+)/;
const pageNumber = /<(?:[\w.-]+:)?pageNumber\b[^<>]*>\s*\+?(\d{1,10})\s*</;

/** Bytes at the beginning of a large request that are looked at. */
const headBytes = 1024 * 1024;

function headOf({ body }: IncomingRequest): string {
  const head: Uint8Array[] = [];
  let length = 0;
  for (const piece of piecesOf(body)) {
    head.push(piece);
    length += piece.length;
    if (length >= headBytes) break;
  }
  return Buffer.concat(head).toString('utf8');
}

/**
 * Finds operation and page in the text of a request, which may not be well-formed. Of a body that is not in memory only
 * the beginning is looked at.
 */
export function wordsOf(request: IncomingRequest): RequestWords {
  const text = headOf(request);
  const page = pageNumber.exec(text)?.[1];
  return {
    operation: actionOf(request) || (inBody.exec(text)?.[1] ?? ''),
    page: page === undefined ? undefined : Number(page),
  };
}
