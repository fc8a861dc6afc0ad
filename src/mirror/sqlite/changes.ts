import type { Database } from '../../sqlite/open.js';
import { changeOf, nameColumn, type ChangedRow, type Wanted, type WantedChanges } from '../changes.js';
import type { MirrorTable } from '../tables.js';
import { shownOnce, whole } from './schema/tables.js';
import { jsonIn } from '../damaged.js';

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
export function* changesIn(database: Database, { since, tables }: WantedChanges): Generator<ChangedRow, void> {
  for (const table of tables) {
    for (const [gone, added, changed, id, name] of database.statement(changesOf(table)).each(since)) {
      const what = changeOf({ gone: text(gone), added: text(added), changed: text(changed) });
      yield { table: table.name, ...what, id: text(id), name: text(name) };
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
  { isGone, changedSince }: Wanted,
): Generator<string, void> {
  const since = changedSince === undefined ? '' : ` AND ${endOf('_changed_at').replace('?1', '?3')} IS NOT NULL`;
  const there = isGone ? 'r."_gone_at" IS NOT NULL' : `r."_gone_at" IS NULL${shownOnce(table)}`;
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
