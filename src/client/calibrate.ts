import { operations } from '../contract/service.js';
import { RelctlError } from '../errors/relctl-error.js';
import type { Client } from './client.js';

/** What the paging of a service was found to be (interface document, Limits: not documented). */
export interface Calibration {
  readonly firstPage: 0 | 1;
  /** Most rows that the service gives on a page; undefined when no bound was met. */
  readonly pageCap: number | undefined;
  /** False when every page is the same: then a list has to be read as one page. */
  readonly respectsPageNumber: boolean;
  /** What was seen, in words. */
  readonly evidence: readonly string[];
}

/** More than services usually give on a page. */
const largeSize = 5000;

type Ids = readonly string[];

async function idsOf(client: Client, pageNumber: number, pageSize: number): Promise<Ids | undefined> {
  try {
    const reply = await client.call(operations.RelationGetAll, {
      pageNumber,
      pageSize,
      includeFields: false,
      includeCounters: false,
    });
    return (reply.result.Relations ?? []).map((relation) => relation?.Id ?? '');
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    // A service that counts from one may refuse page 0.
    if (error.kind === 'refused' || error.kind === 'not-found') return undefined;
    throw error;
  }
}

const same = (left: Ids, right: Ids): boolean =>
  left.length === right.length && left.every((id, at) => id === right[at]);

function said(page: number, ids: Ids | undefined): string {
  return `page ${page}: ${ids === undefined ? 'refused' : `${ids.length} rows${ids[0] === undefined ? '' : ` from ${ids[0]}`}`}`;
}

async function capOf(client: Client, firstPage: 0 | 1): Promise<{ cap: number | undefined; line: string }> {
  const first = (await idsOf(client, firstPage, largeSize)) ?? [];
  if (first.length >= largeSize) return { cap: undefined, line: `${largeSize} rows asked for, ${first.length} came` };
  const next = (await idsOf(client, firstPage + 1, largeSize)) ?? [];
  const line = `${largeSize} rows asked for, ${first.length} came, ${next.length} on the next page`;
  return { cap: next.length > 0 && !same(first, next) ? first.length : undefined, line };
}

/** True when page 0 holds rows that page 1 does not repeat. */
const isPageOfItsOwn = (zero: Ids | undefined, one: Ids): boolean =>
  zero !== undefined && zero.length > 0 && !same(zero, one);

/**
 * Finds out how a service pages, with a handful of reads: whether pages count from 0 or 1, whether a page has a largest
 * size, and whether pageNumber does anything. Throws `not-found` when there are too few relations to tell.
 */
export async function calibrate(client: Client): Promise<Calibration> {
  const [zero, one = [], two = []] = [await idsOf(client, 0, 2), await idsOf(client, 1, 2), await idsOf(client, 2, 2)];
  const evidence = [said(0, zero), said(1, one), said(2, two)];
  if (one.length === 0 && (zero ?? []).length === 0) {
    throw new RelctlError('not-found', 'there are no relations, so nothing can be told of the pages', {});
  }
  const firstPage = isPageOfItsOwn(zero, one) ? 0 : 1;
  const respectsPageNumber = one.length < 2 || !same(one, two);
  if (!respectsPageNumber) return { firstPage, pageCap: undefined, respectsPageNumber, evidence };
  const { cap, line } = await capOf(client, firstPage);
  return { firstPage, pageCap: cap, respectsPageNumber, evidence: [...evidence, line] };
}
