import { Flags } from '@oclif/core';
import { integerFlag } from '../checked.js';
import { defined } from '../../../plain/defined.js';

/** Names a database of the embedded service. */
export const databaseFlag = {
  db: Flags.string({ summary: 'Database file to use instead of the usual one.', helpValue: 'FILE' }),
};

/** Flags that say what data the embedded service is made with. */
export const datasetFlags = {
  relations: Flags.string({ summary: 'Number of relations, when the data are made anew.', helpValue: 'N' }),
  seed: Flags.string({ summary: 'Seed of the data, when they are made anew.', helpValue: 'N' }),
  ...databaseFlag,
};

/** Values of those flags, as given. */
export interface DatasetFlags {
  readonly relations?: string | undefined;
  readonly seed?: string | undefined;
  readonly db?: string | undefined;
}

/** Size and seed of the data. Throws `usage` that names the flag. */
export function datasetOf(flags: DatasetFlags): { readonly relations?: number; readonly seed?: number } {
  const relations = integerFlag(flags.relations, '--relations', { least: 3, most: 10_000_000 });
  const seed = integerFlag(flags.seed, '--seed', { least: 0, most: 0xffff_ffff });
  return defined({ relations, seed });
}
