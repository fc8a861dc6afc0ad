import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, ftruncateSync, lstatSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { putInPlace } from './durable.js';
import { attempt } from './failure.js';

/** A file that is being made beside the place where it is to be. */
export interface PartFile {
  /** Throws `local`. */
  write(bytes: Uint8Array): void;
  /** Begins anew: nothing was written. */
  restart(): void;
  /** Puts it in its place, durably. Throws `local`. */
  putAs(file: string): void;
  /** Takes it away, unless it was put in its place. May be called again. */
  discard(): void;
}

/** Only a process of the same host can tell whether one with this number is alive; a container has a name of its own. */
const hostMark = (): string => createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

const ending = /\.part-(\d+)-([0-9a-f]{8})$/;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

/** Takes away what runs that were killed left beside the same file. */
function sweep(file: string, host: string): void {
  const folder = dirname(file);
  const name = basename(file);
  try {
    for (const found of readdirSync(folder)) {
      if (!found.startsWith(`${name}.part-`)) continue;
      const [own, pid, left] = ending.exec(found) ?? [];
      const isStale = own === found.slice(name.length) && left === host && !isAlive(Number(pid));
      const path = join(folder, found);
      if (isStale && lstatSync(path).isFile()) rmSync(path, { force: true });
    }
  } catch {
    // What cannot be taken away is in nobody's way.
  }
}

/**
 * Makes a file beside another one, with mode 0600, to be put in a place in the same folder when it is complete. What
 * killed runs left there is taken away. Throws `local`.
 */
export function openPartFile(beside: string): PartFile {
  const host = hostMark();
  sweep(beside, host);
  const part = `${beside}.part-${process.pid}-${host}`;
  const handle = attempt(beside, () => {
    // Whatever stands under our own number was left by a process that had it before.
    rmSync(part, { force: true });
    return openSync(part, 'wx', 0o600);
  });
  let at = 0;
  let isOver = false;
  return {
    write(bytes) {
      attempt(beside, () => {
        for (let done = 0; done < bytes.length;) {
          const written = writeSync(handle, bytes, done, bytes.length - done, at);
          done += written;
          at += written;
        }
      });
    },
    restart() {
      attempt(beside, () => ftruncateSync(handle, 0));
      at = 0;
    },
    putAs(file) {
      attempt(file, () => fsyncSync(handle));
      putInPlace(part, file);
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
