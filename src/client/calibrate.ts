import { operations } from '../contract/service.js';
import type { RecordValue } from '../plain/value.js';
import { RelctlError } from '../errors/relctl-error.js';
import type { Client } from './client.js';
import { mayBeTooLarge } from './first-page.js';
import { listIn, noList, wordsOf, type ListAnswer } from './list-answer.js';
import type { ListEnd } from './paging.js';

/** How a service pages, as far as reads can show it (interface document, Limits: not documented). */
export interface Calibration {
  readonly firstPage: 0 | 1;
  /** The largest number of rows that the service gives on a page; undefined when no limit was found. */
  readonly pageCap: number | undefined;
  /** The largest page that came in time; undefined when the list is too short to tell. */
  readonly pageSize: number | undefined;
  /** False when every page is the same: then a list has to be read as one page. */
  readonly respectsPageNumber: boolean;
  /** How lists end; undefined when the reads did not show it. */
  readonly listEnd: ListEnd | undefined;
  /** What each read showed, one sentence each. */
  readonly evidence: readonly string[];
}

/** More than services usually give on a page. */
const largeSize = 5000;

type Ids = readonly string[];

/** A page as the service sent it; undefined when the service refuses it. Throws what the call throws. */
async function pageOf(client: Client, pageNumber: number, pageSize: number): Promise<ListAnswer | undefined> {
  const operation = operations.RelationGetAll;
  try {
    const reply = await client.callUntyped(operation, {
      pageNumber,
      pageSize,
      includeFields: false,
      includeCounters: false,
    });
    return listIn(operation, reply.result, 'Relations');
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    // A service that counts from one may refuse page 0.
    if (error.kind === 'refused' || error.kind === 'not-found') return undefined;
    throw error;
  }
}

async function idsOf(client: Client, pageNumber: number, pageSize: number): Promise<Ids | undefined> {
  const page = await pageOf(client, pageNumber, pageSize);
  // An answer with an error instead of the list says nothing about pages.
  const isNone = page?.state === 'other' || (page?.state === 'absent' && page.beside.length > 0);
  if (page !== undefined && isNone) throw noList(page);
  return page?.records.map(({ Id }) => (typeof Id === 'string' ? Id : ''));
}

const same = (left: Ids, right: Ids): boolean =>
  left.length === right.length && left.every((id, at) => id === right[at]);

function said(page: number, ids: Ids | undefined): string {
  return `page ${page}: ${ids === undefined ? 'refused' : `${ids.length} rows${ids[0] === undefined ? '' : ` from ${ids[0]}`}`}`;
}

/** Time within which a large page has to be there, in milliseconds. */
const usualWithinMs = 10_000;

/** What bounds the calls of a calibration. */
interface Bounds {
  readonly signal: AbortSignal;
  readonly withinMs: number;
}

/** A client whose calls end when their time is up, without another attempt. */
function hurried(client: Client, { signal, withinMs }: Bounds): Client {
  const callUntyped: Client['callUntyped'] = async (operation, input) => {
    const late = new AbortController();
    const reason = new RelctlError('no-answer', `no answer within ${withinMs} ms`, {
      facts: { code: 'timeout-whole' },
    });
    const timer = setTimeout(() => late.abort(reason), withinMs);
    try {
      const options = { signal: AbortSignal.any([signal, late.signal]), endsWhenSlow: true };
      return await client.callUntyped(operation, input, options);
    } finally {
      clearTimeout(timer);
    }
  };
  return { ...client, callUntyped };
}

/** A large page that may be refused, or not be there in time; undefined then. */
async function largePage(client: Client, { number, size }: { number: number; size: number }): Promise<Ids | undefined> {
  try {
    return await idsOf(client, number, size);
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    if (mayBeTooLarge(error)) return undefined;
    throw error;
  }
}

async function capOf(client: Client, firstPage: 0 | 1): Promise<{ cap: number | undefined; line: string }> {
  const first = await largePage(client, { number: firstPage, size: largeSize });
  if (first === undefined) return { cap: undefined, line: `${largeSize} rows asked for: refused, or not in time` };
  if (first.length >= largeSize || first.length === 0)
    return { cap: undefined, line: `${largeSize} rows asked for, ${first.length} came` };
  // A service that is asked for as many rows as it sent gives the next rows, whatever its first page is.
  const next = (await idsOf(client, firstPage + 1, first.length)) ?? [];
  const line = `${largeSize} rows asked for, ${first.length} came, ${next.length} on the next page of that size`;
  return { cap: next.length > 0 && !same(first, next) ? first.length : undefined, line };
}

/** Page sizes to try, the largest first: beyond it, pages save little time and take much memory. */
const triedSizes = [1000, 500, 200];

/** The largest page that comes in time; undefined when a page with fewer rows may be the whole list. */
async function sizeOf(
  client: Client,
  { firstPage, cap = triedSizes[0] ?? smallSize }: { firstPage: 0 | 1; cap: number | undefined },
): Promise<{ pageSize: number | undefined; lines: readonly string[] }> {
  const lines: string[] = [];
  for (const size of new Set(triedSizes.map((tried) => Math.min(tried, cap)))) {
    const ids = await largePage(client, { number: firstPage, size });
    const isRefused = ids === undefined || ids.length === 0;
    lines.push(`${size} rows asked for${isRefused ? ': refused, or not in time' : `, ${ids.length} came`}`);
    if (!isRefused) return { pageSize: ids.length < size ? undefined : size, lines };
  }
  return { pageSize: Math.min(cap, smallSize), lines };
}

/** Page size for the search for the end: every service gives that many rows on a page. */
const smallSize = 100;

/** Pages of that size that a list may have: a hundred million rows. */
const mostPages = 2 ** 20;

/** The number of the first page without rows, found by doubling and then halving; undefined when no page is empty. */
async function findEnd(
  client: Client,
  { firstPage, size }: { firstPage: 0 | 1; size: number },
): Promise<number | undefined> {
  const isFilled = async (page: number): Promise<boolean> => {
    const found = await pageOf(client, firstPage + page, size);
    return found !== undefined && found.records.length > 0;
  };
  let high = 1;
  while (await isFilled(high)) {
    if (high >= mostPages) return undefined;
    high *= 2;
  }
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isFilled(middle)) low = middle;
    else high = middle;
  }
  return firstPage + high;
}

const endOf = (page: ListAnswer | undefined): ListEnd | undefined => {
  if (page?.state === 'empty' || page?.state === 'nil') return 'empty';
  return page?.state === 'absent' && page.beside.length === 0 ? 'absent' : undefined;
};

/** How the list ends, by the first two pages without rows: both have to be alike. */
async function listEndOf(
  client: Client,
  asking: { firstPage: 0 | 1; size: number },
): Promise<{ listEnd: ListEnd | undefined; lines: readonly string[] }> {
  const number = await findEnd(client, asking);
  if (number === undefined) return { listEnd: undefined, lines: ['no page without rows was found'] };
  const pages = [await pageOf(client, number, asking.size), await pageOf(client, number + 1, asking.size)] as const;
  const lines = pages.map((page, at) => {
    const words = page === undefined ? 'refused' : `the answer has ${wordsOf(page)}`;
    return `page ${number + at}, behind the last row: ${words}`;
  });
  const [first, second] = pages.map(endOf);
  return { listEnd: first === second ? first : undefined, lines };
}

/** Calls at once that show whether a service answers one client's calls one after the other. */
const atOnce = 4;

/** Milliseconds until the last of some calls at once is answered. */
async function lastOfMs(client: Client, input: RecordValue, withoutCookies: boolean): Promise<number> {
  const calls = Array.from({ length: atOnce }, () =>
    client.callUntyped(operations.RelationGetAll, input, { withoutCookies }),
  );
  return Math.max(...(await Promise.all(calls)).map(({ elapsedMs }) => elapsedMs));
}

/**
 * What calls at once show of a service that keeps cookies with its clients: some answer those of one session one after the
 * other, as ASP.NET does for pages that write to it. Nothing for a service without cookies.
 */
async function sessionLines(client: Client, firstPage: 0 | 1): Promise<readonly string[]> {
  const input = { pageNumber: firstPage, pageSize: smallSize, includeFields: false, includeCounters: false };
  const { hasCookies, elapsedMs } = await client.callUntyped(operations.RelationGetAll, input);
  if (hasCookies !== true) return [];
  const without = Math.round(await lastOfMs(client, input, true));
  const within = Math.round(await lastOfMs(client, input, false));
  const measured = `${atOnce} calls at once took ${within} ms with its cookies, ${without} ms without, one ${Math.round(elapsedMs)} ms`;
  // Of calls one after the other, the last waits for all; a busy machine seldom makes that of calls at once.
  const isSerial = within > 2 * without && within > 2 * elapsedMs;
  return [
    isSerial
      ? `the service answers calls of one session one after the other: ${measured}; --set cookies=no sends none`
      : `the service keeps cookies: ${measured}`,
  ];
}

/** True when page 0 holds rows that page 1 does not repeat. */
const isPageOfItsOwn = (zero: Ids | undefined, one: Ids): boolean =>
  zero !== undefined && zero.length > 0 && !same(zero, one);

/** What the first three pages show. Throws `not-found` when there are no relations. */
async function firstPages(client: Client): Promise<Pick<Calibration, 'firstPage' | 'respectsPageNumber' | 'evidence'>> {
  const [zero, one = [], two = []] = [await idsOf(client, 0, 2), await idsOf(client, 1, 2), await idsOf(client, 2, 2)];
  if (one.length === 0 && (zero ?? []).length === 0) {
    throw new RelctlError('not-found', 'there are no relations, so nothing can be told of the pages', {});
  }
  return {
    firstPage: isPageOfItsOwn(zero, one) ? 0 : 1,
    respectsPageNumber: one.length < 2 || !same(one, two),
    evidence: [said(0, zero), said(1, one), said(2, two)],
  };
}

/**
 * Finds out how a service pages, by reads of RelationGetAll: whether the first page is 0 or 1, whether the page size has a
 * limit, the largest page that comes in time, whether the service respects pageNumber, and how a list ends. Throws `not-found` when there are no relations,
 * `bad-answer` for an answer with an error instead of the list, and what the calls throw.
 */
export async function calibrate(
  client: Client,
  { signal, withinMs = usualWithinMs }: Pick<Bounds, 'signal'> & Partial<Bounds>,
): Promise<Calibration> {
  const first = await firstPages(client);
  const { firstPage, evidence } = first;
  if (!first.respectsPageNumber) return { ...first, pageCap: undefined, pageSize: undefined, listEnd: undefined };
  const bounded = hurried(client, { signal, withinMs });
  const { cap, line } = await capOf(bounded, firstPage);
  const { pageSize, lines: ofSizes } = await sizeOf(bounded, { firstPage, cap });
  const { listEnd, lines } = await listEndOf(client, { firstPage, size: Math.min(cap ?? smallSize, smallSize) });
  const ofSession = await sessionLines(client, firstPage);
  return {
    ...first,
    pageCap: cap,
    pageSize,
    listEnd,
    evidence: [...evidence, line, ...ofSizes, ...lines, ...ofSession],
  };
}
