import type { EnumerationType, ScalarName, ScalarType } from '../../contract/build.js';
import { parseBoolean } from '../../lexical/boolean.js';
import { emptyGuid } from '../../lexical/guid.js';
import { isInteger, type IntegerName } from '../../lexical/integer.js';
import type { Value } from '../../soap/values/values.js';
import { dateTimeIn } from './date-times.js';
import { decimalOf } from './decimals.js';

/** What came of reading a text: a value, or the words in which .NET complains. */
export type Read = { readonly value: Value } | { readonly complaint: string };

const value = (read: Value): Read => ({ value: read });
const complaint = (words: string): Read => ({ complaint: words });

const notANumber = complaint('Input string was not in a correct format.');
const numberSpace = /^[\t-\r ]+|[\t-\r ]+$/g;
const xmlSpace = /^[ \t\n\r]+|[ \t\n\r]+$/g;

const integerTypes = { short: 'an Int16', int: 'an Int32', long: 'an Int64' } as const;

function readInteger(text: string, name: IntegerName): Read {
  const bare = text.replace(numberSpace, '');
  if (!/^[+-]?\d+$/.test(bare)) return notANumber;
  const short = bare.replace(/^([+-]?)0+(?=\d)/, '$1');
  if (!isInteger(short, name)) {
    return complaint(`Value was either too large or too small for ${integerTypes[name]}.`);
  }
  return value(name === 'long' ? BigInt(short.replace(/^\+/, '')).toString() : Number(short) + 0);
}

function readDecimal(text: string): Read {
  const found = decimalOf(text.replace(numberSpace, ''));
  if ('text' in found) return value(found.text);
  return found.wrong === 'form' ? notANumber : complaint('Value was either too large or too small for a Decimal.');
}

function readBoolean(text: string): Read {
  const found = parseBoolean(text.replace(xmlSpace, ''));
  return found === undefined ? complaint(`The string '${text}' is not a valid Boolean value.`) : value(found);
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
  const found = dateTimeIn(text, today);
  return found === undefined ? complaint(`The string '${text}' is not a valid AllXsd value.`) : value(found);
}

const readers: Readonly<Record<ScalarName, (text: string, today: () => string) => Read>> = {
  string: value,
  anyType: value,
  guid: readGuid,
  int: (text) => readInteger(text, 'int'),
  short: (text) => readInteger(text, 'short'),
  long: (text) => readInteger(text, 'long'),
  decimal: readDecimal,
  dateTime: readDateTime,
  boolean: readBoolean,
};

/**
 * Reads a text the way XmlSerializer does; an enumeration's values must be exact, white space and all.
 * @param today the day on the clock of the server, as a date
 */
export function readText(type: ScalarType | EnumerationType, text: string, today: () => string): Read {
  if (type.kind === 'scalar') return readers[type.name](text, today);
  if (type.values.includes(text)) return value(text);
  return complaint(`Instance validation error: '${text}' is not a valid value for ${type.name}.`);
}

const zeros: Readonly<Partial<Record<ScalarName, Value>>> = {
  guid: emptyGuid,
  int: 0,
  short: 0,
  long: '0',
  decimal: '0',
  dateTime: '0001-01-01T00:00:00',
  boolean: false,
};

/** What a value type holds when nothing was given: zero, or the first value of an enumeration. Undefined for texts. */
export function zeroOf(type: ScalarType | EnumerationType): Value | undefined {
  return type.kind === 'enumeration' ? type.values[0] : zeros[type.name];
}
