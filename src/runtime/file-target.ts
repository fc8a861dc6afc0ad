import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { RelctlError } from '../errors/relctl-error.js';
import type { Context } from './context.js';

/** Somewhere that text goes, and that is complete or not there. */
export interface FileTarget {
  write(text: string): Promise<void>;
  writeBytes(bytes: Uint8Array): Promise<void>;
  finish(): Promise<void>;
}

const words: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'the folder does not exist',
  EISDIR: 'it is a folder',
  EDQUOT: 'the disk quota is used up',
};

function local(file: string, thrown: unknown): RelctlError {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'write';
  return new RelctlError('local', `${file} cannot be written: ${words[code] ?? code}`, { facts: { code, path: file } });
}

function attempt<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw local(file, thrown);
  }
}

function syncFolder(file: string): void {
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * Writes beside the file and renames when complete, so that the file is never half there. Throws `local` when it exists
 * and may not be replaced, or cannot be written; what was there before is untouched then.
 */
export function openFileTarget(context: Context, file: string, existing: 'refuse' | 'replace'): FileTarget {
  if (existsSync(file)) {
    if (attempt(file, () => statSync(file)).isDirectory())
      throw local(file, Object.assign(new Error('folder'), { code: 'EISDIR' }));
    if (existing === 'refuse') {
      throw new RelctlError('local', `${file} exists already`, {
        facts: { code: 'EEXIST', path: file },
        hint: 'Add --force to replace it.',
      });
    }
  }
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
    attempt(file, () => {
      for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
    });
    return Promise.resolve();
  };
  return {
    write: (text) => writeBytes(Buffer.from(text)),
    writeBytes,
    finish() {
      attempt(file, () => {
        fsyncSync(handle);
        renameSync(part, file);
        isDone = true;
        closeSync(handle);
        syncFolder(file);
      });
      return Promise.resolve();
    },
  };
}
