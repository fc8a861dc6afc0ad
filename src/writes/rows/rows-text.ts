import type { CommonFlags, OutputFlags, ConnectionFlags, WriteFlags } from '../../kit/flags/common.js';
import type { Session } from '../../kit/session/session.js';
import type { Operation } from '../../contract/build.js';
import type { Context } from '../../kit/host/context.js';
import { type RecordValue, isRecord } from '../../core/values/value.js';
import type { Sent, Ending } from '../../state/ledger/outcome.js';
import type { Answered } from '../batch/batch-run.js';
import type { RowBase } from '../../formats/edits/base.js';
import type { InputFile } from '../../formats/readers/input.js';
import type { FieldFinder, RowParameter, Targets } from '../columns.js';
import type { Change } from '../../lists/record/differences.js';
import type { StreamedContent } from '../../soap/wire/content.js';
import type { BulkFlags } from '../flags.js';

/** The flags and arguments of a command with --file. */
export interface BatchInput {
  readonly args: Readonly<Record<string, unknown>>;
  readonly flags: CommonFlags &
    ConnectionFlags &
    Omit<OutputFlags, 'delimiter' | 'decimal'> &
    WriteFlags &
    BulkFlags &
    Readonly<Record<string, unknown>>;
  readonly context: Context;
  /** Arguments and flags that a row may give. */
  readonly places: ReadonlyMap<string, RowParameter>;
}

/** Files of a batch. */
export interface BatchFiles {
  readonly results: string;
  readonly journal: string;
}

/** A field that a row gives a value, or makes empty. */
export interface RowField {
  /** The title of its column: an id, an alias, or with --workflow a name. */
  readonly field: string;
  /** Null makes it empty. */
  readonly value: string | null;
}

/** What a row says, with what the command line says for all rows. */
export interface RowValues {
  /** Values of arguments and flags by their names, as their readers made them; null for one that is to be made empty. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Names of those values that the row says itself. */
  readonly own: ReadonlySet<string>;
  readonly fields: readonly RowField[];
  readonly finds?: readonly RowField[];
  /** The state of the record's cells when they were exported: `own` and `fields` then have only what was edited. */
  readonly base?: RowBase;
}

/** A file whose content a row sends. */
export interface RowFile {
  /** Absolute. */
  readonly path: string;
  /** As it was when it was looked at. */
  readonly size?: number;
  readonly sha256?: string;
}

/** What is to be done for a row. */
export interface RowPlan {
  /** Identifies the record that is written to. */
  readonly key: string;
  /** The record in words. */
  readonly title: string;
  readonly input: RecordValue;
  /** Sent in the place of one member of the input. */
  readonly content?: StreamedContent;
  readonly file?: RowFile;
  /** What no two rows may have in common, where many may write to the same record. */
  readonly once?: string;
  /** The record as it was read, or as much of it as is written. */
  readonly before?: RecordValue;
  /** The input of the search that finds the record. */
  readonly foundBy?: RecordValue;
  /** Hashes of the records beside it, just before it is sent. */
  readonly listed?: readonly string[];
  /** What changes; empty when nothing is to be sent. */
  readonly changes: readonly Change[];
  /** How it ends although it changes something: nothing is sent. */
  readonly ends?: Ending;
}

/** Where rows are written. */
export interface BatchContext {
  readonly context: Context;
  readonly session: Session;
  readonly flags: CommonFlags & Readonly<Record<string, unknown>>;
  /** Titles of the columns that stand for fields; undefined for rows of an undo. */
  readonly fieldTitles?: readonly string[];
}

/** What a look at the record of a row shows, long after it was sent. */
export type Seen =
  | { readonly is: 'as-sent' | 'as-before' }
  /** It is something else, in words. */
  | { readonly is: 'other'; readonly words: string }
  /** What it is does not tell what became of the row, in words. */
  | { readonly is: 'unclear'; readonly words: string };

/** How the records that rows were sent for are looked at afterwards. */
export interface Looking<S> {
  /** Reads what the service has now, after everything that was sent before. Throws what calls throw. */
  readonly refresh: (shared: S) => Promise<void>;
  /**
   * When what was read last was asked for, in monotonic milliseconds; absent where records are read one by one: then rows that
   * are done are not read back.
   */
  readonly readMs?: (shared: S) => number;
  /** How the record of a row is by what was read; undefined where that is not known. Throws what calls throw. */
  readonly at: (sent: Sent, shared: S) => Seen | undefined | Promise<Seen | undefined>;
}

/** What is asked about before rows are sent. */
export interface SendQuestion {
  /** How many are sent. */
  readonly count: number;
  /** Bytes of their files, in all. */
  readonly bytes: number;
  readonly input: string;
}

/** What columns of a file of rows may stand for, and what is read before the rows. */
interface RowReading<S> extends Pick<Targets, 'record' | 'members' | 'ownColumn' | 'ofAll'> {
  /**
   * What the column `_base` is to it: `needed` where records are written whole, so that what was not edited would be written
   * too; `taken` where it is of use. Without it there is no such column.
   */
  readonly base?: 'needed' | 'taken';
  /** How fields are found by their titles, once `open` has read what there are; absent where no column may be a field. */
  readonly fields?: (shared: S) => FieldFinder;
  /** Rows that come from elsewhere than a file of rows; undefined where no flag asks for them. Throws `usage`. */
  readonly input?: (batchContext: Pick<BatchContext, 'context' | 'flags'>) => InputFile | undefined;
  /** Reads once what all rows need. Throws `usage`, and what calls throw. */
  readonly open: (batchContext: BatchContext) => Promise<S>;
}

/** What rows that send a file each need: the results tell its size and hash. */
interface FileRows<S> {
  /**
   * Looks at what a row names outside of the rows, such as a file, when they are checked and not again. Gives the plan with
   * what was seen. Throws as `plan`.
   */
  readonly looks: (plan: RowPlan, shared: S) => Promise<RowPlan>;
  /** What is asked before rows are sent, in words such as `attach 3 files`. */
  readonly asks: (question: SendQuestion) => string;
}

/** How a command writes the rows of a file. */
export interface RowsText<S> extends RowReading<S> {
  readonly operation: Operation;
  /** A row changes a record that is there, or adds one: the same record may then be written to by many rows. */
  readonly does: 'change' | 'add';
  /** Where each row sends a file. */
  readonly files?: FileRows<S>;
  /**
   * What a row is to do, by what was read. Throws `usage` whose path is the argument, flag or field that is wrong, and
   * `RowMistakes` for several.
   */
  readonly plan: (row: RowValues, shared: S) => RowPlan | Promise<RowPlan>;
  /** The plan of a row that is not over, by its record as read first. Throws as `plan`, and what calls throw. */
  readonly compared?: (plan: RowPlan, shared: S, row: RowValues) => Promise<RowPlan>;
  /**
   * Looks at the record again just before it is sent. Gives the plan by what it is now, or how the row ends without a
   * write: `conflict` when it is not what the plan was made for.
   */
  readonly again?: (plan: RowPlan, shared: S) => Promise<RowPlan | Ending>;
  /**
   * The plan that puts a record back as it was before a write, if it still is as the write left it; absent where the service has
   * no way back. Throws `usage` where what it was is not known.
   */
  readonly back?: (sent: Sent, shared: S) => RowPlan;
  /** How records are read back; absent where the service has no operation that reads them. */
  readonly looking?: Looking<S>;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** What the results tell of an answer: the Id of the record that was made, and what the service said beside it. */
export function answeredBy({ result: members }: Operation, result: RecordValue): Answered {
  // The WSDL of a service names what says how a call went among the members: it is not among those of the result.
  const made = Object.keys(members).find((name) => members[name]?.type.kind === 'record' && isRecord(result[name]));
  const record = made === undefined ? undefined : result[made];
  const id = isRecord(record) ? textOf(record['Id']) : undefined;
  const words = ['Info', 'ErrorInformation'].flatMap((name) => textOf(result[name]) ?? []).join('; ');
  return { ...(id === undefined ? {} : { id }), ...(words === '' ? {} : { words }) };
}
