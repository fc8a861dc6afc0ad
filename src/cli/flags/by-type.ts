import type { Value } from '../../plain/value.js';
import type { ScalarName, Type } from '../../contract/build.js';
import type { RelctlError } from '../../errors/relctl-error.js';
import { isDateTime } from '../../lexical/datetime.js';
import { isInteger } from '../../lexical/integer.js';
import { choiceOf, decimalOf, guidOf, wholeOf, yesNoOf } from './readers.js';
import { usage } from '../../errors/usage.js';

function no(flag: string, what: string, text: string): RelctlError {
  return usage(flag, `${flag} takes ${what}, not '${text}'`);
}

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
    throw no(flag, 'a 64-bit whole number', text);
  },
  dateTime: (text, flag) => {
    if (isDateTime(text)) return text;
    throw no(flag, 'a date and time such as 2026-01-31T09:30:00', text);
  },
};

function json(text: string, flag: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch {
    throw no(flag, 'a record or a list as JSON', text.length > 40 ? `${text.slice(0, 40)}…` : text);
  }
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
      return json(text, flag);
  }
}
