const form = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** True for an XML Schema decimal: digits with an optional sign and point; no exponent, no separators. */
export function isDecimal(text: string): boolean {
  return form.test(text);
}

/** A decimal as a whole number of its smallest unit. */
export interface Scaled {
  readonly units: bigint;
  /** Digits behind the point. */
  readonly scale: number;
}

function parse(text: string): Scaled {
  const isNegative = text.startsWith('-');
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.');
  const units = BigInt(`${whole}${fraction}` || '0');
  return { units: isNegative ? -units : units, scale: fraction.length };
}

/** The text of a decimal, with all digits of its scale. */
export function writeDecimal({ units, scale }: Scaled): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = scale === 0 ? '' : `.${digits.slice(-scale)}`;
  return `${units < 0n ? '-' : ''}${whole}${fraction}`;
}

/** Exact product of two decimals; the scales add up. */
export function multiplyDecimals(left: string, right: string): string {
  const [a, b] = [parse(left), parse(right)];
  return writeDecimal({ units: a.units * b.units, scale: a.scale + b.scale });
}

/** Negative, zero or positive as left is less than, equal to or greater than right; 1.0 and 1.00 are equal. */
export function compareDecimals(left: string, right: string): number {
  const [one, other] = [parse(left), parse(right)];
  const scale = Math.max(one.scale, other.scale);
  const lift = (value: Scaled): bigint => value.units * 10n ** BigInt(scale - value.scale);
  const [a, b] = [lift(one), lift(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}
