import { opt, type Field, type ScalarType } from '../../contract/build.js';
import { anyType, boolean, decimal, int, string } from '../../contract/scalars.js';
import type { Answer } from '../../sqlite/question.js';

/** A value of PostgreSQL, from its text. */
interface ValueType {
  readonly type: ScalarType;
  readonly of: (text: string) => Answer;
}

/** 2026-01-02 03:04:05.678+00, where the session has UTC, as dateTimes are written. */
const instant = (text: string): string => text.replace(/^(\d+-\d\d-\d\d) ([\d:.]+)\+00$/, '$1T$2Z');

const whole: ValueType = { type: int, of: BigInt };
const double: ValueType = { type: anyType, of: Number };
const words: ValueType = { type: anyType, of: (text) => text };

/** Types by the numbers that PostgreSQL gives its own; any other one is text. */
const types: ReadonlyMap<number, ValueType> = new Map([
  [16, { type: boolean, of: (text) => text === 't' }],
  [17, { type: anyType, of: (text) => Buffer.from(text.replace(/^\\x/, ''), 'hex') }],
  [20, whole],
  [21, whole],
  [23, whole],
  [26, whole],
  [700, double],
  [701, double],
  [1184, { type: string, of: instant }],
  [1700, { type: decimal, of: (text) => text }],
]);

const typeOf = (type: number): ValueType => types.get(type) ?? words;

/** What a column holds whose type has this number. */
export const fieldOfType = (type: number): Field => opt(typeOf(type).type, 'A column of the answer.');

/** Reads the text of a value. */
export const answerOf = (text: string | null, type: number): Answer => (text === null ? null : typeOf(type).of(text));
