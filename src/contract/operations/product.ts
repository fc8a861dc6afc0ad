import { defineOperations, list, opt, req } from '../build.js';
import { PvProductData, PvProductData_V2 } from '../records/product.js';
import { guid } from '../scalars.js';

/** Interface document, Endpoints, Products. */
export const productOperations = defineOperations({
  ProductGetAllByGroup: {
    doc: 'Lists the products of a group, with the unit by name.',
    access: 'read',
    parameters: { productGroupId: req(guid, 'The product group.') },
    result: { Products: opt(list(PvProductData), 'Its products.') },
  },
  ProductGetAll_V2: {
    doc: 'Lists all products, with the unit by number.',
    access: 'read',
    parameters: {},
    result: { Products: opt(list(PvProductData_V2), 'The products.') },
  },
  // The whole record is written: a field left out is set to its default.
  ProductUpdate_V2: {
    doc: 'Writes all fields of a product.',
    access: 'set',
    parameters: { productData: opt(PvProductData_V2, 'The product as it is to be, whole.') },
    result: {},
  },
});
