import type { Format } from './format.js';

/** A Parquet file; what makes one is loaded only when it is asked for. */
export const parquet: Format<Uint8Array> = {
  audience: 'programs',
  binary: 'a Parquet file',
  layout: 'cells',
  isResumable: false,
  hasFixedTitles: true,
  open: async (context) => (await import('./parquet/file.js')).openParquet(context),
};
