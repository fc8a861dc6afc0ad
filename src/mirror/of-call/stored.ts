import type { EnumerationType, Field, ListType, RecordType, ScalarType, Type } from '../../contract/build.js';
import { damaged, jsonIn } from '../tables.js';

import { opt } from '../../contract/build.js';
import { memberAt, reachedTypes, type NamedType } from '../../contract/walk.js';
import { defined, isObject } from '../../core/values/value.js';
import { callTable, isTooWide, type CalledList, type CallTable, callPrefix } from './table.js';

// A record as JSON: the types that it is made of, each once, which name each other by their places, since a record may be
// within itself. What only messages need, such as namespaces, is not kept.

type TypeText = number | Pick<ScalarType, 'name' | 'as'>;

/** The record and the types that it is made of, itself first, as JSON has them. */
function typesAsJson(record: RecordType): readonly unknown[] {
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

const wrongTypes = () => damaged('the types of a table that no relctl wrote');

const scalars: ReadonlySet<unknown> = new Set([
  ...['guid', 'string', 'int', 'short', 'long', 'decimal', 'dateTime', 'boolean', 'anyType'],
]);

/** Names of members are those of elements: they stand in statements. */
const elementName = /^[\p{L}_][\p{L}\p{M}\p{N}._\u00b7-]*$/u;

function memberIn(value: unknown): string {
  if (typeof value !== 'string' || !elementName.test(value)) throw wrongTypes();
  return value;
}

const textIn = (value: unknown): string => {
  if (typeof value !== 'string') throw wrongTypes();
  return value;
};

const itemsIn = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw wrongTypes();
  return value as readonly unknown[];
};

const objectIn = (value: unknown): Readonly<Record<string, unknown>> => {
  if (!isObject(value)) throw wrongTypes();
  return value;
};

const presences: ReadonlySet<unknown> = new Set(['req', 'nil', 'opt']);
const roles: ReadonlySet<unknown> = new Set(['name', 'key', 'words', 'content', 'seconds', undefined]);

function recordIn(value: unknown): RecordType {
  const texts = itemsIn(value).map(objectIn);
  // Filled below: each may name any other.
  const made = texts.map(({ kind }) => ({ kind }) as Type);
  const typeIn = (type: unknown): Type => {
    const { name, as } = objectIn(typeof type === 'number' ? made[type] : type);
    if (typeof type === 'number') return made[type] as Type;
    if (!scalars.has(name)) throw wrongTypes();
    return { kind: 'scalar', name: name as ScalarType['name'], ...(as === undefined ? {} : { as: textIn(as) }) };
  };
  const fieldIn = (field: unknown): Field => {
    const { type, presence, doc, role, nillable, beyond } = objectIn(field);
    if (!presences.has(presence) || !roles.has(role)) throw wrongTypes();
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
    if (kind !== 'record') throw wrongTypes();
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
  if (record?.kind !== 'record') throw wrongTypes();
  return record;
}

/** What the names of lines of `_mirror` begin with that hold tables of operations; the name of the table is behind it. */
const storedPrefix = 'table ';

/** The line of `_mirror` that keeps a table: its name, and what it is made of. */
export const storedLine = ({ name, call, record }: CallTable): readonly [name: string, value: string] => [
  `${storedPrefix}${name}`,
  JSON.stringify({ call, types: typesAsJson(record) }),
];

const wrong = () => damaged('the description of a table that no relctl wrote');

const pathIn = (value: unknown): readonly string[] => {
  if (!Array.isArray(value) || value.length === 0) throw wrong();
  return value.map(memberIn);
};

const parameterIn = (value: unknown): string | undefined => {
  if (value !== undefined && typeof value !== 'string') throw wrong();
  return value;
};

function calledIn(value: unknown): CalledList {
  if (!isObject(value)) throw wrong();
  const [pageParam, sizeParam] = [parameterIn(value['pageParam']), parameterIn(value['sizeParam'])];
  return {
    operation: memberIn(value['operation']),
    list: pathIn(value['list']),
    key: pathIn(value['key']),
    ...defined({ pageParam, sizeParam, isRead: value['isRead'] === true ? true : undefined }),
  };
}

const tableName = new RegExp(`^${callPrefix}[a-z0-9_]{1,60}$`);

function tableIn(name: string, text: string): CallTable {
  const value = jsonIn(text);
  if (!tableName.test(name) || !isObject(value)) throw wrong();
  const call = calledIn(value['call']);
  const record = recordIn(value['types']);
  if (memberAt(record.fields, call.key)?.type.kind !== 'scalar' || isTooWide(record)) throw wrong();
  return callTable(name, call, record);
}

/** The tables of operations that lines of `_mirror` keep, by their names. Throws `local` for lines that no relctl wrote. */
export function storedTables(lines: Iterable<readonly unknown[]>): ReadonlyMap<string, CallTable> {
  const tables = new Map<string, CallTable>();
  for (const [line, value] of lines) {
    const name = String(line);
    if (name.startsWith(storedPrefix)) {
      const own = name.slice(storedPrefix.length);
      tables.set(own, tableIn(own, String(value)));
    }
  }
  return tables;
}
