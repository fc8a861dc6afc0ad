import { serviceLists } from '../contract/lists.js';
import { defined, type RecordValue } from '../core/values/value.js';
import type { Database, Row } from '../state/sqlite/open.js';
import { storedTables } from './of-call/stored.js';
import type { CallTable } from './of-call/table.js';
import { damaged, jsonIn, mirrorTables, tableNamed, type MirrorTable } from './tables.js';
import { onceCondition, allRows } from './schema.js';

/** What fills a table, or a part of it: the list of one operation. */
export interface Source {
  /** Its name in commands and in the mirror: that of the table, or one that `mirror add` made. */
  readonly name: string;
  readonly table: string;
  /** The request without its page number and size. */
  readonly input: RecordValue;
  /** The table, where it is one that the mirror has for this source alone. */
  readonly own?: CallTable;
}

/** The table that a source fills. Throws RelctlError `bug` for a name that is none. */
export const tableOf = ({ table, own }: Pick<Source, 'table' | 'own'>): MirrorTable => own ?? tableNamed(table);

/** The tables of a mirror that is filled by some sources: those that each mirror has, and those of the sources alone. */
export const tablesWith = (sources: readonly Pick<Source, 'own'>[]): readonly MirrorTable[] => [
  ...mirrorTables.values(),
  ...sources.flatMap(({ own }) => own ?? []),
];

/** What a sync did to the rows of a source. */
export interface SyncCounts {
  readonly rows: number;
  readonly added: number;
  readonly changed: number;
  readonly gone: number;
}

interface Unfinished {
  readonly startedAt: string;
  readonly pages: number;
  readonly rows: number;
}

/** A source of a mirror, with what its syncs did. */
export interface SourceState extends Source {
  readonly id: number;
  /** When the last complete sync ended; undefined before the first. */
  readonly syncedAt: string | undefined;
  readonly last: SyncCounts | undefined;
  readonly unfinished: Unfinished | undefined;
}

/** What `mirror sync` reads when nothing was added: the lists that need no Id; of one by an enumeration, a source for each value. */
export const usualSources: readonly Source[] = serviceLists.flatMap(([table, { usual }]) => {
  if (usual !== true) return [];
  const { parameter, field } = mirrorTables.get(table)?.columns.find((column) => column.parameter !== undefined) ?? {};
  if (parameter === undefined || field?.type.kind !== 'enumeration') return [{ name: table, table, input: {} }];
  return field.type.values.map((value) => ({ name: `${table} ${value}`, table, input: { [parameter]: value } }));
});

const columns = 'id, name, "table", input, synced_at, rows, added, changed, gone';

const textOf = (cell: Row[number] | undefined): string | undefined => (typeof cell === 'string' ? cell : undefined);

function unfinishedIn(database: Database, id: number): Unfinished | undefined {
  const row = database.statement('SELECT began_at, state FROM "_passes" WHERE source = ?').first(id);
  if (row === undefined) return undefined;
  const position = typeof row[1] === 'string' ? (jsonIn(row[1]) as { pages?: number; rows?: number }) : undefined;
  return { startedAt: String(row[0]), pages: position?.pages ?? 0, rows: position?.rows ?? 0 };
}

/** The tables that a mirror has for lists of operations, by their names. Throws `local` for what no relctl wrote. */
export const callTablesIn = (database: Database): ReadonlyMap<string, CallTable> =>
  storedTables(database.statement('SELECT name, value FROM "_mirror"').each());

function tableIn(name: string, own: ReadonlyMap<string, unknown>): string {
  if (!mirrorTables.has(name) && !own.has(name))
    throw damaged(`a source for the table '${name.slice(0, 100)}', which no mirror has`);
  return name;
}

/** The sources of a mirror, in their order. */
export function sourcesIn(database: Database): readonly SourceState[] {
  const own = callTablesIn(database);
  return database
    .statement(`SELECT ${columns} FROM "_sources" ORDER BY id`)
    .all()
    .map(([id, name, table, input, syncedAt, rows, added, changed, gone]) => ({
      id: Number(id),
      name: String(name),
      table: tableIn(String(table), own),
      ...defined({ own: own.get(String(table)) }),
      input: jsonIn(String(input)) as RecordValue,
      syncedAt: textOf(syncedAt),
      last:
        syncedAt === null
          ? undefined
          : { rows: Number(rows), added: Number(added), changed: Number(changed), gone: Number(gone) },
      unfinished: unfinishedIn(database, Number(id)),
    }));
}

const filledNames = 'filled:';

/** Members by the table, that records of its lists did have although the interface document says that they are nil there. */
export function filledMembersByTable(database: Database): ReadonlyMap<string, readonly string[]> {
  const sql = 'SELECT name, value FROM "_mirror" WHERE name GLOB ?';
  const rows = database.statement(sql).all(`${filledNames}*`);
  return new Map(rows.map(([name, value]) => [String(name).slice(filledNames.length), String(value).split(' ')]));
}

/** The name under which a mirror keeps those members of a table. */
export const filledName = (table: string): string => `${filledNames}${table}`;

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
    FROM "${allRows(table.name)}" r) WHERE gone IS NOT NULL OR added IS NOT NULL OR changed IS NOT NULL ORDER BY "_seq"`;
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
    `SELECT r."_record" FROM "${allRows(table.name)}" r WHERE r."_seq" BETWEEN ?1 AND ?2 AND ${there}${since} ORDER BY r."_seq"`,
  );
  // Rows that are gone are on no page.
  const ranges = isGone ? [[0, Number.MAX_SAFE_INTEGER] as const] : rangesOf(database, table.name);
  for (const [first, last] of ranges) {
    for (const [record] of rows.each(first, last, ...(changedSince === undefined ? [] : [changedSince])))
      yield String(record);
  }
}

/** The record of an Id as JSON, one that is there before one that is gone; undefined for an Id that the mirror does not have. Throws `local`. */
export function readRecordJson(database: Database, { name, idColumn }: MirrorTable, id: string): string | undefined {
  const sql = `SELECT "_record" FROM "${allRows(name)}" WHERE "${idColumn}" = ? ORDER BY "_gone_at" IS NOT NULL, "_seq" LIMIT 1`;
  const [json] = database.statement(sql).first(id) ?? [];
  return typeof json === 'string' ? json : undefined;
}
