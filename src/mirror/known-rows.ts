import type { Database, Row } from '../state/sqlite/open.js';
import { staged, whole, withoutIdIndex } from './schema.js';
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

const columnsOf = (idColumn: string): string => `t."_seq", t."${idColumn}", t."_hash", t."_gone_at"`;

const inRows = ({ name }: MirrorTable, isStaged: boolean): string => (isStaged ? staged(name) : whole(name));

function rowsById(database: Database, { table, source, records }: RowsQuery, isStaged: boolean): readonly Row[] {
  const { idColumn } = table;
  const name = inRows(table, isStaged);
  // Only a reading that looks at staged rows needs their index: the first of a sync does not.
  if (isStaged) database.execute(`CREATE INDEX IF NOT EXISTS "${name}_by_id" ON "${name}" ("${idColumn}")`);
  const sql = `SELECT ${columnsOf(idColumn)} FROM json_each(?) j CROSS JOIN "${name}" t ON t."${idColumn}" = j.value WHERE t."_source" = ?`;
  const keyOf = idKeyOf(table);
  const ids = records.flatMap(({ id }) => (id === undefined ? [] : [keyOf(id)]));
  return database.statement(sql).all(JSON.stringify([...new Set(ids)]), source);
}

function rowsByContent(database: Database, { table, source, records }: RowsQuery, isStaged: boolean): readonly Row[] {
  const hashes = new Set(records.flatMap(({ id, hash }) => (id === undefined ? [hash] : [])));
  if (hashes.size === 0) return [];
  const { idColumn } = table;
  const name = inRows(table, isStaged);
  // Few lists have such records: the others do without the index.
  database.execute(withoutIdIndex(table, isStaged ? staged : whole));
  const sql = `SELECT ${columnsOf(idColumn)} FROM json_each(?) j CROSS JOIN "${name}" t ON t."_hash" = j.value WHERE ${isWithoutId(table, 't.')} AND t."_source" = ?`;
  return database.statement(sql).all(JSON.stringify([...hashes]), source);
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
  const found = new Map<string, KnownRow[]>();
  const keyOf = idKeyOf(query.table);
  const look = (isStaged: boolean): void => {
    const rows = [...rowsById(database, query, isStaged), ...rowsByContent(database, query, isStaged)];
    for (const [seq, id, hash, goneAt] of rows) {
      const row = { seq: Number(seq), hash: String(hash), isGone: goneAt !== null, isStaged };
      const key = keyOf(String(id ?? ''));
      const others = found.get(key);
      if (others === undefined) found.set(key, [row]);
      else others.push(row);
    }
  };
  if (inStaged) look(true);
  if (inWhole) look(false);
  return found;
}

interface Look {
  readonly hash: string;
  readonly rows: readonly KnownRow[];
  /** False for a row that another record has already. */
  readonly isFree: (row: KnownRow) => boolean;
  /** Its content tells it from others, not its Id. */
  readonly isContent: boolean;
}

const sameRow = ({ hash, rows, isFree }: Look): KnownRow | undefined =>
  rows.find((row) => row.hash === hash && !row.isGone && isFree(row));

/** True for a row of the mirror for which another content was staged. */
const isStagedOver = ({ rows }: Look, { seq, isStaged }: KnownRow): boolean =>
  !isStaged && rows.some((other) => other.isStaged && other.seq === seq);

function earlierRow({ hash, rows, isFree, isContent }: Look): KnownRow | undefined {
  const own = isContent ? rows.filter((row) => row.hash === hash) : rows;
  return own.find((row) => !row.isGone && isFree(row)) ?? own.find(isFree);
}

/** The row of a record. */
export interface ChosenRow {
  /** Its number; undefined for a row that is not there yet. */
  readonly seq: number | undefined;
  /** It holds the record as it is. */
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
  const taken = new Set<number>();
  const keyOf = idKeyOf(table);
  const looks = records.map(({ id, hash }): Look => {
    const isFree = ({ seq }: KnownRow): boolean => !taken.has(seq) && (id !== undefined || !isPlaced(seq));
    return {
      hash,
      rows: known.get(id === undefined ? '' : keyOf(id)) ?? [],
      isFree,
      isContent: id === undefined || table.identity === 'content',
    };
  });
  const take = (row: KnownRow | undefined): KnownRow | undefined => {
    if (row !== undefined) taken.add(row.seq);
    return row;
  };
  // Those that did not change have their rows first.
  const same = looks.map((look) => take(sameRow(look)));
  return looks.map((look, at): ChosenRow => {
    const knownRow = same[at];
    if (knownRow !== undefined) return { seq: knownRow.seq, isKept: true, dropsStaged: isStagedOver(look, knownRow) };
    const earlier = take(earlierRow(look));
    return { seq: earlier?.seq, isKept: false, dropsStaged: earlier !== undefined };
  });
}
