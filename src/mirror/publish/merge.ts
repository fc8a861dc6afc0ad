import { type Postgres, copyValue } from '../postgres/connect.js';
import type { Database, Row } from '../../state/sqlite/open.js';
import type { Ranges } from '../../core/values/bit-set.js';
import { literal } from '../schema.js';
import { listed, quoted, type TableDiff } from './published-schema.js';
import { rowsOf, type PublishedTable, type PublishedColumn, type PublishedType } from './published-tables.js';
import { isDecimal, isGuid, isInteger } from '../../core/text/scalars.js';
import type { Cell } from '../../contract/columns.js';

/** The types of PostgreSQL for those of the contract: none rounds but that of an instant, which stands beside its dateTime. */
const types: Readonly<Record<PublishedType, string>> = {
  guid: 'uuid',
  string: 'text',
  enumeration: 'text',
  anyType: 'text',
  int: 'integer',
  short: 'integer',
  boolean: 'boolean',
  long: 'bigint',
  decimal: 'numeric',
  dateTime: 'text',
  instant: 'timestamp with time zone',
};

interface TargetColumn extends PublishedColumn {
  readonly targetType: string;
}

const seq: TargetColumn = {
  name: '_seq',
  type: 'long',
  targetType: 'bigint',
  sql: 'r."_seq"',
  doc: 'The number of the record in the mirror: with _position the key of the row. A new mirror has other numbers.',
  isIndexed: false,
};

const record: TargetColumn = {
  name: '_record',
  type: 'string',
  targetType: 'text',
  sql: 'r."_record"',
  doc: 'The record as JSON, as relctl prints it: nil, absent and empty differ here, and it has all members.',
  isIndexed: false,
};

/** The instant of a dateTime where that has a zone: of one without it would be a guess. */
function instantOf(
  { of, list }: PublishedTable,
  { name, sql, doc }: PublishedColumn,
): Pick<PublishedColumn, 'sql' | 'doc'> {
  const columns = list?.columns ?? of.columns;
  const { path } = columns.find((each) => each.name === name && each.type === 'instant') ?? {};
  const text = columns.find((each) => each.type === 'dateTime' && each.path === path);
  // A time of the mirror itself.
  if (text === undefined) return { sql, doc };
  const source = `${list === undefined ? 'r' : 'i'}."${text.name}"`;
  return {
    sql: `CASE WHEN ${source} GLOB '*Z' OR ${source} GLOB '*[+-][0-9][0-9]:[0-9][0-9]' THEN ${sql} END`,
    doc: `${doc} NULL if the text has no time zone.`,
  };
}

function targetColumns(table: PublishedTable): readonly TargetColumn[] {
  const columns = table.columns.map((column): TargetColumn => ({
    ...column,
    targetType: types[column.type],
    ...(column.type === 'instant' ? instantOf(table, column) : {}),
  }));
  return [seq, ...columns, ...(table.list === undefined ? [record] : [])];
}

/** Characters of the longest decimal that PostgreSQL keeps to the last digit. */
const longestDecimal = 16_000;

/** For types with a form: true for a text that has it. The service may have given another one. */
const fitting: Readonly<Partial<Record<PublishedType, (text: string) => boolean>>> = {
  guid: isGuid,
  long: (text) => isInteger(text, 'long'),
  decimal: (text) => text.length <= longestDecimal && isDecimal(text),
};

/** A cell in the text format of COPY; `misfit` for a text that its type does not have. */
function copiedCell({ name, type }: PublishedColumn, table: string): (cell: Cell) => string | undefined {
  const path = `${table}.${name}`;
  const fits = fitting[type];
  if (fits !== undefined)
    return (cell) => {
      if (cell === null) return '\\N';
      const text = String(cell);
      return fits(text) ? text : undefined;
    };
  // A timestamptz keeps microseconds: what is finer is cut off, so that no time is later than it was.
  if (type === 'instant') return (cell) => (cell === null ? '\\N' : `${String(cell).replace(/Z$/, '').slice(0, 26)}Z`);
  if (type === 'boolean') return (cell) => (cell === null ? '\\N' : cell === 0 ? 'f' : 't');
  return (cell) => copyValue(cell, path);
}

/** A published table in its schema. */
export interface TargetTable {
  readonly table: PublishedTable;
  readonly schema: string;
  readonly columns: readonly TargetColumn[];
  readonly name: string;
  readonly key: readonly string[];
}

/** A table as it is in a schema. */
export const targetTable = (table: PublishedTable, schema: string): TargetTable => ({
  table,
  schema,
  columns: targetColumns(table),
  name: `${quoted(schema)}.${quoted(table.name)}`,
  key: table.list === undefined ? ['_seq'] : ['_seq', '_position'],
});

const namesOf = ({ columns }: TargetTable): readonly string[] => columns.map(({ name }) => name);

const defined = (columns: readonly TargetColumn[]): string =>
  columns.map(({ name, targetType }) => `${quoted(name)} ${targetType}`).join(', ');

const commentsOn = ({ name, table, columns }: TargetTable): readonly string[] => [
  `COMMENT ON TABLE ${name} IS ${literal(table.doc)}`,
  ...columns.map((column) => `COMMENT ON COLUMN ${name}.${quoted(column.name)} IS ${literal(column.doc)}`),
];

/** Makes a table, without its key and indexes. Throws as a connection does. */
export const createTable = (postgres: Postgres, target: TargetTable): Promise<void> =>
  postgres.execute([`CREATE TABLE ${target.name} (${defined(target.columns)})`, ...commentsOn(target)].join('; '));

/** Makes the key and the indexes of a table that has its rows: faster than to keep them while rows come. */
export async function indexTable(postgres: Postgres, { name, columns, key }: TargetTable): Promise<void> {
  await postgres.execute(`ALTER TABLE ${name} ADD PRIMARY KEY (${listed(key)})`);
  for (const column of columns.filter(({ isIndexed }) => isIndexed)) {
    // An index of texts serves LIKE 'begin%' too.
    const how = column.targetType === 'text' ? ' text_pattern_ops' : '';
    await postgres.execute(`CREATE INDEX ON ${name} (${quoted(column.name)}${how})`);
  }
  await postgres.execute(`ANALYZE ${name}`);
}

/** Gives a published table its columns of now. Throws as a connection does, also for views that need others. */
export async function alterTable(postgres: Postgres, target: TargetTable): Promise<void> {
  const rows = await postgres.rows(
    'SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped',
    [target.name],
  );
  const there = new Map(rows.map(([name, type]) => [name ?? '', type ?? '']));
  const targetTypes = new Map(target.columns.map(({ name, targetType }) => [name, targetType]));
  const dropped = [...there].filter(([name, type]) => targetTypes.get(name) !== type);
  const added = target.columns.filter(({ name, targetType }) => there.get(name) !== targetType);
  const changes = [
    ...dropped.map(([name]) => `DROP COLUMN ${quoted(name)}`),
    ...added.map((column) => `ADD COLUMN ${defined([column])}`),
  ];
  if (changes.length > 0) await postgres.execute(`ALTER TABLE ${target.name} ${changes.join(', ')}`);
  await postgres.execute(commentsOn(target).join('; '));
}

const pieceLength = 256 * 1024;

/** What is sent to a table. */
export interface Sending {
  readonly postgres: Postgres;
  readonly database: Database;
  readonly signal: AbortSignal;
  readonly onRows: (count: number) => void;
  /** Called for a value that the type of its column does not have: NULL stands in its place. */
  readonly onMisfit: (column: string) => void;
}

function* linesOf(
  { database, onMisfit }: Sending,
  { table, columns }: TargetTable,
  ranges: Ranges,
): Generator<string, void> {
  const cells = columns.map(({ sql }) => sql);
  const copied = columns.map((column) => copiedCell(column, table.name));
  const textOf = (row: Row, at: number): string => {
    const text = copied[at]?.(row[at] ?? null);
    if (text === undefined) onMisfit(`${table.name}.${columns[at]?.name ?? ''}`);
    return text ?? '\\N';
  };
  for (const range of ranges) {
    for (const row of rowsOf(database, table, { cells, range })) {
      let line = textOf(row, 0);
      for (let at = 1; at < copied.length; at += 1) line += `\t${textOf(row, at)}`;
      yield `${line}\n`;
    }
  }
}

/** Copies rows of the mirror into a table. Gives how many. Throws as a connection does, `local`, and the reason of the signal. */
export async function copyRows(
  sending: Sending,
  target: TargetTable,
  { into, ranges }: { readonly into: string; readonly ranges: Ranges },
): Promise<number> {
  const copy = sending.postgres.copyIn(`COPY ${into} (${listed(namesOf(target))}) FROM STDIN`);
  let [piece, waiting] = ['', 0];
  const send = async (): Promise<void> => {
    sending.signal.throwIfAborted();
    await copy.write(piece);
    sending.onRows(waiting);
    [piece, waiting] = ['', 0];
  };
  try {
    for (const line of linesOf(sending, target, ranges)) {
      piece += line;
      waiting += 1;
      if (piece.length >= pieceLength) await send();
    }
    if (waiting > 0) await send();
  } catch (thrown) {
    // A COPY that is not ended would have every other statement wait for it.
    await sending.postgres.close();
    throw thrown;
  }
  return copy.end();
}

async function deleteRows(postgres: Postgres, name: string, seqs: Ranges): Promise<number> {
  if (seqs.length === 0) return 0;
  const values = [0, 1].map((end) => `{${seqs.map((range) => range[end]).join(',')}}`);
  return postgres.run(
    `DELETE FROM ${name} t USING ROWS FROM (unnest($1::bigint[]), unnest($2::bigint[])) AS r (first, last) WHERE t."_seq" BETWEEN r.first AND r.last`,
    values,
  );
}

/**
 * Sends what is new or changed to a staged table, and merges it into the published one by its key; what is gone is deleted.
 * Gives how many rows were sent and deleted. Throws as `copyRows` does.
 */
export async function mergeRows(
  sending: Sending,
  target: TargetTable,
  difference: TableDiff,
): Promise<{ readonly sent: number; readonly gone: number }> {
  const { postgres } = sending;
  const { name, key, table } = target;
  const gone = await deleteRows(postgres, name, difference.gone);
  if (difference.sent.length === 0) return { sent: 0, gone };
  const staged = `pg_temp.${quoted('_relctl_staged')}`;
  await postgres.execute(`CREATE TEMPORARY TABLE "_relctl_staged" (LIKE ${name}) ON COMMIT DROP`);
  const sent = await copyRows(sending, target, { into: staged, ranges: difference.sent });
  // Of a list the items that a record has no longer go too.
  if (table.list !== undefined) await deleteRows(postgres, name, difference.sent);
  const names = namesOf(target);
  const set = names.filter((each) => !key.includes(each)).map((each) => `${quoted(each)} = excluded.${quoted(each)}`);
  await postgres.run(
    `INSERT INTO ${name} (${listed(names)}) SELECT ${listed(names)} FROM ${staged} ON CONFLICT (${listed(key)}) DO UPDATE SET ${set.join(', ')}`,
  );
  await postgres.execute(`DROP TABLE ${staged}`);
  return { sent, gone };
}

/** Numbers of the records that a published table has. */
export async function seqsIn(postgres: Postgres, { name }: TargetTable): Promise<Ranges> {
  const rows = await postgres.rows(
    `SELECT min("_seq"), max("_seq") FROM (SELECT "_seq", "_seq" - row_number() OVER (ORDER BY "_seq") AS range FROM ${name}) r GROUP BY range`,
  );
  return rows.map(([first, last]) => [Number(first), Number(last)] as const);
}
