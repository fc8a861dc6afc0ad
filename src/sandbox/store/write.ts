import type { RecordType } from '../../contract/build.js';
import type { RecordValue, Value } from '../../soap/values/values.js';
import type { ListTable } from './layout.js';
import type { Store } from './open.js';
import { cellsOf, inserter, listInserter, type Extra } from './rows.js';
import { tableFor } from './schema.js';

/** Adds a record to its table; gives its `seq`. Values go in as they are: the caller has checked them. */
export function insertRecord(
  store: Store,
  record: RecordType,
  { value, extra = {} }: { readonly value: RecordValue; readonly extra?: Extra },
): number {
  return inserter(store, tableFor(record.name))(value, extra);
}

function replaceList(store: Store, list: ListTable, { seq, value }: { seq: number; value: RecordValue }): void {
  store.statement(`DELETE FROM "${list.name}" WHERE owner = ?`).run(seq);
  listInserter(store, list)(seq, value);
}

/** What of a record is written anew. */
export interface Rewrite {
  readonly seq: number;
  readonly value: RecordValue;
  /** Extra columns to write; the others stay. */
  readonly extra?: Extra;
  /** Lists to write, by path; the others stay. */
  readonly lists?: readonly string[];
}

/** Writes all columns of a record anew. Values go in as they are: the caller has checked them. */
export function updateRecord(store: Store, record: RecordType, rewrite: Rewrite): void {
  const table = tableFor(record.name);
  const { seq, value, extra = {}, lists = [] } = rewrite;
  const columns = table.columns.filter(({ type, name }) => type !== 'extra' || Object.hasOwn(extra, name));
  const sets = columns.map(({ name }) => `"${name}" = ?`).join(', ');
  store.statement(`UPDATE "${table.name}" SET ${sets} WHERE seq = ?`).run(...cellsOf(columns, value, extra), seq);
  for (const list of table.lists) if (lists.includes(list.path.join('.'))) replaceList(store, list, { seq, value });
}

/** A list of field values as it is kept in a record. */
export const kept = (Items: readonly Value[]): RecordValue => ({ Items });
