import { defined } from '../../../plain/defined.js';
import type { Values } from '../define.js';
import { decimalOption, guidOption, idOption, textOption } from '../kinds.js';

const shared = { required: true, helpGroup: 'LINE' } as const;

/** Flags of a product line (interface document, Endpoints, ActivityAddProductLine). */
export const lineFlags = {
  product: guidOption({ ...shared, summary: 'The product.' }),
  quantity: decimalOption({ ...shared, summary: 'How many.' }),
  amount: decimalOption({ ...shared, summary: 'Price of one.' }),
  'purchase-amount': decimalOption({ ...shared, summary: 'Purchase price of one.' }),
  vat: idOption('vat-rate')({ ...shared, summary: 'The VAT rate.' }),
  description: textOption({ summary: 'Words on the line.', helpValue: 'TEXT', helpGroup: shared.helpGroup }),
};

/** Parameters that both operations for lines take. */
export interface LineInput {
  readonly quantity: string;
  readonly productId: string;
  readonly description?: string;
  readonly vatId: string;
  readonly amount: string;
  readonly purchaseAmount: string;
}

/** The parameters of a line. */
export const lineOf = (flags: Values<typeof lineFlags>): LineInput => ({
  quantity: flags.quantity,
  productId: flags.product,
  ...defined({ description: flags.description }),
  vatId: flags.vat,
  amount: flags.amount,
  purchaseAmount: flags['purchase-amount'],
});
