import { closeSync, fsyncSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from './own-file.js';

/**
 * Writes all bytes to an open file, of which a single write may take fewer.
 * @param position where in the file, so that a write that failed leaves nothing that a later one would stand behind; without
 * it, behind what was written before
 */
export function writeAll(handle: number, bytes: Uint8Array, position?: number): void {
  for (let at = 0; at < bytes.length;) {
    at += writeSync(handle, bytes, at, bytes.length - at, position === undefined ? null : position + at);
  }
}

/** Reads an open file from a place on until all of `into` is full, or the file ends. Gives the number of bytes. */
export function readAt(handle: number, into: Uint8Array, position: number): number {
  let length = 0;
  for (let read = -1; read !== 0 && length < into.length; length += read)
    read = readSync(handle, into, length, into.length - length, position + length);
  return length;
}

/** Makes sure that what happened in a folder (a rename) survives a loss of power. Windows offers no way to ask for that. */
export function syncFolderOf(file: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Puts a finished file in its place, durably. Throws `local`. */
export function replaceByPart(part: string, file: string): void {
  attempt(file, () => {
    renameSync(part, file);
    syncFolderOf(file);
  });
}
