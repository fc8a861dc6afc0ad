import type { ConnectionFlags } from '../cli/flags/connection.js';
import type { CommonFlags, OutputFlags } from '../cli/flags/output.js';
import type { WriteFlags } from '../cli/flags/write.js';
import type { Session } from '../cli/session/session.js';
import type { Context } from '../host/context.js';
import type { Place } from './reading/columns.js';
import type { BulkFlags } from './flags.js';
import type { Lister } from './looking/listed.js';
import type { Planning } from './planned-rows.js';
import type { RowsText } from './rows-text.js';

/** What a command with --file was given. */
export interface BulkGiven {
  readonly args: Readonly<Record<string, unknown>>;
  readonly flags: CommonFlags &
    ConnectionFlags &
    Omit<OutputFlags, 'delimiter' | 'decimal'> &
    WriteFlags &
    BulkFlags &
    Readonly<Record<string, unknown>>;
  readonly context: Context;
  /** Arguments and flags that a row may give. */
  readonly places: ReadonlyMap<string, Place>;
}

/** Files of a batch. */
export interface BatchFiles {
  readonly results: string;
  readonly journal: string;
}

/** A run of a command with --file, once its rows can be planned. */
export interface BulkRun<S> extends BulkGiven {
  readonly session: Session;
  readonly text: RowsText<S>;
  readonly planning: Planning<S>;
  readonly files: BatchFiles;
  /** What reads the records that rows add, where the profile names an operation for it. */
  readonly lister?: Lister;
  /** Id of the entry of the ledger that it undoes. */
  readonly undoes?: string;
}

/** The flags that say how output is written: those of the same names say how the input is read. */
export function outputFlagsOf(flags: BulkGiven['flags']): OutputFlags & Readonly<Record<string, unknown>> {
  const own = ['delimiter', 'decimal', 'null-as'];
  return Object.fromEntries(Object.entries(flags).filter(([name]) => !own.includes(name))) as unknown as OutputFlags &
    Readonly<Record<string, unknown>>;
}
