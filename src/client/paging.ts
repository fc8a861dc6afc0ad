import type { ListAnswer } from './list-answer.js';
import type { OpenOverflow } from './ids/overflow-guids.js';
import { rowId, type IdOf, type PageKeys, type Row } from './rows/row.js';

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
