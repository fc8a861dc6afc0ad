import { usage } from '../../errors/usage.js';

/** Bounds of an integer flag, both allowed. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** The integer that a flag holds, or undefined when it was not given. Throws `usage` that names the flag. */
export function integerFlag(text: string | undefined, flag: string, bounds: Bounds): number | undefined {
  if (text === undefined) return undefined;
  const value = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= bounds.least && value <= bounds.most) return value;
  throw usage(flag, `${flag} takes a whole number from ${bounds.least} to ${bounds.most}, not '${text}'`);
}
