import type { RecordType } from '../../contract/build.js';
import type { OutputOf } from '../../contract/infer.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { madeList } from '../../plain/made-list.js';
import type { RecordValue } from '../../plain/value.js';
import type { Row } from '../../sqlite/open.js';
import type { Store } from './open.js';
import { itemsCell, itemsOf, rowReader } from './rows.js';
import { fieldValues, listFor, tableFor } from './schema.js';
import { rowsAt, selectPart } from './pages.js';

function readingOf(store: Store, record: RecordType, withFields: boolean) {
  const table = tableFor(record.name);
  const reader = rowReader(table);
  const list = withFields ? listFor(record.name, fieldValues) : undefined;
  const columns = list === undefined ? reader.columns : `${reader.columns}, ${itemsCell(table, list)}`;
  const rest = 'WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq';
  return {
    /** Reads rows that there are, by their seqs in ascending order. */
    read: (seqs: readonly number[]) =>
      selectPart(store, { table: table.name, columns, rest, values: [JSON.stringify(seqs)] }),
    recordOf: (row: Row): RecordValue => {
      const stored = reader.read(row, store, list);
      if (list === undefined || stored.isOutline) return stored.record;
      return { ...stored.record, FieldValues: { Items: itemsOf(list, row.at(-1)) } };
    },
  };
}

/** Reads the members that records are given, for some rows by their seqs in ascending order; gives those of each by its index. */
export type Along<Members> = (seqs: readonly number[]) => (at: number) => Members;

interface Listing<Members> {
  /** Of rows that there are, in ascending order. */
  readonly seqs: readonly number[];
  readonly withFields: boolean;
  /** Members beside those of the row, or instead of them. */
  readonly along?: Along<Members>;
}

/** The records of rows for an answer. Cells are read now; a record is made when it is read from the list. */
export function recordsAt<R extends RecordType>(
  store: Store,
  record: R,
  { seqs, withFields, along }: Listing<Partial<OutputOf<R>>>,
): readonly OutputOf<R>[] {
  const reading = readingOf(store, record, withFields);
  const rowAt = rowsAt(seqs, reading.read);
  const membersOf = along?.(seqs);
  const records = madeList(seqs.length, (at): RecordValue => {
    const row = rowAt(at);
    if (row === undefined || row[0] !== seqs[at]) throw new RelctlError('bug', `A row of ${record.name} is missing.`);
    // Members that are given have values: those that may be left out are left out of the type only.
    return { ...reading.recordOf(row), ...(membersOf?.(at) as RecordValue | undefined) };
  });
  // The reader is made from the same record type, so what it reads has its shape; the compiler cannot follow that.
  return records as readonly OutputOf<R>[];
}
