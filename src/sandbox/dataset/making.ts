import type { RecordValue } from '../../core/values/value.js';
import type { RecordType } from '../../contract/build.js';
import { UnitType } from '../../contract/enumerations.js';
import type { InputOf } from '../../contract/infer.js';
import type { Store } from '../store/open.js';
import { cellsOf, type Extra, inserter } from '../store/rows.js';
import { tableFor } from '../store/schema.js';
import { bulkInto } from '../../state/sqlite/open.js';
import { type Random, randomness } from './random.js';

/** What any record of a data set can be made from. */
export interface Plan {
  readonly counts: Readonly<ReturnType<typeof countsOf>>;
  random(family: string, index: number): Random;
}

/** The plan of the data set of some parameters. */
export const planOf = (parameters: DatasetParameters): Plan => ({
  counts: countsOf(parameters),
  random: randomness(parameters.seed),
});

/** What the functions that fill a database with a data set share. */
export interface Making extends Plan {
  readonly store: Store;
  /** Rows of the large tables are added in outline (see store/schema.ts). */
  readonly inOutline: boolean;
  /** Called before each record is made: what it is, its index and how many there are. */
  report(what: string, at: number, of: number): void;
  /** Work for the end: what is still to be written. */
  readonly endings: (() => void)[];
}

/** A record of a type, as the contract has it. */
export type RecordInput<R extends RecordType> = InputOf<R> & RecordValue;

/** A record that is put together member by member. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Adds records of one type; the compiler holds the data set to the contract. */
export type Add<R extends RecordType> = (record: RecordInput<R>, extra?: Extra) => void;

/** Makes a function that adds records of a type to its table; the last ones are there after the endings. */
export function adder<R extends RecordType>(making: Making, record: R): Add<R> {
  const table = tableFor(record.name);
  if (table.lists.length > 0) return inserter(making.store, table);
  const names = table.columns.map(({ name }) => name);
  const rows = bulkInto(making.store, table.name, { columns: ['seq', ...names] });
  making.endings.push(rows.flush);
  return (input, extra = {}) => rows.add([extra['seq'] ?? null, ...cellsOf(table.columns, input, extra)]);
}

/** How the index-th record of a large table, which has the seq behind it, is made: whole, or the keys that it has in outline. */
export interface Maker<R extends RecordType> {
  readonly record: R;
  keys(plan: Plan, index: number): Extra;
  /** The other columns beside those of the record; without it there are none. */
  readonly extra?: (plan: Plan, index: number) => Extra;
  /** With its field values, or all but those. */
  whole(plan: Plan, index: number, withValues: boolean): RecordInput<R>;
}

/** Makes a function that adds the index-th record of a large table, in outline if that is how the rows are kept. */
export function indexAdder<R extends RecordType>(making: Making, maker: Maker<R>): (index: number) => void {
  const { name, outline } = tableFor(maker.record.name);
  if (!making.inOutline || outline === undefined) {
    const add = adder(making, maker.record);
    return (index) =>
      add(maker.whole(making, index, true), {
        seq: index + 1,
        ...maker.keys(making, index),
        ...maker.extra?.(making, index),
      });
  }
  const rows = bulkInto(making.store, name, { columns: ['seq', ...outline.keys] });
  making.endings.push(rows.flush);
  return (index) => {
    const keys = maker.keys(making, index);
    rows.add([index + 1, ...outline.keys.map((key) => keys[key] ?? null)]);
  };
}

/** A list of field values from pairs; a pair without a value is left out, "" is kept. */
export function fieldValues(pairs: readonly (readonly [id: string, value: string | undefined])[]): {
  readonly Items: readonly { readonly Id: string; readonly Value: string }[];
} {
  const Items: { readonly Id: string; readonly Value: string }[] = [];
  for (const pair of pairs) if (pair[1] !== undefined) Items.push({ Id: pair[0], Value: pair[1] });
  return { Items };
}

/** What a data set is made from: the same parameters give the same bytes, on every machine. */
export interface DatasetParameters {
  /** How many relations; at least 3. Everything else is in proportion. */
  readonly relations: number;
  /** Any whole number from 0 to 4294967295. */
  readonly seed: number;
}

/** Data sets of up to so many relations are stored whole, for whoever looks into them with SQL; larger ones in outline. */
export const wholeUpTo = 10_000;

/** Several pages of the usual size, and quick to make. */
export const defaultParameters: DatasetParameters = { relations: 250, seed: 1 };

function countsOf({ relations }: DatasetParameters) {
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
