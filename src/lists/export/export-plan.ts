import type { IdOf } from '../../client/rows/row.js';
import type { Claim } from '../../client/paging.js';
import type { RelctlError } from '../../core/errors/relctl-error.js';
import type { RecordValue } from '../../core/values/value.js';
import type { Piece, Writer } from '../../formats/writers/format.js';
import type { Progress } from '../../kit/host/progress.js';
import type { LockOptions } from '../../state/locks/lock.js';
import type { Walk } from '../plan.js';

/** What makes two exports the same job: only a journal of the same job is resumed. */
export interface Fingerprint {
  readonly operation: string;
  readonly parameters: string;
  readonly url: string;
  readonly namespace: string;
  readonly database: string;
  readonly format: string;
  readonly columns: string;
  readonly pageSize: number;
  readonly firstPage: number;
  /** How rows are written: delimiter, line ending, header, which columns. */
  readonly style: string;
  /** The state of the mirror that names in the rows are from; missing where the rows have none. */
  readonly names?: string;
  /** Other flags that may change the bytes. */
  readonly flags: string;
}

/** What differs, with both values, for an error message. */
export const differences = (fingerprint: Fingerprint, other: Fingerprint): readonly string[] =>
  Object.entries(other).flatMap(([name, value]) => {
    const old = new Map<string, unknown>(Object.entries(fingerprint)).get(name);
    return old === value ? [] : [`${name} was ${JSON.stringify(old)}, is ${JSON.stringify(value)}`];
  });

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
  /** One text for each name of a record that the mirror resolved to an Id; missing where there were none. */
  readonly names?: readonly string[];
  /** Number of values of fields without a column, which are in FILE.fields.csv; missing when columns come from the values. */
  readonly lateValues?: number;
  readonly finishedAt: string;
  readonly serverTimes: readonly (string | undefined)[];
  readonly version: string;
}

/** The file that an export goes to, and how it is written. */
export interface ExportTarget {
  readonly file: string;
  /** Folder of the output registry. */
  readonly registry: string;
  /** Resume an export that was interrupted. */
  readonly resume: boolean;
  /** Remove an export that was interrupted, and begin a new one. */
  readonly restart: boolean;
  /** Read the list again until two passes agree on its records. */
  readonly consistent: boolean;
  readonly force: boolean;
  /** The command without `--resume` and `--restart`, for an error message. */
  readonly command: string;
  readonly lock: Omit<LockOptions, 'what'>;
  readonly startedAt: string;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
}

/** An export to a file. */
export interface ExportPlan {
  readonly target: ExportTarget;
  readonly job: Fingerprint;
  readonly pages: Walk;
  readonly idOf: IdOf;
  /** Opens the writer of records; `before` is what an earlier run has written, which may be the beginning without a row. */
  readonly writer: (before: { readonly rows: number } | undefined) => Promise<Writer<Piece>>;
  /** The rows of records, where they are not written as they came. */
  readonly rows?: (records: readonly RecordValue[]) => readonly RecordValue[];
  readonly progress?: Pick<Progress, 'page' | 'kept'>;
  /** Operation, service and parameters of a list that is read whole, as one text; absent for a part of a list. */
  readonly list?: string | undefined;
  /** Checks the number of rows before the file replaces another. Throws `partial`. */
  readonly accept?: (rows: number) => void;
  /** Gives what FILE.meta.json says besides the result; absent when that file is not asked for. */
  readonly meta?: (() => MetaFacts) | undefined;
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
export const lockOf = ({ file, lock }: ExportTarget): LockOptions => ({ ...lock, what: `${file} is` });

/** Paths of the files beside the target. */
export const filesOf = (file: string): Readonly<Record<'part' | 'journal' | 'lock' | 'meta', string>> => ({
  part: `${file}.part`,
  journal: `${file}.journal`,
  lock: `${file}.lock`,
  meta: `${file}.meta.json`,
});
