import { UnitType } from '../../contract/enumerations.js';

/** What a data set is made from: the same parameters give the same bytes, on every machine. */
export interface DatasetParameters {
  /** How many relations; at least 3. Everything else is in proportion. */
  readonly relations: number;
  /** Any whole number from 0 to 4294967295. */
  readonly seed: number;
}

/** Several pages of the usual size, and still made in a blink. */
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
