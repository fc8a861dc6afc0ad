/** Country codes of two digits (ITU-T E.164); 1 and 7 have one digit, all others three. */
const twoDigits = new Set(
  '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
);

const countryLength = (digits: string): number => {
  if (/^[17]/.test(digits)) return 1;
  return twoDigits.has(digits.slice(0, 2)) ? 2 : 3;
};

/** Characters that a telephone number has at most, with what stands between its digits. */
export const longestNumber = 60;

/** The least digits that are looked for among telephone numbers: fewer are in nearly all of them. */
const leastDigits = 3;

/** What is between the digits of a number; other characters end it. */
const numberOnly = /^[\d\s()+./-]+$/;
const notNumber = /[^\d\s()+./-]+/;

/** A number as it is written: with the code of its country, or as it is dialled within it. */
export interface Digits {
  /** All digits, the `00` of an international number left out. */
  readonly all: string;
  /** The digits that the number has however it is written: without the country and the 0 that is dialled within it. */
  readonly own: string;
  readonly isInternational: boolean;
}

const international = /^\s*(?:\+|00)/;

/** The digits of a text of digits and what stands between them. The 0 in `+31 (0)6` is not dialled. */
function digitsOf(text: string): Digits {
  const isInternational = international.test(text);
  const dialled = text.replace(/^\s*\(?00/, '+').replace(/(?<=[\d+].*)\(0\)/, '');
  const all = (isInternational ? dialled : text.replace(/(?<=\d.*)\(0\)/, '')).replace(/\D/g, '');
  const own = isInternational ? all.slice(countryLength(all)) : all.replace(/^0/, '');
  return { all, own, isInternational };
}

/** The numbers in a text as a person wrote it: most have one, and some an extension after a word. */
export const numbersIn = (text: string): readonly Digits[] =>
  text
    .split(notNumber)
    .filter((part) => part.length <= longestNumber && /\d/.test(part))
    .map(digitsOf);

/** The number that somebody looks for; undefined for a text that is none. */
export function numberAsked(text: string): Digits | undefined {
  if (!numberOnly.test(text)) return undefined;
  const digits = digitsOf(text);
  return digits.own.length >= leastDigits ? digits : undefined;
}

/** How well a number that is kept is the one that is looked for. */
export type NumberFit = 'same' | 'end' | 'part';

/** How a number fits the one that is looked for; undefined when it does not. */
export function fitOf(kept: Digits, asked: Digits): NumberFit | undefined {
  if (kept.isInternational && asked.isInternational && !kept.all.startsWith(asked.all)) return undefined;
  if (kept.own === asked.own) return 'same';
  if (asked.isInternational) return kept.own.startsWith(asked.own) ? 'part' : undefined;
  if (kept.all.endsWith(asked.own)) return 'end';
  return kept.all.includes(asked.own) ? 'part' : undefined;
}
