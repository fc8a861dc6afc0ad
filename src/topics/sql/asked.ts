import type { FieldView } from '../../mirror/fields/plan.js';
import type { SourceState } from '../../mirror/store.js';
import type { Parameters } from '../../sql/parameters.js';
import type { Reading } from '../../sql/reading.js';
import type { FieldOf } from '../../sql/records.js';
import type { Statement } from '../../sql/statement.js';

/** An answer of a query, with what its columns hold. */
export interface TypedReading extends Reading {
  readonly fieldOf: FieldOf;
}

/** What is asked. */
interface Order {
  readonly statement: Statement;
  readonly parameters: Parameters;
}

/** Asks a mirror. Throws `usage`, `local`, and the reason of the signal. */
export type OpenAnswer = (order: Order, signal: AbortSignal) => Promise<TypedReading>;

/** A mirror to ask. */
export interface AskedMirror {
  /** What filled its tables, and when. */
  readonly sources: readonly SourceState[];
  /** Its views with a column a field. */
  readonly views: readonly FieldView[];
  readonly open: OpenAnswer;
}
