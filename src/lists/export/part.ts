import { createHash, type Hash } from 'node:crypto';
import { closeSync, fchmodSync, fstatSync, fsyncSync, ftruncateSync, readSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { attempt, createOwn, openOwn, removeOwn } from '../../state/own-file.js';
import { writeAll, replaceByPart } from '../../state/durable.js';
import type { Piece } from '../../formats/writers/format.js';
import { checkReplaceable, checkUntouched, rememberPart, type ListRecord } from '../../state/output-registry.js';
import { withdrawMeta } from './meta.js';
import { filesOf, type ExportTarget } from './export-plan.js';

/** The partial file of an export, open for writing. */
export interface PartFile {
  readonly length: number;
  /** SHA-256 of the bytes so far, in base64. */
  digest(): string;
  write(piece: string | Uint8Array): void;
  sync(): void;
  /** Completes and syncs the file; gives what identifies it, also after it is renamed. */
  seal(): FileCheck;
  close(): void;
}

/** What identifies a finished file. */
export interface FileCheck {
  readonly inode: number;
  readonly bytes: number;
  readonly modifiedMs: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Length and hash of a partial file up to the end of a page. */
export interface Checkpoint {
  readonly bytes: number;
  /** SHA-256 of everything up to there, in base64. */
  readonly sha256: string;
}

/** How a partial file is opened. */
export interface PartOptions {
  /** Keep the file up to this checkpoint and remove the rest; absent for a new file. */
  readonly keep?: Checkpoint;
  /** Write each piece as a gzip member; members one after the other are one gzip file. */
  readonly isGzip: boolean;
  /** Permissions: those of the file that is replaced. */
  readonly mode: number;
}

const chunkBytes = 256 * 1024;

/** Adds the bytes of a file between two offsets to a hash; false when the file ends before. */
function hashOn(handle: number, hash: Hash, { from, to }: { readonly from: number; readonly to: number }): boolean {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let at = from; at < to;) {
    const count = readSync(handle, chunk, 0, Math.min(chunkBytes, to - at), at);
    if (count === 0) return false;
    hash.update(chunk.subarray(0, count));
    at += count;
  }
  return true;
}

/**
 * Counts the checkpoints, from the first, that the content of a partial file agrees with. After a loss of power the disk
 * may have the journal and not the pages. Throws `local`, also when the file belongs to another user.
 */
export function countSound(file: string, marks: readonly Checkpoint[]): number {
  const handle = openOwn(file);
  try {
    const hash = createHash('sha256');
    let from = 0;
    for (const [index, { bytes, sha256 }] of marks.entries()) {
      const isThere = attempt(file, () => hashOn(handle, hash, { from, to: bytes }));
      if (!isThere || hash.copy().digest('base64') !== sha256) return index;
      from = bytes;
    }
    return marks.length;
  } finally {
    closeSync(handle);
  }
}

function reopened(file: string, keep: Checkpoint): { readonly handle: number; readonly hash: Hash } {
  const handle = openOwn(file);
  const hash = createHash('sha256');
  try {
    const isThere = attempt(file, () => hashOn(handle, hash, { from: 0, to: keep.bytes }));
    if (!isThere || hash.copy().digest('base64') !== keep.sha256) {
      throw new RelctlError('local', `${file} does not match its journal`, {
        facts: { path: file, code: 'journal' },
        hint: '--restart',
      });
    }
    attempt(file, () => ftruncateSync(handle, keep.bytes));
  } catch (thrown) {
    closeSync(handle);
    throw thrown;
  }
  return { handle, hash };
}

function created(file: string, mode: number): { readonly handle: number; readonly hash: Hash } {
  const handle = createOwn(file, mode);
  // The umask applies to new files, not to those that are replaced.
  attempt(file, () => fchmodSync(handle, mode));
  return { handle, hash: createHash('sha256') };
}

/** Opens a partial file: a new one, or that of an interrupted run behind its last checkpoint. Throws `local`. */
export function openPart(file: string, { keep, isGzip, mode }: PartOptions): PartFile {
  const { handle, hash } = keep === undefined ? created(file, mode) : reopened(file, keep);
  let length = keep?.bytes ?? 0;
  let isOpen = true;
  const put = (bytes: Uint8Array): void => {
    attempt(file, () => writeAll(handle, bytes, length));
    hash.update(bytes);
    length += bytes.length;
  };
  return {
    get length() {
      return length;
    },
    digest: () => hash.copy().digest('base64'),
    write(piece) {
      if (piece.length === 0) return;
      const plain = typeof piece === 'string' ? Buffer.from(piece) : piece;
      put(isGzip ? gzipSync(plain, { level: 6 }) : plain);
    },
    sync: () => attempt(file, () => fsyncSync(handle)),
    seal() {
      // A file of no bytes is no gzip file.
      if (isGzip && length === 0) put(gzipSync(''));
      return attempt(file, () => {
        ftruncateSync(handle, length);
        fsyncSync(handle);
        const { ino, mtimeMs } = fstatSync(handle);
        return { inode: ino, bytes: length, modifiedMs: mtimeMs, sha256: hash.copy().digest('hex') };
      });
    },
    close() {
      if (isOpen) attempt(file, () => closeSync(handle));
      isOpen = false;
    },
  };
}

type Target = Pick<ExportTarget, 'file' | 'registry' | 'force'>;

/** A page of a compressed file is one member of it, or several of about so many bytes. */
const memberBytes = 8 * 1024 * 1024;

function* membersOf(pieces: Iterable<Piece>): Generator<Piece> {
  let member: Buffer[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    const each = Buffer.from(piece);
    member.push(each);
    bytes += each.length;
    if (bytes < memberBytes) continue;
    yield Buffer.concat(member);
    [member, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(member);
}

/** Writes pieces to a partial file. Where nothing is compressed nothing is copied: a page may be a long list. */
export function writePieces(part: PartFile, pieces: Iterable<Piece>, isGzip: boolean): void {
  for (const each of isGzip ? membersOf(pieces) : pieces) part.write(each);
}

/** Permissions of the file that is replaced; of a new one those of its owner. */
export const modeOf = (file: string): number => (statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;

/** A file that is in its place. */
export interface ReplacedFile extends FileCheck {
  /** Why a later run will not know the file as one that relctl wrote; undefined when it will. */
  readonly unregistered: RelctlError | undefined;
}

/**
 * Puts a partial file, sealed, in its place. Throws `local`, also when the file there is another one than before.
 * @param before what `checkReplaceable` gave
 * @param list what is in the file, if it is a whole list
 */
export function replaceFile(
  { file, registry, force }: Target,
  { before, check, list }: { before: string | undefined; check: FileCheck; list?: ListRecord | undefined },
): ReplacedFile {
  checkUntouched(file, { before, force });
  withdrawMeta(file);
  const { part } = filesOf(file);
  const unregistered = rememberPart(registry, file, { part, list });
  replaceByPart(part, file);
  return { ...check, unregistered };
}

/** A file that is written beside its place, and gets there when it is whole. */
export interface NewFile {
  /** Writes pieces; of a compressed file they become one member, unless they are long. Throws `local`. */
  write(pieces: Iterable<Piece>): void;
  /** Puts it in its place. Throws `local`. */
  finish(list?: ListRecord): ReplacedFile;
  /** Takes it away, unless it is in its place. */
  discard(): void;
}

/** Opens such a file. Throws `local`, also where relctl did not write the one that is there. */
export function openNewFile(target: Target, isGzip: boolean): NewFile {
  const { file, registry, force } = target;
  const before = checkReplaceable(file, { folder: registry, force });
  const { part: path } = filesOf(file);
  const part = openPart(path, { isGzip, mode: modeOf(file) });
  return {
    write: (pieces) => writePieces(part, pieces, isGzip),
    finish: (list) => replaceFile(target, { before, check: part.seal(), list }),
    discard() {
      part.close();
      removeOwn(path);
    },
  };
}
