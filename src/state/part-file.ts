import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { replaceByPart, writeAll } from './durable.js';
import { attempt } from './own-file.js';
import { tagPattern, ownTag, sweepLitter } from './locks/holder.js';

/** A file that is being made beside the place where it is to be. */
export interface PartFile {
  /** Throws `local`. */
  write(bytes: Uint8Array): void;
  /** Begins anew: nothing was written. */
  restart(): void;
  /** Makes sure that what was written survives a loss of power. Throws `local`. */
  sync(): void;
  /**
   * Puts it in its place, durably. Throws `local`.
   * @param isReady called with its path when it is complete on the disk, just before it gets the other name
   */
  putAs(file: string, isReady?: (part: string) => void): void;
  /** Takes it away, unless it was put in its place. May be called again. */
  discard(): void;
}

const ending = new RegExp(`^\\.part-(${tagPattern})$`);

function sweep(file: string): void {
  const name = basename(file);
  sweepParts(dirname(file), (entry) => (entry.startsWith(`${name}.part-`) ? entry.slice(name.length) : undefined));
}

/**
 * Removes partial files that killed runs left in a folder.
 * @param partOf the part of a name that begins with `.part-`; undefined for a name of no such file
 */
export function sweepParts(folder: string, partOf: (name: string) => string | undefined): void {
  sweepLitter(folder, { kind: 'file', tagIn: (name) => ending.exec(partOf(name) ?? '')?.[1] });
}

/**
 * Makes a file beside another one, with mode 0600, to be put in a place in the same folder when it is complete. What
 * killed runs left there is taken away, unless the caller has done so for many files. Throws `local`.
 */
export function openPartFile(beside: string, { sweeps = true }: { readonly sweeps?: boolean } = {}): PartFile {
  if (sweeps) sweep(beside);
  const part = `${beside}.part-${ownTag()}`;
  const handle = attempt(beside, () => {
    // Whatever stands under our own number was left by a process that had it before.
    rmSync(part, { force: true });
    return openSync(part, 'wx', 0o600);
  });
  let at = 0;
  let isOver = false;
  return {
    write(bytes) {
      attempt(beside, () => writeAll(handle, bytes, at));
      at += bytes.length;
    },
    restart() {
      attempt(beside, () => ftruncateSync(handle, 0));
      at = 0;
    },
    sync: () => attempt(beside, () => fsyncSync(handle)),
    putAs(file, isReady) {
      attempt(file, () => fsyncSync(handle));
      isReady?.(part);
      replaceByPart(part, file);
      isOver = true;
      closeSync(handle);
    },
    discard() {
      if (isOver) return;
      isOver = true;
      closeSync(handle);
      rmSync(part, { force: true });
    },
  };
}

/**
 * Writes a small file whole or not at all, durably, with mode 0600. What killed runs left beside it is taken away. Throws
 * `local`.
 */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const part = openPartFile(file);
  try {
    part.write(typeof content === 'string' ? Buffer.from(content) : content);
    part.putAs(file);
  } finally {
    part.discard();
  }
}
