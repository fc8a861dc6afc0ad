const form = /^[+-]?\d+$/;

const ranges = {
  short: [-32768n, 32767n],
  int: [-2147483648n, 2147483647n],
  long: [-9223372036854775808n, 9223372036854775807n],
} as const;

/** The integer types of the service. */
export type IntegerName = keyof typeof ranges;

/** True when the text is an integer that fits the type: digits with an optional sign, no exponent, no separators. */
export function isInteger(text: string, name: IntegerName): boolean {
  // Nine digits fit every type but the short one.
  if (name !== 'short' && text.length <= 9) return form.test(text);
  // Longer than any 64-bit integer can be, even with leading zeros that somebody means. The length comes first: on
  // millions of digits the expression would run out of stack.
  if (text.length > 64 || !form.test(text)) return false;
  const value = BigInt(text.replace(/^\+/, ''));
  const [least, most] = ranges[name];
  return value >= least && value <= most;
}
