import { closeSync, fdatasyncSync, ftruncateSync } from 'node:fs';
import type { WalkState, WalkTotals } from '../../client/paging.js';
import type { PageKeys } from '../../client/rows/row.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { attempt, createOwn, openOwn } from '../../state/own-file.js';
import { checkedLine, checkedText, valueOfLine, wholeLinesOf, type LinePart } from '../../state/lines.js';
import type { FileCheck } from './part.js';
import type { Fingerprint } from './export-plan.js';
import { defined, isObject } from '../../core/values/value.js';
import { writeAll } from '../../state/durable.js';

/** The keys of the rows of one page: 16 bytes for each Id, and 8 for the hash of its content. */
export interface PackedIds {
  readonly ids: Buffer;
  readonly contents: Buffer;
}

/** The same as a journal has them: bytes in base64. */
export interface JournalIds {
  readonly ids: string;
  readonly contents: string;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

// A copy, because the offset of a Uint32Array must be a multiple of four.
const wordsOf = (text: string): Uint32Array => new Uint32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer);

/** Packs the keys of the rows of a page. */
export const packIds = ({ ids, contents }: PageKeys): PackedIds => ({ ids: bytesOf(ids), contents: bytesOf(contents) });

/** Unpacks the keys of a page. */
export const unpackIds = ({ ids, contents }: JournalIds): PageKeys => ({
  ids: wordsOf(ids),
  contents: wordsOf(contents),
});

/** A page that is in the partial file, without its Ids: those of a million rows are 20 megabytes, and are read when they are needed. */
export interface JournalPage extends Pick<WalkTotals, 'rows' | 'duplicates' | 'changed' | 'retries'> {
  readonly page: number;
  readonly signature: string;
  /** Length of the partial file up to the end of this page, in bytes. */
  readonly bytes: number;
  readonly sha256: string;
  /** Page size that is asked for from here on, when it is not that of the job. */
  readonly pageSize?: number;
  readonly firstId?: string;
  readonly lastId?: string;
}

/** A page to be added. */
export type PageLine = JournalPage & { readonly ids: PackedIds };

type ReadLine = JournalPage & { readonly ids: JournalIds };

const version = 5;

interface Head {
  readonly version: typeof version;
  readonly startedAt: string;
  readonly job: Fingerprint;
}

interface Done {
  readonly done: FileCheck;
}

/** The journal that an earlier run left. */
export interface JournalState {
  readonly file: string;
  readonly startedAt: string;
  readonly job: Fingerprint;
  readonly pages: readonly JournalPage[];
  /** Length of the journal up to the end of its head, and of each page, in bytes. */
  readonly ends: readonly number[];
  /** Number of lines from the first that is incomplete or was changed. They are ignored. */
  readonly damagedLines: number;
  /** The finished file; absent when the run did not finish it. */
  readonly done?: FileCheck;
}

function isPage(value: unknown): value is ReadLine {
  return (
    isObject(value) &&
    Number.isSafeInteger(value['page']) &&
    Number.isSafeInteger(value['bytes']) &&
    isObject(value['ids'])
  );
}

const isHead = (value: unknown): value is Head =>
  isObject(value) && value['version'] === version && isObject(value['job']) && typeof value['startedAt'] === 'string';

const isDone = (value: unknown): value is Done => isObject(value) && isObject(value['done']);

function damaged(file: string): RelctlError {
  return new RelctlError('local', `the journal ${file} is damaged`, {
    facts: { path: file, code: 'journal' },
    hint: '--restart',
  });
}

/** The values of the lines of a journal, undefined for a damaged one, and its length up to the end of each. Throws `local`. */
function* valuesIn(file: string): Generator<{ readonly value: unknown; readonly end: number }, void> {
  let [index, end] = [0, 0];
  for (const line of wholeLinesOf(file)) {
    end += Buffer.byteLength(line) + 1;
    yield { value: valueOfLine(line, index), end };
    index += 1;
  }
}

function withoutIds({ ids: _ids, ...page }: ReadLine): JournalPage {
  return page;
}

/**
 * Reads a journal up to its first damaged line; undefined when there is none, or its first line is incomplete. Throws
 * `local` when the first line is damaged, or the file cannot be read.
 */
export function readExportJournal(file: string): JournalState | undefined {
  const [pages, ends]: [JournalPage[], number[]] = [[], []];
  let head: Head | undefined;
  let damagedLines = 0;
  let done: FileCheck | undefined;
  for (const { value, end } of valuesIn(file)) {
    if (head === undefined) {
      if (!isHead(value)) throw damaged(file);
      head = value;
      ends.push(end);
    } else if (damagedLines === 0 && isPage(value)) {
      pages.push(withoutIds(value));
      ends.push(end);
    } else if (damagedLines === 0 && isDone(value)) {
      ({ done } = value);
      break;
    } else damagedLines += 1;
  }
  return head && { file, startedAt: head.startedAt, job: head.job, pages, ends, damagedLines, ...defined({ done }) };
}

/** The same journal with its first pages only. */
export function firstPages(journalState: JournalState, count: number): JournalState {
  const { pages, ends, damagedLines } = journalState;
  return {
    ...journalState,
    pages: pages.slice(0, count),
    ends: ends.slice(0, count + 1),
    damagedLines: damagedLines + pages.length - count,
  };
}

/** The keys of all rows, read from the journal once more. Throws `local`, also when it was changed since. */
function* keysOf({ file, pages }: JournalState): Generator<PageKeys> {
  let line = 0;
  for (const { value } of valuesIn(file)) {
    if (line > pages.length) return;
    if (line > 0) {
      if (!isPage(value)) throw damaged(file);
      yield unpackIds(value.ids);
    }
    line += 1;
  }
  if (line <= pages.length) throw damaged(file);
}

/** Where the run that wrote a journal stopped; undefined before the first page. */
export function walkStateOf(journal: JournalState): WalkState | undefined {
  const { pages, job } = journal;
  const last = pages.at(-1);
  if (last === undefined) return undefined;
  const sum = (name: 'rows' | 'duplicates' | 'changed' | 'retries'): number =>
    pages.reduce((total, page) => total + page[name], 0);
  return {
    lastPage: last.page,
    pageSize: last.pageSize ?? job.pageSize,
    signature: last.signature,
    shifted: pages.some(({ page }, at) => page === pages[at - 1]?.page),
    pages: pages.length,
    rows: sum('rows'),
    duplicates: sum('duplicates'),
    changed: sum('changed'),
    retries: sum('retries'),
    firstId: pages.find(({ firstId }) => firstId !== undefined)?.firstId,
    lastId: pages.findLast(({ lastId }) => lastId !== undefined)?.lastId,
    keys: { [Symbol.iterator]: () => keysOf(journal) },
  };
}

/** The JSON text of a page, in parts: its keys may be many megabytes. */
function jsonOf({ ids: { ids, contents }, ...page }: PageLine): readonly LinePart[] {
  return [JSON.stringify(page).slice(0, -1), ',"ids":{"ids":"', ids, '","contents":"', contents, '"}}'];
}

/** A journal, open for writing. It is never synced before the partial file. */
export interface Journal {
  /** Number of its pages, with those of an earlier run. */
  readonly pages: number;
  add(line: PageLine): void;
  /** Writes and syncs the line that says that the partial file is complete. */
  finish(seal: FileCheck): void;
  sync(): void;
  /** Removes the pages since the last sync: when the disk fails, whether they were written is not known. */
  forgetUnsynced(): void;
  close(): void;
}

/** Opens a new journal, or one to continue after its last page. Throws `local`. */
export function openJournal(
  file: string,
  {
    job,
    startedAt,
    kept: earlier,
  }: { readonly job: Fingerprint; readonly startedAt: string; readonly kept?: JournalState },
): Journal {
  const handle = earlier === undefined ? createOwn(file, 0o600) : openOwn(file);
  let pages = earlier?.pages.length ?? 0;
  let length = earlier?.ends.at(-1) ?? 0;
  let synced = length;
  const append = (bytes: Buffer): void => {
    attempt(file, () => writeAll(handle, bytes, length));
    length += bytes.length;
  };
  const sync = (): void => {
    attempt(file, () => fdatasyncSync(handle));
    synced = length;
  };
  attempt(file, () => ftruncateSync(handle, length));
  if (earlier === undefined) {
    append(checkedLine({ version, startedAt, job } satisfies Head, 0));
    // After a loss of power, pages without the head before them would be a damaged journal.
    sync();
  }
  return {
    get pages() {
      return pages;
    },
    add(line) {
      append(checkedText(jsonOf(line), pages + 1));
      pages += 1;
    },
    finish(seal) {
      append(checkedLine({ done: seal } satisfies Done, pages + 1));
      sync();
    },
    sync,
    forgetUnsynced: () => attempt(file, () => ftruncateSync(handle, synced)),
    close: () => attempt(file, () => closeSync(handle)),
  };
}
