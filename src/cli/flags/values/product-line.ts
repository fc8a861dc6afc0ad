import { Flags } from '@oclif/core';
import { guidOf } from './guid.js';
import { decimalOf } from '../typed.js';
import { defined } from '../../../plain/defined.js';

const helpGroup = 'LINE';

/** Flags of a product line (interface document, Endpoints, ActivityAddProductLine). */
export const lineFlags = {
  product: Flags.string({ required: true, summary: 'The product.', helpValue: 'GUID', helpGroup }),
  quantity: Flags.string({ required: true, summary: 'How many.', helpValue: 'DECIMAL', helpGroup }),
  amount: Flags.string({ required: true, summary: 'Price of one.', helpValue: 'DECIMAL', helpGroup }),
  'purchase-amount': Flags.string({
    required: true,
    summary: 'Purchase price of one.',
    helpValue: 'DECIMAL',
    helpGroup,
  }),
  vat: Flags.string({ required: true, summary: 'The VAT rate.', helpValue: 'GUID', helpGroup }),
  description: Flags.string({ summary: 'Words on the line.', helpValue: 'TEXT', helpGroup }),
};

/** Values of the line flags as parsed. */
export interface LineFlags {
  readonly product: string;
  readonly quantity: string;
  readonly amount: string;
  readonly 'purchase-amount': string;
  readonly vat: string;
  readonly description?: string | undefined;
}

/** The parameters of a line. Throws `usage` that names the flag. */
export const lineOf = (flags: LineFlags): LineInput => ({
  quantity: decimalOf(flags.quantity, '--quantity'),
  productId: guidOf(flags.product, '--product'),
  ...defined({ description: flags.description }),
  vatId: guidOf(flags.vat, '--vat'),
  amount: decimalOf(flags.amount, '--amount'),
  purchaseAmount: decimalOf(flags['purchase-amount'], '--purchase-amount'),
});

/** Parameters that both operations for lines take. */
export interface LineInput {
  readonly quantity: string;
  readonly productId: string;
  readonly description?: string;
  readonly vatId: string;
  readonly amount: string;
  readonly purchaseAmount: string;
}
