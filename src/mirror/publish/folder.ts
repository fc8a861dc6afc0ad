import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { scalar } from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import { openPartFile, type PartFile } from '../../state/part-file.js';
import type { Column } from '../../formats/columns.js';
import { formats } from '../../formats/writers/index.js';
import type { Piece } from '../../formats/writers/format.js';
import { inBatches } from '../../core/values/batches.js';
import type { RecordValue } from '../../core/values/value.js';
import type { Database, Row } from '../../state/sqlite/open.js';
import type { Service } from '../open.js';
import { checkFiles, readManifest, removeFiles, writeManifest, type Manifest, type PublishedFile } from './manifest.js';
import type { PublishedLine } from './postgres.js';
import { allSeqs, rowsOf, type PublishedColumn, type PublishedTable } from './tables.js';

/** Formats of files: one whose columns have types, and one that every program reads. */
export const folderFormats = ['parquet', 'csv'] as const;

/** What is published to a folder, and how. */
export interface FolderPlan {
  readonly folder: string;
  readonly format: (typeof folderFormats)[number];
  readonly service: Service;
  readonly tables: readonly PublishedTable[];
  readonly database: Database;
  readonly signal: AbortSignal;
  /** Called with the rows that were written. */
  readonly onRows: (count: number) => void;
}

/** Rows that are written at once; between them signals are handled. */
const batchRows = 500;

/** A column as formats know it. */
const columnOf = ({ name, type }: PublishedColumn): Column => ({
  title: name,
  path: [name],
  type: type === 'enumeration' || type === 'instant' ? string : scalar(type),
});

/** Makes records of rows: SQLite has no booleans. */
function recordOf(columns: readonly PublishedColumn[]): (row: Row) => RecordValue {
  return (row) => {
    const record: Record<string, RecordValue[string]> = {};
    for (let at = 0; at < columns.length; at += 1) {
      const [column, cell = null] = [columns[at], row[at]];
      if (column !== undefined) record[column.name] = column.type === 'boolean' && cell !== null ? cell !== 0 : cell;
    }
    return record;
  };
}

function* records({ database }: FolderPlan, table: PublishedTable): Generator<RecordValue, void> {
  const made = recordOf(table.columns);
  const cells = table.columns.map(({ sql }) => sql);
  for (const row of rowsOf(database, table, { cells, range: allSeqs })) yield made(row);
}

/** A file that is complete beside its place. */
interface MadeFile extends PublishedFile {
  readonly table: string;
  readonly rows: number;
  readonly part: PartFile;
}

/** Writes the file of a table, beside its place. */
async function write(plan: FolderPlan, table: PublishedTable, part: PartFile): Promise<MadeFile> {
  const { format, signal, onRows } = plan;
  const usual = { isChosen: false, shape: 'list', hasHeader: true, width: undefined, hasColor: false } as const;
  const writer = await formats[format].open({ ...usual, columns: table.columns.map(columnOf) });
  const hash = createHash('sha256');
  let [bytes, rows] = [0, 0];
  const put = (piece: Piece): void => {
    const more = typeof piece === 'string' ? Buffer.from(piece) : piece;
    part.write(more);
    hash.update(more);
    bytes += more.length;
  };
  put(writer.begin());
  for (const batch of inBatches(records(plan, table), batchRows)) {
    put(writer.records(batch));
    rows += batch.length;
    onRows(batch.length);
    await setImmediate();
    signal.throwIfAborted();
  }
  put(writer.end());
  part.sync();
  return { table: table.name, name: `${table.name}.${format}`, bytes, sha256: hash.digest('hex'), rows, part };
}

/** Puts files in their places. What a run leaves that is killed meanwhile is known as relctl's own by the next one. */
function putInPlace(
  { folder, service }: FolderPlan,
  made: readonly MadeFile[],
  { before, others }: { readonly before: Manifest | undefined; readonly others: readonly string[] },
): void {
  const files = made.map(({ name, rows, bytes, sha256 }) => ({ name, rows, bytes, sha256 }));
  const replacing = [...(before?.files ?? []), ...(before?.replacing ?? [])];
  writeManifest(folder, { service, files, replacing });
  for (const { name, part } of made) part.putAs(join(folder, name));
  removeFiles(folder, others);
  writeManifest(folder, { service, files });
}

/**
 * Writes a file for each table into a folder that is locked, in place of those that relctl published there before. They are
 * replaced together, when all are complete. Throws `local`, also for a file of somebody else, `usage` for a folder of another
 * service, and the reason of the signal.
 */
export async function publishToFolder(plan: FolderPlan): Promise<readonly PublishedLine[]> {
  const { folder, format, service, tables, signal } = plan;
  const names = tables.map(({ name }) => `${name}.${format}`);
  const before = readManifest(folder, service);
  await checkFiles(folder, names, { manifest: before, isQuick: true, signal });
  const made: MadeFile[] = [];
  const parts: PartFile[] = [];
  try {
    for (const [at, table] of tables.entries()) {
      const part = openPartFile(join(folder, names[at] ?? ''));
      parts.push(part);
      made.push(await write(plan, table, part));
    }
    const others = await checkFiles(folder, names, { manifest: before, isQuick: false, signal });
    putInPlace(plan, made, { before, others });
  } finally {
    for (const part of parts) part.discard();
  }
  return made.map(({ table, rows }) => ({ table, rows, sent: rows, gone: 0 }));
}
