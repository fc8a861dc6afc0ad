import type { Value } from '../../core/values/value.js';
import type { ScalarName } from '../../contract/build.js';
import { parseBoolean, isDecimal, isGuid, isInteger, type IntegerName } from '../../core/text/scalars.js';
import { isDateTime } from '../../core/text/time/datetime.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { forMessage } from '../../core/text/text.js';

/**
 * `request`: what a user gave, checked strictly. `response`: what our own sandbox made; a nested record or list without
 * content is nil (interface document, "What the service does", rule 4). `bare-response`: the same, but for such a record or
 * list, which is an empty element.
 */
export type Direction = 'request' | 'response' | 'bare-response';

/** A value in words, for an error message. */
export function describeValue(value: Value | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return `'${forMessage(value)}'`;
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a record';
  return String(value);
}

/** The error for a value that cannot be written: `usage` for a request, `bug` for a response, with `facts.path`. */
export function invalidValue(direction: Direction, path: string | undefined, complaint: string): RelctlError {
  const subject = path === undefined || path === '' ? 'the input' : path;
  return new RelctlError(direction === 'request' ? 'usage' : 'bug', `${subject} ${complaint}`, {
    facts: { path: path ?? '' },
  });
}

/** Path of a member. */
export const within = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** A scalar with a text form; a value of `anyType` names its own type. */
export type TextualName = Exclude<ScalarName, 'anyType'>;

/** How one scalar type is written and read. Both functions give undefined for what does not fit the type. */
export interface ScalarForm {
  /** The type for an error message: "must be …". */
  readonly words: string;
  /** Value to text, strictly. */
  readonly write: (value: Value) => string | undefined;
  /** Text to value; the caller removes white space at the ends, except of a string. */
  readonly read: (text: string) => Value | undefined;
}

const integer = (name: IntegerName, words: string): ScalarForm => ({
  words,
  write: (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
    const text = String(value);
    return isInteger(text, name) ? text : undefined;
  },
  // The sum turns -0 into 0.
  read: (text) => (isInteger(text, name) ? Number(text) + 0 : undefined),
});

const textual = (words: string, fits: (text: string) => boolean): ScalarForm => ({
  words,
  write: (value) => (typeof value === 'string' && fits(value) ? value : undefined),
  read: (text) => (fits(text) ? text : undefined),
});

/** Every scalar of the interface document ("What the service does", rule 3), write beside read. */
export const scalarForms: Readonly<Record<TextualName, ScalarForm>> = {
  guid: textual('a guid such as 6f9619ff-8b86-d011-b42d-00c04fc964ff', isGuid),
  string: {
    words: 'a text',
    write: (value) => (typeof value === 'string' ? value : undefined),
    read: (text) => text,
  },
  int: integer('int', 'a whole number between -2147483648 and 2147483647'),
  short: integer('short', 'a whole number between -32768 and 32767'),
  long: textual('a 64-bit whole number, written as text', (text) => isInteger(text, 'long')),
  decimal: textual('a decimal number without exponent, written as text, such as 12.50', isDecimal),
  dateTime: textual('a date and time such as 2026-01-31T09:30:00', isDateTime),
  boolean: {
    words: 'true or false',
    write: (value) => (typeof value === 'boolean' ? String(value) : undefined),
    read: parseBoolean,
  },
};

/** Namespace of the attributes `nil` and `type`. */
export const xsiNamespace = 'http://www.w3.org/2001/XMLSchema-instance';
/** Namespace of the types that `xsi:type` names. */
export const xsdNamespace = 'http://www.w3.org/2001/XMLSchema';
/** Namespace in which .asmx services keep the type `guid`. */
export const guidNamespace = 'http://microsoft.com/wsdl/types/';

/** The form that an xsi:type stands for; undefined for types that we do not read. */
export function formOfType(namespace: string | undefined, local: string): ScalarForm | undefined {
  if (local === 'guid') return namespace === guidNamespace ? scalarForms.guid : undefined;
  if (namespace !== xsdNamespace || !Object.hasOwn(scalarForms, local)) return undefined;
  return new Map<string, ScalarForm>(Object.entries(scalarForms)).get(local);
}
