import { lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { fateOfTag } from './holder.js';

/** What of a folder killed processes may have left. */
export interface Litter {
  readonly kind: 'file' | 'folder';
  /** The tag of its process in a name (`ownTag`); undefined for the name of something else. */
  readonly tagIn: (name: string) => string | undefined;
  /** Also what was last written before, in milliseconds since 1970, where nobody knows whether the process is alive. */
  readonly olderMs?: number;
}

/** Of this user, and of that kind: never a link. */
const isMeant = (look: Stats, kind: Litter['kind']): boolean =>
  (kind === 'file' ? look.isFile() : look.isDirectory()) &&
  (process.getuid === undefined || look.uid === process.getuid());

/** When something was last written in a folder, or to a file, in milliseconds since 1970. */
function lastWriteMs(path: string, kind: Litter['kind']): number {
  const inside = kind === 'file' ? [] : readdirSync(path).map((name) => join(path, name));
  return Math.max(...[path, ...inside].map((each) => lstatSync(each).mtimeMs));
}

function isLeft(path: string, tag: string, { kind, olderMs = -Infinity }: Litter): boolean {
  if (!isMeant(lstatSync(path), kind)) return false;
  const writtenMs = lastWriteMs(path, kind);
  const fate = fateOfTag(tag, writtenMs);
  return fate === 'ended' || (fate === 'out-of-sight' && writtenMs < olderMs);
}

/** Does work on what may be gone, or belong to others: what cannot be taken away is in nobody's way. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The next run looks again.
  }
}

/** Removes what killed processes of this user left in a folder. What a living process has is left alone. Never throws. */
export function sweepLitter(folder: string, litter: Litter): void {
  quietly(() => {
    for (const name of readdirSync(folder)) {
      const tag = litter.tagIn(name);
      if (tag === undefined) continue;
      const path = join(folder, name);
      quietly(() => {
        if (isLeft(path, tag, litter)) rmSync(path, { recursive: true, force: true });
      });
    }
  });
}

/**
 * Removes files of this user in a folder by their names, for who holds the lock without which nobody writes them. Never
 * throws.
 */
export function sweepFiles(folder: string, names: RegExp): void {
  quietly(() => {
    for (const name of readdirSync(folder).filter((each) => names.test(each))) {
      const path = join(folder, name);
      quietly(() => {
        if (isMeant(lstatSync(path), 'file')) rmSync(path, { force: true });
      });
    }
  });
}
