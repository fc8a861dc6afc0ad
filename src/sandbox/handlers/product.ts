import { UnitType } from '../../contract/enumerations.js';
import { PvProductData_V2, type PvProductData } from '../../contract/records/product.js';
import type { OutputOf } from '../../contract/infer.js';
import { invalidProduct } from '../refusals.js';
import { recordsWhere } from '../store/find.js';
import { updateRecord } from '../store/write.js';
import { answered, refuse, type Handler } from './handler.js';
import { check, idOf, known } from './known.js';

/** The older form: the unit by name (assumptions.ts, "UnitType and Unit"). */
function withUnitName({ Unit, ...product }: OutputOf<typeof PvProductData_V2>): OutputOf<typeof PvProductData> {
  return { ...product, UnitType: UnitType.values[Unit ?? 0] ?? UnitType.values[0] ?? '' };
}

/** Interface document, Endpoints, ProductGetAllByGroup. */
export const ProductGetAllByGroup: Handler<'ProductGetAllByGroup'> = ({ store }, input) => {
  check(store, 'ProductGroup', { id: input.productGroupId, what: 'product group' });
  const values = [idOf(input.productGroupId)];
  const products = recordsWhere(store, PvProductData_V2, { where: '"ProductGroupId" = ?', values });
  return answered({ Products: products.map(withUnitName) });
};

/** Interface document, Endpoints, ProductGetAll_V2. */
export const ProductGetAll_V2: Handler<'ProductGetAll_V2'> = ({ store }) =>
  answered({ Products: recordsWhere(store, PvProductData_V2, {}) });

/** Interface document, Endpoints, ProductUpdate_V2: the whole record is written. */
export const ProductUpdate_V2: Handler<'ProductUpdate_V2'> = ({ store }, input) => {
  const product = input.productData ?? {};
  const { seq } = known(store, PvProductData_V2, { id: product.Id, what: 'product' });
  check(store, 'ProductGroup', { id: product.ProductGroupId, what: 'product group' });
  check(store, 'Vat', { id: product.SalesVatId, what: 'VAT rate' });
  if (UnitType.values[product.Unit ?? -1] === undefined) {
    refuse({ ...invalidProduct, description: `There is no unit ${String(product.Unit)}.` });
  }
  const value = {
    ...product,
    Id: idOf(product.Id),
    ProductGroupId: idOf(product.ProductGroupId),
    SalesVatId: idOf(product.SalesVatId),
  };
  updateRecord(store, PvProductData_V2, { seq, value });
  return answered({});
};
