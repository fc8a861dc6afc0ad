import type { Session } from '../cli/session/session.js';
import type { Operation } from '../contract/build.js';
import type { RecordValue } from '../plain/value.js';

/** The operation and its input. */
export interface Write {
  readonly operation: Operation;
  readonly input: RecordValue;
}

/** What the ledger is told of a write. */
export interface Told<T> {
  readonly session: Session;
  readonly flags: { readonly quiet?: boolean | undefined };
  /** What is done, in words. */
  readonly what: string;
  /** What is kept in the place of the input, where that is not it. */
  readonly keeps?: RecordValue;
  /** The record before, where it was read. */
  readonly before?: RecordValue;
  /** The Id of what was made, by what the work gave. */
  readonly idOf?: (done: T) => string | undefined;
  /** Compares what was written with what the service has. Throws `outcome-unknown` when it is something else. */
  readonly verify?: (() => Promise<void>) | undefined;
  /** Id of the entry that is undone. */
  readonly undoes?: string;
}
