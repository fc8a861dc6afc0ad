import type { RecordValue } from '../../plain/value.js';
import type { RecordType } from '../../contract/build.js';
import { UnitType } from '../../contract/enumerations.js';
import type { InputOf } from '../../contract/infer.js';
import type { Store } from '../store/open.js';
import { type Extra, inserter } from '../store/rows.js';
import { tableFor } from '../store/schema.js';
import type { Random } from './random.js';

/** What the functions that make the data set share. */
export interface Making {
  readonly store: Store;
  readonly counts: Counts;
  /** The stream of the index-th record of a family. */
  random(family: string, index: number): Random;
  /** Called before each record is made: what it is, its index and how many there are. */
  tell(what: string, at: number, of: number): void;
}

/** Adds records of one type; the compiler holds the data set to the contract. */
export type Add<R extends RecordType> = (record: InputOf<R> & RecordValue, extra?: Extra) => number;

/** Makes a function that adds records of a type to its table. */
export function adder<R extends RecordType>(making: Making, record: R): Add<R> {
  return inserter(making.store, tableFor(record.name));
}

/** A list of field values from pairs; a pair without a value is left out, "" is kept. */
export function fieldValues(pairs: readonly (readonly [id: string, value: string | undefined])[]): {
  readonly Items: readonly { readonly Id: string; readonly Value: string }[];
} {
  return { Items: pairs.flatMap(([Id, Value]) => (Value === undefined ? [] : [{ Id, Value }])) };
}

/** What a data set is made from: the same parameters give the same bytes, on every machine. */
export interface DatasetParameters {
  /** How many relations; at least 3. Everything else is in proportion. */
  readonly relations: number;
  /** Any whole number from 0 to 4294967295. */
  readonly seed: number;
}

/** Several pages of the usual size, and quick to make. */
export const defaultParameters: DatasetParameters = { relations: 250, seed: 1 };

/** How many of each there are. */
export interface Counts {
  readonly relations: number;
  readonly relationships: number;
  readonly activities: number;
  readonly products: number;
  readonly relationshipMarks: number;
}

/** The proportions. */
export function countsOf({ relations }: DatasetParameters): Counts {
  return {
    relations,
    // One for every relation, and one in ten persons works for the root organisation as well.
    relationships: relations + Math.floor(relations / 10),
    activities: relations * 2,
    // One of each unit at least.
    products: Math.min(5000, Math.max(UnitType.values.length, Math.ceil(relations / 5))),
    relationshipMarks: Math.ceil(relations / 2),
  };
}
