import type { Page } from '../client/pages.js';
import { noTotals, type WalkState } from '../client/paging.js';
import type { RecordValue } from '../plain/value.js';

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
const begin: Place = { ...noTotals, lastPage: 0, pageSize: 0, signature: '' };

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
  };
}
