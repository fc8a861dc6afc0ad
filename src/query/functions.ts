import {
  register,
  TYPE_ANY,
  TYPE_ARRAY,
  TYPE_EXPREF,
  TYPE_NULL,
  TYPE_NUMBER,
  TYPE_STRING,
  TreeInterpreter,
  type InputSignature,
  type JSONValue,
} from '@jmespath-community/jmespath';
import { compareDateTimes, isDateTime } from '../lexical/time/datetime.js';
import { addDecimals, compareDecimals, isDecimal } from '../lexical/values/decimal.js';
import type { Tree } from './syntax.js';
import { fold } from '../lexical/fold.js';

/** A function gets a value that it cannot take; the message says which one, and why. */
export class WrongValue extends Error {}

/** A function of expressions beside those of JMESPath. */
export interface OwnFunction {
  /** How it is written: `gt(A, B)`. */
  readonly form: string;
  /** What it gives, in words. */
  readonly gives: string;
}

type Number = string | number;

function decimalOf(value: Number): string {
  const text = String(value);
  if (!isDecimal(text)) throw new WrongValue(`'${text}' is not a decimal number`);
  return text;
}

const date = /^\d{4}-\d\d-\d\d$/;

function dateTimeOf(value: string): string {
  const text = date.test(value) ? `${value}T00:00:00` : value;
  if (!isDateTime(text)) throw new WrongValue(`'${value}' is not a date or dateTime`);
  return text;
}

function compareTimes(left: string, right: string): number {
  const order = compareDateTimes(dateTimeOf(left), dateTimeOf(right));
  // Whoever takes one zone for the other loses records by hours.
  if (order === undefined) throw new WrongValue(`of '${left}' and '${right}' only one has a time zone`);
  return order;
}

const number = { types: [TYPE_STRING, TYPE_NUMBER] };
const text = { types: [TYPE_STRING] };

const byValue = (form: string, gives: string, is: (order: number) => boolean) => ({
  form,
  gives,
  signature: [number, number],
  of: ([left, right]: readonly [Number, Number]) => is(compareDecimals(decimalOf(left), decimalOf(right))),
});

const byTime = (form: string, gives: string, is: (order: number) => boolean) => ({
  form,
  gives,
  signature: [text, text],
  of: ([left, right]: readonly [string, string]) => is(compareTimes(left, right)),
});

/** Whether the text of a literal can be taken by a function; undefined for a function that does not ask. */
const readable: Readonly<Record<string, (value: never) => string>> = Object.fromEntries([
  ...['gt', 'ge', 'lt', 'le', 'eq'].map((name) => [name, decimalOf]),
  ...['before', 'after'].map((name) => [name, dateTimeOf]),
]) as Readonly<Record<string, (value: never) => string>>;

/** Why a function of ours cannot take a value that is written in the expression; undefined when it can. */
export function refusedBy(name: string, value: unknown): string | undefined {
  try {
    readable[name]?.(value as never);
    return undefined;
  } catch (thrown) {
    return thrown instanceof WrongValue ? thrown.message : undefined;
  }
}

interface Defined extends OwnFunction {
  readonly signature: readonly InputSignature[];
  readonly of: (values: never) => JSONValue;
}

const own: Readonly<Record<string, Defined>> = {
  gt: byValue('gt(A, B)', 'true when the number A is greater than B', (order) => order > 0),
  ge: byValue('ge(A, B)', 'true when the number A is greater than B or equal', (order) => order >= 0),
  lt: byValue('lt(A, B)', 'true when the number A is less than B', (order) => order < 0),
  le: byValue('le(A, B)', 'true when the number A is less than B or equal', (order) => order <= 0),
  eq: byValue('eq(A, B)', 'true when the numbers are equal: 12.5 and 12.50 are', (order) => order === 0),
  before: byTime('before(A, B)', 'true when the time A is before B', (order) => order < 0),
  after: byTime('after(A, B)', 'true when the time A is after B', (order) => order > 0),
  fold: {
    form: 'fold(TEXT)',
    gives: 'the text in lower case and without accents',
    signature: [text],
    of: ([value]: readonly [string]) => fold(value),
  },
  total: {
    form: 'total(LIST)',
    gives: 'the exact sum of numbers, as text; nil among them counts as nothing',
    signature: [{ types: [TYPE_ARRAY] }],
    of: ([values]: readonly [readonly (Number | null)[]]) =>
      values.reduce<string>((sum, value) => (value === null ? sum : addDecimals(sum, decimalOf(value))), '0'),
  },
};

/** Gives the groups of records by the text that an expression gives of each; any text may be the name of a group. */
function groupBy([items, expression]: readonly [readonly JSONValue[], Tree]): JSONValue {
  const groups = new Map<string, JSONValue[]>();
  for (const item of items) {
    const key: unknown = TreeInterpreter.visit(expression, item);
    if (typeof key !== 'string') throw new WrongValue('group_by wants a text of each record');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return Object.fromEntries(groups);
}

/** Functions of JMESPath that lose or refuse members which objects have by birth. */
const replaced: Readonly<Record<string, (values: never) => JSONValue>> = {
  group_by: groupBy,
  merge: (records: readonly Readonly<Record<string, JSONValue>>[]) =>
    Object.fromEntries(records.flatMap(Object.entries)),
};

/** The functions that JMESPath does not have, by name. */
export const ownFunctions: Readonly<Record<string, OwnFunction>> = own;

const table = TreeInterpreter.runtime._functionTable;

/** True when an argument of a function may be nil as it is, or is an expression. */
const takesNil = ({ types }: InputSignature): boolean => types.includes(TYPE_ANY) || types.includes(TYPE_EXPREF);

/** A function that gives nil when it gets nil where it wants a value, so that no record without one ends a list. */
function nilForNil(name: string, of: (values: never) => JSONValue, signature: readonly InputSignature[]): void {
  const at = (index: number): InputSignature | undefined => signature[Math.min(index, signature.length - 1)];
  const wide = signature.map((each) => (takesNil(each) ? each : { ...each, types: [...each.types, TYPE_NULL] }));
  const isOpen = (value: unknown, index: number): boolean => {
    const argument = at(index);
    return value === null && argument !== undefined && !takesNil(argument);
  };
  const called = (values: never): JSONValue => ((values as unknown[]).some(isOpen) ? null : of(values));
  register<string>(name, called as never, wide, { override: true });
}

for (const [name, { _func: of, _signature: signature }] of Object.entries(table))
  nilForNil(name, replaced[name] ?? of, signature);
for (const [name, { of, signature }] of Object.entries(own)) nilForNil(name, of, signature);

/** Signatures of all functions, by name. */
export const signatures = (): ReadonlyMap<string, readonly InputSignature[]> =>
  new Map(Object.entries(table).map(([name, { _signature: signature }]) => [name, signature]));
