import type { Field, Fields, ScalarName, Type } from '../../contract/build.js';
import { fieldEntries } from '../../contract/walk.js';
import { isRecord, type RecordValue, type Value } from '../../soap/values/values.js';
import { dateTimeOut } from './date-times.js';
import { decimalOf } from './decimals.js';
import { zeroOf } from './scalars.js';

const decimalOut = (text: string): string => {
  const found = decimalOf(text);
  return 'text' in found ? found.text : text;
};

const forms: Readonly<Partial<Record<ScalarName, (text: string) => string>>> = {
  guid: (text) => text.toLowerCase(),
  decimal: decimalOut,
  dateTime: dateTimeOut,
};

function valueOut(type: Type, value: Value): Value {
  switch (type.kind) {
    case 'scalar':
      return typeof value === 'string' ? (forms[type.name]?.(value) ?? value) : value;
    case 'enumeration':
      return value;
    case 'record':
      return isRecord(value) ? canonical(type.fields, value) : value;
    case 'list':
      return Array.isArray(value) ? listOut(type.item, value) : value;
  }
}

const listOut = (item: Type, values: readonly Value[]): readonly Value[] =>
  values.map((value) => (value === null ? null : valueOut(item, value)));

/** A member without a value: a value type has its zero, a text is left out, the rest is as the operation says. */
function emptyOut({ type, presence }: Field, value: null | undefined): Value | undefined {
  if (type.kind === 'record' || type.kind === 'list') return value;
  if (presence === 'req') return zeroOf(type);
  return presence === 'opt' ? undefined : value;
}

/**
 * Members in the forms in which XmlSerializer writes them: GUIDs in lower case, dateTimes with at most seven digits of a
 * second and no last zero, decimals of at most 29 digits, zeros where a value type has none, texts left out where they
 * are null.
 */
export function canonical(fields: Fields, record: RecordValue): RecordValue {
  return Object.fromEntries(
    fieldEntries(fields).flatMap(([name, field]) => {
      const given = Object.hasOwn(record, name) ? record[name] : undefined;
      const value = given === undefined || given === null ? emptyOut(field, given) : valueOut(field.type, given);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
