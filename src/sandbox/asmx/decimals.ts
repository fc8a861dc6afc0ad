const form = /^([+-]?)(\d*)(?:\.(\d*))?$/;
const largest = 79_228_162_514_264_337_593_543_950_335n;
const maxScale = 28;
/** No decimal needs more; longer text would only cost time. */
const maxDigits = 1000;

/** To the nearest unit, from the middle to the even one, as .NET's reader of decimals does. */
function rounded(units: bigint, drop: number): bigint {
  if (drop <= 0) return units;
  const unit = 10n ** BigInt(drop);
  const whole = units / unit;
  const twice = (units % unit) * 2n;
  return twice > unit || (twice === unit && whole % 2n === 1n) ? whole + 1n : whole;
}

/** Digits and scale that fit a .NET decimal; undefined when the whole part is too large. */
function fitted(digits: string, scale: number): { readonly units: bigint; readonly scale: number } | undefined {
  const all = BigInt(digits === '' ? '0' : digits);
  for (let kept = Math.min(scale, maxScale); kept >= 0; kept -= 1) {
    const units = rounded(all, scale - kept);
    if (units <= largest) return { units, scale: kept };
  }
  return undefined;
}

function written(isNegative: boolean, { units, scale }: { readonly units: bigint; readonly scale: number }): string {
  const digits = units.toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const text = scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`;
  return isNegative && units !== 0n ? `-${text}` : text;
}

/** What came of reading a decimal. */
export type DecimalRead = { readonly text: string } | { readonly wrong: 'form' | 'size' };

/** A decimal as .NET keeps it: its scale stays, with at most 28 digits behind the point and 96 bits in all. */
export function decimalOf(text: string): DecimalRead {
  const [, sign = '', whole = '', fraction = ''] = form.exec(text) ?? [];
  if (whole + fraction === '') return { wrong: 'form' };
  if (whole.length + fraction.length > maxDigits) return { wrong: 'size' };
  const found = fitted(whole + fraction, fraction.length);
  return found === undefined ? { wrong: 'size' } : { text: written(sign === '-', found) };
}
