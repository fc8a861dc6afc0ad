import type { Reader } from '../../cli/flags/define.js';
import { usage } from '../../errors/usage.js';

/**
 * What decimals of a file have: a comma; a point; or a point in a table whose cells something else than commas separates, where
 * nobody said that `1.234` is not one thousand and more.
 */
export type DecimalSign = 'comma' | 'point' | 'doubtful';

const decimalReaders = new WeakMap<Reader<unknown>, boolean>();

function takes(reader: Reader<unknown>, text: string): boolean {
  try {
    return reader(text, '') === text;
  } catch {
    return false;
  }
}

/** True for a reader of decimals: it takes one as it stands, and no word. */
function readsDecimals(reader: Reader<unknown>): boolean {
  const known = decimalReaders.get(reader);
  if (known !== undefined) return known;
  const found = takes(reader, '-0.50') && !takes(reader, 'x') && !takes(reader, '0,50');
  decimalReaders.set(reader, found);
  return found;
}

const withComma = /^[+-]?\d*,\d*$/;

const hasBoth = /^[+-]?(?=[^,]*,)(?=[^.]*\.)[\d.,]+$/;

/** A point that may part thousands. */
const maybeThousands = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

/** The text of a cell with the decimal point that readers take. Throws `usage` for a decimal that may mean two things. */
export const readDecimal = (text: string, reader: Reader<unknown>, sign: DecimalSign): string =>
  readsDecimals(reader) ? withPoint(text, sign) : text;

/** The text of a cell of decimals with a decimal point. Throws `usage` for one that may mean two things. */
export function withPoint(text: string, sign: DecimalSign): string {
  const wrong = (what: string): Error => usage(undefined, `'${text}' ${what}`);
  if (hasBoth.test(text)) throw wrong('has a point and a comma: write it without what parts thousands');
  if (sign === 'comma') {
    if (text.includes('.')) throw wrong('has a point, and --decimal comma is given: write it without');
    return withComma.test(text) ? text.replace(',', '.') : text;
  }
  if (withComma.test(text)) throw wrong('has a comma: --decimal comma reads it');
  if (sign === 'doubtful' && maybeThousands.test(text))
    throw wrong(`may be ${text.replace('.', '')}: --decimal point takes it as it stands`);
  return text;
}
