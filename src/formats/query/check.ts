import {
  tokenize,
  register,
  TYPE_ANY,
  TYPE_EXPREF,
  TYPE_NULL,
  TreeInterpreter,
  type compile,
  type InputSignature,
  type JSONValue,
} from '@jmespath-community/jmespath';
import type { Type } from '../../contract/build.js';
import { itemOf, listOf, scalarOf } from '../../contract/walk.js';
import type { RelctlError } from '../../core/errors/relctl-error.js';
import { nearest } from '../../core/text/text.js';
import { mayHave, nilMemberRequested, nilMemberOf, withElsewhere } from '../columns.js';
import { mistakeAt, type QueryText, type Words } from './tokens.js';

/** A parsed expression. */
export type Tree = ReturnType<typeof compile>;

/** Gives the groups of records by the text that an expression gives of each; any text may be the name of a group. */
function groupBy([items, expression]: readonly [readonly JSONValue[], Tree]): JSONValue {
  const groups = new Map<string, JSONValue[]>();
  for (const item of items) {
    const key: unknown = TreeInterpreter.visit(expression, item);
    if (typeof key !== 'string') throw new Error('group_by needs a text of each record');
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return Object.fromEntries(groups);
}

/** Functions of JMESPath that lose or refuse members which objects have by birth. */
const replaced: Readonly<Record<string, (values: never) => JSONValue>> = {
  group_by: groupBy,
  merge: (records: readonly Readonly<Record<string, JSONValue>>[]) =>
    Object.fromEntries(records.flatMap(Object.entries)),
};

const table = TreeInterpreter.runtime._functionTable;

const functionNames: readonly string[] = Object.keys(table);

const takesNil = ({ types }: InputSignature): boolean => types.includes(TYPE_ANY) || types.includes(TYPE_EXPREF);

/** Makes a function give nil when it gets nil where it wants a value, so that no record without one ends a list. */
function nilForNil(name: string, of: (values: never) => JSONValue, signature: readonly InputSignature[]): void {
  const wide = signature.map((each) => (takesNil(each) ? each : { ...each, types: [...each.types, TYPE_NULL] }));
  const isOpen = (value: unknown, index: number): boolean => {
    const argument = signature[Math.min(index, signature.length - 1)];
    return value === null && argument !== undefined && !takesNil(argument);
  };
  const called = (values: never): JSONValue => ((values as unknown[]).some(isOpen) ? null : of(values));
  register<string>(name, called as never, wide, { override: true });
}

for (const [name, { _func: of, _signature: signature }] of Object.entries(table))
  nilForNil(name, replaced[name] ?? of, signature);

/** The type of what a part of an expression gives; undefined where anything may come. */
type Known = Type | undefined;

type NodeOf<K extends Tree['type']> = Extract<Tree, { readonly type: K }>;

interface CheckContext {
  readonly given: QueryText;
  /** Type of what the whole expression is asked of. */
  readonly root: Known;
}

type Rules = { readonly [K in Tree['type']]?: (checkContext: CheckContext, node: NodeOf<K>, type: Known) => Known };

/** A mistake at the first token of a kind, or with a name: the tree does not say where its parts stand. */
function mistake(
  { given: query }: CheckContext,
  of: { readonly type?: string; readonly name?: string },
  words: Words,
): RelctlError {
  const token = tokenize(query.text).find(
    ({ type, value }) => type === of.type || (/Identifier$/.test(type) && value === of.name),
  );
  return mistakeAt(query, token?.start ?? 0, words);
}

const isOpen = (type: Known): type is undefined => type === undefined || scalarOf(type) === 'anyType';

/** What all objects have by birth, and records do not. */
const inborn = new Set(Object.getOwnPropertyNames(Object.prototype));

function unknownMember(context: CheckContext, name: string, known: readonly string[]): RelctlError {
  const near = nearest(name, known);
  const isQuoted = context.given.text.includes(`"${name}"`);
  if (near === undefined && isQuoted)
    return mistake(context, { name }, [
      `"${name}" in double quotes is a member; write a text in single quotes`,
      `'${name}'`,
    ]);
  const suggestion = /^(?:true|false|null)$/.test(name) ? `\`${name}\`` : near;
  return mistake(context, { name }, [[`there is no '${name}' here`, `there are ${known.join(', ')}`], suggestion]);
}

function memberOf(context: CheckContext, { name }: NodeOf<'Field'>, type: Known): Known {
  if (inborn.has(name)) throw mistake(context, { name }, [`no record has a member '${name}'`]);
  if (isOpen(type)) return undefined;
  if (type.kind === 'list')
    throw mistake(context, { name }, [
      `'${name}' is applied to a list; write [] after the list to apply it to each item`,
    ]);
  if (type.kind !== 'record') throw mistake(context, { name }, [`'${name}' is applied to a value without members`]);
  if (nilMemberOf(type, { path: [name] }) !== undefined)
    throw withElsewhere(mistake(context, { name }, [nilMemberRequested(name)]), type, name);
  if (Object.hasOwn(type.fields, name)) return type.fields[name]?.type;
  // Nobody says which members an open record has, or which attributes an element.
  if (mayHave(type, name)) return undefined;
  throw unknownMember(context, name, Object.keys(type.fields));
}

const listWith = (item: Known): Known =>
  item === undefined || listOf(item) !== undefined ? undefined : { kind: 'list', item, itemName: 'item' };

/** What is text here, so that no digit is lost, and has an order that its letters do not have. */
const textual: Readonly<Record<string, string>> = { decimal: 'a decimal', long: 'a long', dateTime: 'a time' };

const textualOf = (type: Known): string | undefined => textual[scalarOf(type) ?? ''];

const signs: Readonly<Record<string, string>> = { GT: '>', GTE: '>=', LT: '<', LTE: '<=' };

function comparator(context: CheckContext, node: NodeOf<'Comparator'>, type: Known): undefined {
  const { name } = node;
  const [left, right] = [typeOf(context, node.left, type), typeOf(context, node.right, type)];
  const textual = textualOf(left) ?? textualOf(right);
  const sign = signs[name];
  if (textual === undefined || sign === undefined) return undefined;
  throw mistake(context, { type: name }, [
    `${sign} cannot compare ${textual}, which is text here: --where compares by value`,
  ]);
}

const ordering: ReadonlySet<string> = new Set(['sort', 'max', 'min', 'sort_by', 'max_by', 'min_by']);

function call(context: CheckContext, { name, children }: NodeOf<'Function'>, type: Known): undefined {
  if (!functionNames.includes(name)) {
    const words = [`there is no function ${name}`, `there are ${functionNames.join(', ')}`] as const;
    throw mistake(context, { name }, [words, nearest(name, functionNames)]);
  }
  let item: Known;
  for (const child of children) {
    const isReference = child.type === 'ExpressionReference';
    const actual = typeOf(context, child, isReference ? item : type);
    const what = textualOf(isReference ? actual : itemOf(actual));
    if (what !== undefined && ordering.has(name)) {
      const words = `${name} compares ${what} as text: --sort orders by value`;
      throw mistake(context, { name }, [words]);
    }
    item ??= itemOf(actual);
  }
  return undefined;
}

function checkAll(context: CheckContext, nodes: readonly Tree[], type: Known): undefined {
  for (const node of nodes) typeOf(context, node, type);
  return undefined;
}

const both = (context: CheckContext, { left, right }: { left: Tree; right: Tree }, type: Known): undefined =>
  checkAll(context, [left, right], type);

const chained = (context: CheckContext, { left, right }: { left: Tree; right: Tree }, type: Known): Known =>
  typeOf(context, right, typeOf(context, left, type));

function projected(
  context: CheckContext,
  { left, right, condition }: { left: Tree; right: Tree; condition?: Tree },
  type: Known,
): Known {
  const item = itemOf(typeOf(context, left, type));
  if (condition !== undefined) typeOf(context, condition, item);
  return listWith(typeOf(context, right, item));
}

const rules: Rules = {
  Field: memberOf,
  Identity: (_place, _node, type) => type,
  Current: (_place, _node, type) => type,
  Root: ({ root }) => root,
  Subexpression: chained,
  Pipe: chained,
  IndexExpression: chained,
  Index: (_place, _node, type) => itemOf(type),
  Slice: (_place, _node, type) => type,
  Flatten: (context, { child }, type) => {
    const childType = typeOf(context, child, type);
    // A list of lists becomes one list.
    return listOf(itemOf(childType)) ?? childType;
  },
  Projection: projected,
  FilterProjection: projected,
  ValueProjection: (context, { left, right }, type) => {
    typeOf(context, left, type);
    return typeOf(context, right, undefined);
  },
  Comparator: comparator,
  Function: call,
  ExpressionReference: (context, { child }, type) => typeOf(context, child, type),
  OrExpression: both,
  AndExpression: both,
  Arithmetic: both,
  NotExpression: (context, { child }, type) => checkAll(context, [child], type),
  Unary: (context, { operand }, type) => checkAll(context, [operand], type),
  Ternary: (context, { condition, trueExpr, falseExpr }, type) =>
    checkAll(context, [condition, trueExpr, falseExpr], type),
  MultiSelectList: (context, { children }, type) => checkAll(context, children, type),
  MultiSelectHash: (context, { children }, type) =>
    checkAll(
      context,
      children.map(({ value }) => value),
      type,
    ),
  LetExpression: (context, { bindings, expression }, type) => {
    checkAll(
      context,
      bindings.map(({ reference }) => reference),
      type,
    );
    return typeOf(context, expression, type);
  },
  // The library takes it for true.
  Binding: (context) => {
    throw mistake(context, { type: 'Assign' }, ['use == to compare, not =', '==']);
  },
};

function typeOf(context: CheckContext, node: Tree, type: Known): Known {
  const rule = rules[node.type] as ((context: CheckContext, node: Tree, type: Known) => Known) | undefined;
  return rule?.(context, node, type);
}

/** Checks names of an expression, and that it orders nothing that is text here. Throws `usage` with the place. */
export function checkExpression(context: CheckContext, tree: Tree): void {
  typeOf(context, tree, context.root);
}
