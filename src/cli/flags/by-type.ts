import { isList, isRecord, type RecordValue, type Value } from '../../plain/value.js';
import type { Fields, ScalarName, Type } from '../../contract/build.js';
import { isDateTime } from '../../lexical/time/datetime.js';
import { pastedGuid } from '../../lexical/values/guid.js';
import { isInteger } from '../../lexical/values/integer.js';
import { inAnyCase } from '../../lexical/nearest.js';
import { choiceOf, decimalOf, guidOf, no, wholeOf, yesNoOf } from './readers.js';

const scalars: Readonly<Record<ScalarName, (text: string, flag: string) => Value>> = {
  string: (text) => text,
  anyType: (text) => text,
  guid: guidOf,
  decimal: decimalOf,
  boolean: yesNoOf,
  int: (text, flag) => wholeOf(text, flag, { least: -(2 ** 31), most: 2 ** 31 - 1 }),
  short: (text, flag) => wholeOf(text, flag, { least: -(2 ** 15), most: 2 ** 15 - 1 }),
  long: (text, flag) => {
    if (isInteger(text, 'long')) return text;
    throw no(flag, `a 64-bit whole number, not '${text}'`);
  },
  dateTime: (text, flag) => {
    if (isDateTime(text)) return text;
    throw no(flag, `a date and time such as 2026-01-31T09:30:00, not '${text}'`);
  },
};

function json(text: string, flag: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch {
    throw no(flag, `a record or a list as JSON, not '${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`);
  }
}

function textInServiceForm(type: Type, text: string): string {
  if (type.kind === 'enumeration') return inAnyCase(text, type.values) ?? text;
  return type.kind === 'scalar' && type.name === 'guid' ? (pastedGuid(text) ?? text) : text;
}

/** The members of a record, or parameters of an operation, as `inServiceForm` makes them. */
export const membersInServiceForm = (fields: Fields, record: RecordValue): RecordValue =>
  Object.fromEntries(
    Object.entries(record).map(([name, member]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return [name, field === undefined ? member : inServiceForm(field.type, member)];
    }),
  );

/** JSON of a type with the GUIDs and enumeration values that people typed as the service writes them; nothing else changes. */
function inServiceForm(type: Type, value: Value): Value {
  if (typeof value === 'string') return textInServiceForm(type, value);
  if (type.kind === 'list' && isList(value)) return value.map((item) => inServiceForm(type.item, item));
  return type.kind === 'record' && isRecord(value) ? membersInServiceForm(type.fields, value) : value;
}

/** The value of a type that a text means; a record or a list is JSON. Throws `usage` that names the flag. */
export function valueOfType(type: Type, text: string, flag: string): Value {
  switch (type.kind) {
    case 'scalar':
      return scalars[type.name](text, flag);
    case 'enumeration':
      return choiceOf(text, flag, type.values);
    case 'record':
    case 'list':
      return inServiceForm(type, json(text, flag));
  }
}

/** The words that a value of a type may be: of an enumeration, or true and false; none of any other. */
export function wordsOfType(type: Type): readonly string[] {
  if (type.kind === 'enumeration') return type.values;
  return type.kind === 'scalar' && type.name === 'boolean' ? ['true', 'false'] : [];
}
