import { compile, TreeInterpreter, type JSONValue } from '@jmespath-community/jmespath';
import type { Type } from '../contract/build.js';
import { RelctlError } from '../errors/relctl-error.js';
import { usage } from '../errors/usage.js';
import { isList, type Value } from '../plain/value.js';
import { checkExpression } from './check.js';
import type { Tree } from './functions.js';
import { mistakeAt, type Given } from './mistake.js';
import { inSlices } from './slices.js';

/** What an expression is asked of. */
export interface Asked {
  readonly type: Type;
}

/** An expression of JMESPath, checked. */
export interface Expression {
  /** What it gives of a value. Throws `usage` for a value that a function cannot take. */
  readonly of: (value: Value) => Value;
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

/** Letters of an expression. */
const mostLetters = 16_384;

/** What the library says, or what it means that it could not say it. */
function wordsFor(thrown: unknown): string {
  if (thrown instanceof RangeError) return 'it has too many parts within each other';
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return message.replace(/^Syntax error[:,] /, '');
}

/** Runs what reads an expression. Throws `usage` for what the library refuses. */
function reading<T>({ path }: Given, what: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof RelctlError) throw thrown;
    throw usage(path, `${what}: ${wordsFor(thrown)}`);
  }
}

/** Compiles an expression. Throws `usage` for what is no expression, and for names that are not there, with their place. */
export function compileExpression(given: Given, { type }: Asked): Expression {
  const { text } = given;
  if (text.length > mostLetters) throw mistakeAt(given, mostLetters, [`more than ${mostLetters} letters`]);
  const { tree, sliced } = reading(given, 'this is no JMESPath', () => {
    const parsed = compile(text);
    checkExpression({ given, root: type }, parsed);
    return { tree: parsed, sliced: inSlices(parsed) };
  });
  const asking =
    (asked: Tree) =>
    (value: Value): Value =>
      reading(given, 'the expression cannot be applied', () => TreeInterpreter.search(asked, value as JSONValue));
  const first = sliced && asking(sliced.first);
  return {
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
