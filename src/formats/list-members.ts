import { opt, recordWithoutPresence, type Field, type Fields, type RecordType, type Type } from '../contract/build.js';
import { string } from '../contract/scalars.js';
import { isTooDeep, itemOf, listedRecord, memberAt } from '../contract/walk.js';
import { valueAt, isList, isRecord, type RecordValue, type Value } from '../core/values/value.js';
import { cellText } from './columns.js';

/** The member of a record that is a list, by the names on the way to it. */
export type ListPath = readonly string[];

/** Records of another type, made of each record. */
export interface Reshaped {
  readonly type: RecordType;
  readonly of: (record: RecordValue) => readonly RecordValue[];
}

/** The same of some fields. @param above the records that hold them */
export function listPathsIn(fields: Fields, above: readonly RecordType[] = []): readonly ListPath[] {
  return Object.entries(fields).flatMap(([name, { type }]) => {
    if (type.kind === 'list') return [[name]];
    if (type.kind !== 'record' || isTooDeep(type, above)) return [];
    return listPathsIn(type.fields, [...above, type]).map((path) => [name, ...path]);
  });
}

/** The list members of a record type, those of nested records too; not those within lists. */
export const listPaths = (type: RecordType): readonly ListPath[] => listPathsIn(type.fields, [type]);

function withType(type: RecordType, [name = '', ...rest]: ListPath, change: (list: Type) => Type): RecordType {
  const field: Field | undefined = type.fields[name];
  if (field === undefined) return type;
  const inner = field.type;
  const changed = rest.length === 0 ? change(inner) : inner.kind === 'record' ? withType(inner, rest, change) : inner;
  return { ...type, fields: { ...type.fields, [name]: { ...field, type: changed } } };
}

function withValue(record: RecordValue, [name = '', ...rest]: ListPath, value: Value): RecordValue {
  if (rest.length === 0) return { ...record, [name]: value };
  const inner = record[name];
  return isRecord(inner) ? { ...record, [name]: withValue(inner, rest, value) } : record;
}

/**
 * A row for each item of a list, which stands in the place of the list; the rest of the record is repeated. A record without
 * items has one row, in which the list is nil.
 */
export function exploded(type: RecordType, path: ListPath): Reshaped {
  return {
    type: withType(type, path, (list) => itemOf(list) ?? list),
    of(record) {
      const list = valueAt(record, path);
      // What is there in the place of a list stays, and is told as beyond the contract.
      if (!isList(list)) return [record];
      return list.length === 0 ? [withValue(record, path, null)] : list.map((item) => withValue(record, path, item));
    },
  };
}

function joinedType(list: Type): Type {
  if (list.kind !== 'list') return list;
  if (list.item.kind !== 'record') return string;
  const { name, doc, fields } = list.item;
  const texts: Fields = Object.fromEntries(
    Object.entries(fields).map(([member, { doc: about }]) => [member, opt(string, about)]),
  );
  return recordWithoutPresence(name, doc, texts);
}

function joinedRecords(list: readonly Value[], separator: string): RecordValue | undefined {
  if (!list.every(isRecord)) return undefined;
  const names = new Set(list.flatMap((item) => Object.keys(item)));
  // fromEntries defines keys, so that a member named `__proto__` is a member.
  return Object.fromEntries([...names].map((name) => [name, list.map((item) => cellText(item[name])).join(separator)]));
}

/** The text of each list in one cell: of records, one cell for each member, in which the texts of all items stand. */
export function joined(type: RecordType, separator: string): Reshaped {
  const paths = listPaths(type).map((path) => ({
    path,
    ofRecords: listedRecord(memberAt(type.fields, path)?.type) !== undefined,
  }));
  return {
    type: paths.reduce((all, { path }) => withType(all, path, joinedType), type),
    of: (record) => [
      paths.reduce((all, { path, ofRecords }) => {
        const list = valueAt(all, path);
        if (!isList(list)) return all;
        if (list.length === 0) return withValue(all, path, null);
        const text = ofRecords ? joinedRecords(list, separator) : list.map(cellText).join(separator);
        return text === undefined ? all : withValue(all, path, text);
      }, record),
    ],
  };
}
