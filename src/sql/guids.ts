import { pastedGuid, isGuid } from '../lexical/values/guid.js';
import { mistakeAt } from '../query/mistake.js';
import type { Token } from '../query/tokens.js';
import { equalities, usesOf, wordOf, type Use } from './letters.js';
import type { Parameters } from './parameters.js';
import type { Statement } from './statement.js';

const comparing: ReadonlySet<string> = new Set([...equalities, 'IS']);

/** The texts and parameters that a column is compared with, by an equality or among others. */
function* comparedWith({ before, behind }: Use): Generator<Token> {
  if (comparing.has(wordOf(before.at(-1)))) yield* before.slice(-2, -1);
  const isNot = wordOf(behind[0]) === 'NOT';
  const [sign, next] = isNot ? [behind[1], 2] : [behind[0], 1];
  if (comparing.has(wordOf(sign))) yield* behind.slice(next, next + 1);
  if (wordOf(sign) !== 'IN') return;
  for (const token of behind.slice(next + 1)) {
    if (token.text === ')' || token.text === '(') return;
    yield token;
  }
}

/** The form in which a mirror has a GUID; undefined for one that has it, and for what is none. */
function dashed(text: string): string | undefined {
  const guid = isGuid(text) ? undefined : pastedGuid(text);
  return guid === text ? undefined : guid;
}

/**
 * The parameters of a statement, with the GUIDs among them that a column of GUIDs is compared with in the form in which a mirror
 * has them. Throws `usage` for a text of the statement in another form, which no row would be equal to.
 * @param names columns that hold GUIDs, in small letters
 */
export function withGuids(statement: Statement, parameters: Parameters, names: ReadonlySet<string>): Parameters {
  const found: Record<string, string> = {};
  for (const use of usesOf(statement, names)) {
    for (const token of comparedWith(use)) {
      const value =
        token.kind === 'parameter' ? parameters[token.name] : token.kind === 'text' ? token.name : undefined;
      const guid = typeof value === 'string' ? dashed(value) : undefined;
      if (guid === undefined) continue;
      if (token.kind === 'text') {
        const words = `${use.column.name} holds GUIDs with dashes, and this one is written in another form`;
        throw mistakeAt(statement, token.at, [words, `'${guid}'`, { start: token.at, end: token.end }]);
      }
      found[token.name] = guid;
    }
  }
  return { ...parameters, ...found };
}
