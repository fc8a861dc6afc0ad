import type { RowLayout, RecordValue, Value } from '../../core/values/value.js';
import type { RowSource, RowBatch } from '../rows/kernel.js';

/** How the rows of a list are written without their records. */
export interface RowText {
  /** The layout of rows of records with these members and no others; undefined where they are made of records. */
  readonly layout: (members: readonly string[]) => RowLayout | undefined;
  /** The records that have rows; all when left out. */
  readonly keeps?: ((record: RecordValue) => boolean) | undefined;
  /** The members that it may look at; undefined for all. */
  readonly looksAt?: ReadonlySet<string> | undefined;
  /** Takes rows; gives what stands for each of them. */
  readonly add: (batch: RowBatch, source: RowSource) => readonly Value[];
  /** Programs that were made for rows of this list, by what its records look like. */
  readonly programs: Map<string, Uint8Array | undefined>;
}

/** What becomes of the records of one list of a result, as soon as each is read. */
export interface Rows {
  /** Where the list is in the result: its name, behind the names of the records that hold it. */
  readonly path: readonly string[];
  readonly of: (record: RecordValue) => Value;
  /** The record that a row was made of, any other value as it is; undefined for a row whose record was not kept. */
  readonly printed?: (row: Value) => Value | undefined;
  /** Called when the answer is not taken: nothing that was made of its rows is needed. */
  readonly drop?: () => void;
  /** How its rows are written in the place of `of`, where records are not needed; undefined where they are. */
  readonly text?: RowText | undefined;
}

interface Holder {
  readonly name: string;
  readonly up: Holder | undefined;
}

/** True for the name of the list of rows, in the record that holds it. */
export function isRowsAt(rows: Rows | undefined, name: string, holder: Holder | undefined): rows is Rows {
  const path = rows?.path ?? [];
  if (name !== path.at(-1)) return false;
  let at = holder;
  for (let index = path.length - 2; index >= 0; index -= 1) {
    if (at?.name !== path[index]) return false;
    at = at?.up;
  }
  return at !== undefined && at.up === undefined;
}
