import type { Reader } from '../../cli/flags/define.js';
import { usage } from '../../errors/usage.js';
import type { InputFile } from '../../inputs/input.js';
import { isDecimal } from '../../lexical/values/decimal.js';
import type { Target } from './columns.js';

/**
 * How decimals are written: with a comma; with a point; or with a point where nothing in the file shows that `1.234` is not
 * one thousand and more.
 */
export type DecimalComma = 'comma' | 'point' | 'doubtful';

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
export const pointOf = (text: string, reader: Reader<unknown>, comma: DecimalComma): string =>
  readsDecimals(reader) ? pointIn(text, comma) : text;

/** The text of a cell of decimals with a decimal point. Throws `usage` for one that may mean two things. */
export function pointIn(text: string, comma: DecimalComma): string {
  if (hasBoth.test(text)) {
    throw usage(undefined, `'${text}' has a point and a comma: write it without what parts thousands`);
  }
  if (comma === 'comma') {
    if (text.includes('.'))
      throw usage(
        undefined,
        `'${text}' has a point, and decimals here have a comma: write it without, or give --decimal-comma no`,
      );
    return withComma.test(text) ? text.replace(',', '.') : text;
  }
  if (comma === 'doubtful' && maybeThousands.test(text)) {
    throw usage(
      undefined,
      `'${text}' may be ${text.replace('.', '')}: --decimal-comma no takes it as it stands, --decimal-comma yes refuses points`,
    );
  }
  if (withComma.test(text)) {
    const how = 'decimals with a comma are read by --decimal-comma yes';
    throw usage(undefined, `'${text}' has a comma: write a point; ${how}`);
  }
  return text;
}

/** What the decimals of a file show. */
interface Shown {
  hasComma: boolean;
  hasPoint: boolean;
  /** Some point does not part thousands. */
  hasSurePoint: boolean;
}

function look(text: string, shown: Shown): void {
  if (withComma.test(text)) shown.hasComma = true;
  else if (text.includes('.')) {
    shown.hasPoint = true;
    if (isDecimal(text) && !maybeThousands.test(text)) shown.hasSurePoint = true;
  }
}

const isDecimalTarget = (target: Target): boolean =>
  target.kind === 'value'
    ? target.reader !== undefined && readsDecimals(target.reader)
    : target.kind === 'field' && target.isDecimal === true;

async function shownBy(input: InputFile, targets: readonly Target[]): Promise<Shown> {
  const shown: Shown = { hasComma: false, hasPoint: false, hasSurePoint: false };
  const columns = targets.flatMap((target, index) => (isDecimalTarget(target) ? [index] : []));
  if (columns.length === 0) return shown;
  for await (const { cells } of input.rows()) {
    for (const index of columns) {
      const cell = cells[index];
      if (typeof cell === 'string') look(cell, shown);
    }
    // Nothing else would change what is found.
    if (shown.hasSurePoint) return shown;
  }
  return shown;
}

/**
 * How the decimals of a file are written, by the flag, else by its decimals: with a comma where all that have one or the
 * other have a comma, in a file whose cells commas do not separate.
 * @param asked yes or no, where the flag was given
 */
export async function commaOf(
  input: InputFile,
  targets: readonly Target[],
  asked: 'yes' | 'no' | undefined,
): Promise<{ readonly comma: DecimalComma; readonly said?: string }> {
  if (asked !== undefined) return { comma: asked === 'yes' ? 'comma' : 'point' };
  if (!input.mayHaveCommas) return { comma: 'point' };
  const { hasComma, hasPoint, hasSurePoint } = await shownBy(input, targets);
  if (hasComma && !hasPoint) return { comma: 'comma', said: `${input.name}: its decimals have a comma` };
  return { comma: hasPoint && !hasSurePoint ? 'doubtful' : 'point' };
}
