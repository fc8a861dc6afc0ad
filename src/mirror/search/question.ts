import { usage } from '../../errors/usage.js';
import { fold } from '../../lexical/fold.js';
import { type Digits, numberAsked } from './telephone.js';

/** What somebody looks for. */
export interface Question {
  /** The words of it, folded: all must be found, in any order. */
  readonly words: readonly string[];
  /** The words as one text. */
  readonly whole: string;
  /** The telephone number that it may be. */
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
  if (text.length > mostLength)
    throw usage('TEXT', `it has ${text.length} characters; at most ${mostLength} are looked for`);
  const words = [...new Set(fold(text).split(/\s+/u))].filter((word) => word !== '');
  if (words.length === 0) throw usage('TEXT', 'there is nothing to look for in it', 'relctl find veen');
  if (words.length > mostWords)
    throw usage('TEXT', `it has ${words.length} words; at most ${mostWords} are looked for`);
  return { words, whole: fold(text).trim().replace(/\s+/gu, ' '), number: numberAsked(text) };
}
