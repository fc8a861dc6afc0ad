import type { Postgres } from '../postgres/connect.js';
import type { Database, Row } from '../../state/sqlite/open.js';
import type { Ranges } from '../seqs.js';
import { copiedCell, targetColumns, type TargetColumn } from './columns.js';
import type { Difference } from './marks.js';
import { literal } from '../schema.js';
import { listed, quoted } from './schema.js';
import { rowsOf, type PublishedTable } from './tables.js';

/** A published table in its schema. */
export interface TargetTable {
  readonly table: PublishedTable;
  readonly schema: string;
  readonly columns: readonly TargetColumn[];
  /** Its name as it stands in statements. */
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
  const wanted = new Map(target.columns.map(({ name, targetType }) => [name, targetType]));
  const dropped = [...there].filter(([name, type]) => wanted.get(name) !== type);
  const added = target.columns.filter(({ name, targetType }) => there.get(name) !== targetType);
  const changes = [
    ...dropped.map(([name]) => `DROP COLUMN ${quoted(name)}`),
    ...added.map((column) => `ADD COLUMN ${defined([column])}`),
  ];
  if (changes.length > 0) await postgres.execute(`ALTER TABLE ${target.name} ${changes.join(', ')}`);
  await postgres.execute(commentsOn(target).join('; '));
}

/** Length of the text that is sent at once. */
const pieceLength = 256 * 1024;

/** What is sent to a table. */
export interface Sending {
  readonly postgres: Postgres;
  readonly database: Database;
  readonly signal: AbortSignal;
  /** Called with the rows that were sent. */
  readonly onRows: (count: number) => void;
  /** Called for a value that the type of its column does not have: NULL stands in its place. */
  readonly onMisfit: (column: string) => void;
}

/** The lines of COPY for rows of the mirror. */
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

/** Deletes the rows of records. Gives how many. */
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
  difference: Difference,
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
