import type { RecordValue, Value } from '../../core/values/value.js';
import type { EnumerationType, Field, Fields, ScalarName, ScalarType } from '../../contract/build.js';
import { isNested } from '../../contract/walk.js';
import { isXmlSpace, withoutEnds } from '../../core/text/text.js';
import { parseBoolean, type Scaled, writeDecimal, type IntegerName, isInteger } from '../../core/text/scalars.js';
import { changedFields, type Visitor, zeroOf } from '../walk.js';
import { dateTimeIn, dateTimeOut } from './date-times.js';

/** The value of a text, or the message of .NET for one that has none. */
export type Read = { readonly value: Value } | { readonly complaint: string };

const value = (read: Value): Read => ({ value: read });
const complaint = (words: string): Read => ({ complaint: words });

const notANumber = complaint('Input string was not in a correct format.');
const isNumberSpace = (unit: number): boolean => unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);

const integerTypes = { short: 'an Int16', int: 'an Int32', long: 'an Int64' } as const;

function readInteger(text: string, name: IntegerName): Read {
  const bare = withoutEnds(text, isNumberSpace);
  // The expression needs stack for each digit.
  if (bare.length > 100_000 || !/^[+-]?\d+$/.test(bare)) return notANumber;
  const short = bare.replace(/^([+-]?)0+(?=\d)/, '$1');
  if (!isInteger(short, name)) {
    return complaint(`Value was either too large or too small for ${integerTypes[name]}.`);
  }
  return value(name === 'long' ? BigInt(short.replace(/^\+/, '')).toString() : Number(short) + 0);
}

function readBoolean(text: string): Read {
  const truth = parseBoolean(withoutEnds(text, isXmlSpace));
  return truth === undefined ? complaint(`The string '${text}' is not a valid Boolean value.`) : value(truth);
}

const dashed = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const enclosed = /^(?:\{(.*)\}|\((.*)\))$/;
/** A GUID as C writes its parts: `{0x00000000,0x0000,0x4000,{0x80,0x00,0x00,0x00,0x00,0x00,0x00,0x11}}`. */
const inParts =
  /^\{0x([0-9a-f]{1,8}),0x([0-9a-f]{1,4}),0x([0-9a-f]{1,4}),\{((?:0x[0-9a-f]{1,2},){7}0x[0-9a-f]{1,2})\}\}$/;

function guidInParts(text: string): string | undefined {
  const [, first, second = '', third = '', rest = ''] = inParts.exec(text.replace(/\s/g, '')) ?? [];
  if (first === undefined) return undefined;
  const bytes = rest.split(',').map((part) => part.slice(2).padStart(2, '0'));
  const end = [bytes.slice(0, 2), bytes.slice(2)].map((part) => part.join('')).join('-');
  return `${first.padStart(8, '0')}-${second.padStart(4, '0')}-${third.padStart(4, '0')}-${end}`;
}

function readGuid(text: string): Read {
  const bare = text.trim().toLowerCase();
  if (bare === '') return complaint('Unrecognized Guid format.');
  const [, braced, parenthesised] = enclosed.exec(bare) ?? [];
  const inner = braced ?? parenthesised ?? bare;
  if (dashed.test(inner)) return value(inner);
  if (/^[0-9a-f]{32}$/.test(bare)) return value(bare.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
  const parted = guidInParts(bare);
  if (parted !== undefined) return value(parted);
  return complaint('Guid should contain 32 digits with 4 dashes (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx).');
}

function readDateTime(text: string, today: () => string): Read {
  const time = dateTimeIn(text, today);
  return time === undefined ? complaint(`The string '${text}' is not a valid AllXsd value.`) : value(time);
}

const readers: Readonly<Record<ScalarName, (text: string, today: () => string) => Read>> = {
  string: value,
  anyType: value,
  guid: readGuid,
  int: (text) => readInteger(text, 'int'),
  short: (text) => readInteger(text, 'short'),
  long: (text) => readInteger(text, 'long'),
  decimal: (text) => decimalOf(withoutEnds(text, isNumberSpace)),
  dateTime: readDateTime,
  boolean: readBoolean,
};

/** Reads a text as XmlSerializer does, on a day of the server; values of an enumeration must be exact. */
export function readScalar(type: ScalarType | EnumerationType, text: string, today: () => string): Read {
  if (type.kind === 'scalar') return readers[type.name](text, today);
  if (type.values.includes(text)) return value(text);
  return complaint(`Instance validation error: '${text}' is not a valid value for ${type.name}.`);
}

const decimalOut = (text: string): string => {
  const number = decimalOf(text);
  return 'value' in number && typeof number.value === 'string' ? number.value : text;
};

const forms: Readonly<Record<string, (text: string) => string>> = {
  guid: (text) => text.toLowerCase(),
  decimal: decimalOut,
  dateTime: dateTimeOut,
};

/** A member without a value: a value type has its zero, a text is left out, the rest is as the operation says. */
function emptyOut({ type, presence }: Field, value: null | undefined): Value | undefined {
  if (isNested(type)) return value;
  if (presence === 'req') return zeroOf(type);
  return presence === 'opt' ? undefined : value;
}

const completed = (fields: Fields, record: RecordValue): RecordValue =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const member = Object.hasOwn(record, name) ? record[name] : undefined;
      const value = member ?? emptyOut(field, member);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

const inForms: Visitor = {
  scalar: (value, name) => (typeof value === 'string' ? (forms[name]?.(value) ?? value) : value),
  record: (value, { fields }) => completed(fields, value),
};

/**
 * Members in the forms in which XmlSerializer writes them: GUIDs in lower case, dateTimes with at most seven digits of a
 * second and no last zero, decimals of at most 29 digits, zeros where a value type has none, texts left out where they
 * are null.
 */
export const canonical = (fields: Fields, record: RecordValue): RecordValue =>
  completed(fields, changedFields(fields, record, inForms));

const form = /^([+-]?)(\d*)(?:\.(\d*))?$/;
const largest = 79_228_162_514_264_337_593_543_950_335n;
const maxScale = 28;
/** No decimal needs more; longer text would only cost time. */
const maxDigits = 1000;

function rounded(units: bigint, drop: number): bigint {
  if (drop <= 0) return units;
  const unit = 10n ** BigInt(drop);
  const whole = units / unit;
  const twice = (units % unit) * 2n;
  return twice > unit || (twice === unit && whole % 2n === 1n) ? whole + 1n : whole;
}

/** Digits and scale that fit a .NET decimal; undefined when the whole part is too large. */
function fitted(digits: string, scale: number): Scaled | undefined {
  const all = BigInt(digits);
  for (let places = Math.min(scale, maxScale); places >= 0; places -= 1) {
    const units = rounded(all, scale - places);
    if (units <= largest) return { units, scale: places };
  }
  return undefined;
}

const noRoom = complaint('Value was either too large or too small for a Decimal.');

/** Reads a decimal as .NET keeps it: its scale stays, with at most 28 digits behind the point and 96 bits in all. */
export function decimalOf(text: string): Read {
  const [, sign = '', whole = '', fraction = ''] = form.exec(text) ?? [];
  if (whole + fraction === '') return notANumber;
  if (whole.length + fraction.length > maxDigits) return noRoom;
  const scaled = fitted(whole + fraction, fraction.length);
  return scaled === undefined
    ? noRoom
    : value(writeDecimal(sign === '-' ? { ...scaled, units: -scaled.units } : scaled));
}
