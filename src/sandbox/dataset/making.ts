import type { RecordType } from '../../contract/build.js';
import type { InputOf } from '../../contract/infer.js';
import type { RecordValue } from '../../soap/values/values.js';
import type { Store } from '../store/open.js';
import { inserter, type Extra } from '../store/rows.js';
import { tableFor } from '../store/schema.js';
import type { Counts } from './parameters.js';
import type { Random } from './random.js';

/** What every part of the data set is made with. */
export interface Making {
  readonly store: Store;
  readonly counts: Counts;
  /** The stream of the index-th record of a family. */
  random(family: string, index: number): Random;
  /** Hears of each record that is next: what it is, its place and how many there are. */
  tell(what: string, at: number, of: number): void;
}

/** Adds records of one type; the compiler holds the data set to the contract. */
export type Add<R extends RecordType> = (record: InputOf<R> & RecordValue, extra?: Extra) => number;

/** What adds records of a type to its table. */
export function adder<R extends RecordType>(making: Making, record: R): Add<R> {
  return inserter(making.store, tableFor(record.name));
}

/** A list of field values from pairs; a pair without a value is left out, "" is kept. */
export function fieldValues(pairs: readonly (readonly [id: string, value: string | undefined])[]): {
  readonly Items: readonly { readonly Id: string; readonly Value: string }[];
} {
  return { Items: pairs.flatMap(([Id, Value]) => (Value === undefined ? [] : [{ Id, Value }])) };
}
