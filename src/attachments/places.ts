import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { usage } from '../errors/usage.js';
import { unreadableInput } from '../files/failure.js';

/** A folder that files are taken from. */
export interface Base {
  /** Absolute. */
  readonly folder: string;
  /** True where files elsewhere are taken too, by path or by link. */
  readonly takesOthers: boolean;
}

const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

const elsewhere = (path: string, folder: string): Error =>
  usage('file', `${path} is not within ${folder}: --allow-outside takes it all the same`);

/** The absolute path of a file that a row names. Throws `usage` for one outside of the folder. */
export function pathWithin({ folder, takesOthers }: Base, text: string): string {
  const path = resolve(folder, text);
  if (!takesOthers && !isWithin(folder, path)) throw elsewhere(path, folder);
  return path;
}

/** Throws `usage` for a path that is not there, and for one that a link leads out of the folder. */
export function checkLinks({ folder, takesOthers }: Base, path: string): void {
  if (takesOthers) return;
  try {
    const real = realpathSync(path);
    if (!isWithin(realpathSync(folder), real)) throw elsewhere(`${path} is a link, and ${real}`, folder);
  } catch (thrown) {
    throw unreadableInput(path, thrown);
  }
}
