import { checkArity, checkValue } from './call.js';
import { checkComparison } from './comparison.js';
import {
  checkName,
  isOpen,
  isScalar,
  itemOf,
  kindOf,
  memberOf,
  mistakeAtSign,
  textNumbers,
  times,
  wholeNumbers,
  type Known,
  type NodeOf,
  type Place,
} from './place.js';
import type { Tree } from './syntax.js';

type Rules = { readonly [K in Tree['type']]?: (place: Place, node: NodeOf<K>, type: Known) => Known };

function checkAll(place: Place, nodes: readonly Tree[], type: Known): undefined {
  for (const node of nodes) typeOf(place, node, type);
  return undefined;
}

const listOf = (item: Known): Known =>
  item === undefined || item.kind === 'list' ? undefined : { kind: 'list', item, itemName: 'item' };

const chained = (place: Place, { left, right }: { left: Tree; right: Tree }, type: Known): Known =>
  typeOf(place, right, typeOf(place, left, type));

function call(place: Place, node: NodeOf<'Function'>, type: Known): undefined {
  checkArity(place, node);
  let item: Known;
  for (const [at, child] of node.children.entries()) {
    const found = typeOf(place, child, child.type === 'ExpressionReference' ? item : type);
    if (found?.kind === 'list') item = found.item;
    checkValue(place, node, { at, type: found });
  }
  return undefined;
}

function flattened(place: Place, { child }: NodeOf<'Flatten'>, type: Known): Known {
  const found = typeOf(place, child, type);
  // A list of lists becomes one list.
  const item = itemOf(place, found);
  return item?.kind === 'list' ? item : found;
}

/** How operators are written. */
const signs: Readonly<Record<NodeOf<'Arithmetic'>['operator'], readonly string[]>> = {
  Plus: ['+'],
  Minus: ['-', '\u2212'],
  Star: ['*'],
  Multiply: ['\u00d7'],
  Divide: ['/', '\u00f7'],
  Div: ['//'],
  Modulo: ['%'],
};

const asNumber = 'to_number(A) makes a number of it, of no more than about 15 digits';

/** Why an operator cannot take a value; undefined when it can, or when its type is not known. */
function notANumber(sign: string, found: Known): string | undefined {
  if (isOpen(found)) return undefined;
  if (isScalar(found, textNumbers)) {
    const exact = sign === '+' ? 'total([A, B]) adds exactly' : 'total(LIST) adds exactly';
    return `${sign} takes no ${kindOf(found)}, because it is text here and loses no digit; ${exact}, and ${asNumber}`;
  }
  if (isScalar(found, times)) return `${sign} takes no time; before(A, B) and after(A, B) compare times`;
  return isScalar(found, wholeNumbers) ? undefined : `${sign} takes numbers, and no ${kindOf(found)}`;
}

function arithmetic(place: Place, { left, right, operator }: NodeOf<'Arithmetic'>, type: Known): undefined {
  const written = signs[operator].find((each) => place.tokens.some(({ text }) => text === each));
  for (const side of [left, right]) {
    const why = notANumber(written ?? '', typeOf(place, side, type));
    if (why !== undefined) throw mistakeAtSign(place, written ?? '', [why]);
  }
  return undefined;
}

const rules: Rules = {
  Field: memberOf,
  Identity: (_place, _node, type) => type,
  Current: (_place, _node, type) => type,
  Root: ({ root }) => root,
  Subexpression: chained,
  Pipe: chained,
  IndexExpression: chained,
  Index: (place, _node, type) => itemOf(place, type),
  Slice: (_place, _node, type) => type,
  Flatten: flattened,
  Projection: (place, { left, right }, type) => listOf(typeOf(place, right, itemOf(place, typeOf(place, left, type)))),
  ValueProjection: (place, { left, right }, type) => {
    typeOf(place, left, type);
    return typeOf(place, right, undefined);
  },
  FilterProjection: (place, { left, right, condition }, type) => {
    const item = itemOf(place, typeOf(place, left, type));
    typeOf(place, condition, item);
    return listOf(typeOf(place, right, item));
  },
  Comparator: (place, node, type) => {
    checkComparison(place, node, [typeOf(place, node.left, type), typeOf(place, node.right, type)]);
    return undefined;
  },
  Function: call,
  ExpressionReference: (place, { child }, type) => typeOf(place, child, type),
  OrExpression: (place, { left, right }, type) => checkAll(place, [left, right], type),
  AndExpression: (place, { left, right }, type) => checkAll(place, [left, right], type),
  Arithmetic: arithmetic,
  NotExpression: (place, { child }, type) => checkAll(place, [child], type),
  Unary: (place, { operand }, type) => checkAll(place, [operand], type),
  Ternary: (place, { condition, trueExpr, falseExpr }, type) => checkAll(place, [condition, trueExpr, falseExpr], type),
  MultiSelectList: (place, { children }, type) => checkAll(place, children, type),
  MultiSelectHash: (place, { children }, type) => {
    for (const { name } of children) checkName(place, name);
    checkAll(
      place,
      children.map(({ value }) => value),
      type,
    );
  },
  LetExpression: (place, { bindings, expression }, type) => {
    checkAll(
      place,
      bindings.map(({ reference }) => reference),
      type,
    );
    return typeOf(place, expression, type);
  },
  Binding: (place) => {
    throw mistakeAtSign(place, '=', ['one = compares nothing', '==']);
  },
};

function typeOf(place: Place, node: Tree, type: Known): Known {
  const rule = rules[node.type] as ((place: Place, node: Tree, type: Known) => Known) | undefined;
  return rule?.(place, node, type);
}

/**
 * Checks what an expression asks against the type that it is asked of, so that a name that does not exist, or a comparison
 * that is never true, is a mistake and not an empty list. Throws `usage` with the place.
 */
export function checkExpression(place: Place, tree: Tree): void {
  typeOf(place, tree, place.root);
}
