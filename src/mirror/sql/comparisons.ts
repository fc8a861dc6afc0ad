import { usage } from '../../core/errors/relctl-error.js';
import { pastedGuid, isGuid } from '../../core/text/scalars.js';
import { isName, type Token, mistakeAt } from '../../formats/query/tokens.js';
import type { Parameters } from './messages.js';
import type { Statement } from './statement.js';

/** What stands between a pair of brackets, parted at commas; or one token. */
type Node = Token | Items;

type Items = readonly (readonly Node[])[];

const isGroup = (node: Node | undefined): node is Items => Array.isArray(node);

/** A token in capitals; empty for a group. */
const textOf = (node: Node | undefined): string => (node === undefined || isGroup(node) ? '' : node.text.toUpperCase());

/** Brackets within each other that are looked into; SQLite takes no more of them. */
const deepest = 100;

function grouped(tokens: readonly Token[], next = { at: 0 }, depth = 0): Items {
  const items: Node[][] = [[]];
  for (let token = tokens[next.at]; token !== undefined && token.text !== ')'; token = tokens[next.at]) {
    next.at += 1;
    if (token.text === ',') items.push([]);
    else if (token.text !== '(') items.at(-1)?.push(token);
    else if (depth < deepest) items.at(-1)?.push(grouped(tokens, next, depth + 1));
  }
  next.at += 1;
  return items;
}

const computing: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '||', '->', '->>', '&', '|', '<<', '>>']);

const keywords: ReadonlySet<string> = new Set(
  'SELECT WHERE ON HAVING AND OR NOT WHEN THEN ELSE BY CASE IN VALUES BETWEEN IS DISTINCT ALL UNION LIMIT'.split(' '),
);

const isCall = (name: Node | undefined, list: Node | undefined): boolean =>
  isGroup(list) && name !== undefined && !isGroup(name) && isName(name) && !keywords.has(textOf(name));

/** What ends before an index as a value of its own; undefined for a part of something computed. */
function valueBefore(nodes: readonly Node[], at: number): Node | undefined {
  const value = nodes[at - 1];
  let start = at - 1;
  while (textOf(nodes[start - 1]) === '.') start -= 2;
  const before = nodes[start - 1];
  return computing.has(textOf(before)) || isCall(before, value) ? undefined : value;
}

/** The same of what begins at an index, and the index behind it. */
function valueAfter(nodes: readonly Node[], at: number): readonly [value: Node | undefined, next: number] {
  let end = at;
  while (textOf(nodes[end + 1]) === '.') end += 2;
  const [value, next] = [nodes[end], nodes[end + 1]];
  return [computing.has(textOf(next)) || isCall(value, next) ? undefined : value, end + 1];
}

const comparing: ReadonlySet<string> = new Set(['=', '==', '<>', '!=', '<', '<=', '>', '>=', 'IS', 'LIKE', 'GLOB']);

interface Comparison {
  readonly by: string;
  readonly left: Node | undefined;
  /** What it is compared with: several values of IN and BETWEEN. */
  readonly right: readonly (Node | undefined)[];
  /** What stands on both sides of the sign, whatever it is a part of. */
  readonly beside: readonly [before: Node | undefined, behind: Node | undefined];
}

/** The values of a list behind IN: each by itself, or those of the rows of VALUES. */
function listed(list: Node | undefined): readonly Node[] {
  if (!isGroup(list)) return [];
  const [first = []] = list;
  if (textOf(first[0]) === 'SELECT' || textOf(first[0]) === 'WITH') return [];
  if (textOf(first[0]) !== 'VALUES') return list.flatMap((item) => (item.length === 1 ? item : []));
  // The rows of VALUES are brackets that commas part.
  return [...first.slice(1), ...list.slice(1).flat()].filter(isGroup);
}

function comparisonAt(nodes: readonly Node[], at: number): Comparison | undefined {
  const by = textOf(nodes[at]);
  const left = valueBefore(nodes, textOf(nodes[at - 1]) === 'NOT' ? at - 1 : at);
  const [before, after] = [nodes[at - 1], nodes[at + 1]];
  if (by === 'IN')
    return { by, left, right: listed(after), beside: [before, isGroup(after) ? after[0]?.[0] : undefined] };
  if (by === 'BETWEEN') {
    const [low, next] = valueAfter(nodes, at + 1);
    return { by, left, right: [low, valueAfter(nodes, next + 1)[0]], beside: [before, after] };
  }
  if (!comparing.has(by)) return undefined;
  const [right] = valueAfter(nodes, textOf(after) === 'NOT' ? at + 2 : at + 1);
  return { by, left, right: [right], beside: [before, after] };
}

function* comparisonsIn(items: Items): Generator<Comparison> {
  for (const nodes of items) {
    for (const node of nodes) if (isGroup(node)) yield* comparisonsIn(node);
    for (const at of nodes.keys()) {
      const comparison = comparisonAt(nodes, at);
      if (comparison !== undefined) yield comparison;
    }
  }
}

/** True for what names one of some columns, in small letters, and not what the statement gives its name to by AS. */
function isColumnOf({ tokens }: Statement, names: ReadonlySet<string>): (node: Node | undefined) => node is Token {
  const nameAt = (at: number): string => tokens[at]?.name.toLowerCase() ?? '';
  const renamed = new Set(
    tokens.flatMap((token, at) => (textOf(token) === 'AS' && nameAt(at - 1) !== nameAt(at + 1) ? nameAt(at + 1) : [])),
  );
  return (node): node is Token => {
    if (node === undefined || isGroup(node) || !isName(node)) return false;
    const name = node.name.toLowerCase();
    return names.has(name) && !renamed.has(name);
  };
}

/** What stands in a row as one value, which may have the name of its table before it. */
const valueIn = (nodes: readonly Node[]): Node | undefined =>
  nodes.length === 1 || textOf(nodes.at(-2)) === '.' ? nodes.at(-1) : undefined;

function bare(node: Node): Node {
  const inner = isGroup(node) && node.length === 1 ? valueIn(node[0] ?? []) : undefined;
  return inner === undefined ? node : bare(inner);
}

/** The values of two sides that are compared with each other: those of rows one by one. */
function pairsOf(left: Node | undefined, right: Node | undefined): readonly (readonly [Token, Token])[] {
  if (left === undefined || right === undefined) return [];
  const [one, other] = [bare(left), bare(right)];
  if (!isGroup(one)) return isGroup(other) ? [] : [[one, other]];
  if (!isGroup(other) || one.length !== other.length) return [];
  return one.flatMap((item, at) => pairsOf(valueIn(item), valueIn(other[at] ?? [])));
}

/** The form in which a mirror has a GUID; undefined for one that has it, and for what is none. */
function dashed(text: unknown): string | undefined {
  const guid = typeof text !== 'string' || isGuid(text) ? undefined : pastedGuid(text);
  return guid === text ? undefined : guid;
}

interface OtherGuid {
  readonly column: Token;
  readonly value: Token;
  readonly guid: string;
}

/** What is compared with columns of GUIDs in another form than theirs: texts and parameters. */
function* otherGuids(statement: Statement, parameters: Parameters, names: ReadonlySet<string>): Generator<OtherGuid> {
  const isColumn = isColumnOf(statement, names);
  for (const { left: side, right: others } of comparisonsIn(grouped(statement.tokens))) {
    for (const [left, right] of others.flatMap((other) => pairsOf(side, other))) {
      const [column, value] = isColumn(left) ? [left, right] : [right, left];
      const { kind, name } = value;
      const guid = dashed(kind === 'parameter' ? parameters[name] : kind === 'text' ? name : undefined);
      if (isColumn(column) && guid !== undefined) yield { column, value, guid };
    }
  }
}

/**
 * The parameters of a statement, with the GUIDs among them that a column of GUIDs is compared with in the form in which a mirror
 * has them. Throws `usage` for a text of the statement in another form, which no row would be equal to, and for a parameter that
 * stands elsewhere too, where that form may be wrong.
 * @param names columns that hold GUIDs, in small letters
 */
export function withGuids(statement: Statement, parameters: Parameters, names: ReadonlySet<string>): Parameters {
  const { tokens } = statement;
  const others = [...otherGuids(statement, parameters, names)];
  const text = others.find(({ value }) => value.kind === 'text');
  if (text !== undefined) {
    const { at: start, end } = text.value;
    const words = `${text.column.name} has GUIDs with dashes, and this one has another form`;
    throw mistakeAt(statement, start, [words, `'${text.guid}'`, { start, end }]);
  }
  const isPlaced = (token: Token): boolean => others.some(({ value }) => value === token);
  for (const { column, value, guid } of others) {
    // Whether there is a value at all is asked in any form.
    const isElsewhere = tokens.some(
      (token, at) =>
        token.kind === 'parameter' &&
        token.name === value.name &&
        !isPlaced(token) &&
        !/^(?:IS|ISNULL|NOTNULL)$/.test(textOf(tokens[at + 1])),
    );
    if (!isElsewhere) continue;
    const words = `${column.name} holds GUIDs with dashes, :${value.name} has another form, and is used elsewhere too`;
    throw usage('--param', words, {
      advice: `Use the form of ${column.name}: ${value.name}=${guid}; or use two parameters.`,
    });
  }
  return { ...parameters, ...Object.fromEntries(others.map(({ value, guid }) => [value.name, guid])) };
}

const isNumber = (node: Node | undefined): boolean => !isGroup(node) && node?.kind === 'number';

/** What a comparison takes by its letters, where it is a column. */
function orderedIn({ by, left, right: [right], beside: [before, after] }: Comparison): readonly (Node | undefined)[] {
  if (by === 'BETWEEN') return [left];
  if (/^[<>]=?$/.test(by)) return [left, right];
  if (by === 'IN') return isNumber(after) ? [left] : [];
  return /^(?:==?|<>|!=)$/.test(by) ? [isNumber(after) ? left : undefined, isNumber(before) ? right : undefined] : [];
}

const endOfOrder: ReadonlySet<string> = new Set(['LIMIT', 'ROWS', 'RANGE', 'GROUPS', 'UNION', 'EXCEPT', 'INTERSECT']);

/** A value that a statement takes in an order, by ORDER BY, min or max. */
type Ordered = readonly [by: string, value: Node | undefined];

function orderedAt(by: string, nodes: readonly Node[], at: number): Ordered {
  const [value, next] = valueAfter(nodes, at);
  return [by, /^(?:|;|ASC|DESC|NULLS|LIMIT|COLLATE)$/.test(textOf(nodes[next])) ? value : undefined];
}

/** What a list in brackets orders, and what min or max before it takes. */
function* ordersOf(call: string, list: Items): Generator<Ordered> {
  yield* ordersIn(list);
  const [argument = [], second] = list;
  if (/^M(?:IN|AX)$/.test(call) && second === undefined) yield orderedAt(call.toLowerCase(), argument, 0);
}

function* ordersIn(items: Items): Generator<Ordered> {
  let isOrder = false;
  for (const nodes of items) {
    if (isOrder) yield orderedAt('ORDER BY', nodes, 0);
    for (const [at, node] of nodes.entries()) {
      const [before, word] = [textOf(nodes[at - 1]), textOf(node)];
      if (isGroup(node)) yield* ordersOf(before, node);
      if (word === 'BY' && before === 'ORDER') yield orderedAt('ORDER BY', nodes, at + 1);
      if (word === 'BY') isOrder = before === 'ORDER';
      else if (endOfOrder.has(word)) isOrder = false;
    }
  }
}

/**
 * Refuses a comparison and an order of numbers that are kept as text, where 9 comes after 10. Knows what stands beside a
 * column, not what becomes of it within a larger expression. Throws `usage` with the statement that was probably meant.
 * @param names columns that hold numbers as text, in small letters; one that the statement gives to something else by AS is
 * left alone
 */
export function refuseLetters(statement: Statement, names: ReadonlySet<string>): void {
  const { text, tokens } = statement;
  const isColumn = isColumnOf(statement, names);
  const items = grouped(tokens);
  const compared = [...comparisonsIn(items)].flatMap((each) => orderedIn(each).map((node): Ordered => [each.by, node]));
  for (const [by, column] of [...compared, ...ordersIn(items)]) {
    if (!isColumn(column)) continue;
    const at = tokens.indexOf(column);
    const start = tokens[at - 1]?.text === '.' ? (tokens[at - 2]?.at ?? 0) : column.at;
    const number = `CAST(${text.slice(start, column.end)} AS REAL)`;
    const words = `${column.name} has numbers as text, and ${by} compares them as text: write ${number}`;
    throw mistakeAt(statement, start, [words, number, { start, end: column.end }]);
  }
}
