import { isList, isRecord, type RecordValue, type Value, jsonWithLetters } from '../../core/values/value.js';
import type { Fields, ScalarName, Type } from '../../contract/build.js';
import { isNested, scalarOf, valuesOf } from '../../contract/walk.js';
import { isDateTime } from '../../core/text/time/datetime.js';
import { integerBounds, pastedGuid, isInteger } from '../../core/text/scalars.js';
import { inAnyCase } from '../../core/text/text.js';
import { choiceOf, decimalOf, guidOf, no, wholeOf, yesNoOf } from './readers.js';

const scalars: Readonly<Record<ScalarName, (text: string, flag: string) => Value>> = {
  string: (text) => text,
  anyType: (text) => text,
  guid: guidOf,
  decimal: decimalOf,
  boolean: yesNoOf,
  int: (text, flag) => wholeOf(text, flag, integerBounds.int),
  short: (text, flag) => wholeOf(text, flag, integerBounds.short),
  long: (text, flag) => {
    if (isInteger(text, 'long')) return text;
    throw no(flag, `a 64-bit whole number, not '${text}'`);
  },
  dateTime: (text, flag) => {
    if (isDateTime(text)) return text;
    throw no(flag, `a date and time such as 2026-01-31T09:30:00, not '${text}'`);
  },
};

function json(text: string, flag: string): Lettered {
  const parsed = jsonWithLetters(text);
  // Whatever JSON says is such a value.
  if (parsed !== undefined) return parsed as Lettered;
  throw no(flag, `a record or a list as JSON, not '${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`);
}

function textInServiceForm(type: Type, text: string): string {
  return (scalarOf(type) === 'guid' ? pastedGuid(text) : inAnyCase(text, valuesOf(type) ?? [])) ?? text;
}

/** A value, and the same with the text of each number in its place. */
export type Lettered = readonly [value: Value, letters: Value];

/** The name of a member of JSON that holds words for people, as those of a template do: no element can be called so. */
export const comment = '//';

/** Members as `inServiceForm` makes them, without comments; one that no field describes has the text of its numbers. */
const membersInServiceForm = (fields: Fields, record: RecordValue, letters: RecordValue): RecordValue =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, member]): (readonly [string, Value])[] => {
      if (name === comment) return [];
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const text = letters[name] ?? null;
      return [[name, field === undefined ? text : inServiceForm(field.type, [member, text])]];
    }),
  );

const isNumberAsText = (type: Type): boolean =>
  type.kind === 'scalar' && (['long', 'decimal'].includes(type.name) || ['float', 'double'].includes(type.as ?? ''));

/** JSON of a type with the GUIDs and enumeration values that people typed as the service writes them, and numbers to the letter. */
function inServiceForm(type: Type, [value, letters]: Lettered): Value {
  if (typeof value === 'string') return textInServiceForm(type, value);
  if (typeof value === 'number') return isNumberAsText(type) ? letters : value;
  // Both are of the same JSON.
  if (type.kind === 'list' && isList(value) && isList(letters))
    return value.map((item, at) => inServiceForm(type.item, [item, letters[at] ?? null]));
  if (type.kind !== 'record' || !isRecord(value) || !isRecord(letters)) return value;
  return membersInServiceForm(type.fields, value, letters);
}

/** The parameters that JSON says, each as a value of its type; undefined for what is no record. */
export function parametersOfJson(fields: Fields, [value, letters]: Lettered): RecordValue | undefined {
  return isRecord(value) && isRecord(letters) ? membersInServiceForm(fields, value, letters) : undefined;
}

/** The value of a type that a text means; a record or a list is JSON. Throws `usage` that names the flag. */
export function valueOfType(type: Type, text: string, flag: string): Value {
  if (isNested(type)) return inServiceForm(type, json(text, flag));
  return type.kind === 'scalar' ? scalars[type.name](text, flag) : choiceOf(text, flag, type.values);
}

/** The words that a value of a type may be: of an enumeration, or true and false; none of any other. */
export const wordsOfType = (type: Type): readonly string[] =>
  valuesOf(type) ?? (scalarOf(type) === 'boolean' ? ['true', 'false'] : []);
