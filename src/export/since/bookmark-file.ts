import { sameButGuidCase } from '../../lexical/values/guid.js';
import { createHash } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from '../../files/failure.js';
import { openPartFile } from '../../files/part-file.js';
import { toWrite, type OtherRows, type RememberedRows, type RowsToWrite } from './rows.js';
import { makeFolders } from '../../files/own-file.js';

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

/** The same, with rows that may not be in memory. */
export type BookmarkToWrite = Omit<BookmarkState, 'rows'> & { readonly rows: RememberedRows | RowsToWrite };

/** What the first line of the file says. Rows of GUIDs are behind it, and then a SHA-256 hash of all bytes before it. */
export type Head = Omit<BookmarkState, 'rows'> & { readonly version: 1; readonly others: OtherRows };

/** Writes and syncs a bookmark or snapshot, completely or not at all; only its owner can read it. Throws `local`. */
export function writeBookmarkFile(file: string, { rows: given, ...facts }: BookmarkToWrite): void {
  const rows = 'packed' in given ? toWrite(given) : given;
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
    for (const piece of rows.pieces()) write(piece);
    part.write(check.digest());
    rows.close();
    part.putAs(file);
  } finally {
    part.discard();
  }
}

/** Makes the folder of such files, for its owner alone. Throws `local`. */
export function makeFolder(folder: string): void {
  attempt(folder, () => {
    makeFolders(folder);
    if (process.platform !== 'win32') chmodSync(folder, 0o700);
  });
}

const shown = (value: string | undefined): string => value ?? 'nothing';

/** True for the same fact of two jobs; earlier versions kept GUIDs as they were typed. */
const isSameFact = (kept: string | undefined, wanted: string | undefined): boolean =>
  kept === wanted || (kept !== undefined && wanted !== undefined && sameButGuidCase(kept, wanted));

/** In words how a job differs from the one that was kept; empty when it does not. */
export function jobDifferences(kept: Job, wanted: Job): readonly string[] {
  const names = new Set([...Object.keys(kept), ...Object.keys(wanted)]);
  return [...names].flatMap((name) =>
    isSameFact(kept[name], wanted[name]) ? [] : [`${name} was ${shown(kept[name])}, is ${shown(wanted[name])}`],
  );
}
