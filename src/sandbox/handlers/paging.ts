import { paging } from '../refusals.js';
import type { PageRequest } from '../store/pages.js';

/** Paging parameters as they came. */
export interface ReceivedPaging {
  readonly pageNumber?: number | null;
  readonly pageSize?: number | null;
}

/** The page that is meant (interface document, Limits; assumptions.ts, "First page" and "Page size"). */
export function pageOf({ pageNumber, pageSize }: ReceivedPaging): PageRequest {
  const size = pageSize ?? 0;
  return {
    pageNumber: Math.max(pageNumber ?? 0, paging.firstPage),
    pageSize: size <= 0 ? paging.defaultSize : Math.min(size, paging.largestSize),
  };
}
