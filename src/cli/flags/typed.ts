import type { RelctlError } from '../../errors/relctl-error.js';
import { isDecimal } from '../../lexical/decimal.js';
import { nearest } from '../../lexical/nearest.js';
import { usage } from '../../errors/usage.js';

function no(flag: string, what: string, hint?: string): RelctlError {
  return usage(flag, `${flag} takes ${what}`, hint);
}

/** The decimal that a flag holds, to the digit. Throws `usage` that names the flag. */
export function decimalOf(text: string, flag: string): string {
  if (isDecimal(text)) return text;
  const withPoint = text.replace(',', '.');
  const hint = isDecimal(withPoint) ? `${flag} ${withPoint}` : undefined;
  throw no(flag, `a decimal number such as 12.50, not '${text}'`, hint);
}

/** The value of an enumeration that a text means: itself, or the one that it begins, in any case of letters. */
export function choiceOf<V extends string>(text: string, flag: string, values: readonly V[]): V {
  const lower = text.toLowerCase();
  const exact = values.find((value) => value.toLowerCase() === lower);
  const begun = values.filter((value) => value.toLowerCase().startsWith(lower));
  const found = exact ?? (begun.length === 1 ? begun[0] : undefined);
  if (found !== undefined) return found;
  const near = begun.length > 1 && lower !== '' ? begun.join(' or ') : nearest(text, values);
  const hint = near === undefined ? undefined : flag.startsWith('--') ? `${flag} ${near}` : near;
  throw no(flag, `one of ${values.join(', ')}, not '${text}'`, hint);
}

/** True or false as a text. Throws `usage` that names the flag. */
export function yesNoOf(text: string, flag: string): boolean {
  if (/^(?:true|yes|1)$/i.test(text)) return true;
  if (/^(?:false|no|0)$/i.test(text)) return false;
  throw no(flag, `true or false, not '${text}'`);
}
