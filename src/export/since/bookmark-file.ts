import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { RelctlError } from '../../errors/relctl-error.js';
import { attempt } from '../../files/failure.js';
import { openPartFile } from '../../files/part-file.js';
import { areRows, piecesOf, type OtherRows, type RememberedRows, type RowsToWrite } from './rows.js';
import { defined } from '../../plain/defined.js';
import { codeOf } from '../../errors/code-of.js';
import { isObject } from '../../plain/object.js';
import { jsonOf } from '../../plain/json.js';

/** What a job asks for, by name: a bookmark is used for the same job only. */
export type Job = Readonly<Record<string, string>>;

/** A bookmark of `--since-last` or a snapshot of `--changes-since`. */
export interface BookmarkState {
  readonly kind: 'bookmark' | 'snapshot';
  readonly profile: string;
  readonly name: string;
  /** Undefined until a first run: a bookmark that was set by hand fits any job. */
  readonly job: Job | undefined;
  /** The service's clock, in milliseconds since 1970, where the next window begins; a bookmark always has it. */
  readonly serverMs: number | undefined;
  /** The service's clock when the rows were read, in milliseconds since 1970, where the next window begins earlier. */
  readonly seenMs?: number | undefined;
  /**
   * The service's clock, in milliseconds since 1970, up to which the next windows begin at `serverMs` too: it was set forward,
   * and what was changed before that may not be seen yet.
   */
  readonly heldUntilMs?: number | undefined;
  /** How far the service's clock was ahead of this machine's, in milliseconds; missing in a bookmark set by hand. */
  readonly aheadMs?: number | undefined;
  /** This machine's clock when it was written, ISO 8601. */
  readonly writtenAt: string;
  readonly rows: RememberedRows;
}

/** The same, with rows that may not be in one piece. */
export type BookmarkToWrite = Omit<BookmarkState, 'rows'> & { readonly rows: RowsToWrite };

type Head = Omit<BookmarkState, 'rows'> & { readonly version: 1; readonly others: OtherRows };

const checkBytes = 32;

const checkOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** Writes and syncs a bookmark or snapshot, completely or not at all; only its owner can read it. Throws `local`. */
export function writeBookmarkFile(file: string, { rows, ...facts }: BookmarkToWrite): void {
  const head = Buffer.from(`${JSON.stringify({ version: 1, ...facts, others: rows.others } satisfies Head)}\n`);
  makeFolder(dirname(file));
  const part = openPartFile(file);
  try {
    const check = createHash('sha256');
    const write = (bytes: Uint8Array): void => {
      check.update(bytes);
      part.write(bytes);
    };
    write(head);
    for (const piece of piecesOf(rows)) write(piece);
    part.write(check.digest());
    part.putAs(file);
  } finally {
    part.discard();
  }
}

/** Makes the folder of such files, for its owner alone. Throws `local`. */
export function makeFolder(folder: string): void {
  attempt(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (process.platform !== 'win32') chmodSync(folder, 0o700);
  });
}

function damaged(file: string): RelctlError {
  return new RelctlError('local', `${file} is damaged; it was left as it is`, {
    facts: { path: file, code: 'bookmark' },
    hint: 'relctl bookmark remove NAME, and begin anew with --from',
  });
}

function isJob(value: unknown): boolean {
  return value === undefined || (isObject(value) && Object.values(value).every((each) => typeof each === 'string'));
}

function areOthers(value: unknown): boolean {
  const isRow = (row: unknown): boolean =>
    Array.isArray(row) && row.length === 2 && row.every((each) => typeof each === 'string');
  return Array.isArray(value) && value.every(isRow);
}

function isHead(value: unknown): value is Head {
  if (!isObject(value) || value['version'] !== 1) return false;
  const { kind, profile, name, job, serverMs, writtenAt, others } = value;
  const isKind = kind === 'bookmark' ? Number.isFinite(serverMs) : kind === 'snapshot';
  const areTimes = [value['seenMs'], value['heldUntilMs'], value['aheadMs']].every(
    (each) => each === undefined || Number.isFinite(each),
  );
  const isText = [profile, name, writtenAt].every((each) => typeof each === 'string');
  return isKind && areTimes && isText && isJob(job) && areOthers(others);
}

/** The content of a file; undefined when it is not there. Throws `local`. */
function bytesOfFile(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    const code = codeOf(thrown) ?? 'unknown reason';
    throw new RelctlError('local', `${file} cannot be read (${code})`, { facts: { code, path: file } });
  }
}

/** Reads a bookmark or snapshot; undefined when there is none. Throws `local` for one that is damaged. */
export function readBookmarkFile(file: string): BookmarkState | undefined {
  const bytes = bytesOfFile(file);
  if (bytes === undefined) return undefined;
  const end = bytes.indexOf(0x0a) + 1;
  const last = bytes.length - checkBytes;
  if (end === 0 || last < end || !checkOf(bytes.subarray(0, last)).equals(bytes.subarray(last))) throw damaged(file);
  const head = jsonOf(bytes.toString('utf8', 0, end));
  const packed = bytes.subarray(end, last);
  if (!isHead(head) || !areRows(packed)) throw damaged(file);
  const { kind, profile, name, job, serverMs, seenMs, heldUntilMs, aheadMs, writtenAt, others } = head;
  const times = defined({ seenMs, heldUntilMs, aheadMs });
  return { kind, profile, name, job, serverMs, ...times, writtenAt, rows: { packed, others } };
}

const shown = (value: string | undefined): string => value ?? 'nothing';

/** In words how a job differs from the one that was kept; empty when it does not. */
export function jobDifferences(kept: Job, wanted: Job): readonly string[] {
  const names = new Set([...Object.keys(kept), ...Object.keys(wanted)]);
  return [...names].flatMap((name) =>
    kept[name] === wanted[name] ? [] : [`${name} was ${shown(kept[name])}, is ${shown(wanted[name])}`],
  );
}
