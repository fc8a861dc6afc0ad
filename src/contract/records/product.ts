import { inRole, opt, recordWithoutPresence, req } from '../build.js';
import { ProductType, UnitType } from '../enumerations.js';
import { boolean, decimal, guid, int, string } from '../scalars.js';

const identity = {
  Id: req(guid, 'Identifies the product.'),
  ProductGroupId: req(guid, 'The group that it belongs to.'),
  Code: inRole('key', opt(string, 'Code as people use it; may begin with zeros.')),
  Name: inRole('name', opt(string, 'Name of the product.')),
  Description: opt(string, 'Words about the product.'),
  ProductType: req(ProductType, 'Goods or work.'),
} as const;

const terms = {
  IsDivisible: req(boolean, 'May be sold in fractions of its unit.'),
  SalesPrice: req(decimal, 'Price at which it is sold.'),
  IsSalesPriceInclusiveVat: req(boolean, 'The sales price contains VAT.'),
  SalesVatId: req(guid, 'VAT rate for sales.'),
  PurchasePrice: req(decimal, 'Price at which it is bought.'),
  IsInactive: req(boolean, 'No longer in use.'),
  AllowChangePrice: req(boolean, 'The price may be changed on a line.'),
  AllowChangeDescription: req(boolean, 'The description may be changed on a line.'),
  AllowChangeVat: req(boolean, 'The VAT rate may be changed on a line.'),
  AutoEnableEdit: req(boolean, 'A new line opens for editing; the exact meaning is not documented.'),
} as const;

/** Interface document, PvProductData and PvProductData_V2: the older form, with the unit by name. */
export const PvProductData = recordWithoutPresence('PvProductData', 'A product, with its unit by name.', {
  ...identity,
  UnitType: req(UnitType, 'Unit in which it is counted.'),
  ...terms,
});

/** Interface document, PvProductData and PvProductData_V2: the newer form, with the unit by number. */
export const PvProductData_V2 = recordWithoutPresence('PvProductData_V2', 'A product, with its unit by number.', {
  ...identity,
  Unit: req(int, 'Number of the unit in which it is counted.'),
  ...terms,
});
