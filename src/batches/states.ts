import { closeSync, readSync } from 'node:fs';
import { valueOfLine } from '../files/checked-lines.js';
import { openOwn } from '../files/own-file.js';
import { isEntry, type Entry } from './entry.js';
import { entriesOf } from './journal.js';
import { RowStates } from './row-states.js';

/** How the rows stand by a journal. Throws `local`. */
export function statesIn(file: string): RowStates {
  const states = new RowStates();
  for (const entry of entriesOf(file)) states.take(entry);
  return states;
}

/** Gives the last entries of rows, out of a journal that is not written to meanwhile. */
export interface LastEntries {
  /** Undefined for a row of which nothing was ever sent or said. */
  of(row: number): Entry | undefined;
  close(): void;
}

/** Opens a journal to look the last entries of rows up. Throws `local`. */
export function openLastEntries(file: string, states: RowStates): LastEntries {
  const handle = openOwn(file);
  return {
    of(row) {
      const found = states.lineOf(row);
      if (found === undefined) return undefined;
      // Without its line feed.
      const bytes = Buffer.alloc(found.length - 1);
      readSync(handle, bytes, 0, bytes.length, found.place);
      const value = valueOfLine(bytes.toString('utf8'), found.line);
      return isEntry(value) ? value : undefined;
    },
    close: () => closeSync(handle),
  };
}
