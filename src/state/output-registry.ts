import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { RelctlError } from '../core/errors/relctl-error.js';
import { writeWhole } from './part-file.js';
import { attempt, makeFolders } from './own-file.js';
import { defined, orElse } from '../core/values/value.js';

interface FileLook {
  readonly size: number;
  readonly modifiedMs: number;
}

interface OwnedFile extends FileLook {
  /** The file that was there when this one was about to take its place; it may be there again by a loss of power. */
  readonly before?: Omit<OwnedFile, 'before'>;
  /** Missing where the file is not a whole list. */
  readonly list?: ListRecord;
}

/** The whole list that is in a file. */
export interface ListRecord {
  /** Operation, service and parameters, as one text. */
  readonly of: string;
  readonly rows: number;
}

/** The path of a file that is to be put in its place, where it replaces a symbolic link. */
const realPathOf = (file: string): string => join(realpathSync(dirname(file)), basename(file));

const ownedFileRecord = (folder: string, path: string): string =>
  join(folder, `${createHash('sha256').update(path).digest('hex').slice(0, 32)}.json`);

function lookAt(file: string): FileLook {
  const { size, mtimeMs } = statSync(file);
  return { size, modifiedMs: mtimeMs };
}

/** Gives why a file cannot be registered: it is whole nevertheless, and needs --force the next time, which loses nothing. */
function register(folder: string, file: string, owned: () => OwnedFile): RelctlError | undefined {
  try {
    attempt(folder, () => makeFolders(folder));
    writeWhole(ownedFileRecord(folder, realPathOf(file)), JSON.stringify(owned()));
    return undefined;
  } catch (thrown) {
    return RelctlError.from(thrown);
  }
}

/** Registers a file that an earlier run put in its place. A registry that cannot be written is ignored: that run has said it. */
export function remember(folder: string, file: string, list?: ListRecord): void {
  register(folder, file, () => ({ ...lookAt(file), ...defined({ list }) }));
}

/**
 * Registers a complete file that is about to be given another name, so that a later run may replace it. Nothing is left to
 * register when it has that name: the file keeps its size and time. The file that had the name, if relctl wrote it, stays
 * registered as well, so that a run that is killed at any moment leaves no file that nobody knows. Gives why the registry
 * cannot be written, to be told: the file is whole nevertheless, and a later run needs --force to replace it.
 * @param part the file, in the folder of the other name
 * @param list what is in it, if it is a whole list
 */
export function rememberPart(
  folder: string,
  file: string,
  { part, list }: { readonly part: string; readonly list?: ListRecord | undefined },
): RelctlError | undefined {
  const known = recordOf(folder, file);
  const before = known && { ...lookAt(file), ...defined({ list: known.list }) };
  return register(folder, file, () => ({ ...lookAt(part), ...defined({ before, list }) }));
}

const isSame = (left: Partial<FileLook>, right: FileLook): boolean =>
  left.size === right.size && left.modifiedMs === right.modifiedMs;

/** What is registered of a file; undefined when it was changed since. */
function recordOf(folder: string, file: string): Partial<OwnedFile> | undefined {
  return orElse(() => {
    const record = JSON.parse(readFileSync(ownedFileRecord(folder, realpathSync(file)), 'utf8')) as Partial<OwnedFile>;
    const now = lookAt(file);
    return [record, record.before].find((each) => each !== undefined && isSame(each, now));
  }, undefined);
}

/** True for a file that relctl wrote and that was not changed since. */
export const isOurs = (folder: string, file: string): boolean => recordOf(folder, file) !== undefined;

/** Number of rows of this list in a file that relctl wrote and that was not changed since; undefined for another file. */
export function rowsIn(folder: string, file: string, of: string): number | undefined {
  const list = recordOf(folder, file)?.list;
  return list?.of === of ? list.rows : undefined;
}

const lookOf = (stats: Stats | undefined): string | undefined =>
  stats === undefined ? undefined : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;

function refuseNoFile(file: string, stats: Stats): void {
  if (stats.isFile()) return;
  const isFolder = stats.isDirectory();
  throw new RelctlError(
    'local',
    `${file} cannot be written: it is ${isFolder ? 'a folder' : 'a device or a pipe, not a file'}`,
    {
      facts: { ...(isFolder ? { foreignCode: 'EISDIR' } : { code: 'no-file' }), path: file },
      advice: isFolder ? 'Choose a file in that folder.' : 'Redirect stdout in the shell instead.',
    },
  );
}

/** The file that a path names; of a link its target. Throws `local`, also for a folder, a device or a pipe. */
export function targetOf(file: string): string {
  const stats = attempt(file, () => lstatSync(file, { throwIfNoEntry: false }));
  if (stats === undefined) return file;
  const target = stats.isSymbolicLink() ? attempt(file, () => realpathSync(file)) : file;
  refuseNoFile(
    file,
    attempt(file, () => statSync(target)),
  );
  return target;
}

/**
 * Checks that a file may be replaced: it is not there, relctl wrote it and it was not changed since, or --force was given.
 * Gives what identifies it, for `checkUntouched`. Throws `local`; a folder, a device or a pipe is never replaced.
 * @param folder of the output registry
 * @param writer who wrote the files of that registry, for the error message
 */
export function checkReplaceable(
  file: string,
  { folder, force, writer = 'relctl' }: { readonly folder: string; readonly force: boolean; readonly writer?: string },
): string | undefined {
  const stats = attempt(file, () => statSync(file, { throwIfNoEntry: false }));
  if (stats === undefined) return undefined;
  refuseNoFile(file, stats);
  if (force || isOurs(folder, file)) return lookOf(stats);
  throw new RelctlError('local', `${file} already exists, and ${writer} did not write this content`, {
    facts: { foreignCode: 'EEXIST', path: file },
    hint: '--force',
  });
}

/** Checks that a file was not changed since `checkReplaceable`, unless --force was given. Throws `local`. */
export function checkUntouched(
  file: string,
  { before, force }: { readonly before: string | undefined; readonly force: boolean },
): void {
  const now = attempt(file, () => statSync(file, { throwIfNoEntry: false }));
  if (now !== undefined) refuseNoFile(file, now);
  if (force || lookOf(now) === before) return;
  throw new RelctlError('local', `${file} was changed by another program during this run`, {
    facts: { foreignCode: 'EEXIST', path: file },
    hint: '--force',
  });
}
