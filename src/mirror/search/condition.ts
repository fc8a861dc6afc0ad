import { ranks, type Rank } from './match.js';
import { characters, type Question } from './question.js';
import { mark } from './text.js';

/** What the text of a row must hold for the row to be worth a look. */
export type Condition =
  { readonly holds: string } | { readonly every: readonly Condition[] } | { readonly some: readonly Condition[] };

const holds = (text: string): Condition => ({ holds: text });

function ofWord(word: string, rank: Rank): Condition {
  if (rank === ranks.parts && characters(word) > 1) return holds(word);
  const end = rank === ranks.words ? ' ' : '';
  return { some: [holds(` ${word}${end}`), holds(`${mark}${word}${end}`)] };
}

/**
 * What finds the rows that match a question as well as a rank says, or better, and some that do not; undefined when no value
 * of the table can match.
 * @param isNumber the values of the table are telephone numbers
 */
export function conditionOf({ words, whole, number }: Question, rank: Rank, isNumber: boolean): Condition | undefined {
  if (isNumber) return number && holds(rank === ranks.parts ? number.own : `${number.own} ${mark}`);
  if (rank === ranks.whole) return holds(`${mark}${whole} ${mark}`);
  if (rank === ranks.start) return holds(`${mark}${whole}`);
  const all: Condition = { every: words.map((word) => ofWord(word, rank)) };
  const isWord = rank !== ranks.parts || words.length === 1 || words.every((word) => characters(word) > 1);
  return isWord ? all : { some: [all, holds(whole)] };
}
