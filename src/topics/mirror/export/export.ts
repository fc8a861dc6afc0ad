import { setImmediate } from 'node:timers/promises';
import { connectionFlags } from '../../../cli/flags/connection.js';
import { option, switchFlag, type Values } from '../../../cli/flags/define.js';
import { durationOption } from '../../../cli/flags/kinds.js';
import { oldestSync, tellAge } from '../../../cli/mirror/age.js';
import { exportFlags } from '../../../cli/flags/lists/export.js';
import { mirrorFlags } from '../../../cli/flags/mirror.js';
import type { CommonFlags } from '../../../cli/flags/output.js';
import type { RelctlError } from '../../../errors/relctl-error.js';
import { perhaps, usage } from '../../../errors/usage.js';
import type { Context } from '../../../host/context.js';
import { note } from '../../../host/notes.js';
import { openProgress } from '../../../host/progress.js';
import { inAnyCase, nearest } from '../../../lexical/nearest.js';
import { ageText } from '../../../lexical/time/age.js';
import { sourcesIn } from '../../../mirror/sqlite/schema/source.js';
import type { SourceState } from '../../../mirror/store.js';
import { inBatches } from '../../../plain/batches.js';
import type { Database } from '../../../sqlite/open.js';
import { lockFolder } from '../lock.js';
import { openTablesToRead } from '../read.js';
import { ownFiles } from '../../../cli/output/own-files.js';
import { exportFormats, makeFolder, openFiles, type ExportFormat, type TableFile } from './files.js';
import { exportTables, rowsOf, type ExportTable } from './tables.js';

/** The format of this name. Throws `usage`. */
function exportFormat(text: string): ExportFormat {
  const format = inAnyCase(text, exportFormats);
  if (format !== undefined) return format;
  throw usage(
    '--output',
    `tables are exported as ${exportFormats.join(', ')}, not as '${text}'`,
    perhaps(text, nearest(text, exportFormats)),
  );
}

const helpGroup = 'OUTPUT';

/** Flags of `mirror export`. */
export const mirrorExportFlags = {
  profile: connectionFlags.profile,
  ...mirrorFlags,
  output: option(exportFormat, { offers: exportFormats })({
    char: 'o',
    summary: 'Format of the files: parquet (the default), csv, tsv or ndjson.',
    helpValue: 'FORMAT',
    helpGroup,
  }),
  force: switchFlag({ summary: 'Replace files that relctl did not write.', helpGroup }),
  'lock-wait': durationOption({ summary: 'Wait for another export to the same folder: 30s, 10m.', helpGroup }),
  progress: exportFlags.progress,
};

type ExportFlags = Values<typeof mirrorExportFlags> & CommonFlags;

/** Rows that are written at once; between them signals are handled. */
const batchRows = 500;

/** The table of a name. Throws `usage` for a name that is none. */
function named(given: string, all: readonly ExportTable[], filled: readonly ExportTable[]): ExportTable {
  const known = all.map(({ name }) => name);
  const found = inAnyCase(given, known);
  const table = all.find(({ name }) => name === found);
  if (table !== undefined) return table;
  const there = filled.map(({ name }) => name).join(', ');
  throw usage('TABLE', `the mirror has no table '${given}'; there are ${there}`, perhaps(given, nearest(given, known)));
}

/** The error for a table that no sync has filled. */
const notFilled = ({ name, table }: ExportTable, sources: readonly SourceState[]): RelctlError =>
  sources.some((source) => source.table === table)
    ? usage('TABLE', `${name} was not read into the mirror yet`, `relctl mirror sync ${table}`)
    : usage('TABLE', `nothing fills ${name} yet`, 'relctl mirror add --help');

/** The tables to export: those that were named, else all that a sync has filled. Throws `usage` for one that none has. */
function chosen(names: readonly string[], sources: readonly SourceState[]): readonly ExportTable[] {
  const synced = new Set(sources.filter(({ syncedAt }) => syncedAt !== undefined).map(({ table }) => table));
  const all = exportTables(sources);
  const filled = all.filter(({ table }) => synced.has(table));
  if (filled.length === 0) throw usage(undefined, 'no list was read into the mirror yet', 'relctl mirror sync');
  if (names.length === 0) return filled;
  const tables = new Set(names.map((name) => named(name, all, filled)));
  const empty = [...tables].find((table) => !filled.includes(table));
  if (empty !== undefined) throw notFilled(empty, sources);
  return [...tables];
}

interface Exporting {
  readonly context: Context;
  readonly flags: ExportFlags;
  readonly database: Database;
}

/** Writes the rows of all tables, as they were at one moment. Gives their number. */
async function writeRows({ context, flags, database }: Exporting, files: readonly TableFile[]): Promise<number> {
  context.collectGarbage();
  const progress = openProgress(context, flags);
  let count = 0;
  // What a sync changes meanwhile is not seen.
  database.execute('BEGIN');
  for (const { table, writer, write } of files) {
    write(writer.begin());
    for (const rows of inBatches(rowsOf(database, table), batchRows)) {
      write(writer.records(rows));
      count += rows.length;
      progress.page(rows.length);
      await setImmediate();
      context.signal.throwIfAborted();
    }
    write(writer.end());
  }
  database.execute('COMMIT');
  await progress.end();
  return count;
}

/** Says what was asked for and was not read yet: all that fills the mirror, or the tables that were named. */
async function tellMissing(context: Context, flags: ExportFlags, asked: readonly SourceState[]): Promise<void> {
  const missing = asked.filter(({ syncedAt }) => syncedAt === undefined).map(({ name }) => name);
  if (missing.length === 0) return;
  await note(context, flags, `not in the files, because not read into the mirror yet: ${missing.join(', ')}`);
}

/** Says in a terminal what was written, and how old it is; beside JSON how old it is. */
async function tellDone(
  context: Context,
  flags: ExportFlags,
  {
    files,
    rows,
    sources,
    folder,
  }: { files: readonly TableFile[]; rows: number; sources: readonly SourceState[]; folder: string },
): Promise<void> {
  const oldest = oldestSync(
    sources,
    files.map(({ table }) => table.table),
  );
  if (!context.streams.err.isTerminal) return tellAge(context, flags, oldest);
  const ageMs = context.clock.date().getTime() - Date.parse(oldest ?? '');
  const counts = `${files.length} ${files.length === 1 ? 'file' : 'files'}, ${rows} rows to ${folder}`;
  await note(context, flags, `${counts}; the oldest list was read ${ageText(ageMs)}`);
}

/**
 * Writes a file for each table of the mirror into a folder; they appear together, when all are complete. Throws `usage`,
 * `local`, `profile`, and `not-found` when there is no mirror.
 */
export async function exportMirror(
  context: Context,
  { folder: given, names }: { readonly folder: string; readonly names: readonly string[] },
  flags: ExportFlags,
): Promise<void> {
  const database = await openTablesToRead(context, flags, 'all');
  const sources = sourcesIn(database);
  const tables = chosen(names, sources);
  const folder = context.environment.pathOf(given);
  makeFolder(folder);
  await lockFolder(context, folder, flags);
  const own = ownFiles(context, flags);
  const files = await openFiles(context, tables, { ...flags, folder, format: flags.output ?? 'parquet', own });
  const rows = await writeRows({ context, flags, database }, files);
  for (const file of files) file.check();
  for (const file of files) file.put();
  await own.tell();
  await context.report({ rows });
  const shown = new Set(tables.map(({ table }) => table));
  await tellMissing(context, flags, names.length === 0 ? sources : sources.filter(({ table }) => shown.has(table)));
  await tellDone(context, flags, { files, rows, sources, folder: given });
}
