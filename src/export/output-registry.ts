import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { RelctlError } from '../errors/relctl-error.js';
import { writeWhole } from '../files/part-file.js';
import { attempt } from '../files/failure.js';
import { defined } from '../plain/defined.js';

/** How a file looked when we had written it. */
interface OwnedFile {
  readonly size: number;
  readonly modifiedMs: number;
  /** Missing for what is no whole list, and in what earlier versions wrote. */
  readonly list?: ListRecord;
}

/** The whole list that a file holds. */
export interface ListRecord {
  /** Stands for operation, service and parameters. */
  readonly of: string;
  readonly rows: number;
}

function ownedFileRecord(folder: string, file: string): string {
  return join(folder, `${createHash('sha256').update(realpathSync(file)).digest('hex').slice(0, 32)}.json`);
}

function ownedFileOf(file: string, list?: ListRecord): OwnedFile {
  const { size, mtimeMs } = statSync(file);
  return { size, modifiedMs: mtimeMs, ...defined({ list }) };
}

/** Remembers that a file is ours, so that the next run may replace it unasked. Does nothing where that cannot be kept. */
export function remember(folder: string, file: string, list?: ListRecord): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWhole(ownedFileRecord(folder, file), JSON.stringify(ownedFileOf(file, list)));
  } catch {
    // Without the trace the next run asks for --force, which loses nothing.
  }
}

/** What is remembered of a file, as long as nobody changed it since. */
function recordOf(folder: string, file: string): Partial<OwnedFile> | undefined {
  try {
    const kept = JSON.parse(readFileSync(ownedFileRecord(folder, file), 'utf8')) as Partial<OwnedFile>;
    const now = ownedFileOf(file);
    return kept.size === now.size && kept.modifiedMs === now.modifiedMs ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** True for a file that we wrote and that nobody changed since. */
export const isOurs = (folder: string, file: string): boolean => recordOf(folder, file) !== undefined;

/** How many rows of this list a file holds that we wrote and that nobody changed since; undefined for another. */
export function rowsIn(folder: string, file: string, of: string): number | undefined {
  const list = recordOf(folder, file)?.list;
  return list?.of === of ? list.rows : undefined;
}

const lookOf = (found: Stats | undefined): string | undefined =>
  found === undefined ? undefined : `${found.ino} ${found.size} ${found.mtimeMs}`;

function refuseNoFile(file: string, found: Stats): void {
  if (found.isFile()) return;
  const isFolder = found.isDirectory();
  throw new RelctlError(
    'local',
    `${file} cannot be written: it is ${isFolder ? 'a folder' : 'no file but a device or a pipe'}`,
    {
      facts: { code: isFolder ? 'EISDIR' : 'no-file', path: file },
      hint: isFolder ? undefined : `Leave --output-file out, and redirect: > ${file}`,
    },
  );
}

/**
 * The file that a name leads to: a symbolic link stays, and what it points to is replaced. Throws `local`, also for what is
 * no file, before anything is made beside it.
 */
export function targetOf(file: string): string {
  const found = attempt(file, () => lstatSync(file, { throwIfNoEntry: false }));
  if (found === undefined) return file;
  const target = found.isSymbolicLink() ? attempt(file, () => realpathSync(file)) : file;
  refuseNoFile(
    file,
    attempt(file, () => statSync(target)),
  );
  return target;
}

/**
 * Makes sure that a file may be replaced: it is not there, we wrote it and nobody changed it since, or it is forced. Gives
 * what it is known by, for `checkUntouched`. Throws `local`; a folder, a device or a pipe is never replaced.
 * @param folder where it is remembered which files are ours
 * @param writer who wrote those; relctl unless said otherwise
 */
export function checkReplaceable(
  file: string,
  { folder, force, writer = 'relctl' }: { readonly folder: string; readonly force: boolean; readonly writer?: string },
): string | undefined {
  const found = attempt(file, () => statSync(file, { throwIfNoEntry: false }));
  if (found === undefined) return undefined;
  refuseNoFile(file, found);
  if (force || isOurs(folder, file)) return lookOf(found);
  throw new RelctlError('local', `${file} exists already, and ${writer} did not write it as it is`, {
    facts: { code: 'EEXIST', path: file },
    hint: 'Add --force to replace it.',
  });
}

/** Makes sure that nobody else wrote a file since `checkReplaceable`, unless it is forced. Throws `local`. */
export function checkUntouched(
  file: string,
  { before, force }: { readonly before: string | undefined; readonly force: boolean },
): void {
  const now = attempt(file, () => statSync(file, { throwIfNoEntry: false }));
  if (now !== undefined) refuseNoFile(file, now);
  if (force || lookOf(now) === before) return;
  throw new RelctlError('local', `${file} was changed by somebody else during this run`, {
    facts: { code: 'EEXIST', path: file },
    hint: 'Add --force to replace it.',
  });
}
