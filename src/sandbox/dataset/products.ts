import { UnitType } from '../../contract/enumerations.js';
import { PvProductData_V2 } from '../../contract/records/product.js';
import { productGroups, vatRates } from './catalogue.js';
import { idOf } from './people.js';
import { knownId } from './known.js';
import { adder, type Making } from './making.js';
import { type Random, words } from './random.js';

/** A price as services keep it: the scale is part of the value. */
export const price = (random: Random): string =>
  random.percent(25)
    ? random.pick(words.exactPrices)
    : `${random.below(2000)}.${String(random.below(100)).padStart(2, '0')}`;

/** Makes the products of all groups. */
export function addProducts(making: Making): void {
  const add = adder(making, PvProductData_V2);
  for (let index = 0; index < making.counts.products; index += 1) {
    making.tell('products', index, making.counts.products);
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
