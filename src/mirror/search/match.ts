import { fold } from '../../core/text/text.js';
import { usage } from '../../core/errors/relctl-error.js';
import { listTableName, recordName, serviceLists } from '../../contract/lists.js';

/** A list within the records of a table, of which one column is searched. */
export interface SearchedList {
  readonly base: string;
  readonly column: string;
  readonly label: string;
  readonly isNumber?: boolean;
}

/** What is searched of a table of a mirror. */
export interface Searched {
  readonly type: string;
  readonly table: string;
  readonly base: string;
  readonly id: string;
  readonly name: string;
  readonly columns: readonly string[];
  readonly lists: readonly SearchedList[];
}

const telephoneNumbers: Searched = {
  type: 'telephone',
  table: 'telephone_book',
  base: 'all_telephone_book',
  id: 'relation_Id',
  name: 'relation_DisplayName',
  columns: [],
  lists: [{ base: 'all_telephone_numbers', column: 'Value', label: 'Value', isNumber: true }],
};

/** What is searched, in the order in which equally good hits are shown. */
export const searchedTables: readonly Searched[] = [
  telephoneNumbers,
  ...serviceLists.flatMap(([table, { search }]): readonly Searched[] => {
    if (search === undefined) return [];
    const { columns, list } = search;
    const lists =
      list === undefined ? [] : [{ base: `all_${listTableName(table, [list])}`, column: 'Value', label: list }];
    const type = recordName(table).replaceAll('_', '-');
    return [{ type, table, base: `all_${table}`, id: 'Id', name: columns[0] ?? '', columns, lists }];
  }),
];

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
interface Digits {
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

function numberIn(text: string): Digits | undefined {
  if (!numberOnly.test(text)) return undefined;
  const digits = digitsOf(text);
  return digits.own.length >= leastDigits ? digits : undefined;
}

/** How well a number that is kept is the one that is looked for. */
type NumberFit = 'same' | 'end' | 'part';

function fitOf(stored: Digits, query: Digits): NumberFit | undefined {
  if (stored.isInternational && query.isInternational && !stored.all.startsWith(query.all)) return undefined;
  if (stored.own === query.own) return 'same';
  if (query.isInternational) return stored.own.startsWith(query.own) ? 'part' : undefined;
  if (stored.all.endsWith(query.own)) return 'end';
  return stored.all.includes(query.own) ? 'part' : undefined;
}

/** What somebody looks for. */
export interface Question {
  /** The words of it, folded: all must be found, in any order. */
  readonly words: readonly string[];
  readonly whole: string;
  readonly number: Digits | undefined;
}

/** A name has fewer; each word more is one more list of rows to read. */
const mostWords = 16;

/** Longest text that is looked for, in characters. */
export const mostLength = 200;

/** How many characters of Unicode a text has: the unit of the index. */
export const characters = (text: string): number => Array.from(text).length;

/** The question that a text asks. Throws `usage` for one without words, or with more than a name can have. */
export function questionOf(text: string): Question {
  if (text.length > mostLength) throw usage('TEXT', `it has ${text.length} characters; the limit is ${mostLength}`);
  const words = [...new Set(fold(text).split(/\s+/u))].filter((word) => word !== '');
  if (words.length === 0) throw usage('TEXT', 'it has nothing to search for', 'relctl find veen');
  if (words.length > mostWords) throw usage('TEXT', `it has ${words.length} words; the limit is ${mostWords}`);
  return { words, whole: fold(text).trim().replace(/\s+/gu, ' '), number: numberIn(text) };
}

/** A value of a record that is searched. */
export interface SearchedValue {
  readonly column: string;
  readonly text: string;
  /** A telephone number: it is found by its digits, and by nothing else. */
  readonly isNumber?: boolean;
}

/** How well a record matches, best first. */
export const ranks = {
  /** A value is what is looked for. */
  whole: 0,
  /** A value begins with it. */
  start: 1,
  /** Each word of it is a word of the record. */
  words: 2,
  /** Each word of it begins a word of the record. */
  wordStarts: 3,
  /** Each word of it is a part of a value. */
  parts: 4,
} as const;

/** A rank; less is better. */
export type Rank = (typeof ranks)[keyof typeof ranks];

/** Why a record is a hit. */
export interface Match {
  readonly rank: Rank;
  /** The values in which something was found, the best first. */
  readonly values: readonly SearchedValue[];
}

const rankOfFit: Readonly<Record<NumberFit, Rank>> = { same: ranks.whole, end: ranks.start, part: ranks.parts };

/** A single letter begins a word: as part of one it would be in nearly every name. */
function rankOfWord(value: string, word: string): Rank | undefined {
  const spaced = ` ${value} `;
  if (spaced.includes(` ${word} `)) return ranks.words;
  if (spaced.includes(` ${word}`)) return ranks.wordStarts;
  return characters(word) > 1 && value.includes(word) ? ranks.parts : undefined;
}

const worst = (all: readonly Rank[]): Rank => Math.max(...all) as Rank;
const best = (all: readonly Rank[]): Rank => Math.min(...all) as Rank;

const defined = <T>(all: readonly (T | undefined)[]): readonly T[] => all.filter((each) => each !== undefined);

interface Folded {
  readonly value: SearchedValue;
  readonly folded: string;
}

/** The values that begin with all that is looked for; one that is no more than it goes first. */
function matchOfWhole(values: readonly Folded[], whole: string): Match | undefined {
  const same = values.find(({ folded }) => folded === whole);
  if (same !== undefined) return { rank: ranks.whole, values: [same.value] };
  const prefix = values.find(({ folded }) => folded.startsWith(whole));
  return prefix && { rank: ranks.start, values: [prefix.value] };
}

/** The values that hold the words, each word in the value where it stands best. */
function matchOfWords(values: readonly Folded[], words: readonly string[]): Match | undefined {
  const matches = words.map((word) => {
    const places = values.map(({ folded }) => rankOfWord(folded, word));
    const known = defined(places);
    if (known.length === 0) return undefined;
    const rank = best(known);
    return { rank, value: values[places.indexOf(rank)]?.value };
  });
  const all = defined(matches);
  if (all.length < words.length) return undefined;
  return { rank: worst(all.map(({ rank }) => rank)), values: [...new Set(defined(all.map(({ value }) => value)))] };
}

/** The value that holds all that is looked for as it stands: of words of one letter it may have the ends and beginnings. */
function matchOfPart(values: readonly Folded[], whole: string): Match | undefined {
  const infix = values.find(({ folded }) => folded.includes(whole));
  return infix && characters(whole) > 1 ? { rank: ranks.parts, values: [infix.value] } : undefined;
}

function matchOfNumbers(values: readonly SearchedValue[], query: Digits): Match | undefined {
  const fits = values.flatMap((value) =>
    numbersIn(value.text).flatMap((stored) => {
      const fit = fitOf(stored, query);
      return fit === undefined ? [] : [{ rank: rankOfFit[fit], value }];
    }),
  );
  if (fits.length === 0) return undefined;
  const rank = best(fits.map((fit) => fit.rank));
  return { rank, values: [...new Set(fits.filter((fit) => fit.rank === rank).map(({ value }) => value))] };
}

/** How the values of a record match a question; undefined when they do not. An index only says where to look. */
export function matchOf({ words, whole, number }: Question, values: readonly SearchedValue[]): Match | undefined {
  const texts = values
    .filter(({ isNumber }) => isNumber !== true)
    .map((value) => ({ value, folded: fold(value.text) }));
  const match = matchOfWhole(texts, whole) ?? matchOfWords(texts, words) ?? matchOfPart(texts, whole);
  if (match !== undefined || number === undefined) return match;
  return matchOfNumbers(
    values.filter(({ isNumber }) => isNumber === true),
    number,
  );
}
