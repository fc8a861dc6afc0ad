import { hasValue, isList, isRecord, type RecordValue, type Value } from '../core/values/value.js';
import type { Fields, Operation, RecordType, ScalarName, Type } from '../contract/build.js';
import { scalarOf, valuesOf } from '../contract/walk.js';
import { emptyGuid } from '../core/text/scalars.js';

/** Changes values of a result; each member is optional. */
export interface Visitor {
  /** A record within the result, its members changed already. The result as a whole is none. */
  readonly record?: (value: RecordValue, type: RecordType) => RecordValue;
  readonly scalar?: (value: Value, name: string) => Value;
}

/** Applies a visitor to every record and scalar in a record; null, and members without a contract, stay. */
export const changedFields = (fields: Fields, value: RecordValue, visitor: Visitor): RecordValue => {
  const changed: Record<string, Value> = { ...value };
  for (const [name, field] of Object.entries(fields)) {
    const member = value[name];
    if (hasValue(member)) changed[name] = changedValue(field.type, member, visitor);
  }
  return changed;
};

const changedList = (item: Type, value: Value, visitor: Visitor): Value =>
  isList(value) ? value.map((each) => (each === null ? null : changedValue(item, each, visitor))) : value;

const changedRecord = (type: RecordType, value: Value, visitor: Visitor): Value => {
  if (!isRecord(value)) return value;
  const changed = changedFields(type.fields, value, visitor);
  return visitor.record?.(changed, type) ?? changed;
};

const changedValue = (type: Type, value: Value, visitor: Visitor): Value => {
  switch (type.kind) {
    case 'scalar':
      return visitor.scalar?.(value, type.name) ?? value;
    case 'enumeration':
      return value;
    case 'list':
      return changedList(type.item, value, visitor);
    case 'record':
      return changedRecord(type, value, visitor);
  }
};

/** Changes the fields of a record type, or of a result. */
export type Refit = (fields: Fields) => Fields;

const refitted = (type: Type, refit: Refit): Type => {
  if (type.kind === 'record') return { ...type, fields: refit(refittedFields(type.fields, refit)) };
  return type.kind === 'list' ? { ...type, item: refitted(type.item, refit) } : type;
};

const refittedFields = (fields: Fields, refit: Refit): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { ...field, type: refitted(field.type, refit) }]),
  );

/** An operation whose result is written by another contract: the fields of all records within it, and its own, refitted. */
export function refittedOperation(operation: Operation, refit: Refit): Operation {
  return { ...operation, result: refit(refittedFields(operation.result, refit)) };
}

const scalars: Readonly<Record<ScalarName, Value>> = {
  guid: '5a9d0000-0000-4000-8000-00000000fa17',
  string: 'sample',
  int: 7,
  short: 7,
  long: '9007199254740993',
  decimal: '12.50',
  dateTime: '2026-02-28T09:30:00',
  boolean: true,
  anyType: null,
};

/** A value of a type, always the same one; lists have two items. */
export function sampleOf(type: Type): Value {
  switch (type.kind) {
    case 'scalar':
      return scalars[type.name];
    case 'enumeration':
      return type.values[0] ?? '';
    case 'list':
      return [sampleOf(type.item), sampleOf(type.item)];
    case 'record':
      return Object.fromEntries(Object.entries(type.fields).map(([name, field]) => [name, sampleOf(field.type)]));
  }
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

/** What a value type holds when nothing was given: zero, or the first value of an enumeration. Undefined for other types. */
export function zeroOf(type: Type): Value | undefined {
  const scalar = scalarOf(type);
  return scalar === undefined ? valuesOf(type)?.[0] : zeros[scalar];
}
