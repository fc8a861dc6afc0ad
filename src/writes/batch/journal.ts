import { fdatasyncSync, ftruncateSync, closeSync, readSync } from 'node:fs';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { checkedLine, valueOfLine, wholeLinesOf } from '../../state/lines.js';
import { attempt, createOwn, openOwn } from '../../state/own-file.js';
import { syncFolderOf, writeAll } from '../../state/durable.js';
import { SyncedFile } from '../../state/synced-file.js';
import { isObject } from '../../core/values/value.js';
import {
  isEntry,
  type Entry,
  type PlacedEntry,
  emptyTally,
  outcomes,
  type Outcome,
  type Tally,
  type Sent,
  type Ending,
} from '../../state/ledger/outcome.js';

const blockRows = 65_536;

const emptyBlock = () => ({
  outcomes: new Uint8Array(blockRows),
  // Where the last line of each row is in the journal: its number, place and length.
  lines: new Uint32Array(blockRows),
  places: new Float64Array(blockRows),
  lengths: new Uint32Array(blockRows),
});

/** How the rows of a batch stand by its journal: 17 bytes a row. */
export class RowStates {
  readonly #blocks = new Map<number, ReturnType<typeof emptyBlock>>();

  /** Undefined for a row of which nothing was ever sent or said. */
  of(row: number): Outcome | undefined {
    const code = this.#blocks.get(Math.floor(row / blockRows))?.outcomes[row % blockRows] ?? 0;
    return outcomes[code - 1];
  }

  /** Where the last line of a row is; undefined for a row without one. */
  lineOf(row: number): { readonly line: number; readonly place: number; readonly length: number } | undefined {
    const block = this.#blocks.get(Math.floor(row / blockRows));
    const at = row % blockRows;
    if (block === undefined || block.outcomes[at] === 0) return undefined;
    return { line: block.lines[at] ?? 0, place: block.places[at] ?? 0, length: block.lengths[at] ?? 0 };
  }

  take({ entry, line, place: offset, length }: PlacedEntry): void {
    const number = Math.floor(entry.row / blockRows);
    const block = this.#blocks.get(number) ?? emptyBlock();
    const at = entry.row % blockRows;
    this.#blocks.set(number, block);
    block.outcomes[at] = outcomes.indexOf(outcomeIn(entry)) + 1;
    block.lines[at] = line;
    block.places[at] = offset;
    block.lengths[at] = length;
  }

  /**
   * How many rows there are of each outcome.
   * @param rows how many there are in all; those of which nothing is known count as `not sent`
   */
  tally(rows: number): Tally {
    const tally = emptyTally();
    for (let row = 0; row < rows; row += 1) tally[this.of(row) ?? 'not sent'] += 1;
    return tally;
  }
}

/** What an entry says of its row: one that is sent is unknown until it ends. */
const outcomeIn = (entry: Entry): Outcome => ('ends' in entry ? entry.ends.outcome : 'unknown');

const version = 1;

/** What a batch is: two with the same of these are the same. */
export interface BatchHead {
  /** Identifies the batch; of random digits. */
  readonly batch: string;
  readonly startedAt: string;
  readonly operation: string;
  /** Name of the input as it was given, and SHA-256 of its bytes, in hex. */
  readonly input: string;
  readonly sha256: string;
  /** What decides how rows are read and what they mean: columns and their meanings, flags. As one text. */
  readonly reading: string;
  readonly profile: string;
  readonly url: string;
  readonly namespace: string;
  readonly database: string;
}

interface Head extends BatchHead {
  readonly version: typeof version;
}

/** The journal of an earlier run. */
export interface ReadJournal {
  readonly file: string;
  readonly head: BatchHead;
  /** Number of whole lines, and their length in bytes. */
  readonly lines: number;
  readonly bytes: number;
}

function damaged(file: string, line: number): RelctlError {
  return new RelctlError('local', `the journal ${file} is damaged in line ${line}, and may lack writes`, {
    facts: { path: file, code: 'journal' },
    advice: 'Check the records that the file names before you send anything again.',
  });
}

function isHead(value: unknown): value is Head {
  return isObject(value) && value['version'] === version && typeof value['sha256'] === 'string';
}

type Line = Omit<PlacedEntry, 'entry'> & { readonly value: unknown };

/** The lines of a journal, up to where it was torn. Throws `local` when it is damaged before its end. */
function* linesOf(file: string): Generator<Line, void> {
  let [line, offset] = [0, 0];
  let torn: number | undefined;
  for (const text of wholeLinesOf(file)) {
    const value = valueOfLine(text, line);
    // What was not synced when the power went may be anything, and nothing was sent for it; but nothing stands behind it.
    if (value !== undefined && torn !== undefined) throw damaged(file, torn + 1);
    const length = Buffer.byteLength(text) + 1;
    if (value === undefined) torn ??= line;
    else yield { value, line, place: offset, length };
    line += 1;
    offset += length;
  }
}

/** The head of a journal; undefined when there is none, or nothing of it was written. Throws `local` when it is damaged. */
export function readBatchJournal(file: string): ReadJournal | undefined {
  let head: Head | undefined;
  let [lines, bytes] = [0, 0];
  for (const { value, line, length } of linesOf(file)) {
    if (line > 0 && !isEntry(value)) throw damaged(file, line + 1);
    if (line === 0) {
      if (!isHead(value)) throw damaged(file, 1);
      head = value;
    }
    lines += 1;
    bytes += length;
  }
  return head === undefined ? undefined : { file, head, lines, bytes };
}

/** The head of a journal, whatever the rest of it is; undefined when there is none that can be read. Throws `local`. */
export function headIn(file: string): BatchHead | undefined {
  for (const text of wholeLinesOf(file)) {
    const head = valueOfLine(text, 0);
    return isHead(head) ? head : undefined;
  }
  return undefined;
}

/** The entries of a journal, in the order in which they were written. Throws `local`. */
export function* entriesOf(file: string): Generator<PlacedEntry, void> {
  for (const { value, ...position } of linesOf(file)) if (isEntry(value)) yield { entry: value, ...position };
}

/**
 * A journal, open for writing. A row whose ending is lost with the power is unknown, because what was sent for it was on the
 * disk before.
 */
export class Journal extends SyncedFile {
  /** How the rows stand by what was written to it, in this run and before. */
  readonly states: RowStates;
  #lines: number;
  #bytes: number;

  constructor(
    handle: number,
    { file, lines, bytes }: Pick<ReadJournal, 'file' | 'lines' | 'bytes'>,
    states: RowStates,
  ) {
    super(file, handle, bytes);
    this.states = states;
    this.#lines = lines;
    this.#bytes = bytes;
  }

  /** Writes an entry. Gives the place behind it. Throws `local`. */
  append(entry: Entry): number {
    const bytes = checkedLine(entry, this.#lines);
    const end = this.write(bytes);
    this.states.take({ entry, line: this.#lines, place: this.#bytes, length: bytes.length });
    this.#lines += 1;
    this.#bytes = end;
    return end;
  }
}

/**
 * Where the journal of an earlier batch is put aside: under a name that another file of results would give it, so that the
 * batch can go on there.
 * @param now the time as ISO text, which becomes a part of the name
 */
export const asideOf = (file: string, now: string): string =>
  `${file.replace(/\.journal$/, '')}.${now.replaceAll(/[-:]/g, '')}.journal`;

/**
 * Opens a new journal. Throws `local`.
 * @param states how its rows stand: nothing yet
 */
export function createJournal(file: string, head: BatchHead, states = new RowStates()): Journal {
  const handle = createOwn(file, 0o600);
  const line = checkedLine({ version, ...head } satisfies Head, 0);
  attempt(file, () => {
    writeAll(handle, line, 0);
    fdatasyncSync(handle);
    syncFolderOf(file);
  });
  return new Journal(handle, { file, lines: 1, bytes: line.length }, states);
}

/**
 * Opens a journal to go on behind its last whole line. Throws `local`.
 * @param states how its rows stand
 */
export function continueJournal(journal: ReadJournal, states: RowStates): Journal {
  const handle = openOwn(journal.file);
  attempt(journal.file, () => {
    ftruncateSync(handle, journal.bytes);
    // A run that was killed may have left entries that are not on the disk, and what is told of rows from here on goes by them.
    fdatasyncSync(handle);
  });
  return new Journal(handle, journal, states);
}

/** How the rows stand by a journal. Throws `local`. */
export function statesIn(file: string): RowStates {
  const states = new RowStates();
  for (const entry of entriesOf(file)) states.take(entry);
  return states;
}

/** Opens a journal to look the last entries of rows up. Throws `local`. */
export function openLastEntries(
  file: string,
  states: RowStates,
): { of(row: number): Entry | undefined; close(): void } {
  const handle = openOwn(file);
  return {
    of(row) {
      const entryLine = states.lineOf(row);
      if (entryLine === undefined) return undefined;
      // Without its line feed.
      const bytes = Buffer.alloc(entryLine.length - 1);
      readSync(handle, bytes, 0, bytes.length, entryLine.place);
      const value = valueOfLine(bytes.toString('utf8'), entryLine.line);
      return isEntry(value) ? value : undefined;
    },
    close: () => closeSync(handle),
  };
}

/** A row of a journal. */
export interface WrittenRow {
  /** Its number, from 0. */
  readonly row: number;
  /** When something was last told of it, as ISO text. */
  readonly at: string;
  /** What was sent last for it; absent for a row for which nothing was sent. */
  readonly sent?: Sent;
  /** How it ended; absent where no answer was kept. */
  readonly ending?: Ending;
}

function rowOf(row: number, last: Entry, sent: Entry | undefined): WrittenRow {
  return {
    row,
    at: last.at,
    ...(sent !== undefined && 'sends' in sent ? { sent: sent.sends } : {}),
    ...('ends' in last ? { ending: last.ends } : {}),
  };
}

/** The rows of which a journal tells, by their numbers. Throws `local`. */
export function* writtenRows(file: string): Generator<WrittenRow, void> {
  const [states, sends] = [new RowStates(), new RowStates()];
  let count = 0;
  for (const placed of entriesOf(file)) {
    states.take(placed);
    if ('sends' in placed.entry) sends.take(placed);
    count = Math.max(count, placed.entry.row + 1);
  }
  const [last, sent] = [openLastEntries(file, states), openLastEntries(file, sends)];
  try {
    for (let row = 0; row < count; row += 1) {
      const entry = last.of(row);
      if (entry !== undefined) yield rowOf(row, entry, sent.of(row));
    }
  } finally {
    last.close();
    sent.close();
  }
}
