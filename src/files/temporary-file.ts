import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from './failure.js';
import { ownTag, tagPattern } from './locks/holder.js';
import { sweepLitter } from './locks/litter.js';

/** A file of no name, or of one that nobody else can reach, that is gone with the process. */
export interface TemporaryFile {
  readonly handle: number;
  readonly path: string;
  close(): void;
}

const ofProcess = new RegExp(`^relctl-(${tagPattern})-\\w{6}$`);

const swept = new Set<string>();

/** Removes what processes left that were killed before the name of their file was taken away; once for a folder. */
function sweepOnce(folder: string): void {
  if (swept.has(folder)) return;
  swept.add(folder);
  sweepLitter(folder, { kind: 'folder', tagIn: (name) => ofProcess.exec(name)?.[1] });
}

/**
 * Opens a file for reading and writing (mode 0600) in a new folder (mode 0700). Where the system allows it, its name is
 * taken away at once, so that a killed process hardly ever leaves it; what one left is taken away by the next. Throws `local`.
 * @param folder where temporary files go
 */
export function openTemporaryFile(folder: string): TemporaryFile {
  sweepOnce(folder);
  const place = attempt(folder, () => mkdtempSync(join(folder, `relctl-${ownTag()}-`)));
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
