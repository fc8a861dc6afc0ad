import type { Page } from '../client/pages.js';
import { noTotals, type WalkState } from '../client/paging.js';
import type { RecordValue } from '../plain/value.js';
import { jsonIn } from './damaged.js';

/** The place of a sync in the list that it reads, without the records that were seen. */
export type Place = Omit<WalkState, 'keys'>;

/** A sync as a mirror in a file keeps it. */
export interface Begun {
  readonly startedAt: string;
  readonly reading: number;
  readonly place: Place | undefined;
  readonly lastOfFirst: number;
}

/** What a walk counted before its first page. */
const begin: Place = { ...noTotals, lastPage: 0, pageSize: 0, signature: '', shifted: false };

/** The place that a mirror keeps as JSON. Throws `local` where it is none. */
export function placeIn(text: string): Place {
  const kept = jsonIn(text) as Omit<Place, 'shifted'> & Partial<Place>;
  // An earlier version did not say whether rows had moved.
  return { ...kept, shifted: kept.shifted ?? false };
}

/** The place behind a page. */
export function placeBehind(
  before: Place | undefined,
  page: Page,
  idOf: (record: RecordValue) => string | undefined,
): Place {
  const at = before ?? begin;
  const { records, number, signature, duplicates, changed = 0, retries, pageSize = at.pageSize } = page;
  const first = records[0] && idOf(records[0]);
  const last = records.at(-1);
  return {
    pages: at.pages + 1,
    rows: at.rows + records.length,
    duplicates: at.duplicates + duplicates,
    changed: at.changed + changed,
    retries: at.retries + retries,
    firstId: at.firstId ?? first,
    lastId: (last && idOf(last)) ?? at.lastId,
    lastPage: number,
    pageSize,
    signature,
    // The page behind which an earlier run stopped comes again where it has other rows now.
    shifted: at.shifted || number === before?.lastPage,
  };
}
