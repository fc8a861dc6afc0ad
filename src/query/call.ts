import {
  TYPE_ANY,
  TYPE_ARRAY,
  TYPE_ARRAY_ARRAY,
  TYPE_ARRAY_NUMBER,
  TYPE_ARRAY_OBJECT,
  TYPE_ARRAY_STRING,
  TYPE_BOOLEAN,
  TYPE_NUMBER,
  TYPE_OBJECT,
  TYPE_STRING,
} from '@jmespath-community/jmespath';
import type { Type } from '../contract/build.js';
import { nearest } from '../lexical/nearest.js';
import { ownFunctions, refusedBy, signatures } from './functions.js';
import {
  isOpen,
  isScalar,
  kindOf,
  mistakeAtFunction,
  textNumbers,
  type Known,
  type NodeOf,
  type Place,
} from './place.js';

/** Checks that a function exists and takes so many values. Throws `usage`. */
export function checkArity(place: Place, { name, children }: NodeOf<'Function'>): void {
  const all = signatures();
  const signature = all.get(name);
  if (signature === undefined) {
    const known = [...all.keys()];
    throw mistakeAtFunction(place, name, [
      `there is no function ${name}; there are ${known.join(', ')}`,
      nearest(name, known),
    ]);
  }
  const least = signature.filter(({ optional }) => optional !== true).length;
  const isOpenEnded = signature.some(({ variadic }) => variadic === true);
  if (children.length >= least && (isOpenEnded || children.length <= signature.length)) return;
  const wanted = least === signature.length && !isOpenEnded ? String(least) : `${least} or more`;
  const form = ownFunctions[name]?.form;
  const words = `${name} takes ${wanted} values, not ${children.length}`;
  throw mistakeAtFunction(place, name, [form === undefined ? words : `${words}: ${form}`]);
}

const lists: readonly number[] = [
  TYPE_ARRAY,
  TYPE_ARRAY_ARRAY,
  TYPE_ARRAY_NUMBER,
  TYPE_ARRAY_OBJECT,
  TYPE_ARRAY_STRING,
];

const scalars: Readonly<Record<string, number>> = { boolean: TYPE_BOOLEAN, int: TYPE_NUMBER, short: TYPE_NUMBER };

/** The types of JMESPath that a value of a type may have. */
function jsonTypes(type: Type): readonly number[] {
  if (type.kind === 'record') return [TYPE_OBJECT];
  if (type.kind === 'list') return lists;
  return [(type.kind === 'scalar' ? scalars[type.name] : undefined) ?? TYPE_STRING];
}

/** Functions that order or add: to them the text of a decimal is no number. */
const ofNumbers: Readonly<Record<string, string>> = {
  sum: 'total(LIST) adds them exactly',
  avg: 'total(LIST) adds them exactly',
  ...Object.fromEntries(
    ['max', 'min', 'sort', 'sort_by', 'max_by', 'min_by'].map((name) => [name, '--sort orders them by value']),
  ),
};

function refusal(name: string, wanted: readonly number[], type: Known): string | undefined {
  if (isOpen(type)) return undefined;
  const item = type.kind === 'list' ? type.item : type;
  const instead = ofNumbers[name];
  if (instead !== undefined && isScalar(item, textNumbers)) {
    return `takes a ${kindOf(item)} by its letters, because it is text here; ${instead}`;
  }
  const isTaken = wanted.includes(TYPE_ANY) || jsonTypes(type).some((each) => wanted.includes(each));
  return isTaken ? undefined : `does not take a ${kindOf(type)} here`;
}

/** Checks the type of a value of a call, or what `&` gives of each item. Throws `usage`. */
export function checkValue(
  place: Place,
  { name, children }: NodeOf<'Function'>,
  { at, type }: { at: number; type: Known },
): void {
  const signature = signatures().get(name) ?? [];
  const child = children[at];
  const isOfItem = child?.type === 'ExpressionReference';
  const wanted = isOfItem ? [TYPE_ANY] : (signature[Math.min(at, signature.length - 1)]?.types ?? []);
  const unread = child?.type === 'Literal' ? refusedBy(name, child.value) : undefined;
  const why = unread === undefined ? refusal(name, wanted, type) : `cannot take a value: ${unread}`;
  if (why !== undefined) throw mistakeAtFunction(place, name, [`${name} ${why}`]);
}
