import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from './failure.js';

/** Writes all bytes to an open file; a single write may take fewer. */
export function writeAll(handle: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
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
export function putInPlace(part: string, file: string): void {
  attempt(file, () => {
    renameSync(part, file);
    syncFolderOf(file);
  });
}
