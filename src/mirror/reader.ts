import type { ChangedRow, Wanted, WantedChanges } from './changes.js';
import type { FieldView } from './fields/plan.js';
import type { SearchReader } from './search/find.js';
import type { SourceState } from './store.js';
import type { MirrorTable } from './tables.js';

/** A mirror that is open to be read, wherever it is. Its methods throw `local`, and of a server `no-answer` and `profile`. */
export interface MirrorReader {
  /** What fills it, in the order in which that was added. */
  sources(): Promise<readonly SourceState[]>;
  /** How many rows a table or view of it shows. */
  rows(name: string): Promise<number>;
  /** Its views with a column a field. */
  fieldViews(): Promise<readonly FieldView[]>;
  /** What `find` looks into. */
  readonly search: SearchReader;
  /** The record of an Id as JSON, one that is there before one that is gone; undefined for an Id that it does not have. */
  record(table: MirrorTable, id: string): Promise<string | undefined>;
  /** The records of a table, as JSON, in the order of the list that filled it, as they are at one moment. */
  records(table: MirrorTable, wanted: Wanted): Iterable<string> | AsyncIterable<string>;
  /**
   * What syncs did to the records of some tables, one row a record: in the order of the tables, and in each as records came. A
   * sync that found no difference is not among them.
   */
  changes(wanted: WantedChanges): Iterable<ChangedRow> | AsyncIterable<ChangedRow>;
}
