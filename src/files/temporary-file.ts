import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from './failure.js';

/** A file of no name, or of one that nobody else can reach, that is gone with the process. */
export interface TemporaryFile {
  readonly handle: number;
  readonly path: string;
  close(): void;
}

/**
 * Opens a file for reading and writing (mode 0600) in a new folder (mode 0700). Where the system allows it, its name is
 * taken away at once, so that not even a killed process leaves it. Throws `local`.
 * @param folder where temporary files go
 */
export function openTemporaryFile(folder: string): TemporaryFile {
  const place = attempt(folder, () => mkdtempSync(join(folder, 'relctl-')));
  const path = join(place, 'content');
  const handle = attempt(path, () => openSync(path, 'wx+', 0o600));
  const remove = (): void => {
    try {
      rmSync(place, { recursive: true, force: true });
    } catch {
      // Some systems keep a file that is open; it goes when it is closed.
    }
  };
  remove();
  return {
    handle,
    path,
    close() {
      closeSync(handle);
      remove();
    },
  };
}
