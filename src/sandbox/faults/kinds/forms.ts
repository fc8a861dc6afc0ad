import { findOperation, operations } from '../../../contract/service.js';
import { readDuration } from '../../../core/text/time/moment.js';
import { nearest } from '../../../core/text/text.js';

/** How a value in a fault plan is written, and what it means. */
export interface Form<T> {
  /** The form in words, for errors and documentation: `a time such as 200ms`. */
  readonly words: string;
  /** Every value, where there are few; a list is made of them. */
  readonly values?: readonly string[];
  /** The meaning of a text; undefined when it is not of this form. */
  read(text: string): T | undefined;
  /** What was perhaps meant by a text that is not of this form. */
  suggest?(text: string): string | undefined;
}

const longestMs = 600_000;

const readTime = (text: string): number | undefined => {
  const timeMs = readDuration(text);
  return timeMs !== undefined && timeMs <= longestMs ? timeMs : undefined;
};

/** A length of time, in milliseconds. */
export const time: Form<number> = { words: 'a time such as 200ms, 1.5s or 2m, ten minutes at most', read: readTime };

/** A whole number within bounds, both allowed. */
export const whole = (least: number, most: number): Form<number> => ({
  words: `a whole number from ${least} to ${most}`,
  read: (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : undefined;
  },
});

/** One of some words. */
export const choice = <const T extends string>(values: readonly [T, ...T[]]): Form<T> => ({
  words: values.length === 1 ? values[0] : `one of ${values.join(', ')}`,
  values,
  read: (text) => values.find((value) => value === text),
  suggest: (text) => nearest(text, values),
});

/** A part of the cases, from 0 to 1. */
export const share: Form<number> = {
  words: 'a share such as 20% or 0.2',
  read: (text) => {
    const [, percent] = /^(\d{1,3}(?:\.\d{1,3})?)%$/.exec(text) ?? [];
    const value =
      percent === undefined ? (/^[01](?:\.\d{1,6})?$/.test(text) ? Number(text) : 2) : Number(percent) / 100;
    return value <= 1 ? value : undefined;
  },
};

/** How many of some bytes, given how many there are. */
export type Amount = (length: number) => number;

/** So many bytes, or such a part of them. */
export const amount: Form<Amount> = {
  words: 'a number of bytes such as 120, a part such as 50%, or a negative number of bytes to omit',
  read: (text) => {
    if (/^-?\d{1,9}$/.test(text)) {
      const bytes = Number(text);
      return (length) => Math.max(0, Math.min(length, text.startsWith('-') ? length + bytes : bytes));
    }
    const part = text.endsWith('%') ? share.read(text) : undefined;
    return part === undefined ? undefined : (length) => Math.floor(length * part);
  },
};

/** Bytes, and how often so many of them. */
export interface Rate {
  readonly bytes: number;
  readonly everyMs: number;
}

/** So many bytes in each interval. */
export const rate: Form<Rate> = {
  words: 'bytes and an interval such as 64/100ms',
  read: (text) => {
    const [, digits = '', interval = ''] = /^(\d{1,9})\/(.+)$/.exec(text) ?? [];
    const everyMs = readTime(interval);
    const bytes = Number(digits);
    return everyMs === undefined || bytes < 1 ? undefined : { bytes, everyMs };
  },
};

/** Text without control characters. */
export const text: Form<string> = {
  words: 'text',
  read: (text) => (/^[^\p{Cc}\p{Surrogate}]{0,500}$/u.test(text) ? text : undefined),
};

/** Text that an HTTP header can hold. */
export const headerText: Form<string> = {
  words: 'text of visible ASCII characters',
  read: (text) => (/^[\x20-\x7e]{0,500}$/.test(text) ? text : undefined),
};

/** A name that is allowed in a fault code, or nothing. */
export const codeName: Form<string> = {
  words: 'a name of letters, digits, dots and dashes that begins with a letter',
  read: (text) => (/^(?:[A-Za-z_][\w.-]{0,99})?$/.test(text) ? text : undefined),
};

/** The hexadecimal code of a character that XML 1.0 forbids, though .NET services send it by reference. */
export const controlCharacter: Form<string> = {
  words: 'a hexadecimal code from 1 to 1F except 9, A and D, or FFFE or FFFF',
  read: (text) => {
    const code = /^[0-9a-f]{1,4}$/i.test(text) ? Number.parseInt(text, 16) : 0;
    const isControl = code >= 1 && code <= 0x1f && ![9, 10, 13].includes(code);
    return isControl || code >= 0xfffe ? String.fromCharCode(code) : undefined;
  },
};

const operationNames = Object.keys(operations);

/** Names of operations, with commas between them. */
export const operationList: Form<readonly string[]> = {
  words: 'names of operations with commas between them',
  values: operationNames,
  read: (text) => {
    const names = text.split(',').map((name) => name.trim());
    return names.every((name) => findOperation(name) !== undefined) ? names : undefined;
  },
  suggest: (text) => {
    const wrong = text.split(',').find((name) => findOperation(name.trim()) === undefined);
    return nearest(wrong?.trim() ?? '', operationNames);
  },
};
