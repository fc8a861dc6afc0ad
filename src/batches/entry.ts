import { isObject } from '../plain/object.js';
import type { RecordValue } from '../plain/value.js';
import type { Ending, FileFacts } from './outcome.js';

/** What is to be written for a row, as it is kept for a later look: the request without content of files. */
export interface Sent {
  readonly operation: string;
  readonly input: RecordValue;
  /** Identifies the record that is written to, where the row may not be read again. */
  readonly key?: string;
  /** The record before, where it was read. */
  readonly before?: RecordValue;
  /** The file whose content stands in the request. */
  readonly file?: FileFacts;
  /** Hashes of the records beside it, where they were read just before it was sent. */
  readonly listed?: readonly string[];
  /** The input of the search that finds the record. */
  readonly foundBy?: RecordValue;
}

/** An entry of a journal: a row is about to be sent, or has ended. `key` identifies the record, as in `Sent`. */
export type Entry =
  | { readonly row: number; readonly at: string; readonly sends: Sent }
  | { readonly row: number; readonly at: string; readonly key?: string; readonly ends: Ending };

/** True for an entry of a journal. */
export function isEntry(value: unknown): value is Entry {
  return isObject(value) && Number.isSafeInteger(value['row']) && (isObject(value['sends']) || isObject(value['ends']));
}

/** An entry, and where its line is: its number from 0, and its place and length in bytes, with its line feed. */
export interface PlacedEntry {
  readonly entry: Entry;
  readonly line: number;
  readonly place: number;
  readonly length: number;
}
