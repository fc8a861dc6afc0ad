import { closeSync, fdatasyncSync, fstatSync, lstatSync, readSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openToAdd } from '../added-file.js';
import { checkedLine, valueOfLine, wholeLinesOf } from '../checked-lines.js';
import { writeAll } from '../durable.js';
import { attempt, makeFolders } from '../own-file.js';
import { withLock } from '../locks/lock.js';
import { isLedgerLine, type LedgerEntry, type LedgerLine } from './entry.js';

/** A file of the ledger is set aside when it has so many bytes. */
const mostBytes = 8 * 1024 * 1024;

/** So many files that were set aside are kept. */
const mostAside = 9;

/** The ledgers of all profiles, a file each with those that were set aside. */
const fileOf = (folder: string, profile: string): string => join(folder, `${profile}.ledger`);

/** The files of a ledger, the newest first. */
const filesOf = (folder: string, profile: string): readonly string[] => {
  const file = fileOf(folder, profile);
  return [file, ...Array.from({ length: mostAside }, (_, index) => `${file}.${index + 1}`)];
};

/** True for a file whose last line has no end: its writer was killed, or lost power. */
function isTorn(handle: number, bytes: number): boolean {
  if (bytes === 0) return false;
  const last = Buffer.alloc(1);
  readSync(handle, last, 0, 1, bytes - 1);
  return last.toString('latin1') !== '\n';
}

/** Adds a line to a file, durably. Gives the length of the file. */
function append(file: string, line: LedgerLine): number {
  // Many processes write at once: each line is one write at the end of the file.
  const handle = openToAdd(file, { reads: true });
  try {
    const { size } = fstatSync(handle);
    // The number of a line is not known where others write too.
    const bytes = Buffer.concat([Buffer.from(isTorn(handle, size) ? '\n' : ''), checkedLine(line, 0)]);
    writeAll(handle, bytes);
    fdatasyncSync(handle);
    return size + bytes.length;
  } finally {
    closeSync(handle);
  }
}

/** Sets a file aside that has become long, unless another process has just done so. */
async function setAside(folder: string, profile: string): Promise<void> {
  const [file = '', ...older] = filesOf(folder, profile);
  await withLock(
    `${file}.lock`,
    () => {
      attempt(file, () => {
        const bytes = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
        if (bytes < mostBytes) return;
        rmSync(older.at(-1) ?? '', { force: true });
        for (let at = older.length - 1; at > 0; at -= 1) moveIfThere(older[at - 1] ?? '', older[at] ?? '');
        renameSync(file, older[0] ?? '');
      });
      return Promise.resolve();
    },
    { what: 'the ledger of writes is' },
  );
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
  }
}

/**
 * Adds a line to the ledger of a profile, and returns when it is on the disk. Many processes may add at once. Throws `local`
 * when it cannot be written. That a long file cannot be set aside stops nobody: the next line tries again.
 */
export async function addToLedger(folder: string, profile: string, line: LedgerLine): Promise<void> {
  const file = fileOf(folder, profile);
  const bytes = attempt(file, () => {
    makeFolders(folder);
    return append(file, line);
  });
  if (bytes >= mostBytes) await setAside(folder, profile).catch(() => undefined);
}

/** The lines of a file that are whole; what was torn or changed is left out. */
function* linesOf(file: string): Generator<LedgerLine> {
  for (const text of wholeLinesOf(file)) {
    const value = valueOfLine(text, 0);
    if (isLedgerLine(value)) yield value;
  }
}

/** All lines of a ledger, the oldest first. */
function* allLines(folder: string, profile: string): Generator<LedgerLine> {
  for (const file of filesOf(folder, profile).toReversed()) yield* linesOf(file);
}

/** The writes of a profile, the oldest first. Throws `local`. */
export function readLedger(folder: string, profile: string): readonly LedgerEntry[] {
  const entries = new Map<string, LedgerEntry>();
  for (const line of allLines(folder, profile)) {
    if ('begins' in line) {
      entries.set(line.begins.id, { begun: line.begins });
      continue;
    }
    const entry = entries.get(line.ends.entry);
    // Its beginning may have been in a file that is not kept any more.
    if (entry !== undefined) entries.set(line.ends.entry, { ...entry, ended: line.ends });
  }
  return [...entries.values()];
}

/** Removes the ledger of a profile. Gives the number of files that were there. Throws `local`. */
export function forgetLedger(folder: string, profile: string): number {
  const files = filesOf(folder, profile);
  return files.filter((file) => attempt(file, () => removed(file))).length;
}

function removed(file: string): boolean {
  try {
    rmSync(file);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw thrown;
  }
}
