import { paging, refuse } from './handler.js';
import { instantKey } from '../../lexical/time/instant-key.js';
import type { PageRequest } from '../store/pages.js';

/** Decoded paging parameters of a request. */
export interface ReceivedPaging {
  readonly pageNumber?: number | null;
  readonly pageSize?: number | null;
}

/** The page to answer (interface document, Limits; assumptions.json, "First page" and "Page size"). */
export function pageOf({ pageNumber, pageSize }: ReceivedPaging): PageRequest {
  const size = pageSize ?? 0;
  return {
    pageNumber: Math.max(pageNumber ?? 0, paging.firstPage),
    pageSize: size <= 0 ? paging.defaultSize : Math.min(size, paging.largestSize),
  };
}

/** A period by sort keys; both ends belong to it. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The period of a request (interface document, Additional rules, 3). Throws `refused` when it ends too early. */
export function periodOf(input: { readonly from?: string | null; readonly to?: string | null }): Period {
  const from = instantKey(input.from ?? '') ?? '';
  const to = instantKey(input.to ?? '') ?? '9999-12-31T23:59:59.9999999Z';
  if (from > to) refuse('InvalidPeriod', 'The period ends before it begins.');
  return { from, to };
}
