import type { Tell } from '../store/create.js';
import type { Store } from '../store/open.js';
import { addActivities } from './activities.js';
import { addAttached } from './attached.js';
import { addLists } from './catalogue.js';
import { type DatasetParameters, type Making, planOf, wholeUpTo } from './making.js';
import { addRelations } from './people.js';
import { addProducts } from './products.js';
import { addRelationships } from './relationships.js';

/** How to fill a database. */
export interface Filling {
  readonly tell?: Tell;
  readonly inOutline?: boolean;
}

/**
 * Fills empty tables with the data set of these parameters, row by row: nothing of it is held in memory. The same
 * parameters give the same rows. Made to run in the transaction of store/create.ts.
 * @param options.tell called with the progress; whatever it throws ends the work
 * @param options.inOutline keeps the rows of the large tables in outline; when left out, those of large data sets
 */
export function fillStore(store: Store, parameters: DatasetParameters, options: Filling = {}): void {
  const { tell = () => undefined, inOutline = parameters.relations > wholeUpTo } = options;
  const making: Making = { ...planOf(parameters), store, inOutline, tell, endings: [] };
  const keep = store.statement('INSERT INTO "Parameter" (name, value) VALUES (?, ?)');
  keep.run('seed', String(parameters.seed));
  keep.run('relations', String(parameters.relations));
  addLists(making);
  addRelations(making);
  addRelationships(making);
  addProducts(making);
  addActivities(making);
  addAttached(making);
  for (const end of making.endings) end();
}
