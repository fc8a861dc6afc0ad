import type { RecordValue } from '../plain/value.js';
import type { ListAnswer } from './list-answer.js';
import type { OpenOverflow } from './overflow-guids.js';

/** One page as the service gave it. */
export interface FetchedPage extends ListAnswer {
  /** Attempts it took. */
  readonly attempts: number;
}

/** Fetches the page with this number, of so many rows at most. */
export type FetchPage = (pageNumber: number, signal: AbortSignal, pageSize: number) => Promise<FetchedPage>;

/** How a service marks the end of a list: by a list without rows, or by an answer without the list. */
export type ListEnd = 'empty' | 'absent';

/** A setting of how a service pages that is likely to be otherwise than it is known. */
type PagingFinding =
  { readonly setting: 'listEnd'; readonly value: ListEnd } | { readonly setting: 'firstPage'; readonly value: number };

/** How to walk a paged list (interface document, Limits). */
export interface PagingPlan {
  readonly firstPage: number;
  /** Rows to ask for on a page; fewer when the first page shows that the service gives fewer. */
  readonly pageSize: number;
  /** What is known of the end of lists; `empty` when nothing is. */
  readonly listEnd?: ListEnd;
  /** What to try when the service seems to page otherwise than is known, for an error message; undefined for nothing. */
  readonly remedyFor?: (finding: PagingFinding) => string | undefined;
  /** Most pages under way beyond the one being used. */
  readonly prefetch: number;
  /** Stop after so many rows. */
  readonly limit?: number;
  /** Only this page, whatever it holds. */
  readonly onlyPage?: number;
  /** Id of a record; undefined for one that nothing tells from others: those are never taken for repeats. */
  readonly idOf: (record: RecordValue) => string | undefined;
  readonly signal: AbortSignal;
  /** Where an earlier walk stopped. */
  readonly resume?: WalkState;
  /**
   * Nothing is known of where the service begins to count: the page before the first is looked at behind the last, so that
   * a service that begins one earlier loses no rows in silence.
   */
  readonly looksBefore?: boolean;
  /** Where Ids go that are too many for memory; absent, they stay there. */
  readonly openOverflow?: OpenOverflow;
}

/** What a walk counts. */
export interface WalkTotals {
  readonly pages: number;
  readonly rows: number;
  readonly duplicates: number;
  /** Rows whose Id came before with another content; they were written as well. */
  readonly changed: number;
  readonly retries: number;
  readonly firstId: string | undefined;
  readonly lastId: string | undefined;
}

/** The state of a walk after a page: enough to resume it from there. */
export interface WalkState extends WalkTotals {
  readonly lastPage: number;
  /** Rows that a page is asked for. */
  readonly pageSize: number;
  /** Signature of the last page, to see whether rows have moved since. */
  readonly signature: string;
  /** All records with an Id that were seen, page by page. */
  readonly keys: Iterable<RowKey>;
}

/** What a record is known by: its Id, and two words that stand for its content. */
export interface RowKey {
  readonly id: string;
  readonly left: number;
  readonly right: number;
}

/** What the records of a page are known by: Ids, and two words for each of them side by side. */
export interface PageKeys {
  readonly ids: readonly string[];
  readonly contents: Uint32Array;
}

/** A page to write out: records seen on an earlier page are left out and counted. */
export interface Page {
  readonly number: number;
  readonly records: readonly RecordValue[];
  readonly duplicates: number;
  /** Records that came on an earlier page with another content; they are among the records. */
  readonly changed?: number;
  /** Stands for the page as it came, duplicates included. */
  readonly signature: string;
  /** Attempts beyond the first. */
  readonly retries: number;
  /** Rows that pages are asked for from here on. */
  readonly pageSize?: number;
  /** Of the records that have an Id. */
  readonly keys?: PageKeys;
}

/** Why a list ended. */
export type Ending = 'empty page' | 'limit' | 'only page';

/** The statement at the end of a list. Without one, a list did not end well. */
export interface Claim extends WalkTotals {
  readonly ended: Ending;
  /** Rows moved between the page that an earlier run ended with and the same page now. */
  readonly shifted: boolean;
  /** True when the limit cut the list and more rows are known to exist. */
  readonly more: boolean;
  /** How often the list was read because rows moved, and whether none did the last time; undefined when it was read once. */
  readonly readings?: { readonly times: number; readonly settled: boolean };
}
