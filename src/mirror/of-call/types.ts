import type { EnumerationType, Field, ListType, RecordType, ScalarType, Type } from '../../contract/build.js';
import { opt } from '../../contract/build.js';
import { reachedTypes, type NamedType } from '../../contract/walk.js';
import { isObject } from '../../plain/object.js';
import { damaged } from '../damaged.js';

// A record as JSON: the types that it is made of, each once, which name each other by their places, since a record may be
// within itself. What only messages need, such as namespaces, is not kept.

type TypeText = number | Pick<ScalarType, 'name' | 'as'>;

/** The record and the types that it is made of, itself first, as JSON has them. */
export function typesAsJson(record: RecordType): readonly unknown[] {
  const all = reachedTypes({ record: opt(record, '') });
  const places = new Map<Type, number>(all.map((type, at) => [type, at]));
  const textOf = (type: Type): TypeText =>
    type.kind === 'scalar' ? { name: type.name, ...(type.as && { as: type.as }) } : (places.get(type) ?? -1);
  const fieldOf = ({ type, presence, doc, role, nillable, beyond }: Field) => ({
    type: textOf(type),
    presence,
    doc,
    role,
    nillable,
    beyond,
  });
  return all.map((type: NamedType): unknown => {
    if (type.kind === 'enumeration') return type;
    if (type.kind === 'list') return { kind: 'list', item: textOf(type.item), itemName: type.itemName };
    const { kind, name, doc, presence, fields } = type;
    return { kind, name, doc, presence, fields: Object.entries(fields).map(([each, field]) => [each, fieldOf(field)]) };
  });
}

const wrong = () => damaged('the types of a table that no relctl wrote');

const scalars: ReadonlySet<unknown> = new Set([
  ...['guid', 'string', 'int', 'short', 'long', 'decimal', 'dateTime', 'boolean', 'anyType'],
]);

/** Names of members are those of elements: they stand in statements. */
const elementName = /^[\p{L}_][\p{L}\p{M}\p{N}._\u00b7-]*$/u;

/** The name of a member. Throws `local` for what is none. */
export function memberIn(value: unknown): string {
  if (typeof value !== 'string' || !elementName.test(value)) throw wrong();
  return value;
}

const textIn = (value: unknown): string => {
  if (typeof value !== 'string') throw wrong();
  return value;
};

const itemsIn = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw wrong();
  return value as readonly unknown[];
};

const objectIn = (value: unknown): Readonly<Record<string, unknown>> => {
  if (!isObject(value)) throw wrong();
  return value;
};

const presences: ReadonlySet<unknown> = new Set(['req', 'nil', 'opt']);
const roles: ReadonlySet<unknown> = new Set(['name', 'key', 'words', 'content', 'seconds', undefined]);

/** The record that JSON of `typesAsJson` says. Throws `local` for what is none. */
export function recordIn(value: unknown): RecordType {
  const texts = itemsIn(value).map(objectIn);
  // Filled below: each may name any other.
  const made = texts.map(({ kind }) => ({ kind }) as Type);
  const typeIn = (type: unknown): Type => {
    if (typeof type === 'number') return made[type] ?? fail();
    const { name, as } = objectIn(type);
    if (!scalars.has(name)) throw wrong();
    return { kind: 'scalar', name: name as ScalarType['name'], ...(as === undefined ? {} : { as: textIn(as) }) };
  };
  const fieldIn = (field: unknown): Field => {
    const { type, presence, doc, role, nillable, beyond } = objectIn(field);
    if (!presences.has(presence) || !roles.has(role)) throw wrong();
    return {
      type: typeIn(type),
      presence: presence as Field['presence'],
      doc: textIn(doc),
      ...(role === undefined ? {} : { role: role as NonNullable<Field['role']> }),
      ...(nillable === true ? { nillable } : {}),
      ...(beyond === true ? { beyond } : {}),
    };
  };
  const typeOf = (text: Readonly<Record<string, unknown>>): Type => {
    const { kind } = text;
    if (kind === 'enumeration') {
      const values = itemsIn(text['values']).map(textIn);
      return { kind, name: textIn(text['name']), doc: textIn(text['doc']), values } satisfies EnumerationType;
    }
    if (kind === 'list') {
      return { kind, item: typeIn(text['item']), itemName: textIn(text['itemName']) } satisfies ListType;
    }
    if (kind !== 'record') throw wrong();
    const fields = itemsIn(text['fields']).map((pair) => {
      const [name, field] = itemsIn(pair);
      return [memberIn(name), fieldIn(field)] as const;
    });
    const presence = text['presence'] === 'documented' ? 'documented' : 'assumed';
    return {
      ...{ kind, name: textIn(text['name']), doc: textIn(text['doc']), presence },
      fields: Object.fromEntries(fields),
    } satisfies RecordType;
  };
  for (const [at, text] of texts.entries()) Object.assign(made[at] ?? {}, typeOf(text));
  const [record] = made;
  if (record?.kind !== 'record') throw wrong();
  return record;
}

function fail(): never {
  throw wrong();
}
