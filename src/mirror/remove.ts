import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { RelctlError } from '../errors/relctl-error.js';
import { attempt } from '../files/failure.js';
import { asideOf } from './index-aside.js';
import { applicationId } from './schema.js';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** The beginning of a SQLite file, and where it has its application id and the size of its pages. */
const head = { magic: 'SQLite format 3\u0000', bytes: 100, id: 68, pageSize: 16 };

/** True for a file that begins as a mirror, whatever is behind that, or that a run was killed in before it made one. */
function isOwn(handle: number): boolean {
  const found = fstatSync(handle);
  if (!found.isFile() || found.size === 0) return found.isFile();
  const bytes = Buffer.alloc(head.bytes);
  readSync(handle, bytes, 0, head.bytes, 0);
  if (bytes.toString('latin1', 0, head.magic.length) !== head.magic) return false;
  const id = bytes.readUInt32BE(head.id);
  // A first page alone has no tables.
  return id === applicationId || (id === 0 && found.size <= Math.max(512, bytes.readUInt16BE(head.pageSize)));
}

/** Throws `local` for a file that relctl did not make. */
function checkOwn(file: string): void {
  const handle = attempt(file, () => openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  try {
    if (isOwn(handle)) return;
  } finally {
    closeSync(handle);
  }
  throw new RelctlError('local', `${file} is no mirror of relctl, and is not removed`, {
    facts: { path: file, code: 'foreign' },
    advice: 'Give the path of a mirror.',
  });
}

/** Removes a mirror, with its journals and locks. Gives the files that were there beside its lock. Throws `local`, also for what is no mirror. */
export function removeMirrorFile(file: string): readonly string[] {
  if (existsSync(file)) checkOwn(file);
  const own = [...['', '-wal', '-shm', '-journal', '.lock'].map((ending) => `${file}${ending}`), asideOf(file)];
  const there = own.filter((path) => existsSync(path));
  for (const path of there) attempt(path, () => rmSync(path, { force: true }));
  const folder = dirname(file);
  const isLeft = existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(`${basename(file)}-`));
  if (isLeft)
    throw new RelctlError('local', `files of the mirror are left in ${join(folder, '')}`, { facts: { path: folder } });
  // Who removes a mirror holds its lock.
  return there.filter((path) => path !== `${file}.lock`);
}
