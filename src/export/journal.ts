import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import type { WalkState } from '../client/paging.js';
import { RelctlError } from '../errors/relctl-error.js';
import { writeAll } from '../files/durable.js';
import { attempt } from '../files/failure.js';
import type { Fingerprint } from './fingerprint.js';
import { unpackIds, type PackedIds } from './ids.js';

/** One page that is in the part file, whole. */
export interface PageLine {
  readonly page: number;
  readonly signature: string;
  /** Length of the part file behind this page. */
  readonly bytes: number;
  readonly rows: number;
  readonly duplicates: number;
  readonly retries: number;
  readonly firstId?: string;
  readonly lastId?: string;
  readonly ids: PackedIds;
}

interface Head {
  readonly version: 1;
  readonly startedAt: string;
  readonly job: Fingerprint;
}

/** What an earlier run left. */
export interface KeptJournal {
  readonly startedAt: string;
  readonly job: Fingerprint;
  readonly pages: readonly PageLine[];
  /** Length of the journal up to its last whole line: a torn one behind it does not count. */
  readonly length: number;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function isPage(value: unknown): value is PageLine {
  return (
    isObject(value) &&
    Number.isSafeInteger(value['page']) &&
    Number.isSafeInteger(value['bytes']) &&
    isObject(value['ids'])
  );
}

function isHead(value: unknown): value is Head {
  return isObject(value) && value['version'] === 1 && isObject(value['job']) && typeof value['startedAt'] === 'string';
}

function damaged(file: string): RelctlError {
  return new RelctlError('local', `the journal ${file} is damaged`, {
    facts: { path: file, code: 'journal' },
    hint: 'add --restart to begin anew',
  });
}

/** Reads a journal; undefined when there is none, or none that got as far as its first line. Throws `local`. */
export function readJournal(file: string): KeptJournal | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined;
    return attempt(file, () => {
      throw thrown;
    });
  }
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const [first, ...rest] = whole
    .split('\n')
    .filter((line) => line !== '')
    .map(parsed);
  if (first === undefined && rest.length === 0) return undefined;
  if (!isHead(first) || !rest.every(isPage)) throw damaged(file);
  return { startedAt: first.startedAt, job: first.job, pages: rest, length: Buffer.byteLength(whole) };
}

/** Where a journal says that the walk stopped; undefined before the first page. */
export function stateOf({ pages }: KeptJournal): WalkState | undefined {
  const last = pages.at(-1);
  if (last === undefined) return undefined;
  const sum = (pick: (line: PageLine) => number): number => pages.reduce((total, line) => total + pick(line), 0);
  function* ids(): Generator<string> {
    for (const line of pages) yield* unpackIds(line.ids);
  }
  return {
    lastPage: last.page,
    signature: last.signature,
    pages: pages.length,
    rows: sum(({ rows }) => rows),
    duplicates: sum(({ duplicates }) => duplicates),
    retries: sum(({ retries }) => retries),
    firstId: pages.find(({ firstId }) => firstId !== undefined)?.firstId,
    lastId: pages.findLast(({ lastId }) => lastId !== undefined)?.lastId,
    ids: ids(),
  };
}

/** A journal being written. It never runs ahead of the part file: that is synced first. */
export interface Journal {
  add(line: PageLine): void;
  sync(): void;
  close(): void;
}

/** Begins a journal, or goes on behind the last whole line of one. Throws `local`. */
export function openJournal(
  file: string,
  { job, startedAt, kept }: { readonly job: Fingerprint; readonly startedAt: string; readonly kept?: KeptJournal },
): Journal {
  if (kept !== undefined) attempt(file, () => truncateSync(file, kept.length));
  const handle = attempt(file, () => openSync(file, kept === undefined ? 'w' : 'a', 0o600));
  const append = (value: object): void => {
    attempt(file, () => writeAll(handle, Buffer.from(`${JSON.stringify(value)}\n`)));
  };
  if (kept === undefined) append({ version: 1, startedAt, job } satisfies Head);
  return { add: append, sync: () => attempt(file, () => fdatasyncSync(handle)), close: () => closeSync(handle) };
}

/** Takes a journal away. */
export function removeJournal(file: string): void {
  rmSync(file, { force: true });
}
