import { TreeInterpreter, type JSONValue } from '@jmespath-community/jmespath';
import type { Type } from '../contract/build.js';
import { RelctlError } from '../errors/relctl-error.js';
import { usage } from '../errors/usage.js';
import { isList, type Value } from '../plain/value.js';
import { checkExpression } from './check.js';
import { WrongValue } from './functions.js';
import { membersOfList } from './needs/list-members.js';
import type { Given } from './mistake.js';
import { inSlices } from './needs/slices.js';
import { parseExpression, type Tree } from './syntax.js';

/** What an expression is asked of. */
export interface Asked {
  readonly type: Type;
}

/** An expression of JMESPath, checked. */
export interface Expression {
  /** What it gives of a value. Throws `usage` for a value that a function cannot take. */
  readonly of: (value: Value) => Value;
  /** The members that it may look at of the records of a list; undefined for all. */
  readonly membersOfList: ReadonlySet<string> | undefined;
  /** How it is asked of a long list; undefined where it needs the list as a whole. */
  readonly inSlices: SlicedExpression | undefined;
}

/** An expression that is asked of some records of a list at a time. Its functions throw as `of` does. */
interface SlicedExpression {
  /** Gives items for some records; those of all slices are joined. */
  readonly first: (slice: readonly Value[]) => readonly Value[];
  /** Makes the answer of the items; undefined where they are the answer. */
  readonly rest: ((items: readonly Value[]) => Value) | undefined;
  /** How many items, from the first on, the rest looks at. */
  readonly most: number;
}

/** Words for what the interpreter refuses. */
const words: readonly (readonly [RegExp, string])[] = [
  [/^not-a-number: divide by zero/, 'it divides by zero'],
  [
    /^not-a-number/,
    'it calculates with what is not a number; to_number(A) makes one of a text, and total(LIST) adds texts exactly',
  ],
  [/^(?:invalid-type|TypeError)/i, 'a function gets a value of another type'],
];

function wordsFor(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof WrongValue) return message;
  return words.find(([form]) => form.test(message))?.[1] ?? message;
}

/** Compiles an expression. Throws `usage`, with a caret under the place, for what is no expression or asks for what is not there. */
export function compileExpression(given: Given, { type }: Asked): Expression {
  const { tokens, tree } = parseExpression(given);
  checkExpression({ given, tokens, root: type }, tree);
  const asking =
    (asked: Tree) =>
    (value: Value): Value => {
      try {
        return TreeInterpreter.search(asked, value as JSONValue);
      } catch (thrown) {
        throw usage(given.path, `the expression cannot be applied: ${wordsFor(thrown)}`);
      }
    };
  const sliced = inSlices(tree);
  const first = sliced && asking(sliced.first);
  return {
    membersOfList: membersOfList(tree),
    of: asking(tree),
    inSlices: first && {
      first(slice) {
        const items = first(slice);
        if (isList(items)) return items;
        throw new RelctlError('bug', 'a slice of a list gave no list');
      },
      rest: sliced.rest && asking(sliced.rest),
      most: sliced.most ?? Infinity,
    },
  };
}
