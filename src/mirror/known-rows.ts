import type { Database, Row } from '../state/sqlite/open.js';
import { staged, allRows, withoutIdIndex } from './schema.js';
import { idKeyOf, isWithoutId, type MirrorTable } from './tables.js';

interface KnownRow {
  readonly seq: number;
  readonly hash: string;
  readonly isGone: boolean;
  readonly isStaged: boolean;
}

/** Rows by the key of the Id of their record; those of records without an Id are under the empty text. */
export type KnownRows = ReadonlyMap<string, readonly KnownRow[]>;

/** What tells a record. */
export interface RecordKey {
  readonly id: string | undefined;
  readonly hash: string;
}

/** What is looked for. */
export interface RowsQuery {
  readonly table: MirrorTable;
  readonly source: number;
  readonly records: readonly RecordKey[];
}

function rowsWith(
  database: Database,
  { table, source }: RowsQuery,
  { name, condition, values }: { readonly name: string; readonly condition: string; readonly values: Iterable<string> },
): readonly Row[] {
  const columns = `t."_seq", t."${table.idColumn}", t."_hash", t."_gone_at"`;
  const sql = `SELECT ${columns} FROM json_each(?) j CROSS JOIN "${name}" t ON ${condition} WHERE t."_source" = ?`;
  return database.statement(sql).all(JSON.stringify([...new Set(values)]), source);
}

function rowsIn(database: Database, query: RowsQuery, isStaged: boolean): readonly Row[] {
  const { table, records } = query;
  const { idColumn } = table;
  const name = (isStaged ? staged : allRows)(table.name);
  // Only a reading that looks at staged rows needs their index: the first of a sync does not.
  if (isStaged) database.execute(`CREATE INDEX IF NOT EXISTS "${name}_by_id" ON "${name}" ("${idColumn}")`);
  const keyOf = idKeyOf(table);
  const ids = records.flatMap(({ id }) => (id === undefined ? [] : [keyOf(id)]));
  const byId = rowsWith(database, query, { name, condition: `t."${idColumn}" = j.value`, values: ids });
  const hashes = records.flatMap(({ id, hash }) => (id === undefined ? [hash] : []));
  if (hashes.length === 0) return byId;
  // Few lists have such records: the others do without the index.
  database.execute(withoutIdIndex(table, isStaged ? staged : allRows));
  const condition = `t."_hash" = j.value AND ${isWithoutId(table, 't.')}`;
  return [...byId, ...rowsWith(database, query, { name, condition, values: hashes })];
}

/**
 * The rows that are known of some records, by the key of their Id: those staged come first. Under the empty text are those
 * without an Id that have the content of one of the records.
 */
export function knownRows(
  database: Database,
  query: RowsQuery,
  { inStaged, inWhole }: { readonly inStaged: boolean; readonly inWhole: boolean },
): KnownRows {
  const rows = new Map<string, KnownRow[]>();
  const keyOf = idKeyOf(query.table);
  const look = (isStaged: boolean): void => {
    for (const [seq, id, hash, goneAt] of rowsIn(database, query, isStaged)) {
      const row = { seq: Number(seq), hash: String(hash), isGone: goneAt !== null, isStaged };
      const key = keyOf(String(id ?? ''));
      const others = rows.get(key);
      if (others === undefined) rows.set(key, [row]);
      else others.push(row);
    }
  };
  if (inStaged) look(true);
  if (inWhole) look(false);
  return rows;
}

/** The row of a record. */
export interface ChosenRow {
  /** Its number; undefined for a row that does not exist yet. */
  readonly seq: number | undefined;
  readonly isKept: boolean;
  readonly dropsStaged: boolean;
}

/**
 * The rows of the records of a page, each of its own: several of one Id may stand beside each other there, and those without
 * an Id are told apart by their content, which several may have too.
 * @param isPlaced true for a row that an earlier page of the reading showed
 */
export function chooseRows(
  records: readonly RecordKey[],
  known: KnownRows,
  { table, isPlaced }: { readonly table: MirrorTable; readonly isPlaced: (seq: number) => boolean },
): readonly ChosenRow[] {
  if (known.size === 0) return records.map(() => ({ seq: undefined, isKept: false, dropsStaged: false }));
  const used = new Set<number>();
  const keyOf = idKeyOf(table);
  const rowsOf = ({ id }: RecordKey): readonly KnownRow[] => known.get(id === undefined ? '' : keyOf(id)) ?? [];
  const take = (record: RecordKey, fits: (row: KnownRow) => boolean): KnownRow | undefined => {
    const isFree = ({ seq }: KnownRow): boolean => !used.has(seq) && (record.id !== undefined || !isPlaced(seq));
    const row = rowsOf(record).find((each) => fits(each) && isFree(each));
    if (row !== undefined) used.add(row.seq);
    return row;
  };
  // Those that did not change have their rows first.
  const same = records.map((record) => take(record, ({ hash, isGone }) => hash === record.hash && !isGone));
  return records.map((record, at): ChosenRow => {
    const row = same[at];
    if (row !== undefined) {
      // Another content was staged for it.
      const dropsStaged = !row.isStaged && rowsOf(record).some(({ isStaged, seq }) => isStaged && seq === row.seq);
      return { seq: row.seq, isKept: true, dropsStaged };
    }
    const isContent = record.id === undefined || table.identity === 'content';
    const fits = ({ hash }: KnownRow): boolean => !isContent || hash === record.hash;
    const earlier = take(record, (each) => !each.isGone && fits(each)) ?? take(record, fits);
    return { seq: earlier?.seq, isKept: false, dropsStaged: earlier !== undefined };
  });
}
