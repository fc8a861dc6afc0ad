import type { RelctlError } from '../../core/errors/relctl-error.js';
import { mistakeAt } from '../../formats/query/mistake.js';
import type { Statement } from './statement.js';
import { isName, type Token } from '../../formats/query/tokens.js';

/** A column in a statement, with what stands on both sides of it. */
interface Use {
  readonly first: Token;
  readonly column: Token;
  readonly before: readonly Token[];
  readonly behind: readonly Token[];
}

/** Tokens on each side that are looked at, so that a long statement does not take long. */
const looked = 500;

export const wordOf = (token: Token | undefined): string => token?.text.toUpperCase() ?? '';

const inequalities: ReadonlySet<string> = new Set(['<', '>', '<=', '>=']);
const equalities: ReadonlySet<string> = new Set(['=', '==', '<>', '!=']);
const arithmetic: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '||', '->', '->>']);

const isNumber = (token: Token | undefined, next: Token | undefined): boolean =>
  token?.kind === 'number' || (wordOf(token) === '-' && next?.kind === 'number');

function comparedBehind({ before, behind }: Use): string | undefined {
  if (arithmetic.has(wordOf(before.at(-1)))) return undefined;
  const [first, second, third, fourth] = behind;
  const sign = wordOf(first);
  if (inequalities.has(sign)) return sign;
  if (equalities.has(sign) && isNumber(second, third)) return sign;
  const [word, at] = sign === 'NOT' ? [wordOf(second), 2] : [sign, 1];
  if (word === 'BETWEEN') return word;
  const inside = at === 1 ? [third, fourth] : [fourth, behind[4]];
  return word === 'IN' && isNumber(inside[0], inside[1]) ? word : undefined;
}

function comparedBefore({ before, behind }: Use): string | undefined {
  if (arithmetic.has(wordOf(behind[0]))) return undefined;
  const sign = wordOf(before.at(-1));
  if (inequalities.has(sign)) return sign;
  return equalities.has(sign) && before.at(-2)?.kind === 'number' ? sign : undefined;
}

const endOfOrder: ReadonlySet<string> = new Set(['LIMIT', 'ROWS', 'RANGE', 'GROUPS', 'UNION', 'EXCEPT', 'INTERSECT']);

function isInOrder(before: readonly Token[]): boolean {
  let depth = 0;
  for (let at = before.length - 1; at > 0; at -= 1) {
    const word = wordOf(before[at]);
    if (word === ')') depth += 1;
    if (word === '(') depth -= 1;
    if (depth < 0 || (depth === 0 && endOfOrder.has(word))) return false;
    if (depth === 0 && word === 'BY') return wordOf(before[at - 1]) === 'ORDER';
  }
  return false;
}

const behindOrdered: ReadonlySet<string> = new Set(['', ',', ')', ';', 'ASC', 'DESC', 'NULLS', 'LIMIT', 'COLLATE']);

function orderedBy({ before, behind }: Use): string | undefined {
  const [last, earlier] = [wordOf(before.at(-1)), wordOf(before.at(-2))];
  if (last === '(' && wordOf(behind[0]) === ')' && (earlier === 'MIN' || earlier === 'MAX'))
    return earlier.toLowerCase();
  const isItem = (last === 'BY' || last === ',') && behindOrdered.has(wordOf(behind[0]));
  return isItem && isInOrder(before) ? 'ORDER BY' : undefined;
}

/** Names that a statement gives by AS to something that has another one, in small letters. */
export function renamedIn({ tokens }: Statement): ReadonlySet<string> {
  const nameAt = (at: number): string => tokens[at]?.name.toLowerCase() ?? '';
  const given = tokens.flatMap((token, at) => (wordOf(token) === 'AS' && nameAt(at - 1) !== nameAt(at + 1) ? at : []));
  return new Set(given.map((at) => nameAt(at + 1)));
}

function* usesOf(statement: Statement, names: ReadonlySet<string>): Generator<Use> {
  const { tokens } = statement;
  const renamed = renamedIn(statement);
  for (const [at, column] of tokens.entries()) {
    const name = column.name.toLowerCase();
    if (!isName(column) || !names.has(name) || renamed.has(name) || wordOf(tokens[at + 1]) === '(') continue;
    const start = wordOf(tokens[at - 1]) === '.' ? at - 2 : at;
    const before = tokens.slice(Math.max(0, start - looked), start);
    yield { first: tokens[start] ?? column, column, before, behind: tokens.slice(at + 1, at + looked) };
  }
}

function mistake(statement: Statement, { first, column }: Use, by: string): RelctlError {
  const { text } = statement;
  const number = `CAST(${text.slice(first.at, column.end)} AS REAL)`;
  const words = `${column.name} holds numbers as text, and ${by} takes them by their letters: write ${number}`;
  const meant = `${text.slice(0, first.at)}${number}${text.slice(column.end)}`;
  return mistakeAt(statement, first.at, [words]).but({ hint: { given: text, meant } });
}

/**
 * Refuses a comparison and an order of numbers that are kept as text, where 9 comes after 10. Knows what stands beside a
 * column, not what becomes of it within a larger expression. Throws `usage` with the statement that was probably meant.
 * @param names columns that hold numbers as text, in small letters; one that the statement gives to something else by AS is
 * left alone
 */
export function refuseLetters(statement: Statement, names: ReadonlySet<string>): void {
  for (const use of usesOf(statement, names)) {
    const by = comparedBehind(use) ?? comparedBefore(use) ?? orderedBy(use);
    if (by !== undefined) throw mistake(statement, use, by);
  }
}
