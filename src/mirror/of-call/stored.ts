import { opt, type Field, type RecordType, type ScalarType, type Type } from '../../contract/build.js';
import type { RelctlError } from '../../core/errors/relctl-error.js';
import { damaged, jsonIn } from '../tables.js';
import { memberAt, reachedTypes, scalarOf, type NamedType } from '../../contract/walk.js';
import { defined, isObject } from '../../core/values/value.js';
import { callTable, isTooWide, type CalledList, type CallTable, callPrefix } from './table.js';

// A record as JSON: the types that it is made of, each once, which name each other by their places, since a record may be
// within itself. What only messages need, such as namespaces, is not kept.

type TypeText = number | Pick<ScalarType, 'name' | 'as'>;

/** The record and the types that it is made of, itself first, as JSON has them. */
function typesAsJson(record: RecordType): readonly unknown[] {
  const all = reachedTypes({ record: opt(record, '') });
  const positions = new Map<Type, number>(all.map((type, at) => [type, at]));
  const textOf = (type: Type): TypeText =>
    type.kind === 'scalar' ? { name: type.name, ...(type.as && { as: type.as }) } : (positions.get(type) ?? -1);
  const fieldOf = ({ type, presence, doc, role, nillable, isExtra }: Field) => ({
    type: textOf(type),
    presence,
    doc,
    role,
    nillable,
    isExtra,
  });
  return all.map((type: NamedType): unknown => {
    if (type.kind === 'enumeration') return type;
    if (type.kind === 'list') return { kind: 'list', item: textOf(type.item), itemName: type.itemName };
    const { kind, name, doc, presence, fields } = type;
    return { kind, name, doc, presence, fields: Object.entries(fields).map(([each, field]) => [each, fieldOf(field)]) };
  });
}

const wrong = (): RelctlError => damaged('the description of a table that no relctl wrote');

const scalars: ReadonlySet<unknown> = new Set([
  ...['guid', 'string', 'int', 'short', 'long', 'decimal', 'dateTime', 'boolean', 'anyType'],
]);

/** Names of members are those of elements: they stand in statements. */
const elementName = /^[\p{L}_][\p{L}\p{M}\p{N}._\u00b7-]*$/u;

function textIn(value: unknown, form = /^/): string {
  if (typeof value !== 'string' || !form.test(value)) throw wrong();
  return value;
}

function itemsIn(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong();
  return value as readonly unknown[];
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw wrong();
  return value;
}

const presences: ReadonlySet<unknown> = new Set(['req', 'nil', 'opt']);
const roles: ReadonlySet<unknown> = new Set(['name', 'key', 'words', 'content', 'seconds', undefined]);

function recordIn(value: unknown): RecordType {
  const texts = itemsIn(value).map(objectIn);
  // Filled below: each may name any other.
  const made = texts.map(({ kind }) => ({ kind }) as Type);
  const typeIn = (type: unknown): Type => {
    const own = typeof type === 'number' ? made[type] : undefined;
    if (own !== undefined) return own;
    const { name, as } = objectIn(type);
    if (!scalars.has(name) || (as !== undefined && typeof as !== 'string')) throw wrong();
    return { kind: 'scalar', name: name as ScalarType['name'], ...defined({ as }) };
  };
  const fieldIn = (pair: unknown): readonly [string, Field] => {
    const [name, field] = itemsIn(pair);
    const { type, doc, presence, role, ...others } = objectIn(field);
    if (!presences.has(presence) || !roles.has(role)) throw wrong();
    const facts = { presence, ...defined({ role }), ...others } as Pick<Field, 'presence'>;
    return [textIn(name, elementName), { type: typeIn(type), doc: textIn(doc), ...facts }];
  };
  const partsOf = ({ kind, item, itemName, name, doc, ...text }: Readonly<Record<string, unknown>>): object => {
    if (kind === 'list') return { item: typeIn(item), itemName: textIn(itemName) };
    const { values, presence, fields } = text;
    const named = { name: textIn(name), doc: textIn(doc) };
    if (kind === 'enumeration') return { ...named, values: itemsIn(values).map((each) => textIn(each)) };
    if (kind !== 'record') throw wrong();
    const stated = presence === 'documented' ? presence : 'assumed';
    return { ...named, presence: stated, fields: Object.fromEntries(itemsIn(fields).map(fieldIn)) };
  };
  for (const [at, text] of texts.entries()) Object.assign(made[at] ?? {}, partsOf(text));
  const [record] = made;
  if (record?.kind !== 'record') throw wrong();
  return record;
}

/** What the names of lines of `_mirror` begin with that hold tables of operations; the name of the table is behind it. */
const storedPrefix = 'table ';

/** The line of `_mirror` that keeps a table: its name, and what it is made of. */
export const storedLine = ({ name, call, record }: CallTable): readonly [name: string, value: string] => [
  `${storedPrefix}${name}`,
  JSON.stringify({ call, types: typesAsJson(record) }),
];

function calledIn(value: unknown): CalledList {
  const { operation, list, key, pageParam, sizeParam, isRead } = objectIn(value);
  const [path, keyPath] = [list, key].map((each) => itemsIn(each).map((name) => textIn(name, elementName)));
  if (path?.length === 0 || keyPath?.length === 0) throw wrong();
  return {
    operation: textIn(operation, elementName),
    list: path ?? [],
    key: keyPath ?? [],
    ...defined({
      pageParam: pageParam === undefined ? undefined : textIn(pageParam),
      sizeParam: sizeParam === undefined ? undefined : textIn(sizeParam),
      isRead: isRead === true ? true : undefined,
    }),
  };
}

const tableName = new RegExp(`^${callPrefix}[a-z0-9_]{1,60}$`);

function tableIn(name: string, text: string): CallTable {
  const value = objectIn(jsonIn(text));
  const call = calledIn(value['call']);
  const record = recordIn(value['types']);
  if (scalarOf(memberAt(record.fields, call.key)?.type) === undefined || isTooWide(record)) throw wrong();
  return callTable(textIn(name, tableName), call, record);
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
