import type { NodeOf } from '../place.js';
import type { Tree } from '../syntax.js';

/**
 * What a part of an expression gives: the list that it is asked of, or some records of it; one of the records, whole; or what
 * has no whole record in it.
 */
type Given = 'list' | 'record' | 'part';

/** What is found out about an expression of a list. */
interface Finding {
  /** The members of a record that it names. */
  readonly names: Set<string>;
}

type Rules = {
  readonly [K in Tree['type']]?: (node: NodeOf<K>, given: Given, finding: Finding) => Given | undefined;
};

const sides = ({ left, right }: { readonly left: Tree; readonly right: Tree }): readonly Tree[] => [left, right];

/** A part, when all of these are; undefined where one of them may look at a whole record. */
const allParts = (nodes: readonly Tree[], given: Given, finding: Finding): 'part' | undefined =>
  nodes.every((node) => givenBy(node, given, finding) === 'part') ? 'part' : undefined;

const chained = (
  { left, right }: { readonly left: Tree; readonly right: Tree },
  given: Given,
  finding: Finding,
): Given | undefined => {
  const before = givenBy(left, given, finding);
  return before === undefined ? undefined : givenBy(right, before, finding);
};

/** What the items of a list are. */
const itemOf = (given: Given | undefined): Given | undefined =>
  given === 'list' ? 'record' : given === 'part' ? 'part' : undefined;

/** What a list of these is. */
const listOf = (item: Given | undefined): Given | undefined =>
  item === 'record' ? 'list' : item === 'part' ? 'part' : undefined;

function projected(
  { left, right, condition }: { readonly left: Tree; readonly right: Tree; readonly condition?: Tree },
  given: Given,
  finding: Finding,
): Given | undefined {
  const item = itemOf(givenBy(left, given, finding));
  if (item === undefined) return undefined;
  if (condition !== undefined && givenBy(condition, item, finding) !== 'part') return undefined;
  return listOf(givenBy(right, item, finding));
}

/** What functions give of a list of records, of which they look at nothing but what an expression gives of each. */
const ofList: Readonly<Record<string, (by: Given | undefined) => Given | undefined>> = {
  length: () => 'part',
  reverse: () => 'list',
  sort_by: (by) => (by === 'part' ? 'list' : undefined),
  max_by: (by) => (by === 'part' ? 'record' : undefined),
  min_by: (by) => (by === 'part' ? 'record' : undefined),
  map: listOf,
};

function called({ name, children }: NodeOf<'Function'>, given: Given, finding: Finding): Given | undefined {
  const values = children.filter(({ type }) => type !== 'ExpressionReference');
  const references = children.flatMap((child) => (child.type === 'ExpressionReference' ? [child.child] : []));
  const [found, ...others] = values.map((value) => givenBy(value, given, finding));
  const item = itemOf(found);
  if (item === undefined || others.some((other) => other !== 'part')) return undefined;
  const by = references.map((reference) => givenBy(reference, item, finding));
  if (found === 'list') return Object.hasOwn(ofList, name) ? ofList[name]?.(by[0]) : undefined;
  return by.every((each) => each === 'part') ? 'part' : undefined;
}

const rules: Rules = {
  Identity: (_node, given) => given,
  Current: (_node, given) => given,
  Literal: () => 'part',
  Field({ name }, _given, { names }) {
    names.add(name);
    return 'part';
  },
  Subexpression: chained,
  IndexExpression: chained,
  Pipe: chained,
  // Of a record that is nil.
  Index: (_node, given) => itemOf(given) ?? 'part',
  Slice: (_node, given) => (given === 'list' ? 'list' : 'part'),
  Flatten: ({ child }, given, finding) => listOf(itemOf(givenBy(child, given, finding))),
  Projection: projected,
  FilterProjection: projected,
  Comparator: (node, given, finding) => allParts(sides(node), given, finding),
  AndExpression: (node, given, finding) => allParts(sides(node), given, finding),
  OrExpression: (node, given, finding) => allParts(sides(node), given, finding),
  Arithmetic: (node, given, finding) => allParts(sides(node), given, finding),
  NotExpression: ({ child }, given, finding) => allParts([child], given, finding),
  Unary: ({ operand }, given, finding) => allParts([operand], given, finding),
  Ternary: ({ condition, trueExpr, falseExpr }, given, finding) =>
    allParts([condition, trueExpr, falseExpr], given, finding),
  MultiSelectList: ({ children }, given, finding) => allParts(children, given, finding),
  MultiSelectHash: ({ children }, given, finding) =>
    allParts(
      children.map(({ value }) => value),
      given,
      finding,
    ),
  Function: called,
};

function givenBy(node: Tree, given: Given, finding: Finding): Given | undefined {
  const rule = rules[node.type] as ((node: Tree, given: Given, finding: Finding) => Given | undefined) | undefined;
  return rule?.(node, given, finding);
}

/**
 * The members of the records of a list that an expression of the list may look at: it gives the same of records with no
 * others. Undefined where all may matter.
 */
export function membersOfList(tree: Tree): ReadonlySet<string> | undefined {
  const finding = { names: new Set<string>() };
  return givenBy(tree, 'list', finding) === 'part' ? finding.names : undefined;
}
