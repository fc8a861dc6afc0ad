import { openDatabase, type Database } from '../../../sqlite/open.js';
import { listAt } from '../../../tables/cells.js';
import { RelctlError } from '../../../errors/relctl-error.js';
import type { Postgres, Sent } from '../../../postgres/connect.js';
import type { RecordValue } from '../../../plain/value.js';
import { bulkInto, type Bulk } from '../../sqlite/bulk.js';
import { keptLine } from '../../of-call/kept.js';
import { createMirror, createTable, whole } from '../../sqlite/schema/tables.js';
import { tablesWith } from '../../store.js';
import {
  cellsOf,
  itemCells,
  type MirrorColumn,
  type MirrorList,
  type MirrorTable,
  type Parameters,
} from '../../tables.js';
import { quoted, type Names } from '../schema.js';
import { sourcesIn, timeText, type NumberedSource } from '../source.js';
import { jsonIn } from '../../damaged.js';

function addSources(database: Database, sources: readonly NumberedSource[]): void {
  const columns = ['id', 'name', 'table', 'input', 'synced_from', 'synced_at', 'rows', 'added', 'changed', 'gone'];
  const into = bulkInto(database, '_sources', { columns });
  for (const { id, name, table, input, syncedFrom = null, syncedAt = null, last } of sources) {
    const counts = last === undefined ? [null, null, null, null] : [last.rows, last.added, last.changed, last.gone];
    into.add([id, name, table, JSON.stringify(input), syncedFrom, syncedAt, ...counts]);
  }
  into.flush();
  const tables = sources.flatMap(({ own }) => own ?? []);
  const lines = bulkInto(database, '_mirror', { columns: ['name', 'value'] });
  for (const table of tables) lines.add(keptLine(table));
  lines.flush();
  for (const table of tables) database.execute(createTable(table));
}

async function addSyncs(postgres: Postgres, database: Database, { own }: Names): Promise<void> {
  const into = bulkInto(database, '_syncs', { columns: ['source', 'began_at', 'ended_at'] });
  const sql = `SELECT source, ${timeText('began_at')}, ${timeText('ended_at')} FROM ${own('_syncs')}`;
  for await (const row of postgres.each(sql)) into.add(row);
  into.flush();
}

async function addPages(
  postgres: Postgres,
  database: Database,
  { names: { own }, table }: { readonly names: Names; readonly table: MirrorTable },
): Promise<void> {
  const into = bulkInto(database, '_pages', { columns: ['source', 'number', 'signature', 'seqs'] });
  const sql = `SELECT p.source, p.number, p.signature, p.seqs FROM ${own('_pages')} p JOIN ${own('_sources')} s ON s.id = p.source WHERE s."table" = $1`;
  for await (const row of postgres.each(sql, [table.name])) into.add(row);
  into.flush();
}

function addItems(
  into: Bulk,
  { path, columns }: MirrorList,
  { owner, record }: { readonly owner: number; readonly record: RecordValue },
): void {
  for (const [position, item] of listAt(record, path).entries()) {
    into.add([owner, position, ...itemCells(columns, item)]);
  }
}

/** The rows of a table that are copied. */
export interface Chosen {
  /** A condition of a row `r`, with values for its `$1`, `$2`. */
  readonly where: string;
  readonly values: readonly Sent[];
  /** True for a record that is wanted, of those for which the condition holds. */
  readonly keeps: (record: RecordValue) => boolean;
}

/** The parameters of calls that the columns of a row say. */
const parametersOf = (given: readonly MirrorColumn[], cells: readonly (string | null)[]): Parameters =>
  Object.fromEntries(
    given.flatMap(({ parameter = '' }, at) => (typeof cells[at] === 'string' ? [[parameter, cells[at]]] : [])),
  );

const all: Chosen = { where: 'true', values: [], keeps: () => true };

/**
 * Copies rows of a table; their columns are made of the records, as a sync makes them. Gives how many.
 * @param chosen those that are copied; without it all
 */
export async function addRows(
  { postgres, names, database }: Copying,
  { name, columns, lists }: MirrorTable,
  { where, values, keeps }: Chosen = all,
): Promise<number> {
  const own = ['_record', '_hash', '_first_seen', '_changed_at', '_gone_at'];
  const rows = bulkInto(database, whole(name), {
    columns: ['_seq', '_source', ...columns.map((each) => each.name), ...own],
  });
  const items = lists.map((list): readonly [typeof list, Bulk] => [
    list,
    bulkInto(database, whole(list.name), {
      columns: ['_owner', '_position', ...list.columns.map((each) => each.name)],
    }),
  ]);
  const given = columns.filter(({ parameter }) => parameter !== undefined);
  const asked = given.map((column) => `, ${quoted(column.name)}`).join('');
  const times = ['_first_seen', '_changed_at', '_gone_at'].map(timeText).join(', ');
  const sql = `SELECT _seq, _source, _record, _hash, ${times}${asked} FROM ${names.whole(name)} r WHERE ${where} ORDER BY _seq`;
  let count = 0;
  for await (const [seq, source, text, ...others] of postgres.each(sql, values)) {
    const record = jsonIn(String(text)) as RecordValue;
    if (!keeps(record)) continue;
    const cells = cellsOf(columns, record, parametersOf(given, others.slice(own.length - 1)));
    rows.add([Number(seq), Number(source), ...cells, String(text), ...others.slice(0, own.length - 1)]);
    for (const [list, into] of items) addItems(into, list, { owner: Number(seq), record });
    count += 1;
  }
  for (const { flush } of [rows, ...items.map(([, into]) => into)]) flush();
  return count;
}

/** What a copy is made of and into. */
export interface Copying {
  readonly postgres: Postgres;
  readonly names: Names;
  readonly database: Database;
  readonly sources: readonly NumberedSource[];
}

/**
 * Makes a temporary database that nobody else can open and that goes with the process, and fills it with a mirror in
 * PostgreSQL as that is at one moment: what fills it, and what `fill` adds. Throws as a connection does, and `local`.
 * @param tables statements that make its tables
 */
export async function copyInto(
  postgres: Postgres,
  { names, tables }: { readonly names: Names; readonly tables: string },
  fill: (copying: Copying) => Promise<void>,
): Promise<Database> {
  const database = openDatabase({ file: '', what: 'The temporary copy of the mirror' });
  try {
    database.execute(`PRAGMA temp_store = FILE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${tables}`);
    await postgres.transaction(async () => {
      const sources = await sourcesIn(postgres, names);
      database.execute('BEGIN');
      addSources(database, sources);
      await fill({ postgres, names, database, sources });
      database.execute('COMMIT');
    }, 'READ ONLY');
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

const gibibyte = 2 ** 30;

/** Most that is copied, by the size of the tables on the server, in bytes. */
const mostBytes = 4 * gibibyte;

/** Throws `local` for tables that are too large for a copy. */
async function refuseLarge(
  { postgres, names }: Copying,
  { tables, most }: { readonly tables: readonly MirrorTable[]; readonly most: number },
): Promise<void> {
  let bytes = 0;
  for (const { name } of tables) {
    const sql = 'SELECT pg_catalog.pg_table_size($1::pg_catalog.regclass)';
    bytes += Number((await postgres.first(sql, [names.whole(name)]))?.[0] ?? 0);
  }
  if (bytes <= most) return;
  const size = (each: number): string => `${(each / gibibyte).toFixed(1)} GiB`;
  throw new RelctlError(
    'local',
    `this reads a copy of ${tables.map(({ name }) => name).join(', ')}, which take ${size(bytes)} in ${postgres.address.shown}: more than ${size(most)} are not copied`,
    {
      facts: { url: postgres.address.shown, code: 'too-large' },
      advice:
        'Ask with relctl sql, which copies nothing, or sync a mirror in a file for this command and name it by --to FILE.',
      hint: 'relctl sql --help',
    },
  );
}

/**
 * Copies tables of a mirror in PostgreSQL into a mirror in a temporary database. Throws as a connection does, and `local`, also
 * for tables that are too large.
 * @param tables those that are copied; `all` for each that something fills
 */
export function copyMirror(
  postgres: Postgres,
  names: Names,
  { tables, most = mostBytes }: { readonly tables: readonly MirrorTable[] | 'all'; readonly most?: number },
): Promise<Database> {
  return copyInto(postgres, { names, tables: createMirror() }, async (copying) => {
    const { database, sources } = copying;
    const wanted = tables === 'all' ? tablesWith(sources) : tables;
    const filled = wanted.filter(({ name }) => sources.some(({ table }) => table === name));
    await refuseLarge(copying, { tables: filled, most });
    await addSyncs(postgres, database, names);
    for (const table of filled) {
      await addPages(postgres, database, { names, table });
      await addRows(copying, table);
    }
  });
}
