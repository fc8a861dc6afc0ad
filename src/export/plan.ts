import type { RecordValue } from '../plain/value.js';
import type { Claim, Page } from '../client/pages.js';
import type { WalkState } from '../client/paging.js';
import type { Counts } from '../output/beyond.js';
import type { Piece, Writer } from '../output/formats/format.js';
import type { Fingerprint } from './fingerprint.js';

/** What is said of an export beside what it came to. */
export interface MetaFacts {
  readonly operation: string;
  readonly parameters: unknown;
  readonly profile: string;
  readonly url: string;
  readonly format: string;
  readonly columns: readonly string[];
  /** Values of fields without a column, which stand in a file beside it; missing when all columns were made from what came. */
  readonly lateValues?: number;
  readonly finishedAt: string;
  readonly serverTimes: readonly (string | undefined)[];
  readonly version: string;
}

/** An export to a file. */
export interface ExportPlan {
  readonly file: string;
  /** The file is compressed; as its name says when absent. */
  readonly isGzip?: boolean;
  readonly job: Fingerprint;
  /** Writes records; `isContinued` when some were written before. */
  readonly writer: (isContinued: boolean) => Promise<Writer<Piece>>;
  /** Walks the list, from where an earlier run stopped. */
  readonly pages: (resume: WalkState | undefined) => AsyncGenerator<Page, Claim>;
  readonly idOf: (record: RecordValue) => string | undefined;
  /** A record as it is printed. */
  readonly printed: (record: RecordValue) => RecordValue;
  /** Counts the members of printed records that the contract does not know; undefined when there are none. */
  readonly beyond?: (records: readonly RecordValue[]) => Counts | undefined;
  /** Read the list again until two passes agree on its records. */
  readonly consistent: boolean;
  /** Resume an export that was interrupted. */
  readonly resume: boolean;
  /** Throw an export that was interrupted away. */
  readonly restart: boolean;
  /** The command without `--resume` and `--restart`, for an error message. */
  readonly resumeCommand: string;
  readonly force: boolean;
  /** How long to wait for another run that writes the same file. */
  readonly lockWaitMs: number;
  /** Where it is remembered which files are ours. */
  readonly traces: string;
  readonly startedAt: string;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
  readonly onPage?: (page: Page) => void;
  /** Stands for operation, service and parameters of a list that is read whole; absent for a part of one. */
  readonly list?: string | undefined;
  /** Looks at what the list came to before the file takes its place; throws when it must not. */
  readonly accept?: (rows: number) => void;
  /** What FILE.meta.json is to say beside what the export came to; absent when none is wanted. */
  readonly meta?: () => MetaFacts;
}

/** What an export came to. */
export interface Exported {
  readonly claim: Claim;
  readonly startedAt: string;
  readonly bytes: number;
  /** Of the whole file, in hexadecimal. */
  readonly sha256: string;
  /** An earlier run had written part of it. */
  readonly isResumed: boolean;
  /** Pages of the earlier run that were damaged on the disk, and were read again. */
  readonly damagedPages: number;
  /** Times that the list was read. */
  readonly passes: number;
  /** Members beyond the contract in the file's records, by their names. */
  readonly beyond: Counts;
}

/** The files beside the target. */
export const filesOf = (
  file: string,
): { readonly part: string; readonly journal: string; readonly lock: string; readonly meta: string } => ({
  part: `${file}.part`,
  journal: `${file}.journal`,
  lock: `${file}.lock`,
  meta: `${file}.meta.json`,
});
