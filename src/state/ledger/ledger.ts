import { closeSync, fdatasyncSync, fstatSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openToAdd } from '../added-file.js';
import { checkedLine, endsInLineFeed, valueOfLine, wholeLinesOf } from '../lines.js';
import { writeAll } from '../durable.js';
import { attempt, makeFolders } from '../own-file.js';
import { withLock } from '../locks/lock.js';
import type { Sent, Ending, Outcome, Tally } from './outcome.js';
import { codeOf } from '../../core/errors/relctl-error.js';
import { isObject } from '../../core/values/value.js';

/** A batch of rows, as the ledger knows it. */
export interface BatchFacts {
  /** Its id, which its journal has too. Runs that go on with a batch have the same. */
  readonly id: string;
  /** Absolute path of its journal, which says what became of each row. */
  readonly journal: string;
  readonly results: string;
  readonly rows: number;
}

/** What is said of a write before it is sent. */
export interface WriteStart {
  readonly id: string;
  readonly at: string;
  /** What is done, in words. */
  readonly what: string;
  readonly operation: string;
  readonly service: { readonly url: string; readonly namespace: string; readonly database: string };
  /** User of the machine; empty where the system does not say. */
  readonly user: string;
  /** The request and the record before, of a single write. */
  readonly sends?: Sent;
  readonly batch?: BatchFacts;
  /** Id of the entry that this write undoes. */
  readonly undoes?: string;
}

/** What is said of a write when its outcome is known. */
export interface Ended extends Omit<Ending, 'outcome'> {
  readonly entry: string;
  readonly at: string;
  /** Of a batch: the outcome that all rows have, else `partly`. */
  readonly outcome: Outcome | 'partly';
  /** Of a batch: how many rows there are of each outcome. */
  readonly tally?: Tally;
}

type LedgerLine = { readonly begins: WriteStart } | { readonly ends: Ended };

/** A write, with its end where that is known: without one its outcome is unknown. */
export interface LedgerEntry {
  readonly begun: WriteStart;
  readonly ended?: Ended;
}

const isWriteStart = (value: unknown): value is WriteStart =>
  isObject(value) &&
  ['id', 'at', 'what', 'operation', 'user'].every((name) => typeof value[name] === 'string') &&
  isObject(value['service']);

const isEnded = (value: unknown): value is Ended =>
  isObject(value) && ['entry', 'at', 'outcome'].every((name) => typeof value[name] === 'string');

const isLedgerLine = (value: unknown): value is LedgerLine =>
  isObject(value) && (isWriteStart(value['begins']) || isEnded(value['ends']));

const mostBytes = 8 * 1024 * 1024;

const mostAside = 9;

const fileOf = (folder: string, profile: string): string => join(folder, `${profile}.ledger`);

const filesOf = (folder: string, profile: string): readonly string[] => {
  const file = fileOf(folder, profile);
  return [file, ...Array.from({ length: mostAside }, (_, index) => `${file}.${index + 1}`)];
};

function append(file: string, line: LedgerLine): number {
  // Many processes write at once: each line is one write at the end of the file.
  const handle = openToAdd(file, { reads: true });
  try {
    const { size } = fstatSync(handle);
    // A writer that was killed, or lost power, left a line without its end. The number of a line is not known where others write.
    const bytes = Buffer.concat([Buffer.from(size === 0 || endsInLineFeed(handle) ? '' : '\n'), checkedLine(line, 0)]);
    writeAll(handle, bytes);
    fdatasyncSync(handle);
    return size + bytes.length;
  } finally {
    closeSync(handle);
  }
}

async function setAside(folder: string, profile: string): Promise<void> {
  const [file = '', ...older] = filesOf(folder, profile);
  await withLock(
    `${file}.lock`,
    () => {
      attempt(file, () => {
        const bytes = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
        if (bytes < mostBytes) return;
        rmSync(older.at(-1) ?? '', { force: true });
        for (let at = older.length - 1; at > 0; at -= 1) isDone(() => renameSync(older[at - 1] ?? '', older[at] ?? ''));
        renameSync(file, older[0] ?? '');
      });
      return Promise.resolve();
    },
    { what: 'the ledger of writes is' },
  );
}

/** False for what fails because a file is not there. */
function isDone(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return false;
    throw thrown;
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

function* linesOf(folder: string, profile: string): Generator<LedgerLine> {
  for (const file of filesOf(folder, profile).toReversed()) {
    for (const text of wholeLinesOf(file)) {
      const value = valueOfLine(text, 0);
      if (isLedgerLine(value)) yield value;
    }
  }
}

/** The writes of a profile, the oldest first. Throws `local`. */
export function readLedger(folder: string, profile: string): readonly LedgerEntry[] {
  const entries = new Map<string, LedgerEntry>();
  for (const line of linesOf(folder, profile)) {
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
export const forgetLedger = (folder: string, profile: string): number =>
  filesOf(folder, profile).filter((file) => attempt(file, () => isDone(() => rmSync(file)))).length;
