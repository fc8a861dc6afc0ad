import type { Value } from '../../../plain/value.js';
import { Flags, type Interfaces } from '@oclif/core';
import type { Field, Type } from '../../../contract/build.js';
import { PvProductData_V2 } from '../../../contract/records/product.js';
import { fieldEntries } from '../../../contract/walk.js';
import { valueOfType } from '../by-type.js';

/** The flag of a field: `SalesPrice` is `--sales-price`. */
const flagOf = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

const changeable = fieldEntries(PvProductData_V2.fields).filter(([name]) => name !== 'Id');

function placeholder(type: Type): string {
  if (type.kind === 'enumeration') return type.values.join('|');
  return type.kind === 'scalar' && type.name === 'boolean'
    ? 'true|false'
    : type.kind === 'scalar'
      ? type.name.toUpperCase()
      : '';
}

function flagFor({ type, doc }: Field): Interfaces.FlagInput[string] {
  return Flags.string({ summary: doc, helpValue: placeholder(type), helpGroup: 'PRODUCT' });
}

/** A flag for every field of a product that may change, made from the contract (interface document, PvProductData_V2). */
export const productFlags: Interfaces.FlagInput = Object.fromEntries(
  changeable.map(([name, field]) => [flagOf(name), flagFor(field)]),
);

/** The fields that flags change. Throws `usage` that names the flag. */
export function productChanges(flags: Readonly<Record<string, unknown>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    changeable.flatMap(([name, { type }]) => {
      const text = flags[flagOf(name)];
      return typeof text === 'string' ? [[name, valueOfType(type, text, `--${flagOf(name)}`)] as const] : [];
    }),
  );
}
