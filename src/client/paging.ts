import type { RecordValue } from '../soap/values.js';
import type { OpenSpill } from './spilled-guids.js';

/** One page as the service gave it. */
export interface FetchedPage {
  readonly records: readonly RecordValue[];
  /** Attempts it took. */
  readonly attempts: number;
}

/** Fetches the page with this number, of the size that the plan names. */
export type FetchPage = (pageNumber: number, signal: AbortSignal) => Promise<FetchedPage>;

/** How to walk a paged list (interface document, Limits). */
export interface PagingPlan {
  readonly firstPage: number;
  readonly pageSize: number;
  /** Most pages under way beyond the one being used. */
  readonly prefetch: number;
  /** Stop after so many rows. */
  readonly limit?: number;
  /** Only this page, whatever it holds. */
  readonly onlyPage?: number;
  /** Id of a record; records without one are never taken for repeats. */
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
  readonly openSpill?: OpenSpill;
}

/** What a walk knows behind a page: enough to go on from there. */
export interface WalkState {
  readonly lastPage: number;
  /** Signature of the last page, to see whether rows have moved since. */
  readonly signature: string;
  readonly pages: number;
  readonly rows: number;
  readonly duplicates: number;
  readonly retries: number;
  readonly firstId: string | undefined;
  readonly lastId: string | undefined;
  /** Ids of all records seen, page by page. */
  readonly ids: Iterable<string>;
}
