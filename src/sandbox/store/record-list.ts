import type { RecordType } from '../../contract/build.js';
import type { OutputOf } from '../../contract/infer.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { madeList } from '../../plain/made-list.js';
import type { RecordValue } from '../../plain/value.js';
import { giveItemTexts } from '../../soap/codec/item-texts.js';
import type { Row } from '../../sqlite/open.js';
import type { Store } from './open.js';
import { itemsCell, itemsOf, rowReader } from './rows.js';
import { fieldValues, listFor, tableFor } from './schema.js';
import { rowsOfText, selectEach, selectText } from './selection.js';

/** Rows that are read with one statement, and whose cells are in memory at once. */
const atOnce = 100;

/** The rows of one statement: as text where that is short. */
type Part = string | readonly Row[];

const rowsOf = (part: Part): readonly Row[] => (typeof part === 'string' ? rowsOfText(part) : part);

/** How the rows of a table are read as records. */
interface Reading {
  /** Reads rows that there are, by their seqs in ascending order. */
  readonly read: (seqs: readonly number[]) => Part;
  readonly recordOf: (row: Row) => RecordValue;
}

/** Reads rows with their field values as the last cell, or without. */
function readingOf(store: Store, record: RecordType, withFields: boolean): Reading {
  const table = tableFor(record.name);
  const reader = rowReader(table);
  const list = withFields ? listFor(record.name, fieldValues) : undefined;
  const columns = list === undefined ? reader.columns : `${reader.columns}, ${itemsCell(table, list)}`;
  const rest = 'WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq';
  return {
    read: (seqs) => {
      const selection = { table: table.name, columns, rest, values: [JSON.stringify(seqs)] };
      return selectText(store, selection) ?? selectEach(store, selection);
    },
    recordOf: (row) => {
      if (list === undefined) return reader.read(row, store).record;
      if (reader.isOutline(row)) return reader.makeWhole(Number(row[0]), store);
      return { ...reader.read(row, store).record, FieldValues: { Items: itemsOf(list, row.at(-1)) } };
    },
  };
}

/** Reads rows now, and gives each by its index; of the parts that they are in, one is in memory at a time. */
function rowsAt({ read }: Reading, seqs: readonly number[]): (at: number) => Row | undefined {
  const parts = Array.from({ length: Math.ceil(seqs.length / atOnce) }, (_, at) =>
    read(seqs.slice(at * atOnce, (at + 1) * atOnce)),
  );
  let last: { readonly part: number; readonly rows: readonly Row[] } | undefined;
  return (at) => {
    const part = Math.floor(at / atOnce);
    const { rows } = last?.part === part ? last : { rows: rowsOf(parts[part] ?? []) };
    // Whoever walks the list needs no more of a part than its last row.
    last = at % atOnce === rows.length - 1 ? undefined : { part, rows };
    return rows[at % atOnce];
  };
}

/** Members that a record is given beside those of its row, or instead of them. */
export interface Along<Members> {
  /** What it is that is given: the members depend on nothing but this and the rows of the database. */
  readonly name: string;
  /** Reads what it needs for some rows, and gives the members of each. */
  readonly of: (seqs: readonly number[]) => (seq: number) => Members;
}

/** The rows of a list of records. */
interface Listing<Members> {
  /** Of rows that there are, in ascending order. */
  readonly seqs: readonly number[];
  readonly withFields: boolean;
  readonly along?: Along<Members>;
  /** The records are read as such, not written as the items of a list: their texts are of no use. */
  readonly asRecords?: true;
}

/**
 * The records of rows, for the answer to a request that reads. Their cells are read now; each record is made when it is read
 * from the list, so that whoever walks it holds one at a time. Of those whose texts are kept nothing is read until somebody
 * asks for them.
 */
export function recordsAt<R extends RecordType>(
  store: Store,
  record: R,
  { seqs, withFields, along, asRecords }: Listing<Partial<OutputOf<R>>>,
): readonly OutputOf<R>[] {
  const reading = readingOf(store, record, withFields);
  const texts = asRecords === true ? undefined : store.texts?.of(`${record.name} ${withFields} ${along?.name ?? ''}`);
  const known = seqs.map((seq) => texts?.of(seq));
  const unknown = seqs.filter((_, at) => known[at] === undefined);
  const places = new Map(unknown.map((seq, at) => [seq, at]));
  const rowAt = rowsAt(reading, unknown);
  const membersOf = along?.of(unknown);
  const recordOf = (row: Row | undefined, seq: number, members: Partial<OutputOf<R>> | undefined): RecordValue => {
    if (row === undefined || row[0] !== seq) throw new RelctlError('bug', `A row of ${record.name} is missing.`);
    // Members that are given have values: those that may be left out are left out of the type only.
    return { ...reading.recordOf(row), ...(members as RecordValue | undefined) };
  };
  const records = madeList(seqs.length, (at) => {
    const [seq = 0] = [seqs[at]];
    const place = places.get(seq);
    return place === undefined
      ? recordOf(rowsOf(reading.read([seq]))[0], seq, along?.of([seq])(seq))
      : recordOf(rowAt(place), seq, membersOf?.(seq));
  });
  if (texts !== undefined) {
    giveItemTexts(records, { type: record, known, keep: (at, text) => texts.keep(seqs[at] ?? 0, text) });
  }
  // The reader is made from the same record type, so what it reads has its shape; the compiler cannot follow that.
  return records as readonly OutputOf<R>[];
}
