import { TreeInterpreter, type JSONValue } from '@jmespath-community/jmespath';
import type { Type } from '../contract/build.js';
import { usage } from '../errors/usage.js';
import type { Value } from '../plain/value.js';
import { checkExpression } from './check.js';
import { WrongValue } from './functions.js';
import { membersOf } from './members.js';
import type { Given } from './mistake.js';
import { parseExpression } from './syntax.js';

/** What an expression is asked of. */
export interface Asked {
  readonly type: Type;
  /** Members beyond the contract that may be named. */
  readonly more?: readonly string[];
}

/** An expression of JMESPath, checked. */
export interface Expression {
  /** What it gives of a value. Throws `usage` for a value that a function cannot take. */
  readonly of: (value: Value) => Value;
  /** The members that it may look at of a record; undefined for all. */
  readonly members: ReadonlySet<string> | undefined;
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
export function compileExpression(given: Given, { type, more = [] }: Asked): Expression {
  const { tokens, tree } = parseExpression(given);
  checkExpression({ given, tokens, more, root: type }, tree);
  return {
    members: membersOf(tree),
    of: (value) => {
      try {
        return TreeInterpreter.search(tree, value as JSONValue);
      } catch (thrown) {
        throw usage(given.path, `the expression cannot be applied: ${wordsFor(thrown)}`);
      }
    },
  };
}

/** True for what JMESPath takes for true: everything but false, nil, and what is empty. */
export function isTrue(value: Value): boolean {
  if (value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
