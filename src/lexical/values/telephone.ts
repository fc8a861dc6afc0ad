import parsePhoneNumber, { type CountryCode } from 'libphonenumber-js';

// Import it by `import()`: the numbering plans of all countries are 80 KB that few commands need.

/** A telephone number that was read. */
export interface TelephoneNumber {
  /** In the international form of E.164: `+`, the country and the number, digits alone. */
  readonly number: string;
  /** Digits to dial when the number answers; absent when it has none. */
  readonly extension?: string;
}

/** Characters that a text with one number has at most: what is longer is not looked at, however long it is. */
const longest = 250;

/**
 * The telephone number that a text is, however it is written: with spaces, hyphens, `00` or `(0)`. Undefined for a text that
 * is not one number by the numbering plan of its country, or says more than a number.
 * @param text as a person typed it
 * @param country ISO 3166 code of the country where it is dialled; without it only numbers with `+` are read
 */
export function normaliseNumber(text: string, country?: string): TelephoneNumber | undefined {
  if (text.length > longest) return undefined;
  // As Dutch operators type it; the package knows the words of other languages.
  const known = text.trim().replace(/\s+(?:tst|toestel)\b\.?\s*(?=\d{1,7}$)/i, ' ext. ');
  const found = parsePhoneNumber(known, {
    // What is not a country of the numbering plans is taken by the package as none.
    ...(country === undefined ? {} : { defaultCountry: country as CountryCode }),
    extract: false,
  });
  // A number that is only long enough may belong to another country: it is not guessed.
  if (found?.isValid() !== true) return undefined;
  const { number, ext } = found;
  return ext === undefined ? { number } : { number, extension: ext };
}
