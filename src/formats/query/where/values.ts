import type { EnumerationType, Type } from '../../../contract/build.js';
import { nearest } from '../../../core/text/text.js';
import { instantOf, type Instant } from '../../../core/text/time/datetime.js';
import { firstMoment, writtenTime } from '../../../core/text/time/moment.js';
import { offsetOnClock } from '../../../core/text/time/zone.js';
import { parseBoolean, compareDecimals, isDecimal, guidComplaint, pastedGuid } from '../../../core/text/scalars.js';
import type { Value } from '../../../core/values/value.js';
import type { Words } from '../tokens.js';

/** A value that stands in a condition. */
export interface Literal {
  readonly is: 'text' | 'number' | 'boolean' | 'null';
  /** What it says: a text without its quotes. */
  readonly text: string;
}

/** What a value is compared by. */
export type Key = string | number | boolean | Instant;

/** How values of a type are compared. */
export interface Comparing {
  /** Values of one name are compared with each other. `any` says nothing of its values. */
  readonly name: 'number' | 'time' | 'guid' | 'text' | 'choice' | 'boolean' | 'any';
  readonly isOrdered: boolean;
  /** What a value is compared by; null for one that is not of the type. */
  readonly keyOf: (value: Value) => Key | null;
  /** Negative, zero or positive as left is before, at or behind right. */
  readonly compare: (left: Key, right: Key) => number;
  /** What is wrong with a literal that is compared with such values; undefined where it is right. */
  readonly refusal: (literal: Literal) => Words | undefined;
}

const written = ({ is, text }: Literal): string => (is === 'text' ? `'${text.replaceAll("'", "''")}'` : text);

const asText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const textOf = (value: Value): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;

const surrogate = /[\ud800-\udfff]/;

/** Texts by their code points, which is the order of their bytes in UTF-8. */
function compareTexts(left: Key, right: Key): number {
  if (left === right) return 0;
  const [a, b] = [String(left), String(right)];
  if (surrogate.test(a) || surrogate.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

/** Digits that a double holds whatever they are. */
const exactDigits = 15;

function numberOf(value: Value): Key | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !isDecimal(value)) return null;
  return value.length <= exactDigits ? Number(value) : value;
}

/** The digits of a number, as they were; JavaScript writes small ones with an exponent. */
function digitsOf(key: Key): string {
  const text = Number.isInteger(key) ? String(BigInt(key as number)) : String(key);
  return typeof key === 'number' && text.includes('e') ? key.toFixed(exactDigits) : text;
}

const compareNumbers = (left: Key, right: Key): number =>
  typeof left === 'number' && typeof right === 'number'
    ? left - right
    : compareDecimals(digitsOf(left), digitsOf(right));

function noNumber(literal: Literal): Words | undefined {
  const { is, text } = literal;
  if (is === 'number') return undefined;
  const what = `a number is compared with ${written(literal)}`;
  return is === 'text' && isDecimal(text) ? [`${what}: write a number without quotes`, text] : [what];
}

const [epochSeconds] = instantOf('1970-01-01T00:00:00') ?? [0];
const daySeconds = 86_400;

/** Seconds by which a zone is ahead of UTC when its clock shows a time. */
function offsetsOf(zone: string): (clockSeconds: number) => number {
  const offsetAt = (seconds: number): number =>
    offsetOnClock(zone, (seconds - epochSeconds) * 1000, 'usual').minutes * 60;
  const days = new Map<number, number | undefined>();
  return (seconds) => {
    const day = Math.floor(seconds / daySeconds);
    let offset = days.get(day);
    if (offset === undefined && !days.has(day)) {
      const [start, end] = [offsetAt(day * daySeconds), offsetAt((day + 1) * daySeconds)];
      // On a day when clocks change, each time is looked up.
      offset = start === end ? start : undefined;
      days.set(day, offset);
    }
    return offset ?? offsetAt(seconds);
  };
}

/** Where times that name no zone are compared; it is asked for when one is. */
interface Zoned {
  readonly zone: string;
}

const withZone = /(?:Z|[+-]\d\d:\d\d)$/;

/** The last second that the clock of a zone can be looked up for: some years have more than four digits. */
const lastSeconds = epochSeconds + 253_402_300_800;

function timesIn(zoned: Zoned): Comparing['keyOf'] {
  let offsetOf: ReturnType<typeof offsetsOf> | undefined;
  return (value) => {
    const text = textOf(value) ?? '';
    const instant = instantOf(text);
    if (instant === undefined) return null;
    const [seconds, fraction] = instant;
    const isClock = !withZone.test(text) && seconds > 0 && seconds < lastSeconds;
    if (!isClock) return instant;
    offsetOf ??= offsetsOf(zoned.zone);
    return [seconds - offsetOf(seconds), fraction];
  };
}

function compareTimes(left: Key, right: Key): number {
  const [[a, aFraction], [b, bFraction]] = [left as Instant, right as Instant];
  return a === b ? compareTexts(aFraction, bFraction) : a - b;
}

/** A time as people write it, as a dateTime: a date is its midnight, and seconds may be left out. */
export function asDateTime(text: string): string {
  const [, date, time = '00:00', seconds = ':00', zone = ''] = writtenTime.exec(text) ?? [];
  return date === undefined ? text : `${date}T${time}${seconds}${zone}`;
}

function noTime(literal: Literal): Words | undefined {
  const { is, text } = literal;
  if (is === 'text' && instantOf(asDateTime(text)) !== undefined) return undefined;
  return [`a time is compared with ${written(literal)}: write '2026-01-31' or '2026-01-31T09:30:00'`];
}

function doubtfulTime({ text }: Literal, zoned: Zoned): Words | undefined {
  const clock = asDateTime(text);
  const wallMs = Date.parse(`${clock.slice(0, 19)}Z`);
  if (withZone.test(clock) || clock === firstMoment || Number.isNaN(wallMs)) return undefined;
  const { doubt } = offsetOnClock(zoned.zone, wallMs);
  if (doubt === undefined) return undefined;
  return [`'${text}' ${doubt === 'twice' ? 'comes twice' : 'does not exist'} in ${zoned.zone}: add the offset`];
}

const guids: Comparing = {
  name: 'guid',
  isOrdered: false,
  keyOf: (value) => (typeof value === 'string' ? (pastedGuid(value) ?? null) : null),
  compare: compareTexts,
  refusal: (literal) => {
    if (literal.is === 'text' && pastedGuid(literal.text) !== undefined) return undefined;
    return [`an Id is compared with ${written(literal)}, which is not a GUID${guidComplaint(literal.text)}`];
  },
};

const texts: Comparing = {
  name: 'text',
  isOrdered: true,
  keyOf: textOf,
  compare: compareTexts,
  refusal: (literal) =>
    literal.is === 'text'
      ? undefined
      : [`a text is compared with ${literal.text}: write a text in single quotes`, asText(literal.text)],
};

function choices({ name, values }: EnumerationType): Comparing {
  const refusal = (literal: Literal): Words | undefined => {
    if (literal.is === 'text' && values.includes(literal.text)) return undefined;
    const near = nearest(literal.text, values);
    const words = `${written(literal)} is not one of the values; the values of ${name} are ${values.join(', ')}`;
    return [words, near === undefined ? undefined : asText(near)];
  };
  return { ...texts, name: 'choice', isOrdered: false, refusal };
}

const booleans: Comparing = {
  name: 'boolean',
  isOrdered: false,
  keyOf: (value) => (typeof value === 'boolean' ? value : (parseBoolean(textOf(value) ?? '') ?? null)),
  compare: (left, right) => (left === right ? 0 : 1),
  refusal: (literal) => {
    const truth = parseBoolean(literal.text.toLowerCase());
    return literal.is === 'boolean'
      ? undefined
      : [`what is true or false is compared with ${written(literal)}`, truth === undefined ? undefined : String(truth)];
  },
};

const numbers: Comparing = {
  name: 'number',
  isOrdered: true,
  keyOf: numberOf,
  compare: compareNumbers,
  refusal: noNumber,
};

/** Values of which nothing is known are compared as the literal beside them says. */
const anyValues: Comparing = { ...texts, name: 'any', refusal: () => undefined };

const byLiteral = { text: texts, number: numbers, boolean: booleans, null: texts };

/** How a literal is compared with values of which nothing is known, or with another literal. */
export const comparingOf = ({ is }: Literal): Comparing => byLiteral[is];

const byScalar: Readonly<Record<string, Comparing>> = {
  ...{ int: numbers, short: numbers, long: numbers, decimal: numbers },
  ...{ guid: guids, boolean: booleans, anyType: anyValues, string: texts },
};

/** Makes the function that tells how values of a type are compared; undefined for records and lists. */
export function comparingIn(zoned: Zoned): (type: Type) => Comparing | undefined {
  const keyOf = timesIn(zoned);
  const refusal = (literal: Literal): Words | undefined => noTime(literal) ?? doubtfulTime(literal, zoned);
  const times: Comparing = { name: 'time', isOrdered: true, keyOf, compare: compareTimes, refusal };
  return (type) => {
    if (type.kind === 'enumeration') return choices(type);
    if (type.kind !== 'scalar') return undefined;
    return type.name === 'dateTime' ? times : (byScalar[type.name] ?? texts);
  };
}
