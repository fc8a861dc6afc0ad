import type { NodeOf } from '../place.js';
import type { Tree } from '../syntax.js';

type Parts = { readonly [K in Tree['type']]?: (node: NodeOf<K>) => readonly Tree[] };

const both = ({ left, right }: { readonly left: Tree; readonly right: Tree }): readonly Tree[] => [left, right];

/** The parts of what asks a record for nothing but members that it names. Any other may ask for all of them, as `@` does. */
const parts: Parts = {
  Field: () => [],
  Literal: () => [],
  Comparator: both,
  AndExpression: both,
  OrExpression: both,
  Arithmetic: both,
  // What stands behind the point is a member of a member: one of its name is one too many, and does no harm.
  Subexpression: both,
  NotExpression: ({ child }) => [child],
  Unary: ({ operand }) => [operand],
  Ternary: ({ condition, trueExpr, falseExpr }) => [condition, trueExpr, falseExpr],
  Function: ({ children }) => children,
  MultiSelectList: ({ children }) => children,
};

/**
 * The members of a record that an expression may look at: it gives the same of a record with no others. Undefined where all
 * may matter.
 */
export function membersOf(tree: Tree): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const open = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const partsOf = parts[node.type] as ((node: Tree) => readonly Tree[]) | undefined;
    if (partsOf === undefined) return undefined;
    if (node.type === 'Field') names.add(node.name);
    open.push(...partsOf(node));
  }
  return names;
}
