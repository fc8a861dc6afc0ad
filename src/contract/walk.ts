import {
  opt,
  recordWithoutPresence,
  type Field,
  type Fields,
  type ListType,
  type Operation,
  type RecordType,
  type ScalarName,
  type ScalarType,
  type Type,
} from './build.js';
import { credentialsField, resultEnvelope } from './records/shared.js';

/** Names of elements that fields do not have. An attribute, whose name has an `@`, stands for no record and no row. */
export const unknownMembers = (members: Readonly<Record<string, unknown>>, fields: object): readonly string[] =>
  Object.keys(members).filter((name) => !name.includes('@') && !Object.hasOwn(fields, name));

/** The name of a scalar type; undefined for any other type. */
export const scalarOf = (type: Type | undefined): ScalarName | undefined =>
  type?.kind === 'scalar' ? type.name : undefined;

/** The values of an enumeration; undefined for any other type. */
export const valuesOf = (type: Type | undefined): readonly string[] | undefined =>
  type?.kind === 'enumeration' ? type.values : undefined;

/** The type, where it is a record. */
export const recordOf = (type: Type | undefined): RecordType | undefined =>
  type?.kind === 'record' ? type : undefined;

/** The fields of a record; none for any other type. */
export const fieldsOf = (type: Type | undefined): Fields => (type?.kind === 'record' ? type.fields : {});

/** The type, where it is a list. */
export const listOf = (type: Type | undefined): ListType | undefined => (type?.kind === 'list' ? type : undefined);

/** The type of the items of a list; undefined for any other type. */
export const itemOf = (type: Type | undefined): Type | undefined => (type?.kind === 'list' ? type.item : undefined);

/** True for a record and for a list: what is no single value. */
export const isNested = (type: Type | undefined): type is RecordType | ListType =>
  type?.kind === 'record' || type?.kind === 'list';

/** The field that names lead to from some fields, through records; undefined when there is none. */
export function memberAt(fields: Fields, [name = '', ...rest]: readonly string[]): Field | undefined {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (rest.length === 0) return field;
  return memberAt(fieldsOf(field?.type), rest);
}

/** What the header SOAPAction holds: namespace, exactly one slash, operation ("What the service does"). */
export const soapActionOf = (namespace: string, operation: string): string =>
  `${namespace.endsWith('/') ? namespace : `${namespace}/`}${operation}`;

/** Records within each other that have columns of their own. */
const deepest = 8;

/**
 * True for a record that is within another one of its type, or within very many: its members have no columns of their own.
 * @param above the records that hold it
 */
export const isTooDeep = (type: RecordType, above: readonly RecordType[]): boolean =>
  above.length >= deepest || above.includes(type);

/** The member of the record that stands for an item of a list that is no record. */
export const valueMember = 'Value';

/** The record type of the items of a list; of items that are none, one with the member `Value`. */
export const itemRecord = ({ item, itemName }: ListType): RecordType =>
  recordOf(item) ?? recordWithoutPresence(itemName, '', { [valueMember]: opt(item, 'The item of the list.') });

/** The record of the items of a list; undefined for any other type. */
export const listedRecord = (type: Type | undefined): RecordType | undefined => recordOf(itemOf(type));

/** The record that a type is, or that the items of its list are; undefined where neither is one. */
export const recordWithin = (type: Type | undefined): RecordType | undefined => recordOf(type) ?? listedRecord(type);

/** A type that the description of the service declares by a name. */
export type NamedType = Exclude<Type, ScalarType>;

function visit(type: Type | undefined, seen: Set<NamedType>): void {
  if (type === undefined || type.kind === 'scalar' || seen.has(type)) return;
  seen.add(type);
  visit(itemOf(type), seen);
  for (const field of Object.values(fieldsOf(type))) visit(field.type, seen);
}

/** The types of all these fields, of the fields of their records, and so on: each once, a record before its fields. */
export function reachedTypes(...all: readonly Fields[]): readonly NamedType[] {
  const seen = new Set<NamedType>();
  for (const fields of all) for (const field of Object.values(fields)) visit(field.type, seen);
  return [...seen];
}

/** True for what .NET keeps by reference: text, records, lists, untyped. Only these may be nil as items of a list. */
export const isReference = (type: Type): boolean =>
  isNested(type) || scalarOf(type) === 'string' || scalarOf(type) === 'anyType';

/** A type in words: `guid`, `AddressType`, `list of PvRelationData`. */
export function typeName(type: Type): string {
  if (type.kind === 'list') return `list of ${typeName(type.item)}`;
  return type.kind === 'scalar' && type.as !== undefined ? `${type.name} (${type.as})` : type.name;
}

const capitalised = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/**
 * Name of a type in the schema of the service. That of a list is `ArrayOfGuid`; with items of another name than their type's,
 * `ArrayOfGuidNamedRow`.
 */
export function schemaName(type: Type): string {
  if (type.kind !== 'list') return type.name;
  // No builder makes a list of lists, but the type allows one.
  const name = schemaName(type.item);
  const suffix = type.itemName === name ? '' : `Named${capitalised(type.itemName)}`;
  return `ArrayOf${capitalised(name)}${suffix}`;
}

/**
 * Makes the fields of an operation once: plans of encoders and decoders are kept by the object that holds the fields.
 */
function once(make: (operation: Operation) => Fields): (operation: Operation) => Fields {
  const made = new WeakMap<Operation, Fields>();
  return (operation) => {
    const fields = made.get(operation) ?? make(operation);
    made.set(operation, fields);
    return fields;
  };
}

/** Everything that a request of an operation holds, in the order of the wire. */
export const requestFields = once(({ parameters }) => ({ credentials: credentialsField, ...parameters }));

/** True for an operation whose answer holds the members itself: it has no result envelope, whatever its members are called. */
export const isBare = ({ wire }: Operation): boolean => wire !== undefined && wire.resultName === undefined;

const toleratedEnvelope: Fields = {
  Result: opt(resultEnvelope.Result.type, resultEnvelope.Result.doc),
  Data: resultEnvelope.Data,
};

/**
 * All members that a result may hold, in the order of the wire: the result envelope, then the operation's own. Deployed
 * instances send the envelope on practically every operation, so it is optional where the document does not say so.
 */
export const fullResult = once((operation) => ({
  ...(operation.envelope ? resultEnvelope : isBare(operation) ? {} : toleratedEnvelope),
  ...operation.result,
}));
