import { opt, type Field, type Fields, type RecordType, type Type } from '../../contract/build.js';
import { PvFieldValueData } from '../../contract/records/shared.js';
import { string } from '../../contract/scalars.js';
import type { NameOf } from '../../output/id-names.js';
import { isList, isRecord, type RecordValue, type Value } from '../../plain/value.js';

/** Ending of a member that holds the name behind an Id. */
const ending = '.Name';

/**
 * What the Id in a member of a record is of, as members are called that hold such an Id; undefined for a member that holds
 * the own Id of the record, or none. The Id of a field value is that of its field.
 */
function referredBy(name: string, { fields, name: record }: RecordType): string | undefined {
  const type = Object.hasOwn(fields, name) ? fields[name]?.type : undefined;
  if (type?.kind !== 'scalar' || type.name !== 'guid') return undefined;
  if (name !== 'Id') return name;
  return record === PvFieldValueData.name ? 'FieldId' : undefined;
}

function besideType(type: Type): Type {
  if (type.kind === 'record') return withNameFields(type);
  return type.kind === 'list' && type.item.kind === 'record' ? { ...type, item: withNameFields(type.item) } : type;
}

function besideFields(type: RecordType): Fields {
  return Object.fromEntries(
    Object.entries(type.fields).flatMap(([name, field]): readonly [string, Field][] => {
      if (referredBy(name, type) === undefined) return [[name, { ...field, type: besideType(field.type) }]];
      return [
        [name, field],
        [`${name}${ending}`, opt(string, `What the record is called that ${name} refers to.`)],
      ];
    }),
  );
}

/** A record type with a member for the name behind each Id of another record, also in records and lists within it. */
export const withNameFields = (type: RecordType): RecordType => ({ ...type, fields: besideFields(type) });

function namedValue(value: Value, type: Type | undefined, nameOf: NameOf): Value {
  if (type?.kind === 'record' && isRecord(value)) return withNames(value, type, nameOf);
  if (type?.kind !== 'list' || type.item.kind !== 'record' || !isList(value)) return value;
  return value.map((item) => namedValue(item, type.item, nameOf));
}

/** A record with the names that are known behind the Ids of other records. */
export function withNames(record: RecordValue, type: RecordType, nameOf: NameOf): RecordValue {
  const named: [string, Value][] = [];
  for (const [name, value] of Object.entries(record)) {
    const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
    named.push([name, namedValue(value, field?.type, nameOf)]);
    const referred = referredBy(name, type);
    const known = referred === undefined || typeof value !== 'string' ? undefined : nameOf(value, referred);
    if (known !== undefined) named.push([`${name}${ending}`, known]);
  }
  // fromEntries defines keys, so that a member named `__proto__` is a member.
  return Object.fromEntries(named);
}

/** Titles of columns, with the name before each Id that has one. */
export const namesBefore = (titles: readonly string[], hasName: (member: string) => boolean): readonly string[] =>
  titles.flatMap((title) => {
    const member = title.split('.').at(-1) ?? '';
    return hasName(member) ? [`${title}${ending}`, title] : [title];
  });

/** True when a column is asked for that holds a name behind an Id. */
export const asksForNames = (columns: readonly string[], type: RecordType): boolean => {
  const titles = new Set(nameTitles(type, []));
  return columns.some((title) => titles.has(title.trim().toLowerCase()));
};

const nameTitles = (type: RecordType, above: readonly string[]): readonly string[] =>
  Object.entries(type.fields).flatMap(([name, field]) => {
    const path = [...above, name];
    const inner = field.type.kind === 'list' ? field.type.item : field.type;
    if (inner.kind === 'record') return nameTitles(inner, path);
    return referredBy(name, type) === undefined ? [] : [`${path.join('.')}${ending}`.toLowerCase()];
  });
