import type { Database } from '../state/sqlite/open.js';
import { onceCondition, whole } from './schema.js';
import { tablesWith, type Source } from './sources.js';
import { jsonIn, type MirrorTable } from './tables.js';

/** A record that a sync added, changed or found gone. */
export interface ChangedRow {
  readonly table: string;
  readonly change: 'added' | 'changed' | 'gone';
  readonly at: string;
  readonly id: string | null;
  /** What the record is called; null where it has no name. */
  readonly name: string | null;
}

interface ReadOptions {
  readonly isGone: boolean;
  /** Only those that came or changed with a sync that ended at this time or later. */
  readonly changedSince: string | undefined;
}

const nameColumn = ({ record, columns }: MirrorTable): string | undefined => {
  const named = Object.entries(record.fields).find(([, { role }]) => role === 'name')?.[0];
  return (
    columns.find(({ name }) => name === named)?.name ?? columns.find(({ name }) => /DisplayName$/.test(name))?.name
  );
};

/** The tables that some names mean, in a mirror of some sources; all without names. Gives the first name that means none. */
export function tablesOf(
  names: readonly string[],
  sources: readonly Pick<Source, 'own'>[],
): readonly MirrorTable[] | string {
  const all = tablesWith(sources);
  const unknown = names.find((name) => all.every((table) => table.name !== name));
  return unknown ?? all.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** The sync with which a time of a row came: rows carry the time when it began. */
const endOf = (column: string): string =>
  `(SELECT s.ended_at FROM "_syncs" s WHERE s.source = r."_source" AND s.began_at = r."${column}" AND s.ended_at >= ?1)`;

/** What happened to each row of a table since a time: the last thing that counts, and a row that came and went is gone. */
const changesOf = (table: MirrorTable): string => {
  const name = nameColumn(table);
  return `SELECT gone, added, changed, "${table.idColumn}", named FROM (SELECT r."${table.idColumn}", r."_seq",
    ${name === undefined ? 'NULL' : `r."${name}"`} AS named, ${endOf('_gone_at')} AS gone, ${endOf('_first_seen')} AS added, ${endOf('_changed_at')} AS changed
    FROM "${whole(table.name)}" r) WHERE gone IS NOT NULL OR added IS NOT NULL OR changed IS NOT NULL ORDER BY "_seq"`;
};

const text = (cell: unknown): string | null =>
  typeof cell === 'string' || typeof cell === 'number' ? String(cell) : null;

/**
 * What syncs that ended at a time or later did to the records of some tables, one row a record: in the order of the tables,
 * and in each as records came. A sync that found no difference is not among them. Throws `local`.
 * @param since a time as the mirror keeps it: UTC, to the millisecond
 */
export function* changesIn(
  database: Database,
  { since, tables }: { readonly since: string; readonly tables: readonly MirrorTable[] },
): Generator<ChangedRow, void> {
  for (const table of tables) {
    for (const [gone, added, changed, id, name] of database.statement(changesOf(table)).each(since)) {
      const change = gone !== null ? 'gone' : added !== null ? 'added' : 'changed';
      const at = String(gone ?? added ?? changed);
      yield { table: table.name, change, at, id: text(id), name: text(name) };
    }
  }
}

/** Ranges of rows in the order of the lists that filled a table, by its sources; fan-outs have no such order. */
function* rangesOf(database: Database, table: string): Generator<readonly [number, number]> {
  const pages = database.statement(
    'SELECT p.seqs FROM "_sources" s JOIN "_pages" p ON p.source = s.id WHERE s."table" = ? ORDER BY s.id, p.number',
  );
  let isPaged = false;
  for (const [seqs] of pages.each(table)) {
    isPaged = true;
    yield* jsonIn(String(seqs)) as readonly (readonly [number, number])[];
  }
  if (!isPaged) yield [0, Number.MAX_SAFE_INTEGER];
}

/** The records of a table, as JSON, in the order of the list that filled it. Throws `local`. */
export function* recordsIn(
  database: Database,
  table: MirrorTable,
  { isGone, changedSince }: ReadOptions,
): Generator<string, void> {
  const since = changedSince === undefined ? '' : ` AND ${endOf('_changed_at').replace('?1', '?3')} IS NOT NULL`;
  const there = isGone ? 'r."_gone_at" IS NOT NULL' : `r."_gone_at" IS NULL${onceCondition(table)}`;
  const rows = database.statement(
    `SELECT r."_record" FROM "${whole(table.name)}" r WHERE r."_seq" BETWEEN ?1 AND ?2 AND ${there}${since} ORDER BY r."_seq"`,
  );
  // Rows that are gone are on no page.
  const ranges = isGone ? [[0, Number.MAX_SAFE_INTEGER] as const] : rangesOf(database, table.name);
  for (const [first, last] of ranges) {
    for (const [record] of rows.each(first, last, ...(changedSince === undefined ? [] : [changedSince])))
      yield String(record);
  }
}

/** The record of an Id as JSON, one that is there before one that is gone; undefined for an Id that the mirror does not have. Throws `local`. */
export function recordOf(database: Database, { name, idColumn }: MirrorTable, id: string): string | undefined {
  const sql = `SELECT "_record" FROM "${whole(name)}" WHERE "${idColumn}" = ? ORDER BY "_gone_at" IS NOT NULL, "_seq" LIMIT 1`;
  const [json] = database.statement(sql).first(id) ?? [];
  return typeof json === 'string' ? json : undefined;
}
