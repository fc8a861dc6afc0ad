import type { RecordValue } from '../../core/values/value.js';
import type { RecordType } from '../../contract/build.js';
import { TabPageType } from '../../contract/enumerations.js';
import type { OutputOf } from '../../contract/infer.js';
import type { PvActivityData } from '../../contract/records/activity.js';
import type { PvRelationData } from '../../contract/records/relation.js';
import type { PvCounterData, PvFieldValueData } from '../../contract/records/shared.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { type Table, fieldValues, listFor, tableFor } from './schema.js';
import type { Row } from '../../state/sqlite/open.js';
import { type Cell, listAt } from '../../contract/columns.js';
import type { Store } from './open.js';
import {
  cellsOf,
  type Extra,
  inserter,
  itemsCell,
  itemsOf,
  listInserter,
  listsOf,
  originOf,
  type RowPosition,
  rowReader,
  type Stored,
} from './rows.js';

const columnsOf = (record: RecordType): string => rowReader(tableFor(record.name)).columns;

const readAll = <R extends RecordType>(
  store: Store,
  record: R,
  rows: readonly Row[],
): readonly Stored<OutputOf<R>>[] => {
  const reader = rowReader(tableFor(record.name));
  // The reader is made from the same record type, so what it reads has its shape; the compiler cannot follow that.
  return rows.map((row) => reader.read(row, store) as Stored<OutputOf<R>>);
};

/** The record with an Id, in any case of letters; undefined when there is none. */
export function findById<R extends RecordType>(store: Store, record: R, id: string): Stored<OutputOf<R>> | undefined {
  const sql = `SELECT ${columnsOf(record)} FROM "${record.name}" WHERE "Id" = ?`;
  return readAll(store, record, store.statement(sql).all(id.toLowerCase()))[0];
}

/** Selects columns of rows that there are, by their seqs in ascending order. Throws RelctlError `bug` where one is missing. */
function rowsAt(store: Store, { name }: RecordType, { columns, seqs }: { columns: string; seqs: readonly number[] }) {
  const sql = `SELECT ${columns} FROM "${name}" WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq`;
  const rows = store.statement(sql).all(JSON.stringify(seqs));
  if (seqs.some((seq, at) => rows[at]?.[0] !== seq)) throw new RelctlError('bug', `A row of ${name} is missing.`);
  return rows;
}

/** The records at some places in ascending order: those in outline are made again, and nothing is read of their rows. */
function recordsOf<R extends RecordType>(
  store: Store,
  record: R,
  { positions, withFields }: { readonly positions: readonly RowPosition[]; readonly withFields: boolean },
): readonly OutputOf<R>[] {
  const table = tableFor(record.name);
  const reader = rowReader(table);
  const list = withFields ? listFor(record.name, fieldValues) : undefined;
  const columns = list === undefined ? reader.columns : `${reader.columns}, ${itemsCell(table, list)}`;
  const seqs = positions.flatMap(({ seq, isOutline }) => (isOutline ? [] : [seq]));
  const rows = (seqs.length === 0 ? [] : rowsAt(store, record, { columns, seqs })).values();
  const records: readonly unknown[] = positions.map(({ seq, isOutline }): RecordValue => {
    if (isOutline) return reader.remake(seq, store, list);
    const row = rows.next().value ?? [];
    const stored = reader.read(row, store).record;
    return list === undefined ? stored : { ...stored, FieldValues: { Items: itemsOf(list, row.at(-1)) } };
  });
  // The reader is made from the same record type, so what it reads has its shape; the compiler cannot follow that.
  return records as readonly OutputOf<R>[];
}

/** The records of rows that there are, by their seqs in ascending order, with FieldValues where they are asked for. */
export function recordsAt<R extends RecordType>(
  store: Store,
  record: R,
  { seqs, withFields }: { readonly seqs: readonly number[]; readonly withFields: boolean },
): readonly OutputOf<R>[] {
  const positions = rowsAt(store, record, { columns: positionColumns(record), seqs }).map(positionOf);
  return recordsOf(store, record, { positions, withFields });
}

/** One page of all records of a type, in the order of creation, with FieldValues where they are asked for. */
export function readPage<R extends RecordType>(
  store: Store,
  record: R,
  { withFields, ...page }: PageRequest & { readonly withFields: boolean },
): readonly OutputOf<R>[] {
  return recordsOf(store, record, { positions: positionsWhere(store, record, { limit: limitOf(page) }), withFields });
}

/** Which rows of a table to read. */
export interface Condition {
  /** SQL behind WHERE; the table has its own name. All rows when left out. */
  readonly where?: string;
  readonly values?: readonly Cell[];
  readonly limit?: Limit;
}

/** By store and table: a state of the database, and whether rows were numbered from one without a gap then. */
const numberings = new WeakMap<Store, Map<string, { readonly state: string; readonly isGapless: boolean }>>();

/** True where the place of a row follows from its seq, so that a page far behind is not counted up to. */
function isGapless(store: Store, table: string): boolean {
  // What other connections changed, and what this one did.
  const state = String(store.statement('SELECT data_version, total_changes() FROM pragma_data_version').first());
  const numbering = numberings.get(store) ?? new Map<string, { state: string; isGapless: boolean }>();
  numberings.set(store, numbering);
  const known = numbering.get(table);
  if (known?.state === state) return known.isGapless;
  const sql = `SELECT count(*), (SELECT min(seq) FROM "${table}"), (SELECT max(seq) FROM "${table}") FROM "${table}"`;
  const [count, first, last] = store.statement(sql).first() ?? [];
  const gapless = first === 1 && last === count;
  numbering.set(table, { state, isGapless: gapless });
  return gapless;
}

const rowsWhere = (
  store: Store,
  { table, columns }: { readonly table: string; readonly columns: string },
  { where = 'TRUE', values = [], limit }: Condition,
): readonly Row[] => {
  const sql = `SELECT ${columns} FROM "${table}" WHERE ${where} ORDER BY "${table}".seq`;
  if (limit === undefined) return store.statement(sql).all(...values);
  const { before, rows } = limit;
  if (where === 'TRUE' && before > 0 && isGapless(store, table))
    return rowsWhere(store, { table, columns }, { where: 'seq > ?', values: [before], limit: { before: 0, rows } });
  return store.statement(`${sql} LIMIT ? OFFSET ?`).all(...values, rows, before);
};

/** Records that meet a condition, in the order of creation. */
export function readWhere<R extends RecordType>(
  store: Store,
  record: R,
  condition: Condition,
): readonly Stored<OutputOf<R>>[] {
  return readAll(store, record, rowsWhere(store, { table: record.name, columns: columnsOf(record) }, condition));
}

/** Columns that tell the place of a row, which cost a fraction of reading it. */
function positionColumns({ name }: RecordType): string {
  const { outline } = tableFor(name);
  return `"${name}".seq, ${outline === undefined ? '0' : `"${name}"."${outline.mark}" IS NULL`}`;
}

const positionOf = ([seq, isOutline]: Row): RowPosition => ({ seq: Number(seq), isOutline: isOutline === 1 });

/** The places of the records that meet a condition, in the order of creation. */
export const positionsWhere = (store: Store, record: RecordType, condition: Condition): readonly RowPosition[] =>
  rowsWhere(store, { table: record.name, columns: positionColumns(record) }, condition).map(positionOf);

/** The seqs of the records that meet a condition, in the order of creation. */
export const seqsWhere = (store: Store, record: RecordType, condition: Condition): readonly number[] =>
  rowsWhere(store, { table: record.name, columns: `"${record.name}".seq` }, condition).map(([seq]) => Number(seq));

/** The same records without their places. */
export const recordsWhere = <R extends RecordType>(
  store: Store,
  record: R,
  condition: Condition,
): readonly OutputOf<R>[] => readWhere(store, record, condition).map((row) => row.record);

/** FieldValues of a record. */
export interface FieldValues {
  readonly Items: readonly OutputOf<typeof PvFieldValueData>[];
}

/** The FieldValues of a record, by its place. */
export function fieldValuesOf(store: Store, { name }: RecordType, { seq, isOutline }: RowPosition): FieldValues {
  const list = listFor(name, fieldValues);
  const items = isOutline
    ? listAt(originOf(store).record(name, seq, true), list.path)
    : (listsOf(store, list, [seq]).get(seq) ?? []);
  // The list table is derived from PvFieldValueData, as the one above is from its record.
  return { Items: items as FieldValues['Items'] };
}

/** Adds a record to its table; gives its `seq`. Values are stored unchanged: the caller has checked them. */
export function insertRecord(
  store: Store,
  record: RecordType,
  { value, extra = {} }: { readonly value: RecordValue; readonly extra?: Extra },
): number {
  return inserter(store, tableFor(record.name))(value, extra);
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

function writeRow(store: Store, table: Table, { seq, value, extra = {} }: Rewrite): void {
  const columns = table.columns.filter(({ type, name }) => type !== 'extra' || Object.hasOwn(extra, name));
  const sets = columns.map(({ name }) => `"${name}" = ?`).join(', ');
  store.statement(`UPDATE "${table.name}" SET ${sets} WHERE seq = ?`).run(...cellsOf(columns, value, extra), seq);
}

/** Stores a row that is in outline whole, lists and all; leaves a whole one as it is. */
function storeWhole(store: Store, table: Table, seq: number): void {
  const [position] = positionsWhere(store, table.record, { where: 'seq = ?', values: [seq] });
  if (position?.isOutline !== true) return;
  const origin = originOf(store);
  const value = origin.record(table.name, seq, true);
  writeRow(store, table, { seq, value, extra: origin.extra(table.name, seq) });
  for (const list of table.lists) listInserter(store, list)(seq, value);
}

/** Overwrites all columns of a record. Values are stored unchanged: the caller has checked them. */
export function updateRecord(store: Store, record: RecordType, rewrite: Rewrite): void {
  const table = tableFor(record.name);
  const { seq, value, lists = [] } = rewrite;
  storeWhole(store, table, seq);
  writeRow(store, table, rewrite);
  for (const list of table.lists) {
    if (!lists.includes(list.path.join('.'))) continue;
    store.statement(`DELETE FROM "${list.name}" WHERE owner = ?`).run(seq);
    listInserter(store, list)(seq, value);
  }
}

/** A counter of a tab page. */
export type Counter = OutputOf<typeof PvCounterData>;

type Counted = Readonly<Partial<Record<(typeof TabPageType)['values'][number], string>>>;

const ofChild = 'FROM "PvRelationshipData" s';
const isChild = 's."ChildSeq" = "PvRelationData".seq';

/** What counters count, as SQL behind SELECT, in the order of the answer; an activity of both relationships once. */
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

/** Counters of rows by their seqs in ascending order, for each row. */
export function countersOf(
  store: Store,
  record: typeof PvRelationData | typeof PvActivityData,
  seqs: readonly number[],
): readonly (readonly Counter[])[] {
  const pages = Object.entries(counted[record.name] ?? {});
  const columns = ['seq', ...pages.map(([, count]) => `(SELECT ${count})`)].join(', ');
  return rowsAt(store, record, { columns, seqs }).map(([, ...counts]) =>
    pages.map(([page], at) => ({ TabPageType: page, Value: Number(counts[at]) })),
  );
}

/** A counter for each tab page there is: those given, and 0 for the others. */
export function everyTabPage(some: readonly Counter[]): readonly Counter[] {
  const values = new Map(some.map(({ TabPageType: page, Value }) => [page, Value]));
  return TabPageType.values.map((page) => ({ TabPageType: page, Value: values.get(page) ?? 0 }));
}

/** A page: numbers from one, at least one record. */
export interface PageRequest {
  readonly pageNumber: number;
  readonly pageSize: number;
}

/** Rows of a list to pass over, and to read at most. */
export interface Limit {
  readonly before: number;
  readonly rows: number;
}

/** The rows of a page. A place beyond every row is as good as one that can no longer be counted exactly. */
export const limitOf = ({ pageNumber, pageSize }: PageRequest): Limit => ({
  before: Math.min((pageNumber - 1) * pageSize, Number.MAX_SAFE_INTEGER),
  rows: pageSize,
});
