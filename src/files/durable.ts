import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from './failure.js';

/** Writes all bytes to an open file; a single write may take fewer. */
export function writeAll(handle: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
}

/** Makes sure that what happened in a folder (a rename) survives a loss of power. */
export function syncFolderOf(file: string): void {
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Puts a finished file in its place, durably. Throws `local`. */
export function putInPlace(part: string, file: string): void {
  attempt(file, () => {
    renameSync(part, file);
    syncFolderOf(file);
  });
}

/** Writes a small file whole or not at all, with mode 0600. Throws `local`. */
export function writeWhole(file: string, text: string): void {
  const part = `${file}.new-${process.pid}`;
  attempt(file, () => {
    try {
      writeFileSync(part, text, { mode: 0o600, flush: true });
      renameSync(part, file);
    } catch (thrown) {
      rmSync(part, { force: true });
      throw thrown;
    }
  });
}
