import type { RelctlError } from '../../core/errors/relctl-error.js';
import type { LockOptions } from '../../state/locks/lock.js';
import type { RecordValue } from '../../core/values/value.js';
import type { Claim, Page } from '../../client/pages.js';
import type { WalkState } from '../../client/paging.js';
import type { Piece, Writer } from '../../formats/writers/format.js';
import type { Fingerprint } from './journal.js';

/** What FILE.meta.json says of an export, besides its result. */
export interface MetaFacts {
  readonly operation: string;
  readonly parameters: unknown;
  readonly profile: string;
  readonly url: string;
  readonly format: string;
  readonly columns: readonly string[];
  /** Members with columns that the service leaves nil in the list, so that they say nothing; missing where there are none. */
  readonly leftNil?: readonly string[];
  /** What names of records in the command line were found to mean in the mirror, in words; missing where there were none. */
  readonly names?: readonly string[];
  /** Number of values of fields without a column, which are in FILE.fields.csv; missing when columns come from the values. */
  readonly lateValues?: number;
  readonly finishedAt: string;
  readonly serverTimes: readonly (string | undefined)[];
  readonly version: string;
}

/** An export to a file. */
export interface ExportPlan {
  readonly file: string;
  readonly job: Fingerprint;
  /** Opens the writer of records; `kept` is what an earlier run has written, which may be the beginning without a row. */
  readonly writer: (kept: { readonly rows: number } | undefined) => Promise<Writer<Piece>>;
  readonly pages: (resume: WalkState | undefined) => AsyncGenerator<Page, Claim>;
  readonly idOf: (record: RecordValue) => string | undefined;
  readonly printed: (records: readonly RecordValue[]) => readonly RecordValue[];
  /** Read the list again until two passes agree on its records. */
  readonly consistent: boolean;
  readonly resume: boolean;
  /** Remove an export that was interrupted, and begin a new one. */
  readonly restart: boolean;
  /** The command without `--resume` and `--restart`, for an error message. */
  readonly resumeCommand: string;
  readonly force: boolean;
  /** How long to wait for another run that writes the same file, in milliseconds. */
  readonly lockWaitMs: number;
  readonly onWait?: LockOptions['onWait'];
  /** Folder of the output registry. */
  readonly traces: string;
  readonly startedAt: string;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
  readonly onPage?: (page: Page) => void;
  /** Called before the first page of a resumed export, with what is in the file already. */
  readonly onKept?: (kept: { readonly rows: number; readonly pages: number }) => void;
  /** Operation, service and parameters of a list that is read whole, as one text; absent for a part of a list. */
  readonly list?: string | undefined;
  /** Checks the number of rows before the file replaces another. Throws `partial`. */
  readonly accept?: (rows: number) => void;
  /** Gives what FILE.meta.json says besides the result; absent when that file is not asked for. */
  readonly meta?: () => MetaFacts;
}

/** The result of an export. */
export interface Exported {
  readonly claim: Claim;
  readonly startedAt: string;
  readonly bytes: number;
  /** Of the whole file, in hexadecimal. */
  readonly sha256: string;
  /** An earlier run wrote part of it. */
  readonly isResumed: boolean;
  /** Pages of the earlier run that were damaged on the disk and are read again. */
  readonly damagedPages: number;
  readonly passes: number;
  /** Why a later run will not know the file as one that relctl wrote; missing when it will. */
  readonly unregistered?: RelctlError;
}

/** How the lock of an export to a file is taken. */
export const lockOf = (
  file: string,
  { lockWaitMs, signal, onWait }: Pick<ExportPlan, 'lockWaitMs' | 'signal' | 'onWait'>,
): LockOptions => ({ patienceMs: lockWaitMs, what: `${file} is`, signal, onWait });

/** Paths of the files beside the target. */
export const filesOf = (
  file: string,
): { readonly part: string; readonly journal: string; readonly lock: string; readonly meta: string } => ({
  part: `${file}.part`,
  journal: `${file}.journal`,
  lock: `${file}.lock`,
  meta: `${file}.meta.json`,
});
