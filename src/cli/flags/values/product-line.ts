import { defined } from '../../../plain/defined.js';
import { inGroup, type Values } from '../define.js';
import { decimalOption, idOption, textOption } from '../kinds.js';

/** Flags of a product line (interface document, Endpoints, ActivityAddProductLine). */
export const lineFlags = inGroup('LINE', {
  product: textOption({
    required: true,
    summary: 'The product, by its code, Id or name.',
    helpValue: 'CODE|ID|NAME',
  }),
  quantity: decimalOption({ required: true, summary: 'How many.' }),
  amount: decimalOption({ summary: "Price of one; the product's sales price when left out." }),
  'purchase-amount': decimalOption({ summary: "Purchase price of one; the product's when left out." }),
  vat: idOption('vat-rate')({ summary: "The VAT rate; that of the product's sales when left out." }),
  description: textOption({ summary: 'Words on the line.', helpValue: 'TEXT' }),
});

/** Values of those flags. */
export type LineFlags = Values<typeof lineFlags>;

/** Parameters that both operations for lines take. */
export interface LineInput {
  readonly quantity: string;
  readonly productId: string;
  readonly description?: string;
  readonly vatId: string;
  readonly amount: string;
  readonly purchaseAmount: string;
}

/** What a line needs that flags may leave to the product, and the id of the product. */
type OfProduct = Pick<LineInput, 'productId'> & Partial<LineInput>;

/** The parameters of a line: what flags give comes before what the product says. */
export function lineOf(flags: LineFlags, product: OfProduct): LineInput {
  const { quantity, description, amount, 'purchase-amount': purchaseAmount, vat: vatId } = flags;
  // What flags do not give, the product has.
  return { quantity, ...product, ...defined({ description, vatId, amount, purchaseAmount }) } as LineInput;
}

/** What help of both commands says of the product. */
export const lineWords =
  'Price, purchase price and VAT rate are those of the product unless flags give them: to know them, and the Id of a code, ' +
  'all products are read, with --dry-run and --envelope too. What was taken is told before the question. When the product changes while ' +
  'you are asked nothing is sent, and the exit code is 13.';
