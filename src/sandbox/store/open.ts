import type { RecordValue } from '../../core/values/value.js';
import { openDatabase, type Database } from '../../state/sqlite/open.js';
import type { Cell } from '../../contract/tables/cells.js';

/** Makes rows of the data set again that a table keeps in outline (see layout.ts). */
export interface Origin {
  /** A new record, with its field values, or without: most readings do not need them. */
  record(table: string, seq: number, withValues: boolean): RecordValue;
  /** The columns beside those of the record that the row lacks in outline. */
  extra(table: string, seq: number): Readonly<Record<string, Cell>>;
}

/** An open database of the embedded service. */
export interface Store extends Database {
  /** Set once the parameters of the data set are known. */
  origin: Origin | undefined;
}

/** Opens a database file, empty when there is none (create.ts makes a whole one). Throws RelctlError `local`. */
export const openStore = (file: string): Store =>
  Object.assign(openDatabase({ file, what: 'The sandbox database' }), { origin: undefined });
