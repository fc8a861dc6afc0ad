import { contentWords } from '../client/rows/content-hash.js';
import { placeOf } from '../client/rows/rendered.js';
import type { RecordValue } from '../core/values/value.js';
import { bulkInto, type Database } from '../state/sqlite/open.js';
import { listAt, type Cell } from '../contract/tables/cells.js';
import { literal, staged } from './schema.js';
import type { Ranges } from './seqs.js';
import { filledIn, filledName, tableOf, type SourceState } from './sources.js';
import { cellsOf, itemCells, type MirrorTable, type Parameters } from './tables.js';

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

/** The scalar parameters of a request, as text. */
function parametersOf(input: RecordValue): Parameters {
  const texts = Object.entries(input).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts);
}

/** A record of a page with its text; one that was rendered as NDJSON when it was decoded is read from that. */
function renderedOf(record: RecordValue): { readonly record: RecordValue; readonly text: string } {
  const place = placeOf(record);
  if (place === undefined) return { record, text: JSON.stringify(record) };
  // Behind each row is the end of its line.
  const text = place.page.textOf(place.row).slice(0, -1);
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

/** Finds members that lists leave nil in records that nobody asked for them, and keeps their names in the mirror. */
function filledWatch(database: Database, { name, operation: { leavesNil = {} } }: MirrorTable, input: RecordValue) {
  const nil = Object.keys(leavesNil).filter((member) => input[leavesNil[member]?.parameter ?? ''] !== true);
  const found = new Set<string>();
  return {
    see: (record: RecordValue): void => {
      for (const member of nil) if ((record[member] ?? null) !== null) found.add(member);
    },
    keep: (): void => {
      if (found.size === 0) return;
      const all = new Set([...(filledIn(database).get(name) ?? []), ...found]);
      const sql = 'INSERT OR REPLACE INTO "_mirror" (name, value) VALUES (?, ?)';
      database.statement(sql).run(filledName(name), [...all].join(' '));
      found.clear();
    },
  };
}

/** Writes rows, and the items of their lists. */
export interface RowWriter {
  /** Adds a record as the row of a number, with cells of the mirror's own. */
  readonly add: (seq: number, row: RecordValue, own: readonly Cell[]) => void;
  /** Writes the rows that wait. */
  readonly flush: () => void;
}

/** Where rows are written, and what their records do not say. */
interface Writing {
  readonly naming: (name: string) => string;
  /** The request of the source. */
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
      const { record, text } = renderedOf(row);
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
