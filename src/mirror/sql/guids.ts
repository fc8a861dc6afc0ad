import { usage, type RelctlError } from '../../core/errors/relctl-error.js';
import { pastedGuid, isGuid } from '../../core/text/scalars/guid.js';
import { mistakeAt } from '../../formats/query/mistake.js';
import { isName, type Token } from '../../formats/query/tokens.js';
import type { Parameters } from './messages.js';
import type { Statement } from './statement.js';

/** What stands between a pair of brackets, parted at commas; or one token. */
type Node = Token | readonly (readonly Node[])[];

const isGroup = (node: Node | undefined): node is readonly (readonly Node[])[] => Array.isArray(node);

const wordAt = (node: Node | undefined): string => (node === undefined || isGroup(node) ? '' : wordOf(node));

/** Brackets within each other that are looked into; SQLite takes no more of them. */
const deepest = 100;

function itemsFrom(tokens: readonly Token[], place: { at: number }, depth: number): readonly (readonly Node[])[] {
  const items: Node[][] = [[]];
  for (let token = tokens[place.at]; token !== undefined && token.text !== ')'; token = tokens[place.at]) {
    place.at += 1;
    if (token.text === ',') items.push([]);
    else if (token.text !== '(') items.at(-1)?.push(token);
    else if (depth < deepest) items.at(-1)?.push(itemsFrom(tokens, place, depth + 1));
  }
  place.at += 1;
  return items;
}

const grouped = (tokens: readonly Token[]): readonly (readonly Node[])[] => itemsFrom(tokens, { at: 0 }, 0);

type Pair = readonly [Node, Node];

/** What stands in a row as one value, which may have the name of its table before it. */
const valueOf = (nodes: readonly Node[]): Node | undefined =>
  nodes.length === 1 || wordAt(nodes.at(-2)) === '.' ? nodes.at(-1) : undefined;

function bare(node: Node): Node {
  const inner = isGroup(node) && node.length === 1 ? valueOf(node[0] ?? []) : undefined;
  return inner === undefined ? node : bare(inner);
}

const computing: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '||', '->', '->>', '&', '|', '<<', '>>']);

/** What stands before a place as a value of its own; undefined for a part of something computed. */
function valueBefore(nodes: readonly Node[], at: number): Node | undefined {
  const value = nodes[at - 1];
  if (value === undefined) return undefined;
  let start = at - 1;
  while (wordAt(nodes[start - 1]) === '.') start -= 2;
  const before = nodes[start - 1];
  return computing.has(wordAt(before)) || (isGroup(value) && isCalled(before)) ? undefined : value;
}

function valueAfter(nodes: readonly Node[], at: number): readonly [Node | undefined, number] {
  let end = at;
  while (wordAt(nodes[end + 1]) === '.') end += 2;
  const [value, next] = [nodes[end], nodes[end + 1]];
  return [computing.has(wordAt(next)) || (isGroup(next) && isCalled(value)) ? undefined : value, end + 1];
}

const keywords: ReadonlySet<string> = new Set(
  'SELECT WHERE ON HAVING AND OR NOT WHEN THEN ELSE BY CASE IN VALUES BETWEEN IS DISTINCT ALL UNION LIMIT'.split(' '),
);

const isCalled = (node: Node | undefined): boolean =>
  node !== undefined && !isGroup(node) && isName(node) && !keywords.has(wordAt(node));

const comparing: ReadonlySet<string> = new Set(['=', '==', '<>', '!=', '<', '<=', '>', '>=', 'IS', 'LIKE', 'GLOB']);

/** The values of a list behind IN: each by itself, or those of the rows of VALUES. */
function listed(nodes: readonly Node[], at: number): readonly Node[] {
  const list = nodes[at];
  if (!isGroup(list)) return [];
  const [first = []] = list;
  if (wordAt(first[0]) === 'SELECT' || wordAt(first[0]) === 'WITH') return [];
  if (wordAt(first[0]) !== 'VALUES') return list.flatMap((item) => (item.length === 1 ? item : []));
  // The rows of VALUES are brackets that commas part.
  return [...first.slice(1), ...list.slice(1).flat()].filter(isGroup);
}

function pairsAt(nodes: readonly Node[], at: number): readonly Pair[] {
  const word = wordAt(nodes[at]);
  const isNot = wordAt(nodes[at - 1]) === 'NOT';
  const left = valueBefore(nodes, isNot ? at - 1 : at);
  if (left === undefined) return [];
  if (word === 'IN') return listed(nodes, at + 1).map((value) => [left, value]);
  if (word === 'BETWEEN') {
    const [low, next] = valueAfter(nodes, at + 1);
    const [high] = wordAt(nodes[next]) === 'AND' ? valueAfter(nodes, next + 1) : [];
    return [low, high].flatMap((value): readonly Pair[] => (value === undefined ? [] : [[left, value]]));
  }
  if (!comparing.has(word)) return [];
  const [right] = valueAfter(nodes, wordAt(nodes[at + 1]) === 'NOT' ? at + 2 : at + 1);
  return right === undefined ? [] : [[left, right]];
}

function tokensOfPair([first, second]: Pair): readonly (readonly [Token, Token])[] {
  const [left, right] = [bare(first), bare(second)];
  if (!isGroup(left)) return isGroup(right) ? [] : [[left, right]];
  if (!isGroup(right) || left.length !== right.length) return [];
  return left.flatMap((item, at) => {
    const [mine, its] = [valueOf(item), valueOf(right[at] ?? [])];
    return mine === undefined || its === undefined ? [] : tokensOfPair([mine, its]);
  });
}

function* comparisons(items: readonly (readonly Node[])[]): Generator<readonly [Token, Token]> {
  for (const nodes of items) {
    for (const node of nodes) if (isGroup(node)) yield* comparisons(node);
    yield* nodes.flatMap((_node, at) => pairsAt(nodes, at)).flatMap(tokensOfPair);
  }
}

/** The form in which a mirror has a GUID; undefined for one that has it, and for what is none. */
function dashed(text: string): string | undefined {
  const guid = isGuid(text) ? undefined : pastedGuid(text);
  return guid === text ? undefined : guid;
}

/** A value that is compared with a column of GUIDs, and is written in another form than these. */
interface Other {
  readonly column: Token;
  readonly value: Token;
  readonly guid: string;
}

function* othersIn(
  statement: Statement,
  parameters: Parameters,
  names: ReadonlySet<string>,
): Generator<Other & { readonly isParameter: boolean }> {
  const renamed = renamedIn(statement);
  const isHeld = (name: string): boolean => names.has(name) && !renamed.has(name);
  const isColumn = (token: Token): boolean => isName(token) && isHeld(token.name.toLowerCase());
  for (const [left, right] of comparisons(grouped(statement.tokens))) {
    const [column, value] = isColumn(left) ? [left, right] : [right, left];
    if (!isColumn(column)) continue;
    const isParameter = value.kind === 'parameter';
    const text = isParameter ? parameters[value.name] : value.kind === 'text' ? value.name : undefined;
    const guid = typeof text === 'string' ? dashed(text) : undefined;
    if (guid !== undefined) yield { column, value, guid, isParameter };
  }
}

/**
 * The parameters of a statement, with the GUIDs among them that a column of GUIDs is compared with in the form in which a mirror
 * has them. Throws `usage` for a text of the statement in another form, which no row would be equal to, and for a parameter that
 * stands elsewhere too, where that form may be wrong.
 * @param names columns that hold GUIDs, in small letters
 */
export function withGuids(statement: Statement, parameters: Parameters, names: ReadonlySet<string>): Parameters {
  const found: Record<string, string> = {};
  const places = new Set<Token>();
  const others = [...othersIn(statement, parameters, names)];
  for (const { column, value, guid, isParameter } of others) {
    if (!isParameter) {
      const words = `${column.name} holds GUIDs with dashes, and this one is written in another form`;
      throw mistakeAt(statement, value.at, [words, `'${guid}'`, { start: value.at, end: value.end }]);
    }
    found[value.name] = guid;
    places.add(value);
  }
  // Whether there is a value at all is asked in any form.
  const elsewhere = statement.tokens.find(
    (token, at, { [at + 1]: next }) =>
      token.kind === 'parameter' &&
      Object.hasOwn(found, token.name) &&
      !places.has(token) &&
      !/^(?:IS|ISNULL|NOTNULL)$/.test(wordOf(next)),
  );
  if (elsewhere === undefined) return { ...parameters, ...found };
  const { name } = elsewhere;
  const column = others.find(({ value }) => value.name === name)?.column.name ?? '';
  throw usage(
    '--param',
    `${column} holds GUIDs with dashes, :${name} is written in another form, and stands elsewhere too`,
    {
      advice: `Give the form that is meant: ${name}=${found[name] ?? ''} is that of ${column}; two parameters can have both.`,
    },
  );
}

/** A column in a statement, with what stands on both sides of it. */
interface Use {
  readonly first: Token;
  readonly column: Token;
  readonly before: readonly Token[];
  readonly behind: readonly Token[];
}

/** Tokens on each side that are looked at, so that a long statement does not take long. */
const looked = 500;

const wordOf = (token: Token | undefined): string => token?.text.toUpperCase() ?? '';

const inequalities: ReadonlySet<string> = new Set(['<', '>', '<=', '>=']);
const equalities: ReadonlySet<string> = new Set(['=', '==', '<>', '!=']);
const arithmetic: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '||', '->', '->>']);

const isNumber = (token: Token | undefined, next: Token | undefined): boolean =>
  token?.kind === 'number' || (wordOf(token) === '-' && next?.kind === 'number');

function comparedAfter({ before, behind }: Use): string | undefined {
  if (arithmetic.has(wordOf(before.at(-1)))) return undefined;
  const [first, second, third, fourth] = behind;
  const sign = wordOf(first);
  if (inequalities.has(sign)) return sign;
  if (equalities.has(sign) && isNumber(second, third)) return sign;
  const [word, at] = sign === 'NOT' ? [wordOf(second), 2] : [sign, 1];
  if (word === 'BETWEEN') return word;
  const inside = at === 1 ? [third, fourth] : [fourth, behind[4]];
  return word === 'IN' && isNumber(inside[0], inside[1]) ? word : undefined;
}

function comparedBefore({ before, behind }: Use): string | undefined {
  if (arithmetic.has(wordOf(behind[0]))) return undefined;
  const sign = wordOf(before.at(-1));
  if (inequalities.has(sign)) return sign;
  return equalities.has(sign) && before.at(-2)?.kind === 'number' ? sign : undefined;
}

const endOfOrder: ReadonlySet<string> = new Set(['LIMIT', 'ROWS', 'RANGE', 'GROUPS', 'UNION', 'EXCEPT', 'INTERSECT']);

function isInOrder(before: readonly Token[]): boolean {
  let depth = 0;
  for (let at = before.length - 1; at > 0; at -= 1) {
    const word = wordOf(before[at]);
    if (word === ')') depth += 1;
    if (word === '(') depth -= 1;
    if (depth < 0 || (depth === 0 && endOfOrder.has(word))) return false;
    if (depth === 0 && word === 'BY') return wordOf(before[at - 1]) === 'ORDER';
  }
  return false;
}

const behindOrdered: ReadonlySet<string> = new Set(['', ',', ')', ';', 'ASC', 'DESC', 'NULLS', 'LIMIT', 'COLLATE']);

function orderedBy({ before, behind }: Use): string | undefined {
  const [last, earlier] = [wordOf(before.at(-1)), wordOf(before.at(-2))];
  if (last === '(' && wordOf(behind[0]) === ')' && (earlier === 'MIN' || earlier === 'MAX'))
    return earlier.toLowerCase();
  const isItem = (last === 'BY' || last === ',') && behindOrdered.has(wordOf(behind[0]));
  return isItem && isInOrder(before) ? 'ORDER BY' : undefined;
}

/** Names that a statement gives by AS to something that has another one, in small letters. */
function renamedIn({ tokens }: Statement): ReadonlySet<string> {
  const nameAt = (at: number): string => tokens[at]?.name.toLowerCase() ?? '';
  const given = tokens.flatMap((token, at) => (wordOf(token) === 'AS' && nameAt(at - 1) !== nameAt(at + 1) ? at : []));
  return new Set(given.map((at) => nameAt(at + 1)));
}

function* usesOf(statement: Statement, names: ReadonlySet<string>): Generator<Use> {
  const { tokens } = statement;
  const renamed = renamedIn(statement);
  for (const [at, column] of tokens.entries()) {
    const name = column.name.toLowerCase();
    if (!isName(column) || !names.has(name) || renamed.has(name) || wordOf(tokens[at + 1]) === '(') continue;
    const start = wordOf(tokens[at - 1]) === '.' ? at - 2 : at;
    const before = tokens.slice(Math.max(0, start - looked), start);
    yield { first: tokens[start] ?? column, column, before, behind: tokens.slice(at + 1, at + looked) };
  }
}

function mistake(statement: Statement, { first, column }: Use, by: string): RelctlError {
  const { text } = statement;
  const number = `CAST(${text.slice(first.at, column.end)} AS REAL)`;
  const words = `${column.name} holds numbers as text, and ${by} takes them by their letters: write ${number}`;
  const meant = `${text.slice(0, first.at)}${number}${text.slice(column.end)}`;
  return mistakeAt(statement, first.at, [words]).but({ hint: { given: text, meant } });
}

/**
 * Refuses a comparison and an order of numbers that are kept as text, where 9 comes after 10. Knows what stands beside a
 * column, not what becomes of it within a larger expression. Throws `usage` with the statement that was probably meant.
 * @param names columns that hold numbers as text, in small letters; one that the statement gives to something else by AS is
 * left alone
 */
export function refuseLetters(statement: Statement, names: ReadonlySet<string>): void {
  for (const use of usesOf(statement, names)) {
    const by = comparedAfter(use) ?? comparedBefore(use) ?? orderedBy(use);
    if (by !== undefined) throw mistake(statement, use, by);
  }
}
