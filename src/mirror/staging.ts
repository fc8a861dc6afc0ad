import { contentWords } from '../core/values/content-hash.js';
import { RenderedRow, textOfRow, type Row } from '../client/rows/row.js';
import { hasValue, type RecordValue } from '../core/values/value.js';
import { endPass, type PassState } from './pass-state.js';
import { bulkInto, type Database } from '../state/sqlite/open.js';
import { listAt, type Cell } from '../contract/columns.js';
import {
  literal,
  staged,
  createIndexes,
  createViews,
  deleteItems,
  dropTables,
  dropViews,
  namesOf,
  allRows,
} from './schema.js';
import type { BitSet, Ranges } from '../core/values/bit-set.js';
import { filledMembersByTable, filledName, tableOf, type SourceState, type SyncCounts } from './sources.js';
import { cellsOf, itemCells, type MirrorTable, type Parameters } from './tables.js';
import { dropFieldViews } from './fields/views.js';
import { indexRows } from './search/index-rows.js';
import type { IndexAside } from './index-aside.js';

/** Room for the words of one hash: a text of their bytes is made faster than one of each number. */
const room = Buffer.alloc(contentWords * Uint32Array.BYTES_PER_ELEMENT);

/**
 * The hash of a record as a mirror keeps it: 16 hexadecimal digits.
 * @param contents hashes of the records of a page
 * @param at which of them
 */
export function hashText(contents: Uint32Array, at: number): string {
  for (let word = 0; word < contentWords; word += 1)
    room.writeUInt32BE(contents[at * contentWords + word] ?? 0, word * Uint32Array.BYTES_PER_ELEMENT);
  return room.toString('hex');
}

function parametersOf(input: RecordValue): Parameters {
  const texts = Object.entries(input).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts);
}

/** A record of a page with its text; one that was rendered as NDJSON when it was decoded is read from that. */
function withText(row: Row): { readonly record: RecordValue; readonly text: string } {
  if (!(row instanceof RenderedRow)) return { record: row, text: JSON.stringify(row) };
  // Behind each row is the end of its line.
  const text = textOfRow(row).slice(0, -1);
  return { record: JSON.parse(text) as RecordValue, text };
}

/** Takes rows and the items of their lists out of the staged tables. */
export function unstageRows(database: Database, { name, lists }: MirrorTable, seqs: Ranges): void {
  for (const [first, last] of seqs) {
    database.statement(`DELETE FROM "${staged(name)}" WHERE "_seq" BETWEEN ? AND ?`).run(first, last);
    for (const list of lists)
      database.statement(`DELETE FROM "${staged(list.name)}" WHERE "_owner" BETWEEN ? AND ?`).run(first, last);
  }
}

function filledWatch(database: Database, { name, operation: { leavesNil = {} } }: MirrorTable, input: RecordValue) {
  const nil = Object.keys(leavesNil).filter((member) => input[leavesNil[member]?.parameter ?? ''] !== true);
  const ids = new Set<string>();
  return {
    see: (record: RecordValue): void => {
      for (const member of nil) if (hasValue(record[member])) ids.add(member);
    },
    keep: (): void => {
      if (ids.size === 0) return;
      const all = new Set([...(filledMembersByTable(database).get(name) ?? []), ...ids]);
      const sql = 'INSERT OR REPLACE INTO "_mirror" (name, value) VALUES (?, ?)';
      database.statement(sql).run(filledName(name), [...all].join(' '));
      ids.clear();
    },
  };
}

/** Writes rows, and the items of their lists. */
export interface RowWriter {
  readonly add: (seq: number, row: Row, own: readonly Cell[]) => void;
  readonly flush: () => void;
}

interface Writing {
  readonly naming: (name: string) => string;
  readonly input: RecordValue;
  readonly parameters: Parameters;
  /** Columns of the mirror that differ from row to row, behind those of the record. */
  readonly own: readonly string[];
  /** Columns that are the same in all rows, as they stand in a statement. */
  readonly fixed: Readonly<Record<string, string>>;
}

/** What writes the rows of a table. */
export function rowsInto(
  database: Database,
  table: MirrorTable,
  { naming, input, parameters, own, fixed }: Writing,
): RowWriter {
  const { name, columns, lists } = table;
  const filled = filledWatch(database, table, input);
  const names = ['_seq', ...columns.map((column) => column.name), '_record', ...own];
  const rows = bulkInto(database, naming(name), { columns: names, fixed });
  const ofLists = lists.map((list) => {
    const columns = ['_owner', '_position', ...list.columns.map((column) => column.name)];
    return { list, items: bulkInto(database, naming(list.name), { columns }) };
  });
  return {
    add: (seq, row, cells) => {
      const { record, text } = withText(row);
      filled.see(record);
      rows.add([seq, ...cellsOf(columns, record, parameters), text, ...cells]);
      for (const { list, items } of ofLists) {
        const all = listAt(record, list.path).entries();
        for (const [position, item] of all) items.add([seq, position, ...itemCells(list.columns, item)]);
      }
    },
    flush: () => {
      rows.flush();
      for (const { items } of ofLists) items.flush();
      filled.keep();
    },
  };
}

/** What writes the rows of a source that a sync brings, with the time at which it began. */
export function stagingFor(database: Database, source: SourceState, startedAt: string): RowWriter {
  const time = literal(startedAt);
  const fixed = { _source: literal(source.id), _first_seen: time, _changed_at: time };
  const { input } = source;
  const parameters = parametersOf(input);
  return rowsInto(database, tableOf(source), { naming: staged, input, parameters, own: ['_hash'], fixed });
}

interface Swap {
  readonly source: SourceState;
  readonly state: PassState;
  readonly seen: BitSet;
  readonly missing: number;
  /** Rows that are staged, and were not there any more when it was read last. */
  readonly passing: Ranges;
  readonly endedAt: string;
  readonly index: IndexAside | undefined;
}

const numberOf = (database: Database, sql: string, ...values: readonly Cell[]): number =>
  Number(database.statement(sql).first(...values)?.[0] ?? 0);

/** The rows in question become those of a table that has none: its staged tables take their place. */
function moveTables(database: Database, table: MirrorTable, index: IndexAside | undefined): void {
  dropFieldViews(database, table.name);
  database.execute(dropViews(table));
  database.execute(dropTables(table, allRows));
  for (const end of ['by_id', 'without_id']) database.execute(`DROP INDEX IF EXISTS "${staged(table.name)}_${end}"`);
  for (const name of namesOf(table)) database.execute(`ALTER TABLE "${staged(name)}" RENAME TO "${allRows(name)}"`);
  database.execute(createIndexes(table));
  database.execute(createViews(table));
  if (index === undefined) indexRows(database, allRows(table.name), 'all');
  else index.putInto(database);
}

/** Copies the rows of a staged table; SQLite makes the columns of numbers itself, and does not name them here. */
function copyStaged(database: Database, name: string): void {
  const names = database.statement('SELECT name FROM pragma_table_info(?)').all(staged(name));
  const columns = names.map(([column]) => `"${String(column)}"`).join(', ');
  database.execute(`INSERT OR REPLACE INTO "${allRows(name)}" (${columns}) SELECT ${columns} FROM "${staged(name)}"`);
}

/** Staged rows replace those of the same number, with their lists. One that was gone is seen for the first time again. */
function replaceRows(database: Database, table: MirrorTable): void {
  const from = staged(table.name);
  const to = allRows(table.name);
  database.execute(
    `UPDATE "${from}" SET "_first_seen" = (SELECT a."_first_seen" FROM "${to}" a WHERE a."_seq" = "${from}"."_seq") WHERE "_seq" IN (SELECT "_seq" FROM "${to}" WHERE "_gone_at" IS NULL)`,
  );
  copyStaged(database, table.name);
  const seqs = `SELECT "_seq" FROM "${from}"`;
  database.execute(deleteItems(table, seqs));
  for (const { name } of table.lists) copyStaged(database, name);
  indexRows(database, to, { seqs });
  database.execute(dropTables(table, staged));
}

function markGone(database: Database, table: MirrorTable, { source, seen, state }: Swap): void {
  const name = allRows(table.name);
  const there = database.statement(`SELECT "_seq" FROM "${name}" WHERE "_source" = ? AND "_gone_at" IS NULL`);
  const gone = [...there.each(source.id)].map(([seq]) => Number(seq)).filter((seq) => !seen.has(seq));
  database
    .statement(`UPDATE "${name}" SET "_gone_at" = ? WHERE "_seq" IN (SELECT value FROM json_each(?))`)
    .run(state.startedAt, JSON.stringify(gone));
}

function storePages(database: Database, { source: { id }, state: { reading, progress } }: Swap): void {
  const run = (sql: string, ...values: readonly Cell[]): unknown => database.statement(sql).run(...values);
  if (reading > 1) run('DELETE FROM "_pages" WHERE source = ?', id);
  else run('DELETE FROM "_pages" WHERE source = ? AND number > ?', id, progress?.lastPage ?? 0);
  run(
    'INSERT OR REPLACE INTO "_pages" SELECT source, number, signature, seqs FROM "_pass_pages" WHERE source = ? AND reading = ?',
    id,
    reading,
  );
}

function countStaged(database: Database, { name }: MirrorTable): Pick<SyncCounts, 'added' | 'changed'> {
  const from = staged(name);
  const earlier = `SELECT 1 FROM "${allRows(name)}" a WHERE a."_seq" = s."_seq" AND a."_gone_at" IS NULL`;
  const changed = numberOf(database, `SELECT count(*) FROM "${from}" s WHERE EXISTS (${earlier})`);
  return { added: numberOf(database, `SELECT count(*) FROM "${from}"`) - changed, changed };
}

/** Makes visible what a sync read, in one transaction: all of it or nothing. Throws `local`. */
export function swapIn(database: Database, swap: Swap): SyncCounts {
  const { source, seen, missing, endedAt } = swap;
  const { startedAt } = swap.state;
  const table = tableOf(source);
  return database.write(() => {
    unstageRows(database, table, swap.passing);
    const isFirst = database.statement(`SELECT 1 FROM "${allRows(table.name)}"`).first() === undefined;
    const counts = isFirst ? { added: seen.size, changed: 0 } : countStaged(database, table);
    if (isFirst) moveTables(database, table, swap.index);
    else replaceRows(database, table);
    if (missing > 0) markGone(database, table, swap);
    const difference = { rows: seen.size, ...counts, gone: missing };
    storePages(database, swap);
    const isListed = counts.added + counts.changed + missing > 0;
    endPass(database, source, { startedAt, endedAt, did: difference, isListed });
    return difference;
  });
}
