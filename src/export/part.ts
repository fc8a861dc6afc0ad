import { createHash, type Hash } from 'node:crypto';
import { closeSync, createReadStream, fchmodSync, fstatSync, fsyncSync, ftruncateSync, readSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { RelctlError } from '../errors/relctl-error.js';
import { attempt } from '../files/failure.js';
import { createOwn, openOwn, removeOwn } from '../files/own-file.js';
import { writeAll } from '../files/durable.js';

/** The file beside the target that grows page by page. */
export interface PartFile {
  /** Bytes written so far. */
  readonly length: number;
  /** SHA-256 of the bytes so far, in base64. */
  digest(): string;
  write(piece: string | Uint8Array): void;
  sync(): void;
  /** Makes the file whole and durable; gives what it can be known by, also under its final name. */
  seal(): FileCheck;
  close(): void;
}

/** What a finished file is known by. */
export interface FileCheck {
  readonly inode: number;
  readonly bytes: number;
  readonly modifiedMs: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Where a page ends in a part file. */
export interface Checkpoint {
  readonly bytes: number;
  /** SHA-256 of everything up to there, in base64. */
  readonly sha256: string;
}

/** How a part file begins. */
export interface PartOptions {
  /** Go on behind this mark; what stands behind it was torn, or is not to be trusted. */
  readonly keep?: Checkpoint;
  /** Every piece of text is a gzip member of its own: members behind each other are one gzip file. */
  readonly isGzip: boolean;
  /** Permissions, those of the file that is replaced. */
  readonly mode: number;
}

const chunkBytes = 256 * 1024;

/** Reads a file on to a place, into a hash; false when it ends before. */
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
 * How many of these marks, from the first on, a part file bears out: the journal may have reached the disk before the
 * pages did when the power failed, and a disk may lose what it had. Throws `local`, also when the file is not ours.
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
      throw new RelctlError('local', `${file} is not what its journal says`, {
        facts: { path: file, code: 'journal' },
        hint: 'Add --restart to begin anew.',
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
  // The mask of the process counts for new files, not for those that are replaced.
  attempt(file, () => fchmodSync(handle, mode));
  return { handle, hash: createHash('sha256') };
}

/** Opens a part file, anew or to go on. Throws `local`. */
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

/** Takes a part file away. Throws `local`. */
export function removePart(file: string): void {
  removeOwn(file);
}

/** The hash of a whole file, in hexadecimal. Throws `local`. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
  } catch (thrown) {
    return attempt(file, () => {
      throw thrown;
    });
  }
  return hash.digest('hex');
}
