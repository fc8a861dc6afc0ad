import { readSync } from 'node:fs';
import { RelctlError } from '../errors/relctl-error.js';
import { attempt } from './failure.js';
import { openTemporaryFile, type TemporaryFile } from './temporary-file.js';
import { writeAll } from './durable.js';

/** Fills all of `into` with the bytes of an open file from byte `at` on. Throws `local`, also when the file ends before. */
export function readAll({ handle, path }: Pick<TemporaryFile, 'handle' | 'path'>, into: Uint8Array, at: number): void {
  for (let done = 0; done < into.length;) {
    const from = done;
    const count = attempt(path, () => readSync(handle, into, from, into.length - from, at + from));
    if (count === 0) throw new RelctlError('local', `${path} ends too early`, { facts: { path, code: 'short' } });
    done += count;
  }
}

/** Bytes that are read as one piece. */
export const pieceBytes = 64 * 1024;

/** A file for bytes that are too many for memory. All ways throw `local`. */
export interface OverflowFile {
  /** Bytes that were appended. */
  readonly length: number;
  /** Adds bytes behind those that were appended before. */
  append(bytes: Uint8Array): void;
  /** All bytes that were appended, in pieces of one length but for the last, each in memory of its own. */
  pieces(): Generator<Uint8Array>;
  /** Writes bytes at a place. One that failed leaves what was written elsewhere as it is. */
  write(bytes: Uint8Array, at: number): void;
  read(into: Uint8Array, at: number): void;
  /** Gives the file up; may be called more than once. */
  close(): void;
}

/**
 * Opens such a file, gone with the process.
 * @param folder where temporary files go
 */
export function openOverflowFile(folder: string): OverflowFile {
  const temporary = openTemporaryFile(folder);
  const { handle, path } = temporary;
  let isOpen = true;
  let length = 0;
  const write = (bytes: Uint8Array, at: number): void => attempt(path, () => writeAll(handle, bytes, at));
  const read = (into: Uint8Array, at: number): void => {
    // Its number may be another file's by now.
    if (!isOpen) throw new RelctlError('local', `${path} was given up`, { facts: { path, code: 'closed' } });
    readAll(temporary, into, at);
  };
  return {
    get length() {
      return length;
    },
    append(bytes) {
      write(bytes, length);
      length += bytes.length;
    },
    *pieces() {
      for (let at = 0; at < length; at += pieceBytes) {
        const piece = Buffer.allocUnsafe(Math.min(pieceBytes, length - at));
        read(piece, at);
        yield piece;
      }
    },
    write,
    read,
    close() {
      if (isOpen) temporary.close();
      isOpen = false;
    },
  };
}
