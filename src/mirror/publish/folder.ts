import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { scalar } from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import { openPartFile, type PartFile, writeWhole } from '../../state/part-file.js';
import type { Column } from '../../formats/columns.js';
import { formats } from '../../formats/writers/index.js';
import type { Piece } from '../../formats/writers/format.js';
import { inBatches, type RecordValue, isObject, jsonOf } from '../../core/values/value.js';
import type { Database, Row } from '../../state/sqlite/open.js';
import { type Service, identityNames, otherThan } from '../open.js';
import type { PublishedLine } from './postgres.js';
import { allSeqs, rowsOf, type PublishedColumn, type PublishedTable } from './published-tables.js';
import { createReadStream, lstatSync, readFileSync, rmSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { attempt } from '../../state/own-file.js';

/** The file of a folder that says what relctl published there. Programs that read folders pass over a name that begins so. */
const manifestName = '_relctl.json';

interface PublishedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

interface Manifest {
  readonly service: Service;
  readonly files: readonly (PublishedFile & { readonly rows: number })[];
  /** Files that are being replaced, and their successors: a run that is killed leaves them. Missing when all is in place. */
  readonly replacing?: readonly PublishedFile[];
}

const format = 1;
const largestManifest = 16 * 1024 * 1024;

function foreign(file: string, what: string): RelctlError {
  return new RelctlError('local', `${file} ${what}`, {
    facts: { foreignCode: 'EEXIST', path: file },
    advice: 'relctl changed nothing. Move it away, or publish to another folder.',
  });
}

const isFile = (value: unknown): value is PublishedFile =>
  isObject(value) &&
  // No path: files beside the manifest alone are removed.
  /^\w+\.\w+$/.test(String(value['name'])) &&
  typeof value['bytes'] === 'number' &&
  typeof value['sha256'] === 'string';

const isService = (value: unknown): value is Service =>
  isObject(value) && identityNames.every((name) => typeof value[name] === 'string');

function parsed(file: string): Manifest | undefined {
  if (statSync(file).size > largestManifest) return undefined;
  const value = jsonOf(readFileSync(file, 'utf8'));
  if (!isObject(value) || value['publishedBy'] !== 'relctl' || value['format'] !== format) return undefined;
  const { service, files, replacing = [] } = value;
  const isWhole = [files, replacing].every((list) => Array.isArray(list) && list.every(isFile));
  // Each member was looked at.
  return isService(service) && isWhole ? ({ service, files, replacing } as Manifest) : undefined;
}

function readManifest(folder: string, service: Service): Manifest | undefined {
  const file = join(folder, manifestName);
  const there = attempt(file, () => lstatSync(file, { throwIfNoEntry: false }));
  if (there === undefined) return undefined;
  const manifest = there.isFile() ? attempt(file, () => parsed(file)) : undefined;
  if (manifest === undefined) throw foreign(file, 'is not a manifest of this version of relctl');
  if (otherThan(service, manifest.service).length === 0) return manifest;
  throw usage('TARGET', `${folder} has the published data of another service: ${manifest.service.url}`, {
    advice: 'relctl changed nothing. Publish to another folder.',
  });
}

function writeManifest(folder: string, { service, files, replacing }: Manifest): void {
  const value = { publishedBy: 'relctl', format, service, files, ...(replacing === undefined ? {} : { replacing }) };
  writeWhole(join(folder, manifestName), `${JSON.stringify(value, undefined, 1)}\n`);
}

async function hashOf(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, { signal });
  return hash.digest('hex');
}

interface Checking {
  readonly manifest: Manifest | undefined;
  readonly isQuick: boolean;
  readonly signal: AbortSignal;
}

async function isOneOf(file: string, files: readonly PublishedFile[], { isQuick, signal }: Checking): Promise<boolean> {
  const stats = attempt(file, () => lstatSync(file, { throwIfNoEntry: false }));
  if (stats?.isFile() !== true || files.every(({ bytes }) => bytes !== stats.size)) return false;
  if (isQuick) return true;
  const hash = await hashOf(file, signal);
  return files.some(({ sha256 }) => sha256 === hash);
}

/** Files of a manifest by their names, those too that a run which was killed was about to put there. */
function knownFiles(manifest: Manifest | undefined): ReadonlyMap<string, readonly PublishedFile[]> {
  const known = new Map<string, PublishedFile[]>();
  for (const file of [...(manifest?.files ?? []), ...(manifest?.replacing ?? [])]) {
    known.set(file.name, [...(known.get(file.name) ?? []), file]);
  }
  return known;
}

/**
 * Checks that files of a folder may be replaced: they are not there, or as relctl published them. Gives those that it
 * published beside them, and that nobody changed. Throws `local`, and the reason of the signal.
 */
async function checkFiles(folder: string, names: readonly string[], checking: Checking): Promise<readonly string[]> {
  const known = knownFiles(checking.manifest);
  for (const name of names) {
    const file = join(folder, name);
    if (attempt(file, () => lstatSync(file, { throwIfNoEntry: false })) === undefined) continue;
    const own = known.get(name) ?? [];
    if (!(await isOneOf(file, own, checking))) {
      throw foreign(file, 'already exists, and relctl did not publish this content');
    }
  }
  const others: string[] = [];
  for (const [name, files] of known) {
    if (!names.includes(name) && (await isOneOf(join(folder, name), files, checking))) others.push(name);
  }
  return others;
}

function removeFiles(folder: string, names: readonly string[]): void {
  for (const name of names) attempt(join(folder, name), () => rmSync(join(folder, name), { force: true }));
}

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
  readonly onRows: (count: number) => void;
}

const batchRows = 500;

const columnOf = ({ name, type }: PublishedColumn): Column => ({
  title: name,
  path: [name],
  type: type === 'enumeration' || type === 'instant' ? string : scalar(type),
});

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

interface MadeFile extends PublishedFile {
  readonly table: string;
  readonly rows: number;
  readonly part: PartFile;
}

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
function replaceFiles(
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
    replaceFiles(plan, made, { before, others });
  } finally {
    for (const part of parts) part.discard();
  }
  return made.map(({ table, rows }) => ({ table, rows, sent: rows, gone: 0 }));
}
