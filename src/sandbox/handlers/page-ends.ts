import type { RecordType } from '../../contract/build.js';
import type { Store } from '../store/open.js';
import { limitOf, type PageRequest } from '../store/pages.js';
import { type Condition, seqsWhere } from '../store/records.js';
import { keptOf } from '../store/state.js';

/** Where a page ended: so many rows of its list stand up to this seq. */
interface End {
  readonly count: number;
  readonly seq: number;
}

/** The ends that are kept of a list, those of fewer rows first. */
type Ends = readonly End[];

/** Ends of one list; of more, every second one goes. */
const mostEnds = 1024;

const beginning: End = { count: 0, seq: 0 };

/** The ends of each list of a database, by what the list depends on; none when a row has changed. */
const endsOf = keptOf(() => new Map<string, Ends>());

/** The same ends with one more, at its place. */
function withEnd(ends: Ends, end: End): Ends {
  const at = ends.findLastIndex(({ count }) => count <= end.count);
  if (ends[at]?.count === end.count) return ends;
  const all = ends.toSpliced(at + 1, 0, end);
  return all.length > mostEnds ? all.filter((_, place) => place % 2 === 0) : all;
}

/**
 * The seqs on one page of the records that meet a condition, in the order of creation. SQLite passes over the rows before a page
 * one by one: only those are passed over that stand behind the end of an earlier page.
 */
export function seqsOfPage(
  store: Store,
  record: RecordType,
  { where, values, page }: Required<Pick<Condition, 'where' | 'values'>> & { readonly page: PageRequest },
): readonly number[] {
  const lists = endsOf(store);
  const list = JSON.stringify([record.name, where, values]);
  const ends = lists.get(list) ?? [];
  const { before, rows } = limitOf(page);
  const nearest = ends.findLast(({ count }) => count <= before) ?? beginning;
  const seqs = seqsWhere(store, record, {
    where: `(${where}) AND "${record.name}".seq > ?`,
    values: [...values, nearest.seq],
    limit: { before: before - nearest.count, rows },
  });
  const last = seqs.at(-1);
  if (last !== undefined) lists.set(list, withEnd(ends, { count: before + seqs.length, seq: last }));
  return seqs;
}
