import type { Operation } from '../contract/build.js';
import { operations } from '../contract/service.js';
import type { RecordValue } from '../core/values/value.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import type { Client } from './client.js';
import { mayBeTooLarge, type ListEnd } from './paging.js';
import { listIn, noList, describeAnswer, type ListAnswer } from './list-answer.js';

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

/** Every service gives that many rows on a page. */
const smallSize = 100;

/** Pages of the small size that a list may have: a hundred million rows. */
const mostPages = 2 ** 20;

type Ids = readonly string[];

/** A list with pages, whose reads show how the service pages. */
export interface ProbedList {
  readonly operation: Operation;
  /** Names of the records of the result that hold it, and its own. */
  readonly path: readonly string[];
  readonly input: (page: { readonly number: number; readonly size: number }) => RecordValue;
  /** What tells a record from others. */
  readonly idOf: (record: RecordValue) => string;
}

/** The list that each service of the contract has. */
export const relationsList: ProbedList = {
  operation: operations.RelationGetAll,
  path: ['Relations'],
  input: ({ number, size }) => ({ pageNumber: number, pageSize: size, includeFields: false, includeCounters: false }),
  idOf: ({ Id }) => (typeof Id === 'string' ? Id : ''),
};

interface ListReading {
  readonly client: Client;
  readonly list: ProbedList;
}

/** A page as the service sent it; undefined when the service refuses it. Throws what the call throws. */
async function pageOf({ client, list }: ListReading, number: number, size: number): Promise<ListAnswer | undefined> {
  const { operation, path, input } = list;
  try {
    const reply = await client.callUntyped(operation, input({ number, size }));
    return listIn(operation, reply.result, path);
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    // A service that counts from one may refuse page 0.
    if (error.kind === 'refused' || error.kind === 'not-found') return undefined;
    throw error;
  }
}

async function idsOf(reading: ListReading, number: number, size: number): Promise<Ids | undefined> {
  const page = await pageOf(reading, number, size);
  // An answer with an error instead of the list says nothing about pages.
  const isNone = page?.state === 'other' || (page?.state === 'absent' && page.beside.length > 0);
  if (page !== undefined && isNone) throw noList(page);
  return page?.records.map(reading.list.idOf);
}

const areSame = (left: Ids, right: Ids): boolean =>
  left.length === right.length && left.every((id, at) => id === right[at]);

function describePage(page: number, ids: Ids | undefined): string {
  return `page ${page}: ${ids === undefined ? 'refused' : `${ids.length} rows${ids[0] === undefined ? '' : ` from ${ids[0]}`}`}`;
}

const usualWithinMs = 10_000;

/** A client whose calls end when their time is up, without another attempt. */
function withDeadline(client: Client, signal: AbortSignal, withinMs: number): Client {
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
async function largePage(reading: ListReading, number: number, size: number): Promise<Ids | undefined> {
  try {
    return await idsOf(reading, number, size);
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    if (mayBeTooLarge(error)) return undefined;
    throw error;
  }
}

async function capOf(reading: ListReading, firstPage: 0 | 1): Promise<{ cap: number | undefined; line: string }> {
  const first = await largePage(reading, firstPage, largeSize);
  if (first === undefined)
    return { cap: undefined, line: `${largeSize} rows requested: refused, or no answer in time` };
  if (first.length >= largeSize || first.length === 0)
    return { cap: undefined, line: `${largeSize} rows requested, ${first.length} returned` };
  // A service that is asked for as many rows as it sent gives the next rows, whatever its first page is.
  const next = (await idsOf(reading, firstPage + 1, first.length)) ?? [];
  const line = `${largeSize} rows requested, ${first.length} returned, ${next.length} on the next page`;
  return { cap: next.length > 0 && !areSame(first, next) ? first.length : undefined, line };
}

/** Page sizes to try, the largest first: beyond it, pages save little time and take much memory. */
const triedSizes = [1000, 500, 200];

/** The largest page that comes in time; undefined when a page with fewer rows may be the whole list. */
async function sizeOf(
  reading: ListReading,
  { firstPage, cap = triedSizes[0] ?? smallSize }: { firstPage: 0 | 1; cap: number | undefined },
): Promise<{ pageSize: number | undefined; lines: readonly string[] }> {
  const lines: string[] = [];
  for (const size of new Set(triedSizes.map((tried) => Math.min(tried, cap)))) {
    const ids = await largePage(reading, firstPage, size);
    const isRefused = ids === undefined || ids.length === 0;
    lines.push(`${size} rows requested${isRefused ? ': refused, or no answer in time' : `, ${ids.length} returned`}`);
    if (!isRefused) return { pageSize: ids.length < size ? undefined : size, lines };
  }
  return { pageSize: Math.min(cap, smallSize), lines };
}

/** The number of the first page without rows, found by doubling and then halving; undefined when no page is empty. */
async function findEnd(
  reading: ListReading,
  { firstPage, size }: { firstPage: 0 | 1; size: number },
): Promise<number | undefined> {
  const isFilled = async (page: number): Promise<boolean> => {
    const answer = await pageOf(reading, firstPage + page, size);
    return answer !== undefined && answer.records.length > 0;
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
  reading: ListReading,
  asking: { firstPage: 0 | 1; size: number },
): Promise<{ listEnd: ListEnd | undefined; lines: readonly string[] }> {
  const number = await findEnd(reading, asking);
  if (number === undefined) return { listEnd: undefined, lines: ['found no page without rows'] };
  const pages = [await pageOf(reading, number, asking.size), await pageOf(reading, number + 1, asking.size)] as const;
  const lines = pages.map((page, at) => {
    const words = page === undefined ? 'refused' : `the answer has ${describeAnswer(page)}`;
    return `page ${number + at}, after the last row: ${words}`;
  });
  const [first, second] = pages.map(endOf);
  return { listEnd: first === second ? first : undefined, lines };
}

/** Calls at once that show whether a service answers one client's calls one after the other. */
const atOnce = 4;

/** Milliseconds until the last of some calls at once is answered. */
async function lastOfMs({ client, list }: ListReading, input: RecordValue, withoutCookies: boolean): Promise<number> {
  const calls = Array.from({ length: atOnce }, () => client.callUntyped(list.operation, input, { withoutCookies }));
  return Math.max(...(await Promise.all(calls)).map(({ elapsedMs }) => elapsedMs));
}

/**
 * What calls at once show of a service that keeps cookies with its clients: some answer those of one session one after the
 * other, as ASP.NET does for pages that write to it. Nothing for a service without cookies.
 */
async function sessionLines(reading: ListReading, firstPage: 0 | 1): Promise<readonly string[]> {
  const { client, list } = reading;
  const input = list.input({ number: firstPage, size: smallSize });
  const { hasCookies, elapsedMs } = await client.callUntyped(list.operation, input);
  if (hasCookies !== true) return [];
  let times: readonly [without: number, within: number];
  try {
    times = [await lastOfMs(reading, input, true), await lastOfMs(reading, input, false)];
  } catch (thrown) {
    // All else is known by now, and a service may refuse calls at once, or those without its cookies.
    const { kind, message } = RelctlError.from(thrown);
    if (kind !== 'refused' && kind !== 'no-answer') throw thrown;
    return [`the service sets cookies, and refused one of ${atOnce} concurrent calls: ${message}`];
  }
  const [without, within] = times.map(Math.round) as [number, number];
  const measured = `${atOnce} concurrent calls took ${within} ms with its cookies, ${without} ms without, one ${Math.round(elapsedMs)} ms`;
  // Of calls one after the other, the last waits for all; a busy machine seldom makes that of calls at once.
  const isSerial = within > 2 * without && within > 2 * elapsedMs;
  return [
    isSerial
      ? `the service answers the calls of one session one by one: ${measured}; --set cookies=no sends none`
      : `the service sets cookies: ${measured}`,
  ];
}

/** What the first three pages show. Throws `not-found` when the list has no rows. */
async function firstPages(
  reading: ListReading,
): Promise<Pick<Calibration, 'firstPage' | 'respectsPageNumber' | 'evidence'>> {
  const [zero, one = [], two = []] = [
    await idsOf(reading, 0, 2),
    await idsOf(reading, 1, 2),
    await idsOf(reading, 2, 2),
  ];
  if (one.length === 0 && (zero ?? []).length === 0) {
    const { name } = reading.list.operation;
    throw new RelctlError('not-found', `${name} returns no rows, so relctl cannot calibrate the pages`, {});
  }
  const isZeroPage = zero !== undefined && zero.length > 0 && !areSame(zero, one);
  return {
    firstPage: isZeroPage ? 0 : 1,
    respectsPageNumber: one.length < 2 || !areSame(one, two),
    evidence: [describePage(0, zero), describePage(1, one), describePage(2, two)],
  };
}

/**
 * Finds out how a service pages, by reads of a list: whether the first page is 0 or 1, whether the page size has a
 * limit, the largest page that comes in time, whether the service respects pageNumber, and how a list ends. Throws `not-found` when the list has no rows,
 * `bad-answer` for an answer with an error instead of the list, and what the calls throw.
 */
export async function calibrate(
  reading: ListReading,
  { signal, withinMs = usualWithinMs }: { readonly signal: AbortSignal; readonly withinMs?: number },
): Promise<Calibration> {
  const first = await firstPages(reading);
  const { firstPage, evidence } = first;
  if (!first.respectsPageNumber) return { ...first, pageCap: undefined, pageSize: undefined, listEnd: undefined };
  const bounded = { ...reading, client: withDeadline(reading.client, signal, withinMs) };
  const { cap, line } = await capOf(bounded, firstPage);
  const { pageSize, lines: ofSizes } = await sizeOf(bounded, { firstPage, cap });
  const { listEnd, lines } = await listEndOf(reading, { firstPage, size: Math.min(cap ?? smallSize, smallSize) });
  const ofSession = await sessionLines(reading, firstPage);
  return {
    ...first,
    pageCap: cap,
    pageSize,
    listEnd,
    evidence: [...evidence, line, ...ofSizes, ...lines, ...ofSession],
  };
}
