import type { EnumerationType, ScalarName, Type } from '../contract/build.js';
import { fieldEntries } from '../contract/walk.js';
import type { Value } from '../soap/values/values.js';

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

const firstOf = ({ values }: EnumerationType): Value => values[0] ?? '';

/** A value of a type, always the same one; lists have two items. */
export function sampleOf(type: Type): Value {
  switch (type.kind) {
    case 'scalar':
      return scalars[type.name];
    case 'enumeration':
      return firstOf(type);
    case 'list':
      return [sampleOf(type.item), sampleOf(type.item)];
    case 'record':
      return Object.fromEntries(fieldEntries(type.fields).map(([name, field]) => [name, sampleOf(field.type)]));
  }
}
