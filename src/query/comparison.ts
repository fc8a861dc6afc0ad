import type { EnumerationType, ScalarName, Type } from '../contract/build.js';
import { isGuid } from '../lexical/values/guid.js';
import {
  isOpen,
  isScalar,
  kindOf,
  mistakeAtSign,
  textNumbers,
  times,
  wholeNumbers,
  type Known,
  type NodeOf,
  type Place,
} from './place.js';
import type { Part } from './mistake.js';
import type { Token, Tree } from './syntax.js';

type Comparator = NodeOf<'Comparator'>;

/** What stands in the place of a part. */
type Instead = readonly [meant: string, part: Part];

/** How comparisons are written, and the functions that compare numbers in their place. */
const signs: Readonly<Record<Comparator['name'], readonly [sign: string, instead: string]>> = {
  GT: ['>', 'gt(A, B)'],
  GTE: ['>=', 'ge(A, B)'],
  LT: ['<', 'lt(A, B)'],
  LTE: ['<=', 'le(A, B)'],
  EQ: ['==', 'eq(A, B)'],
  NE: ['!=', '!eq(A, B)'],
};

const guids: ReadonlySet<ScalarName> = new Set(['guid']);

const literals: readonly (readonly [ReadonlySet<ScalarName>, string, string])[] = [
  [wholeNumbers, 'number', 'a number, in backticks: `1`'],
  [new Set(['boolean']), 'boolean', 'a boolean, in backticks: `true`'],
  [new Set(['string', 'guid', 'dateTime']), 'string', "a text, in single quotes: 'text'"],
];

function notOneOf({ name, values }: EnumerationType, value: unknown): string | undefined {
  const isOne = typeof value === 'string' && values.includes(value);
  return isOne ? undefined : `never finds ${JSON.stringify(value)}; the values of ${name} are ${values.join(', ')}`;
}

/** Why a value can never be equal to one of a type; undefined when it may be. */
function neverEqual(type: Type, value: unknown): string | undefined {
  if (type.kind === 'enumeration') return notOneOf(type, value);
  const [names, wanted, words = ''] = literals.find(([each]) => isScalar(type, each)) ?? [];
  if (names === undefined) return undefined;
  if (typeof value !== wanted) return `never finds ${JSON.stringify(value)}; it wants ${words}`;
  const isNoGuid = isScalar(type, guids) && !isGuid(String(value));
  return isNoGuid ? `never finds ${JSON.stringify(value)}, which is no GUID` : undefined;
}

/** Why a side of a comparison by order cannot be ordered; undefined when it can. */
function unordered(side: Type): string | undefined {
  if (isScalar(side, times)) return 'does not compare times; before(A, B) and after(A, B) do';
  return isScalar(side, wholeNumbers) ? undefined : `compares numbers, not a ${kindOf(side)}`;
}

/** What may stand before or behind a comparison without being a part of it. */
const outside: ReadonlySet<string | undefined> = new Set([
  ...[undefined, 'And', 'Or', 'Comma', 'Filter', 'Pipe', 'Colon'],
  ...['Lparen', 'Rparen', 'Lbracket', 'Rbracket', 'Rbrace'],
]);

/** What stands on both sides of the sign at an index, where that is all it compares. */
function sidesOf(tokens: readonly Token[], at: number): readonly [left: Token, right: Token] | undefined {
  const [before, left, , right, behind] = [-2, -1, 0, 1, 2].map((step) => tokens[at + step]);
  if (left === undefined || right === undefined) return undefined;
  return outside.has(before?.type) && outside.has(behind?.type) ? [left, right] : undefined;
}

/** A literal that is a number, as the text that functions take exactly. */
function numberText({ type, text }: Token): string | undefined {
  // Its own letters: a number in backticks was read as a double.
  const letters = text.replace(/^[`'"\s]+|[`'"\s]+$/g, '');
  return type === 'Literal' && /^-?\d+(?:\.\d+)?$/.test(letters) ? `'${letters}'` : undefined;
}

/** A member that is compared with a number, and nothing else, as the function that compares them, and its place. */
function asFunction({ tokens }: Place, { name, left: side }: Comparator): Instead | undefined {
  if (side.type !== 'Field') return undefined;
  const [sign, instead] = signs[name];
  for (const [at, { text }] of tokens.entries()) {
    const sides = text === sign ? sidesOf(tokens, at) : undefined;
    if (sides === undefined || sides[0].text !== side.name) continue;
    const [left, right] = sides;
    const number = numberText(right);
    if (number === undefined) continue;
    const meant = instead.replace('A', left.text).replace('B', number);
    return [meant, { start: left.start, end: right.start + right.text.length }];
  }
  return undefined;
}

function refusal(node: Comparator, side: Known, other: Tree): string | undefined {
  const isLiteral = other.type === 'Literal';
  if (isOpen(side) || (isLiteral && other.value === null)) return undefined;
  if (isScalar(side, textNumbers)) {
    return `compares a ${kindOf(side)} by its letters, because it is text here; ${signs[node.name][1]} compares numbers`;
  }
  const isEqual = node.name === 'EQ' || node.name === 'NE';
  const why = isEqual ? undefined : unordered(side);
  return why ?? (isLiteral ? neverEqual(side, other.value) : undefined);
}

/** Checks that a comparison can be true. Throws `usage` for one that never is. */
export function checkComparison(place: Place, node: Comparator, [left, right]: readonly [Known, Known]): void {
  const why = refusal(node, left, node.right) ?? refusal(node, right, node.left);
  const [sign] = signs[node.name];
  if (why === undefined) return;
  const isByLetters = [left, right].some((side) => side !== undefined && isScalar(side, textNumbers));
  const [meant, part] = (isByLetters ? asFunction(place, node) : undefined) ?? [];
  throw mistakeAtSign(place, sign, [`${sign} ${why}`, meant, part]);
}
