import { createHash } from 'node:crypto';
import type { Database } from '../../state/sqlite/open.js';
import type { SourceState } from '../sources.js';
import { BitSet } from '../../core/values/bit-set.js';
import { rangesOf, type Ranges } from '../seqs.js';
import { whole } from '../schema.js';
import type { MirrorTable } from '../tables.js';
import { isShown } from './tables.js';

/** What was published of a source: the syncs of it that the mirror had. */
interface SourceMark {
  readonly id: number;
  readonly name: string;
  /** When the last sync that changed rows began; empty before the first. */
  readonly through: string;
  /** A hash of the syncs up to it: that of another mirror is another one. */
  readonly syncs: string;
}

/** What was published of a table of records, with the tables of its lists. */
export interface TableMark {
  readonly columns: string;
  readonly sources: readonly SourceMark[];
  /** The tables, and how many rows each has. */
  readonly rows: Readonly<Record<string, number>>;
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64').slice(0, 22);

function syncsOf(database: Database, source: number): readonly (readonly [began: string, ended: string])[] {
  return database
    .statement('SELECT began_at, ended_at FROM "_syncs" WHERE source = ? ORDER BY began_at')
    .all(source)
    .map(([began, ended]) => [String(began), String(ended)]);
}

/** What is to be remembered of the sources of a table when it is published now. */
export function sourceMarks(database: Database, sources: readonly SourceState[]): readonly SourceMark[] {
  return sources.map(({ id, name }) => {
    const syncs = syncsOf(database, id);
    return { id, name, through: syncs.at(-1)?.[0] ?? '', syncs: hashOf(syncs) };
  });
}

/** A hash of the columns of tables. */
export const columnsMark = (
  tables: readonly { readonly name: string; readonly columns: readonly object[] }[],
): string => hashOf(tables.map(({ name, columns }) => [name, columns]));

/** True when nothing that is shown of a table can have changed since it was published. */
export function isSame(
  mark: TableMark,
  now: Pick<TableMark, 'columns' | 'sources'>,
  sources: readonly SourceState[],
): boolean {
  // What is asked for relation by relation is shown before the sync has ended.
  if (sources.some(({ unfinished }) => unfinished !== undefined)) return false;
  return mark.columns === now.columns && JSON.stringify(mark.sources) === JSON.stringify(now.sources);
}

/** When the last sync of a source began of which all was published; undefined where all is to be sent. */
function publishedThrough(database: Database, mark: TableMark, { id, name }: SourceState): string | undefined {
  const known = mark.sources.find((each) => each.id === id && each.name === name);
  if (known === undefined) return undefined;
  const syncs = syncsOf(database, id).filter(([began]) => began <= known.through);
  return hashOf(syncs) === known.syncs ? known.through : undefined;
}

/** What differs between a table of the mirror and what was published of it, by the numbers of its records. */
export interface Difference {
  readonly sent: Ranges;
  readonly gone: Ranges;
  readonly rows: number;
}

/**
 * Compares a table of the mirror with what was published of it. Throws `local`.
 * @param there numbers of the records that are published
 */
export function differenceOf(
  database: Database,
  table: MirrorTable,
  given: { readonly mark: TableMark; readonly sources: readonly SourceState[]; readonly there: Ranges },
): Difference {
  const { mark, sources, there } = given;
  const through = new Map(sources.map((source) => [source.id, publishedThrough(database, mark, source)]));
  const published = new BitSet();
  published.addAll(there);
  const [sent, shown] = [new BitSet(), new BitSet()];
  const rows = database
    .statement(`SELECT r."_seq", r."_source", r."_changed_at" FROM "${whole(table.name)}" r WHERE ${isShown(table)}`)
    .each();
  for (const [seq, source, changedAt] of rows) {
    shown.add(Number(seq));
    const since = through.get(Number(source));
    if (since === undefined || String(changedAt) > since || !published.has(Number(seq))) sent.add(Number(seq));
  }
  return { sent: rangesOf(sent.without(new BitSet())), gone: rangesOf(published.without(shown)), rows: shown.size };
}
