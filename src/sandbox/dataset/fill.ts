import type { RecordType } from '../../contract/build.js';
import { UnitType } from '../../contract/enumerations.js';
import { PvProductData_V2 } from '../../contract/records/product.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { ReportProgress } from '../store/create.js';
import type { Origin, Store } from '../store/open.js';
import { activityMaker, addActivities } from './activities.js';
import { addAttached, involvedMaker, lineMaker, markMaker } from './attached.js';
import { addLists, productGroups, vatRates } from './catalogue.js';
import { knownId } from './known.js';
import { adder, type DatasetParameters, type Maker, type Making, planOf, wholeUpTo } from './making.js';
import { addRelations, idOf, numberMaker, relationMaker } from './people.js';
import { price, words } from './random.js';
import { addRelationships, relationshipMaker } from './relationships.js';

function addProducts(making: Making): void {
  const add = adder(making, PvProductData_V2);
  for (let index = 0; index < making.counts.products; index += 1) {
    making.report('products', index, making.counts.products);
    const random = making.random('product', index);
    const name = random.pick(words.products);
    add({
      Id: idOf(making, 'product', index),
      ProductGroupId: knownId('productGroup', 1 + (index % productGroups.length)),
      Code: String(index + 1).padStart(5, '0'),
      Name: `${name} ${index + 1}`,
      ...(random.percent(40) ? { Description: `${name}: volgens opgave.\nLevertijd in overleg` } : {}),
      ProductType: random.percent(70) ? 'Product' : 'Service',
      Unit: index % UnitType.values.length,
      IsDivisible: random.percent(30),
      SalesPrice: index === 0 ? '12.50' : price(random),
      IsSalesPriceInclusiveVat: random.percent(50),
      SalesVatId: knownId('vat', 1 + random.below(vatRates.length)),
      PurchasePrice: price(random),
      IsInactive: random.percent(8),
      AllowChangePrice: random.percent(50),
      AllowChangeDescription: random.percent(70),
      AllowChangeVat: random.percent(20),
      AutoEnableEdit: random.percent(10),
    });
  }
}

/**
 * Fills empty tables with the data set of these parameters, row by row: nothing of it is held in memory. The same
 * parameters give the same rows. Made to run in the transaction of store/create.ts.
 * @param options.report called with the progress; whatever it throws ends the work
 * @param options.inOutline keeps the rows of the large tables in outline; when left out, those of large data sets
 */
export function fillStore(
  store: Store,
  parameters: DatasetParameters,
  options: { report?: ReportProgress; inOutline?: boolean } = {},
): void {
  const { report = () => undefined, inOutline = parameters.relations > wholeUpTo } = options;
  const making: Making = { ...planOf(parameters), store, inOutline, report, endings: [] };
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

type AnyMaker = Maker<RecordType>;

const makers: ReadonlyMap<string, AnyMaker> = new Map(
  [relationMaker, numberMaker, relationshipMaker, activityMaker, involvedMaker, lineMaker, markMaker].map((maker) => [
    maker.record.name,
    maker as AnyMaker,
  ]),
);

/** Makes the rows of a data set again that its database keeps in outline. */
export function originOf(parameters: DatasetParameters): Origin {
  const plan = planOf(parameters);
  const makerOf = (table: string): AnyMaker => {
    const maker = makers.get(table);
    if (maker === undefined) throw new RelctlError('bug', `Nothing makes rows of ${table} again.`);
    return maker;
  };
  return {
    // The rows of a data set are numbered from one.
    record: (table, seq, withValues) => makerOf(table).whole(plan, seq - 1, withValues),
    extra: (table, seq) => makerOf(table).extra?.(plan, seq - 1) ?? {},
  };
}
