import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { putInPlace, writeAll } from '../files/durable.js';
import { attempt } from '../files/failure.js';
import type { Context } from './context.js';

/** Somewhere that text goes, and that is complete or not there. */
export interface FileTarget {
  write(text: string): Promise<void>;
  writeBytes(bytes: Uint8Array): Promise<void>;
  finish(): Promise<void>;
}

/**
 * Writes beside the file and renames when complete, so that the file is never half there. Throws `local` when it cannot be
 * written; what was there before is untouched then. Whether it may be replaced is for the caller to say.
 */
export function openFileTarget(context: Context, file: string): FileTarget {
  const part = `${file}.part-${process.pid}`;
  const handle = attempt(file, () => openSync(part, 'wx', 0o600));
  let isDone = false;
  context.onClose(() => {
    if (!isDone) {
      closeSync(handle);
      rmSync(part, { force: true });
    }
  });
  const writeBytes = (bytes: Uint8Array): Promise<void> => {
    attempt(file, () => writeAll(handle, bytes));
    return Promise.resolve();
  };
  return {
    write: (text) => writeBytes(Buffer.from(text)),
    writeBytes,
    finish() {
      attempt(file, () => fsyncSync(handle));
      putInPlace(part, file);
      isDone = true;
      closeSync(handle);
      return Promise.resolve();
    },
  };
}
