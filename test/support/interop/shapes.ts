import type { Fields, Operation, RecordType, Type } from '../../../src/contract/build.js';
import { resultEnvelope } from '../../../src/contract/records/result.js';
import { boolean } from '../../../src/contract/scalars.js';

/** JSON as it comes. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A record of JSON. */
export interface JsonRecord {
  readonly [name: string]: Json;
}

/** True for records, but not for lists and null. */
export const isRecord = (value: Json | undefined): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Array.isArray gives any[] for a readonly array; this takes that back.
const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Parameters in the shape that SOAP stacks take: lists within their items' name, members that must be there as null. */
export function wireForm(fields: Fields, value: Json): Json {
  if (!isRecord(value)) return value;
  const members = Object.entries(fields).flatMap(([name, { type, presence }]): [string, Json][] => {
    const member = value[name];
    if (member !== undefined) return [[name, wireValue(type, member)]];
    return presence === 'nil' ? [[name, null]] : [];
  });
  return Object.fromEntries(members);
}

function wireValue(type: Type, value: Json): Json {
  if (type.kind === 'record') return wireForm(type.fields, value);
  if (type.kind !== 'list' || !isList(value)) return value;
  return { [type.itemName]: value.map((item) => wireValue(type.item, item)) };
}

/**
 * A result in the form in which relctl prints it: lists without the name of their items, which stacks keep, and `long` as
 * text.
 */
export function printedForm(type: Type, value: Json): Json {
  if (type.kind === 'record' && isRecord(value)) {
    const members = Object.entries(value).map(([name, member]) => {
      // What the contract does not know stays, so that it shows in a comparison.
      return [name, printedForm(type.fields[name]?.type ?? boolean, member)] as const;
    });
    return Object.fromEntries(members);
  }
  if (type.kind === 'scalar' && type.name === 'long' && typeof value === 'number') return String(value);
  if (type.kind !== 'list') return value;
  const items = isRecord(value) ? (value[type.itemName] ?? []) : value;
  return isList(items) ? items.map((item) => printedForm(type.item, item)) : items;
}

/** What becomes of a value of a type; undefined takes it away. */
export type Change = (type: Type, value: Json) => Json | undefined;

/** Changes a value and everything within it, from the inside out. */
export function changed(type: Type, value: Json, change: Change): Json | undefined {
  if (type.kind === 'record' && isRecord(value)) {
    const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
      const known = type.fields[name];
      const after = known === undefined ? member : changed(known.type, member, change);
      return after === undefined ? [] : [[name, after]];
    });
    return change(type, Object.fromEntries(members));
  }
  if (type.kind === 'list' && isList(value)) {
    return change(
      type,
      value.map((item) => changed(type.item, item, change) ?? null),
    );
  }
  return change(type, value);
}

/** A result as a record type: the shape that a whole answer has. */
export const resultType = (operation: Operation): RecordType => ({
  kind: 'record',
  name: `${operation.name}Result`,
  doc: '',
  fields: operation.envelope ? { ...resultEnvelope, ...operation.result } : operation.result,
  presence: 'documented',
});
