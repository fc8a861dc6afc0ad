import { defined } from '../../../plain/defined.js';
import type { Values } from '../define.js';
import { wholeOption, textOption } from '../kinds.js';

/** Names a database of the embedded service. */
export const databaseFlag = {
  db: textOption({ offers: 'files', summary: 'Database file to use instead of the usual one.', helpValue: 'FILE' }),
};

/** Flags that say what data the embedded service is made with. */
export const datasetFlags = {
  relations: wholeOption({ least: 3, most: 10_000_000 })({
    summary: 'Number of relations, when the data are made anew.',
  }),
  seed: wholeOption({ least: 0, most: 0xffff_ffff })({ summary: 'Seed of the data, when they are made anew.' }),
  ...databaseFlag,
};

/** Values of those flags. */
export type DatasetFlags = Values<typeof datasetFlags>;

/** Size and seed of the data. */
export const datasetOf = ({ relations, seed }: DatasetFlags): { readonly relations?: number; readonly seed?: number } =>
  defined({ relations, seed });
