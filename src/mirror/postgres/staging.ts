import type { RecordValue } from '../../plain/value.js';
import type { CopyIn, Postgres } from '../../postgres/connect.js';
import { copyValue } from '../../postgres/copy-text.js';
import { listAt, type Cell } from '../../tables/cells.js';
import { keptOf } from '../rendered.js';
import type { Ranges } from '../seqs.js';
import { cellsOf, itemCells, type MirrorColumn, type MirrorTable, type Parameters } from '../tables.js';
import { itemColumns, listed, quoted, stagedColumns, type Names } from './schema.js';

/** Length of the texts that are sent at once. */
const pieceLength = 256 * 1024;

/** A timestamptz keeps microseconds: what is finer is cut off, so that no instant is later than it was. */
const sent = (cell: Cell, { type }: Pick<MirrorColumn, 'type'>): Cell =>
  type === 'instant' && typeof cell === 'string' ? `${cell.slice(0, 26)}Z` : cell;

const cellsText = (cells: readonly Cell[], columns: readonly MirrorColumn[], table: string): string => {
  let line = '';
  for (const [at, column] of columns.entries()) {
    line += `\t${copyValue(sent(cells[at] ?? null, column), `${table}.${column.name}`)}`;
  }
  return line;
};

/** A record on its way into the mirror. */
export interface StagedRow {
  readonly seq: number;
  readonly record: RecordValue;
  readonly hash: string;
}

/** The lines of rows, and of the items of each list of them. */
function linesOf(rows: readonly StagedRow[], table: MirrorTable, parameters: Parameters) {
  const lines: string[] = [];
  const items: string[][] = table.lists.map(() => []);
  for (const { seq, record: given, hash } of rows) {
    const { record, text } = keptOf(given);
    const cells = cellsText(cellsOf(table.columns, record, parameters), table.columns, table.name);
    lines.push(`${seq}${cells}\t${copyValue(text, `${table.name}._record`)}\t${hash}\n`);
    for (const [at, list] of table.lists.entries()) {
      for (const [position, item] of listAt(record, list.path).entries()) {
        const cells = cellsText(itemCells(list.columns, item), list.columns, list.name);
        items[at]?.push(`${seq}\t${position}${cells}\n`);
      }
    }
  }
  return { lines, items };
}

async function send(copy: CopyIn, lines: readonly string[]): Promise<void> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < pieceLength) continue;
    await copy.write(piece);
    piece = '';
  }
  if (piece !== '') await copy.write(piece);
  await copy.end();
}

/** Puts rows and the items of their lists into the staged tables, by COPY. Throws `local` for a text with NUL. */
export async function stageRows(
  postgres: Postgres,
  names: Names,
  given: { readonly table: MirrorTable; readonly rows: readonly StagedRow[]; readonly parameters: Parameters },
): Promise<void> {
  const { table, rows, parameters } = given;
  if (rows.length === 0) return;
  // Made before the first is sent: a value that cannot be kept fails no copy half way.
  const { lines, items } = linesOf(rows, table, parameters);
  const copyInto = (name: string, columns: readonly string[]): CopyIn =>
    postgres.copyIn(`COPY ${names.staged(name)} (${listed(columns)}) FROM STDIN`);
  await send(copyInto(table.name, stagedColumns(table)), lines);
  for (const [at, list] of table.lists.entries()) {
    const some = items[at] ?? [];
    if (some.length > 0) await send(copyInto(list.name, itemColumns(list)), some);
  }
}

/** Only a reading that looks at staged rows needs their index: the first of a sync does not. */
export async function indexStaged(postgres: Postgres, names: Names, { name, idColumn }: MirrorTable): Promise<void> {
  const index = `CREATE INDEX IF NOT EXISTS ${quoted(`_stage_${name}_by_id`)} ON ${names.staged(name)}`;
  await postgres.execute(`${index} (${quoted(idColumn)})`);
}

/** Takes rows and the items of their lists out of the staged tables. */
export async function unstageRows(
  postgres: Postgres,
  { staged }: Names,
  { table, seqs }: { readonly table: MirrorTable; readonly seqs: Ranges },
): Promise<void> {
  if (seqs.length === 0) return;
  const among = 'USING ROWS FROM (unnest($1::bigint[]), unnest($2::bigint[])) AS r (first, last)';
  const values = [0, 1].map((end) => `{${seqs.map((range) => range[end]).join(',')}}`);
  await postgres.run(`DELETE FROM ${staged(table.name)} s ${among} WHERE s._seq BETWEEN r.first AND r.last`, values);
  for (const { name } of table.lists) {
    await postgres.run(`DELETE FROM ${staged(name)} s ${among} WHERE s._owner BETWEEN r.first AND r.last`, values);
  }
}

/** Empties the staged tables of a table. */
export async function emptyStaged(postgres: Postgres, { own, staged }: Names, table: MirrorTable): Promise<void> {
  // The next sync may need no index: rows come faster without one.
  await postgres.execute(`DROP INDEX IF EXISTS ${own(`_stage_${table.name}_by_id`)}`);
  // To empty a table writes, also where there is nothing.
  if ((await postgres.first(`SELECT 1 FROM ${staged(table.name)} LIMIT 1`)) === undefined) return;
  const all = [table, ...table.lists].map(({ name }) => staged(name));
  await postgres.execute(`TRUNCATE ${all.join(', ')}`);
}
