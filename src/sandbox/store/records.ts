import type { RecordValue } from '../../plain/value.js';
import type { RecordType } from '../../contract/build.js';
import { TabPageType } from '../../contract/enumerations.js';
import type { OutputOf } from '../../contract/infer.js';
import type { PvActivityData } from '../../contract/records/activity.js';
import type { PvRelationData } from '../../contract/records/relation.js';
import type { PvCounterData, PvFieldValueData } from '../../contract/records/shared.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { ListTable } from '../../tables/columns.js';
import type { Table } from './layout.js';
import type { Row } from '../../sqlite/open.js';
import type { Cell } from '../../tables/cells.js';
import type { Store } from './open.js';
import { recordsInOutline } from './outline.js';
import { type Limit, type PageRequest, pageRows, startOfNulls } from './pages.js';
import {
  cellsOf,
  type Extra,
  inserter,
  listInserter,
  listsOf,
  madeAt,
  type Place,
  rowReader,
  type Stored,
} from './rows.js';
import { recordsAt } from './record-list.js';
import { fieldValues, listFor, tableFor } from './schema.js';
import { rowsAt, selectEach, type Selection, selectPage, selectPart } from './selection.js';

const columnsOf = (record: RecordType): string => rowReader(tableFor(record.name)).columns;

/** Rows as records of the type that their table was derived from. */
const readAll = <R extends RecordType>(
  store: Store,
  record: R,
  rows: readonly Row[],
): readonly Stored<OutputOf<R>>[] => {
  const reader = rowReader(tableFor(record.name));
  // The reader is made from the same record type, so what it reads has its shape; the compiler cannot follow that.
  return rows.map((row) => reader.read(row, store) as Stored<OutputOf<R>>);
};

/** Columns that say where a row is and whether it is in outline; reading them costs a fraction of reading the row. */
const placeColumns = ({ name, outline }: Table): string =>
  `"${name}".seq, ${outline === undefined ? '0' : `"${name}"."${outline.mark}" IS NULL`}`;

const placeOf = (store: Store, table: Table, [seq, inOutline]: Row): Place => {
  const at = Number(seq);
  return inOutline === 1 ? { seq: at, made: () => madeAt(store, table, at) } : { seq: at };
};

/** The record with an Id, in any case of letters; undefined when there is none. */
export function findById<R extends RecordType>(store: Store, record: R, id: string): Stored<OutputOf<R>> | undefined {
  const lower = id.toLowerCase();
  const sql = `SELECT ${columnsOf(record)} FROM "${record.name}" WHERE "Id" = ?`;
  const [found] = readAll(store, record, store.statement(sql).all(lower));
  return found ?? (inOutlineById(store, tableFor(record.name), lower) as Stored<OutputOf<R>> | undefined);
}

/** The record of a row in outline, which has no Id in the database: its place is worked out from the Id. */
function inOutlineById(store: Store, table: Table, id: string): Stored | undefined {
  if (store.origin === undefined || table.outline === undefined) return undefined;
  const seq = store.origin.seqOf(table.name, id);
  if (seq === undefined) return undefined;
  const sql = `SELECT 1 FROM "${table.name}" WHERE seq = ? AND "${table.outline.mark}" IS NULL`;
  return store.statement(sql).first(seq) === undefined ? undefined : rowReader(table).make(seq, store);
}

/** One page of a list, with the field values of its records or without. */
export interface RecordPage extends PageRequest {
  readonly withFields: boolean;
}

/** One full page of a table that keeps all rows of the page in outline; undefined for any other page. */
function pageInOutline(
  store: Store,
  table: Table,
  { withFields, ...page }: RecordPage,
): readonly RecordValue[] | undefined {
  if (store.origin === undefined || table.outline === undefined) return undefined;
  const start = startOfNulls(store, { table: table.name, column: table.outline.mark }, page);
  if (start === undefined) return undefined;
  return recordsInOutline(store, { table: table.name, first: start + 1, rows: page.pageSize, withFields });
}

/**
 * One page of all records of a type, in the order of creation, with FieldValues where they are asked for and nil otherwise.
 */
export function readPage<R extends RecordType>(store: Store, record: R, page: RecordPage): readonly OutputOf<R>[] {
  const made = pageInOutline(store, tableFor(record.name), page);
  // The reader is made from the same record type, as in readAll.
  if (made !== undefined) return made as readonly OutputOf<R>[];
  return recordsAt(store, record, { seqs: seqsOnPage(store, record, page), withFields: page.withFields });
}

/** The seqs of one page of all records of a type, in the order of creation. */
export const seqsOnPage = (store: Store, record: RecordType, page: PageRequest): readonly number[] =>
  pageRows(store, { table: record.name, columns: 'seq' }, page).map(([seq]) => Number(seq));

/** Which rows of a table to read. */
export interface Condition {
  /** SQL behind WHERE; the table has its own name. All rows when left out. */
  readonly where?: string;
  readonly values?: readonly Cell[];
  /** All when left out. */
  readonly limit?: Limit;
}

const rowsWhere = (
  store: Store,
  of: Pick<Selection, 'table' | 'columns'>,
  { where = 'TRUE', values = [], limit }: Condition,
): readonly Row[] => {
  const ordered = `WHERE ${where} ORDER BY "${of.table}".seq`;
  if (limit === undefined) return selectEach(store, { ...of, rest: ordered, values });
  return selectPage(store, {
    ...of,
    rest: `${ordered} LIMIT ? OFFSET ?`,
    values: [...values, limit.rows, limit.before],
  });
};

/** Records that meet a condition, in the order of creation. */
export function readWhere<R extends RecordType>(
  store: Store,
  record: R,
  condition: Condition,
): readonly Stored<OutputOf<R>>[] {
  return readAll(store, record, rowsWhere(store, { table: record.name, columns: columnsOf(record) }, condition));
}

/** The places of the records that meet a condition, in the order of creation. */
export function placesWhere(store: Store, record: RecordType, condition: Condition): readonly Place[] {
  const table = tableFor(record.name);
  const rows = rowsWhere(store, { table: record.name, columns: placeColumns(table) }, condition);
  return rows.map((row) => placeOf(store, table, row));
}

/** The seqs of the records that meet a condition, in the order of creation. */
export const seqsWhere = (store: Store, record: RecordType, condition: Condition): readonly number[] =>
  rowsWhere(store, { table: record.name, columns: `"${record.name}".seq` }, condition).map(([seq]) => Number(seq));

/** The same records without their places. */
export const recordsWhere = <R extends RecordType>(
  store: Store,
  record: R,
  condition: Condition,
): readonly OutputOf<R>[] => readWhere(store, record, condition).map((row) => row.record);

/** FieldValues of a record, by its seq. */
export type FieldValuesBySeq = (seq: number) => { readonly Items: readonly OutputOf<typeof PvFieldValueData>[] };

/** The FieldValues of many records, read with one statement for all of them. */
export function fieldValuesOf(store: Store, record: RecordType, rows: readonly Place[]): FieldValuesBySeq {
  const list = listFor(record.name, fieldValues);
  const items = listsOf(store, list, rows);
  return (seq) => ({
    // The list table is derived from PvFieldValueData, as the one above is from its record.
    Items: (items.get(seq) ?? []) as readonly OutputOf<typeof PvFieldValueData>[],
  });
}

/** Adds a record to its table; gives its `seq`. Values are stored unchanged: the caller has checked them. */
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

/** Which parts of a record to overwrite. */
export interface Rewrite {
  readonly seq: number;
  readonly value: RecordValue;
  /** Extra columns to write; the others stay. */
  readonly extra?: Extra;
  /** Lists to write, by path; the others stay. */
  readonly lists?: readonly string[];
}

/** Stores a row that is in outline whole, lists and all; leaves a whole one as it is. */
function storeWhole(store: Store, table: Table, seq: number): void {
  if (table.outline === undefined) return;
  const [row] = rowsWhere(
    store,
    { table: table.name, columns: placeColumns(table) },
    { where: 'seq = ?', values: [seq] },
  );
  const made = row === undefined ? undefined : placeOf(store, table, row).made?.();
  if (made === undefined) return;
  const extra = store.origin?.extra(table.name, seq) ?? {};
  const columns = table.columns.filter(({ type, name }) => type !== 'extra' || Object.hasOwn(extra, name));
  const sets = columns.map(({ name }) => `"${name}" = ?`).join(', ');
  store.statement(`UPDATE "${table.name}" SET ${sets} WHERE seq = ?`).run(...cellsOf(columns, made, extra), seq);
  for (const list of table.lists) listInserter(store, list)(seq, made);
}

/** Overwrites all columns of a record. Values are stored unchanged: the caller has checked them. */
export function updateRecord(store: Store, record: RecordType, rewrite: Rewrite): void {
  const table = tableFor(record.name);
  storeWhole(store, table, rewrite.seq);
  const { seq, value, extra = {}, lists = [] } = rewrite;
  const columns = table.columns.filter(({ type, name }) => type !== 'extra' || Object.hasOwn(extra, name));
  const sets = columns.map(({ name }) => `"${name}" = ?`).join(', ');
  store.statement(`UPDATE "${table.name}" SET ${sets} WHERE seq = ?`).run(...cellsOf(columns, value, extra), seq);
  for (const list of table.lists) if (lists.includes(list.path.join('.'))) replaceList(store, list, { seq, value });
}

/** A counter of a tab page. */
export type Counter = OutputOf<typeof PvCounterData>;

type Counted = Readonly<Partial<Record<(typeof TabPageType)['values'][number], string>>>;

/** From the relationships of a relation. */
const ofChild = 'FROM "PvRelationshipData" s';
const isChild = 's."ChildSeq" = "PvRelationData".seq';

/**
 * What the counters of a record count, as SQL behind SELECT, in the order of the answer. Activities are counted once, also when
 * both their relationships are of the relation.
 */
const counted: Readonly<Record<string, Counted>> = {
  PvRelationData: {
    Relationship: `count(*) ${ofChild} WHERE ${isChild}`,
    Contacts: 'count(*) FROM "PvRelationshipData" s WHERE s."ParentSeq" = "PvRelationData".seq',
    Activities: `count(DISTINCT a.seq) ${ofChild} JOIN "PvActivityData" a ON a."ParentSeq" = s.seq OR a."ChildSeq" = s.seq WHERE ${isChild}`,
    Marks: `count(*) ${ofChild} JOIN "PvRelationshipMarkData" m ON m."RelationshipSeq" = s.seq WHERE ${isChild}`,
    Lines: `count(*) ${ofChild} JOIN "PvLineData" l ON l."RelationshipSeq" = s.seq WHERE ${isChild}`,
  },
  PvActivityData: {
    Lines: 'count(*) FROM "ProductLineData" l WHERE l."ActivitySeq" = "PvActivityData".seq',
    Involveds: 'count(*) FROM "PvInvolvedData" i WHERE i."ActivitySeq" = "PvActivityData".seq',
    Attachments: 'count(*) FROM "Attachment" f WHERE f."ActivitySeq" = "PvActivityData".seq',
    ConnectedActivities: 'count(*) FROM "ActivityConnection" c WHERE c.ActivitySeq = "PvActivityData".seq',
  },
};

/**
 * Counters of relations or activities, by their seqs in ascending order: those of each by its index. They are counted now, and
 * made when they are asked for.
 */
export function countersOf(
  store: Store,
  record: typeof PvRelationData | typeof PvActivityData,
  seqs: readonly number[],
): (at: number) => readonly Counter[] {
  const pages = Object.entries(counted[record.name] ?? {});
  const columns = ['seq', ...pages.map(([, count]) => `(SELECT ${count})`)].join(', ');
  const rest = 'WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq';
  const rowAt = rowsAt(seqs, (some) =>
    selectPart(store, { table: record.name, columns, rest, values: [JSON.stringify(some)] }),
  );
  return (at) => {
    const row = rowAt(at);
    if (row === undefined || row[0] !== seqs[at]) {
      throw new RelctlError('bug', `A row of ${record.name} that is to be counted is missing.`);
    }
    // The first cell of a row is seq.
    return pages.map(([page], place) => ({ TabPageType: page, Value: Number(row[place + 1]) }));
  };
}

/** A counter for each tab page there is: those given, and 0 for the others. */
export function everyTabPage(some: readonly Counter[]): readonly Counter[] {
  const values = new Map(some.map(({ TabPageType: page, Value }) => [page, Value]));
  return TabPageType.values.map((page) => ({ TabPageType: page, Value: values.get(page) ?? 0 }));
}
