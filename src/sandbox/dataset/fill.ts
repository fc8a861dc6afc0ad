import type { Tell } from '../store/create.js';
import type { Store } from '../store/open.js';
import { addActivities } from './activities.js';
import { addAttached } from './attached.js';
import { addLists } from './catalogue.js';
import { countsOf, type DatasetParameters, type Making } from './making.js';
import { addRelations } from './people.js';
import { addProducts } from './products.js';
import { randomness } from './random.js';
import { addRelationships } from './relationships.js';

/**
 * Fills empty tables with the data set of these parameters, row by row: nothing of it is held in memory. The same
 * parameters give the same rows. Made to run in the transaction of store/create.ts.
 * @param tell called with the progress; whatever it throws ends the work
 */
export function fillStore(store: Store, parameters: DatasetParameters, tell: Tell = () => undefined): void {
  const making: Making = { store, counts: countsOf(parameters), random: randomness(parameters.seed), tell };
  const keep = store.statement('INSERT INTO "Parameter" (name, value) VALUES (?, ?)');
  keep.run('seed', String(parameters.seed));
  keep.run('relations', String(parameters.relations));
  addLists(making);
  addRelations(making);
  addRelationships(making);
  addProducts(making);
  addActivities(making);
  addAttached(making);
}
