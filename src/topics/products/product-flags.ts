import type { Value } from '../../core/values/value.js';
import type { Interfaces } from '@oclif/core';
import type { Field, ScalarName, Type } from '../../contract/build.js';
import { PvProductData_V2 } from '../../contract/records/product.js';
import { scalarOf, valuesOf } from '../../contract/walk.js';
import { typeWith } from '../../contract/widen.js';
import { valueOfType, wordsOfType } from '../../kit/flags/by-type.js';
import type { NameKind } from '../../profiles/names.js';
import { option, type Reader } from '../../kit/flags/define.js';
import { idOption } from '../../kit/flags/kinds.js';

/** The flag of a field: `SalesPrice` is `--sales-price`. */
const flagOf = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

const changeable = Object.entries(PvProductData_V2.fields).filter(([name]) => name !== 'Id');

/** As flags of these kinds have it everywhere. */
const scalarWords: Readonly<Partial<Record<ScalarName, string>>> = {
  boolean: 'true|false',
  string: 'TEXT',
  int: 'N',
  short: 'N',
  long: 'N',
};

function placeholder(type: Type): string {
  const scalar = scalarOf(type);
  if (scalar === undefined) return valuesOf(type)?.join('|') ?? '';
  return scalarWords[scalar] ?? scalar.toUpperCase();
}

/** Fields that hold ids which a profile may name. */
const kinds: Readonly<Record<string, NameKind>> = { ProductGroupId: 'group', SalesVatId: 'vat-rate' };

const flagOfKind = (kind: NameKind, summary: string): Interfaces.FlagInput[string] =>
  idOption(kind)({ summary, helpGroup: 'PRODUCT' });

/** A reader of an enumeration asks for what the profile allows; others have nothing to ask. */
const readerOf = (type: Type): Reader<unknown> =>
  type.kind === 'enumeration'
    ? (text, flag, allowed) => valueOfType(allowed === undefined ? type : typeWith(type, allowed), text, flag)
    : (text, flag) => valueOfType(type, text, flag);

const flagFor = ({ type, doc }: Field): Interfaces.FlagInput[string] =>
  option<unknown>(readerOf(type), {
    offers: wordsOfType(type),
    ...(type.kind === 'enumeration' ? { enumeration: type } : {}),
  })({
    summary: doc,
    helpValue: placeholder(type),
    helpGroup: 'PRODUCT',
  });

/** A flag for every field of a product that may change, made from the contract (interface document, PvProductData_V2). */
export const productFlags: Interfaces.FlagInput = Object.fromEntries(
  changeable.map(([name, field]) => {
    const kind = kinds[name];
    return [flagOf(name), kind === undefined ? flagFor(field) : flagOfKind(kind, field.doc)];
  }),
);

const namesAndFlags = changeable.map(([name]) => [name, flagOf(name)] as const);

/** The members of a product, and the flags that change them. */
export const productMembers: Readonly<Record<string, string>> = Object.fromEntries(namesAndFlags);

/** The fields that flags change. */
export function productChanges(flags: Readonly<Record<string, unknown>>): Readonly<Record<string, Value>> {
  const changes: Record<string, Value> = {};
  for (const [name, flag] of namesAndFlags) {
    // Whatever stands under these names was read by the flags above.
    const value = flags[flag] as Value | undefined;
    if (value !== undefined) changes[name] = value;
  }
  return changes;
}
