import { opt, type Field, type Fields, type RecordType } from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import type { NameOf } from '../../output/id-names.js';
import { isRecord, type RecordValue, type Value } from '../../plain/value.js';

/** Ending of a member that holds the name behind an Id. */
const ending = '.Name';

/** True for a member with the Id of another record: its own Id has its name beside it. */
const refersToOther = (name: string, { type }: Field): boolean =>
  type.kind === 'scalar' && type.name === 'guid' && name !== 'Id';

function besideFields(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): readonly [string, Field][] => {
      if (field.type.kind === 'record') return [[name, { ...field, type: withNameFields(field.type) }]];
      if (!refersToOther(name, field)) return [[name, field]];
      return [
        [name, field],
        [`${name}${ending}`, opt(string, `What the record is called that ${name} refers to.`)],
      ];
    }),
  );
}

/** A record type with a member for the name behind each Id of another record, also in records within it. */
export const withNameFields = (type: RecordType): RecordType => ({ ...type, fields: besideFields(type.fields) });

/** A record with the names that are known behind the Ids of other records. */
export function withNames(record: RecordValue, type: RecordType, nameOf: NameOf): RecordValue {
  const named: Record<string, Value> = {};
  for (const [name, value] of Object.entries(record)) {
    const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
    named[name] = field?.type.kind === 'record' && isRecord(value) ? withNames(value, field.type, nameOf) : value;
    if (field === undefined || typeof value !== 'string' || !refersToOther(name, field)) continue;
    const known = nameOf(value, name);
    if (known !== undefined) named[`${name}${ending}`] = known;
  }
  return named;
}

/** Titles of columns, with the name before each Id that has one. */
export const namesBefore = (titles: readonly string[], hasName: (member: string) => boolean): readonly string[] =>
  titles.flatMap((title) => {
    const member = title.split('.').at(-1) ?? '';
    return hasName(member) ? [`${title}${ending}`, title] : [title];
  });

/** True when a column is asked for that holds a name behind an Id. */
export const asksForNames = (columns: readonly string[], type: RecordType): boolean => {
  const titles = new Set(nameTitles(type.fields, []));
  return columns.some((title) => titles.has(title.trim().toLowerCase()));
};

const nameTitles = (fields: Fields, above: readonly string[]): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    if (field.type.kind === 'record') return nameTitles(field.type.fields, [...above, name]);
    return refersToOther(name, field) ? [`${[...above, name].join('.')}${ending}`.toLowerCase()] : [];
  });
