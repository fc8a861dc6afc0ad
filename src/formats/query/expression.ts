import { compile, TreeInterpreter, type JSONValue } from '@jmespath-community/jmespath';
import type { Type } from '../../contract/build.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { isList, type Value, defined } from '../../core/values/value.js';
import { checkExpression, type Tree } from './check.js';
import { mistakeAt, type QueryText } from './tokens.js';

/** How an expression is asked of a list that is too long for memory. */
interface InSlices {
  /** Is asked of some records at a time; what it gives for all of them is what it gives for each slice, joined. */
  readonly first: Tree;
  /** Is asked of what the first one gave; undefined where that is the answer. */
  readonly rest: Tree | undefined;
  /** How many items, from the first on, the rest looks at; undefined for all. */
  readonly most?: number;
}

/** What looks at more than what it is asked of: the whole list, and what stands for it. */
const wholeOnly: ReadonlySet<unknown> = new Set(['Root', 'LetExpression', 'Variable']);

function looksOutside(tree: Tree): boolean {
  const open: unknown[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if ('type' in node && wholeOnly.has(node.type)) return true;
    for (const part of Object.values(node) as unknown[]) open.push(part);
  }
  return false;
}

const isWhole = ({ type }: Tree): boolean => type === 'Identity' || type === 'Current';

/** True for what gives a list in which each record of the list that it is asked of has its own items, in their order. */
function isBySlice(node: Tree): boolean {
  switch (node.type) {
    case 'Identity':
    case 'Current':
      return true;
    case 'Projection':
    case 'FilterProjection':
      return isBySlice(node.left);
    case 'Flatten':
      return isBySlice(node.child);
    case 'Pipe':
      return isBySlice(node.left) && isBySlice(node.right);
    default:
      return false;
  }
}

/** How many items a part of an expression looks at that picks some of a list; undefined for what may count from the end. */
function pickedBy(node: Tree): number | undefined {
  if (node.type === 'Index') return node.value < 0 ? undefined : node.value + 1;
  if (node.type !== 'Slice') return undefined;
  const { start, stop, step } = node;
  const isForward = (start ?? 0) >= 0 && (step ?? 1) > 0;
  return isForward && stop !== null && stop >= 0 ? stop : undefined;
}

/** A part that asks what stands on its left first, and then of what that gave what stands on its right; else undefined. */
function chained(tree: Tree) {
  switch (tree.type) {
    case 'Subexpression':
    case 'IndexExpression':
    case 'Pipe':
    case 'Projection':
    case 'FilterProjection':
    case 'ValueProjection':
      return tree;
    default:
      return undefined;
  }
}

/** A function of a list by slices, of which nothing else is asked: the list comes first. */
function calledFirst(tree: Tree): (InSlices & { readonly rest: Tree }) | undefined {
  if (tree.type !== 'Function') return undefined;
  const [list, ...others] = tree.children;
  const isAlone = others.every(({ type }) => type === 'ExpressionReference' || type === 'Literal');
  if (list === undefined || !isAlone || isWhole(list) || !isBySlice(list)) return undefined;
  return { first: list, rest: { ...tree, children: [{ type: 'Identity' }, ...others] } };
}

/** How an expression is asked in slices that begins with what gives a list by slices: the rest is what stands behind that. */
function firstStepOf(tree: Tree): (InSlices & { readonly rest: Tree }) | undefined {
  const chain = chained(tree);
  if (chain === undefined) return calledFirst(tree);
  const { type, left, right } = chain;
  if (type === 'IndexExpression') {
    const most = pickedBy(right);
    if (most !== undefined && isBySlice(left))
      return { first: left, rest: { ...chain, left: { type: 'Identity' } }, most };
  }
  const before = firstStepOf(left);
  if (before !== undefined) return { ...before, rest: { ...chain, left: before.rest } };
  if (type !== 'Pipe' || !isBySlice(left)) return undefined;
  const next = firstStepOf(right);
  const most = next?.first.type === 'Identity' ? next.most : undefined;
  return { first: left, rest: right, ...defined({ most }) };
}

/** How an expression is asked of a list in slices; undefined where it needs the whole list from its first step on. */
function inSlices(tree: Tree): InSlices | undefined {
  if (looksOutside(tree)) return undefined;
  return isBySlice(tree) ? { first: tree, rest: undefined } : firstStepOf(tree);
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

const mostLetters = 16_384;

function wordsFor(thrown: unknown): string {
  if (thrown instanceof RangeError) return 'it is nested too deeply';
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return message.replace(/^Syntax error[:,] /, '');
}

function reading<T>({ path }: QueryText, what: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof RelctlError) throw thrown;
    throw usage(path, `${what}: ${wordsFor(thrown)}`);
  }
}

/** Compiles an expression. Throws `usage` for what is no expression, and for names that are not there, with their place. */
export function compileExpression(queryText: QueryText, { type }: { readonly type: Type }): Expression {
  const { text } = queryText;
  if (text.length > mostLetters) throw mistakeAt(queryText, mostLetters, [`more than ${mostLetters} letters`]);
  const { tree, sliced } = reading(queryText, 'this is not JMESPath', () => {
    const parsed = compile(text);
    checkExpression({ given: queryText, root: type }, parsed);
    return { tree: parsed, sliced: inSlices(parsed) };
  });
  const asking =
    (expressionNode: Tree) =>
    (value: Value): Value =>
      reading(queryText, 'the expression cannot be applied', () =>
        TreeInterpreter.search(expressionNode, value as JSONValue),
      );
  const first = sliced && asking(sliced.first);
  return {
    of: asking(tree),
    inSlices: first && {
      first(slice) {
        const items = first(slice);
        if (isList(items)) return items;
        throw new RelctlError('bug', 'a slice of a list is not a list');
      },
      rest: sliced.rest && asking(sliced.rest),
      most: sliced.most ?? Infinity,
    },
  };
}
