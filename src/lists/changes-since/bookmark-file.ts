import { createHash } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt, makeFolders } from '../../state/own-file.js';
import type { TemporaryFile } from '../../state/temporary-file.js';
import { openPartFile } from '../../state/part-file.js';
import { digestBytes } from './digest.js';

/** What a job asks for, by name: a bookmark is used for the same job only. */
export type Job = Readonly<Record<string, string>>;

/** What `--changes-since` remembers of a list under a name. */
export interface Bookmark {
  readonly profile: string;
  readonly name: string;
  readonly job: Job;
  /** This machine's clock when it was written, ISO 8601. */
  readonly writtenAt: string;
}

/** Bytes of a GUID. */
export const idBytes = 16;

/** Bytes of a row: the Id, which is a GUID, and the digest behind it. */
export const rowBytes = idBytes + digestBytes;

/** Rows whose Id is no GUID: Id and digest in base64. */
export type OtherRows = readonly (readonly [id: string, digest: string])[];

/** Rows to be written, those of GUIDs some at a time; of two with the same Id the later one counts. */
export interface RowsToWrite {
  readonly others: OtherRows;
  pieces(): Iterable<Uint8Array>;
  /** The lines of what is kept of the records. */
  readonly records?: Pick<TemporaryFile, 'length' | 'pieces'> | undefined;
  /** Closes what the rows are read from, which what is written may replace. */
  close(): void;
}

/**
 * What the first line of the file says. Rows of GUIDs are behind it, in version 2 so many bytes of lines, each the Id of a row
 * and what is kept of its record, as JSON, and then a SHA-256 hash of all bytes before it.
 */
export type Head = Bookmark & { readonly others: OtherRows } & (
    { readonly version: 1 } | { readonly version: 2; readonly records: number }
  );

/** Writes and syncs a bookmark with its rows, completely or not at all; only its owner can read it. Throws `local`. */
export function writeBookmarkFile(file: string, facts: Bookmark, rows: RowsToWrite): void {
  const { others, records } = rows;
  const form = records === undefined ? ({ version: 1 } as const) : ({ version: 2, records: records.length } as const);
  const head = Buffer.from(`${JSON.stringify({ ...form, ...facts, others } satisfies Head)}\n`);
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
    for (const piece of records?.pieces() ?? []) write(piece);
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

/** In words how a job differs from the one that was kept; empty when it does not. */
export function jobDifferences(kept: Job, wanted: Job): readonly string[] {
  const names = new Set([...Object.keys(kept), ...Object.keys(wanted)]);
  return [...names].flatMap((name) =>
    kept[name] === wanted[name] ? [] : [`${name} was ${shown(kept[name])}, is ${shown(wanted[name])}`],
  );
}
