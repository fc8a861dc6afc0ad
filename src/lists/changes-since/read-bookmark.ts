import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { codeOf, RelctlError } from '../../core/errors/relctl-error.js';
import { readAt } from '../../state/durable.js';
import { unreadableBecause } from '../../state/own-file.js';
import { jsonOf, type RecordValue, isObject } from '../../core/values/value.js';
import { rowBytes, type Bookmark, type Head } from './bookmark-file.js';
import type { RowsOnDisk } from './snapshot-rows.js';

/** A bookmark whose rows are in its file, which is open. */
export type OpenBookmark = Bookmark & {
  readonly rows: RowsOnDisk;
  /** What it keeps of the records, by their Ids, in the order of the list; nothing where it keeps none. Throws `local`. */
  readonly records: () => Generator<readonly [id: string, kept: RecordValue], void>;
};

const hashBytes = 32;

const chunkBytes = 64 * 1024;

function damaged(file: string): RelctlError {
  return new RelctlError('local', `${file} is damaged; relctl did not change it`, {
    facts: { path: file, code: 'bookmark' },
    advice: 'Remove the bookmark: the next run is a first run.',
    hint: 'relctl bookmark list',
  });
}

function isJob(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((each) => typeof each === 'string');
}

function areOthers(value: unknown): boolean {
  const isRow = (row: unknown): boolean =>
    Array.isArray(row) && row.length === 2 && row.every((each) => typeof each === 'string');
  return Array.isArray(value) && value.every(isRow);
}

function isHead(value: unknown): value is Head {
  if (!isObject(value)) return false;
  const { version, profile, name, job, writtenAt, others, records } = value;
  if (version !== 1 && (version !== 2 || !Number.isSafeInteger(records))) return false;
  const isText = [profile, name, writtenAt].every((each) => typeof each === 'string');
  return isText && isJob(job) && areOthers(others);
}

/** Does work on a file that is read; its failure becomes a `local` error. */
function reading<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof RelctlError) throw thrown;
    const { code, words } = unreadableBecause(thrown);
    throw new RelctlError('local', `${file} ${words}`, { facts: { foreignCode: code, path: file } });
  }
}

interface OpenFile {
  readonly file: string;
  readonly handle: number;
}

function fill({ file, handle }: OpenFile, into: Uint8Array, from: number): void {
  // It was whole when it was opened, and is never written to: only replaced.
  if (reading(file, () => readAt(handle, into, from)) < into.length) throw damaged(file);
}

/** The bytes of a file from one to another, some at a time; each chunk is valid until the next one. Throws `local`. */
function* chunksOf(open: OpenFile, from: number, to: number): Generator<Buffer, undefined> {
  const buffer = Buffer.alloc(Math.max(0, Math.min(chunkBytes, to - from)));
  for (let at = from; at < to; at += buffer.length) {
    const chunk = buffer.subarray(0, Math.min(buffer.length, to - at));
    fill(open, chunk, at);
    yield chunk;
  }
}

/**
 * The bytes of the first line, with its line feed. Throws `local` when there is none before the check, and when the file is not
 * what was written to it.
 */
function headOf(open: OpenFile, last: number): Buffer {
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  let isWhole = false;
  for (const chunk of chunksOf(open, 0, last)) {
    hash.update(chunk);
    if (isWhole) continue;
    const end = chunk.indexOf(0x0a) + 1;
    parts.push(Buffer.from(end === 0 ? chunk : chunk.subarray(0, end)));
    isWhole = end > 0;
  }
  const check = Buffer.alloc(hashBytes);
  if (isWhole) fill(open, check, last);
  if (!isWhole || !hash.digest().equals(check)) throw damaged(open.file);
  return Buffer.concat(parts);
}

/** The lines of what is kept of records, from one byte to another. Throws `local`. */
function* recordsFrom(open: OpenFile, from: number, to: number): Generator<readonly [string, RecordValue], void> {
  let head: Buffer = Buffer.alloc(0);
  for (const chunk of chunksOf(open, from, to)) {
    // The chunk is read into again.
    const bytes = Buffer.concat([head, chunk]);
    let at = 0;
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, at)) {
      yield jsonOf(bytes.toString('utf8', at, end)) as readonly [string, RecordValue];
      at = end + 1;
    }
    head = Buffer.from(bytes.subarray(at));
  }
}

function opened(open: OpenFile): OpenBookmark {
  const { file, handle } = open;
  const last = reading(file, () => fstatSync(handle)).size - hashBytes;
  const bytes = headOf(open, last);
  const head = jsonOf(bytes.toString());
  if (!isHead(head)) throw damaged(file);
  const { profile, name, job, writtenAt, others } = head;
  const endOfRows = head.version === 1 ? last : last - head.records;
  const guids = (endOfRows - bytes.length) / rowBytes;
  if (!Number.isInteger(guids)) throw damaged(file);
  let isOpen = true;
  const rows: RowsOnDisk = {
    guids,
    others,
    read: (into, row) => fill(open, into, bytes.length + row * rowBytes),
    close() {
      if (isOpen) closeSync(handle);
      isOpen = false;
    },
  };
  return { profile, name, job, writtenAt, rows, records: () => recordsFrom(open, endOfRows, last) };
}

/** Opens a bookmark, checked; undefined for none. The caller closes its rows. Throws `local` for a damaged one. */
export function openBookmarkFile(file: string): OpenBookmark | undefined {
  const handle = reading(file, () => openIfThere(file));
  if (handle === undefined) return undefined;
  try {
    return opened({ file, handle });
  } catch (thrown) {
    closeSync(handle);
    throw thrown;
  }
}

function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, 'r');
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}
