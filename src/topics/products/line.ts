import { exitWords } from '../../core/errors/kinds.js';
import type { ConnectionFlags, CommonFlags } from '../../kit/flags/common.js';
import type { AskingFlags } from '../../kit/consent.js';
import type { SessionContext } from '../../kit/session/session.js';
import type { Operation } from '../../contract/build.js';
import type { Input } from '../../contract/infer.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { note } from '../../kit/host/notes.js';
import { emptyGuid, pastedGuid } from '../../core/text/scalars.js';
import { shellCommand } from '../../core/text/text.js';
import { type RecordValue, defined } from '../../core/values/value.js';
import type { WritePlan } from '../../lists/record/call.js';
import { readProducts, asText, titleOf, writtenProductIn, type ResolvedProduct } from './find.js';
import { inGroup, type Values } from '../../kit/flags/define.js';
import { decimalOption, idOption, textOption } from '../../kit/flags/kinds.js';

/** Flags of a product line (interface document, Endpoints, ActivityAddProductLine). */
export const lineFlags = inGroup('LINE', {
  product: textOption({
    required: true,
    summary: 'The product, by its code, Id or name.',
    helpValue: 'CODE|ID|NAME',
  }),
  quantity: decimalOption({ required: true, summary: 'How many.' }),
  amount: decimalOption({ summary: 'Price of one; the default is the sales price of the product.' }),
  'purchase-amount': decimalOption({ summary: 'Purchase price of one; the default is that of the product.' }),
  vat: idOption('vat-rate')({ summary: 'The VAT rate; the default is the sales VAT rate of the product.' }),
  description: textOption({ summary: 'Description on the line.', helpValue: 'TEXT' }),
});

/** Values of those flags. */
export type LineFlags = Values<typeof lineFlags>;

interface LineInput {
  readonly quantity: string;
  readonly productId: string;
  readonly description?: string;
  readonly vatId: string;
  readonly amount: string;
  readonly purchaseAmount: string;
}

/** The parameters of a line: what flags give comes before what the product says. */
export function lineOf(flags: LineFlags, product: Partial<LineInput>): LineInput {
  const { quantity, description, amount, 'purchase-amount': purchaseAmount, vat: vatId } = flags;
  // What flags do not give, the product has.
  return { quantity, ...product, ...defined({ description, vatId, amount, purchaseAmount }) } as LineInput;
}

/** What help of both commands says of the product. */
export const lineWords =
  'Price, purchase price and VAT rate are those of the product unless flags set them. To get them, and the Id of a code, ' +
  'relctl reads all products, with --dry-run and --envelope too. It prints the values before it asks. If the product changes before ' +
  `you answer, relctl sends nothing and ends with ${exitWords('conflict')}.`;

/** Where a line is planned. */
export type LineParts = SessionContext<LineFlags & CommonFlags & Partial<ConnectionFlags> & AskingFlags>;

/** What the product of a line says where no flag does: the parameter, the field of the product, and its flag. */
export const terms = [
  { parameter: 'amount', field: 'SalesPrice', flag: 'amount', words: 'price' },
  { parameter: 'purchaseAmount', field: 'PurchasePrice', flag: 'purchase-amount', words: 'purchase price' },
  { parameter: 'vatId', field: 'SalesVatId', flag: 'vat', words: 'VAT rate' },
] as const;

type Term = (typeof terms)[number];

/** The text of the product for a term, to the letter. Throws `usage` where it has none. */
export function termOf(product: RecordValue, { field, flag, words }: Term): string {
  const text = asText(product[field]);
  if (text !== '' && text !== emptyGuid) return text;
  throw usage(`--${flag}`, `product ${titleOf(product)} has no ${words}: set it with --${flag}`);
}

const parameter = { group: 'flags', key: 'product' } as const;

async function productOf(parts: LineParts): Promise<ResolvedProduct> {
  return writtenProductIn(await readProducts(parts), parts.flags.product, { ...parts, place: parameter });
}

function lineWith({ flags }: LineParts, product: RecordValue, defaults: readonly Term[]): LineInput {
  const values = Object.fromEntries(defaults.map((term) => [term.parameter, termOf(product, term)]));
  return lineOf(flags, { productId: asText(product['Id']), ...values });
}

function checkSame(parts: LineParts, before: LineInput, now: LineInput): void {
  const names = Object.keys(before) as readonly (keyof LineInput)[];
  const changes = names.filter((name) => before[name] !== now[name]);
  if (changes.length === 0) return;
  const words = changes.map((name) => `${name} was ${before[name] ?? ''}, is ${now[name] ?? ''}`).join('; ');
  throw new RelctlError(
    'conflict',
    `product ${parts.flags.product} was changed by somebody else before you answered; nothing was sent: ${words}`,
    { facts: { profile: parts.session.profile.name }, hint: shellCommand(parts.context.environment.argv) },
  );
}

/** What was found of a product, in words. Notes where it is not known whether the price means the same on a line. */
async function wordsOf(
  { context, flags }: LineParts,
  { product, line, defaults }: { product: RecordValue; line: LineInput; defaults: readonly Term[] },
): Promise<readonly string[]> {
  const title = `product ${titleOf(product)}`;
  if (defaults.some(({ flag }) => flag === 'amount') && product['IsSalesPriceInclusiveVat'] === true)
    await note(context, flags, `the price of ${title} includes VAT; whether that of a line does is not documented`);
  // A line each, because an id takes half of a narrow terminal.
  const terms = defaults.map((term) => `${term.words} ${line[term.parameter]}, from the product`);
  return [`${title} is ${line.productId}`, ...terms];
}

/**
 * The line of a product (interface document, Endpoints, ActivityAddProductLine). Price, purchase price and VAT rate are those
 * of the product, to the letter, unless flags give them; the product is read where something of it is wanted, also by a dry
 * run. Throws `not-found`, `usage` when several products have the code or the product lacks something, `bad-answer` and
 * what the call throws.
 * @param inputOf makes the input of the operation
 */
export async function planLine<O extends Operation>(
  parts: LineParts & { readonly args: { readonly id: string } },
  inputOf: (line: LineInput) => Input<O>,
): Promise<WritePlan<O>> {
  const { args, flags } = parts;
  const what = `add a product line to ${args.id}`;
  const defaults = terms.filter(({ flag }) => flags[flag] === undefined);
  const id = pastedGuid(flags.product);
  if (id !== undefined && defaults.length === 0)
    return { what, said: [], input: inputOf(lineWith(parts, { Id: id }, [])) };
  const { product, byName } = await productOf(parts);
  const line = lineWith(parts, product, defaults);
  const said = await wordsOf(parts, { product, line, defaults });
  const again = async (): Promise<RecordValue> => {
    const now = lineWith(parts, (await productOf(parts)).product, defaults);
    checkSame(parts, line, now);
    return inputOf(now);
  };
  // A name may be that of another product tomorrow.
  const needsYes = byName === undefined ? {} : { needsYes: byName };
  return { what, said, input: inputOf(line), again, ...needsYes };
}
