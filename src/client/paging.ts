import type { ListAnswer } from './list-answer.js';
import type { OpenOverflow } from './ids/id-set.js';
import { rowId, type IdOf, type PageKeys, type Row } from './rows/row.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import { isTooSlow } from './retry.js';
import { setMaxListeners } from 'node:events';

/** One page as the service gave it. */
export interface FetchedPage extends Omit<ListAnswer, 'records'> {
  readonly records: readonly Row[];
  /** Number of attempts, the successful one included. */
  readonly attempts: number;
}

interface PageCall {
  readonly signal: AbortSignal;
  /** Called when the answer has come, before it is decoded, with the number of its bytes; again when the call is repeated. */
  readonly received?: (bytes: number) => void;
}

/** Fetches the page with this number, of at most `pageSize` rows. */
export type FetchPage = (pageNumber: number, call: PageCall, pageSize: number) => Promise<FetchedPage>;

/** How a service marks the end of a list: by a list without rows, or by an answer without the list. */
export type ListEnd = 'empty' | 'absent';

/** A paging setting of the profile that seems wrong, with the value that seems right. */
type PagingFinding =
  { readonly setting: 'listEnd'; readonly value: ListEnd } | { readonly setting: 'firstPage'; readonly value: number };

/** A page size of which it is not known whether the service can give so many rows. */
export interface Trial {
  /** Rows to ask for when the first page cannot be had by the size of the plan, or has no rows. */
  readonly smallerSize: number;
  readonly fetch: FetchPage;
  /**
   * Called with the size that gave rows.
   * @param refusal why it is the smaller one, in words
   */
  readonly settled: (pageSize: number, refusal?: string) => void | Promise<void>;
}

/** How to walk a paged list (interface document, Limits). */
export interface PagingPlan {
  readonly firstPage: number;
  /** Rows to ask for on a page; fewer when the first page shows that the service gives fewer. */
  readonly pageSize: number;
  /** How to find out whether `pageSize` is too large; undefined where it is to hold. A resumed walk has its size already. */
  readonly trial?: Trial;
  /** What is known of the end of lists; `empty` when nothing is. */
  readonly listEnd?: ListEnd;
  /** The hint of an error for a setting that seems wrong; undefined for none. */
  readonly remedyFor?: (finding: PagingFinding) => string | undefined;
  /** How many calls to keep under way for pages behind the one in use; 0 requests a page when it is wanted. */
  readonly prefetch: number;
  readonly limit?: number;
  readonly onlyPage?: number;
  /** Id of a record; undefined for a record without one, which never counts as a repeat. */
  readonly idOf: IdOf;
  readonly signal: AbortSignal;
  readonly resume?: WalkState;
  /** Whether the service counts from 0 or 1 is not known: the page before the first is read at the end. */
  readonly looksBefore?: boolean;
  /** Opens the overflow file for Ids; without it, all stay in memory. */
  readonly openOverflow?: OpenOverflow;
  /** Rows that the list had when it was read last: the page where the last of them stood is read at the end. */
  readonly rowsBefore?: number | undefined;
}

/** What a walk counts. */
export interface WalkTotals {
  readonly pages: number;
  readonly rows: number;
  readonly duplicates: number;
  /** Rows that an earlier page had with another content; they are counted in `rows` too. */
  readonly changed: number;
  readonly retries: number;
  readonly firstId: string | undefined;
  readonly lastId: string | undefined;
}

/** What a walk counts before its first page. */
export const noTotals: WalkTotals = {
  pages: 0,
  rows: 0,
  duplicates: 0,
  changed: 0,
  retries: 0,
  firstId: undefined,
  lastId: undefined,
};

/** The Ids of the first and the last of some rows that have one. */
export function endsOf(rows: readonly Row[], idOf: IdOf): Pick<WalkTotals, 'firstId' | 'lastId'> {
  const hasId = (row: Row): boolean => rowId(row, idOf) !== undefined;
  const [first, last] = [rows.find(hasId), rows.findLast(hasId)];
  return { firstId: first && rowId(first, idOf), lastId: last && rowId(last, idOf) };
}

/** What a walk counted behind a page. */
export function totalsAfter(
  totals: WalkTotals,
  { records, duplicates, changed = 0, retries }: Page,
  idOf: IdOf,
): WalkTotals {
  const ends = endsOf(records, idOf);
  return {
    pages: totals.pages + 1,
    rows: totals.rows + records.length,
    duplicates: totals.duplicates + duplicates,
    changed: totals.changed + changed,
    retries: totals.retries + retries,
    firstId: totals.firstId ?? ends.firstId,
    lastId: ends.lastId ?? totals.lastId,
  };
}

/** The state of a walk after a page: enough to resume it from there. */
export interface WalkState extends WalkTotals {
  readonly lastPage: number;
  readonly pageSize: number;
  /** Signature of the last page, which shows later whether rows have moved. */
  readonly signature: string;
  /** Rows moved, or changed, between two of the runs so far: a page came again with other rows than before. */
  readonly shifted: boolean;
  /** All records with an Id that were seen, some at a time. Each of them is valid until the next is asked for. */
  readonly keys: Iterable<PageKeys>;
}

/** A page without the records that an earlier page had; those are counted. */
export interface Page {
  readonly number: number;
  readonly records: readonly Row[];
  readonly duplicates: number;
  /** Number of records that an earlier page had with another content; they are among the records. */
  readonly changed?: number;
  /** SHA-256 of the whole page, duplicates included. */
  readonly signature: string;
  readonly retries: number;
  readonly pageSize?: number;
  readonly keys?: PageKeys;
}

/** Why a list ended. */
export type Ending = 'empty page' | 'limit' | 'only page';

/** What a walk says at the end of the list. A walk that ends without one has failed. */
export interface Claim extends WalkTotals {
  readonly ended: Ending;
  /** Rows moved between the page that an earlier run ended with and the same page when the next one went on. */
  readonly shifted: boolean;
  /** True when the limit cut the list and more rows are known to exist. */
  readonly more: boolean;
}

/** HTTP statuses without SOAP of a service that broke down, or of a gateway that had enough of it. */
const brokeDown: ReadonlySet<number> = new Set([413, 500, 502]);

/** True for a failure that a smaller page may not have: the service had the request, and said no or did not get it done. */
export function mayBeTooLarge(error: RelctlError): boolean {
  const { kind, facts } = error;
  if (facts.unsent === true || facts.code === 'unknown-action') return false;
  if (kind === 'refused' || kind === 'bad-answer') return true;
  return kind === 'no-answer' && (isTooSlow(error) || facts.code === 'reset' || brokeDown.has(facts.httpStatus ?? 0));
}

/** A page that was fetched, and whether it may be the end of the list. */
export interface Arrived {
  readonly fetched: FetchedPage;
  readonly isLast: boolean;
}

interface FirstPage {
  readonly larger: () => Promise<Arrived>;
  readonly smaller: () => Promise<Arrived>;
}

/**
 * Gets the first page by the larger size, and by the smaller one when that fails or brings no rows: some services answer so
 * when they are asked for too many. Gives the reason too where only the smaller one brought something. Throws what `smaller`
 * throws, and what `larger` throws for a reason that has nothing to do with the size.
 */
export async function firstPage({ larger, smaller }: FirstPage): Promise<Arrived & { readonly refusal?: string }> {
  let failure: RelctlError | undefined;
  try {
    const arrived = await larger();
    if (!arrived.isLast) return arrived;
  } catch (thrown) {
    failure = RelctlError.from(thrown);
    if (!mayBeTooLarge(failure)) throw failure;
  }
  const arrived = await smaller();
  if (failure === undefined && arrived.isLast) return arrived;
  return { ...arrived, refusal: failure?.message ?? 'no row came' };
}

/** Pages that are requested ahead of their use, in order. */
export interface Prefetched {
  /**
   * The page with this number; numbers must be asked for in order. A page that was requested ahead has the size of that
   * request, so nothing may be requested ahead before the page size is final. Throws what the fetch throws.
   */
  next(number: number, asking: { readonly size: number; readonly ahead: number }): Promise<FetchedPage>;
  /** Aborts all requests that are not answered yet. */
  stop(): void;
}

/** An answer that is decoded at once is not worth a request before it is known whether the list goes on. */
const largeBytes = 64 * 1024;

const unknown = Number.POSITIVE_INFINITY;

/** How many pages behind an answer are worth a request: a page of fewer rows is usually the last one before the end. */
function pagesWorthFetching(rows: number, fewerThan: number): number {
  if (rows === 0) return 1;
  return rows < fewerThan ? 2 : unknown;
}

/**
 * Makes such pages of a function that fetches one. Where a call ends the next one begins, before a large answer is decoded, as
 * long as there are pages to request ahead.
 * @param atOnce most calls under way at once
 */
export function prefetched(fetch: FetchPage, abortSignal: AbortSignal, atOnce: number): Prefetched {
  const stopping = new AbortController();
  const signal = AbortSignal.any([abortSignal, stopping.signal]);
  // Each open request adds several listeners.
  setMaxListeners(0, signal);
  const requested = new Map<number, Promise<FetchedPage>>();
  let inFlight = 0;
  /** Pages whose answers have come and are still to be decoded. */
  const undecoded = new Set<number>();
  /** The page that is asked for, the last one to request ahead, and their size. */
  let [from, to, size] = [0, 0, 0];
  /** Behind which page nothing is worth a request, by the answers so far. */
  let last = unknown;
  let isShortLast = true;

  const request = (number: number): Promise<FetchedPage> => {
    const requestedSize = size;
    const received = (bytes: number): void => {
      if (bytes < largeBytes || undecoded.has(number)) return;
      undecoded.add(number);
      inFlight -= 1;
      requestAhead();
    };
    const ended = (following: number): void => {
      if (!undecoded.delete(number)) inFlight -= 1;
      last = Math.min(last, number + following);
      requestAhead();
    };
    inFlight += 1;
    const page = fetch(number, { signal, received }, requestedSize);
    requested.set(number, page);
    page.then(
      ({ records }) => ended(pagesWorthFetching(records.length, isShortLast ? requestedSize : 0)),
      // A page that is never used must not end the process with an unhandled rejection.
      () => ended(0),
    );
    return page;
  };

  const requestAhead = (): void => {
    // An answer that waits to be decoded keeps no other call back, unless as many wait as may be under way.
    const end = Math.min(to + Math.min(undecoded.size, atOnce), last);
    for (let number = from + 1; number <= end && inFlight < atOnce; number += 1)
      if (!requested.has(number)) void request(number);
  };

  return {
    async next(number, asking) {
      // The list goes on behind a short page, so others may be short as well. An earlier size says nothing of this one.
      if (number > last && asking.size === size) isShortLast = false;
      if (number > last || asking.size !== size) last = unknown;
      [from, to, size] = [number, number + asking.ahead, asking.size];
      const page = requested.get(number) ?? request(number);
      requested.delete(number);
      requestAhead();
      return page;
    },
    stop() {
      last = from;
      stopping.abort();
    },
  };
}
