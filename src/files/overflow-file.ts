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

/**
 * Opens a file for bytes that are too many for memory, gone with the process. All ways throw `local`; a write that failed
 * leaves what was written elsewhere as it is. It may be closed more than once.
 * @param folder where temporary files go
 */
export function openOverflowFile(folder: string): {
  write(bytes: Uint8Array, at: number): void;
  read(into: Uint8Array, at: number): void;
  close(): void;
} {
  const temporary = openTemporaryFile(folder);
  const { handle, path } = temporary;
  let isOpen = true;
  return {
    write(bytes, at) {
      attempt(path, () => writeAll(handle, bytes, at));
    },
    read(into, at) {
      // Its number may be another file's by now.
      if (!isOpen) throw new RelctlError('local', `${path} was given up`, { facts: { path, code: 'closed' } });
      readAll(temporary, into, at);
    },
    close() {
      if (isOpen) temporary.close();
      isOpen = false;
    },
  };
}
