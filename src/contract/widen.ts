import {
  opt,
  type EnumerationType,
  type Field,
  type Fields,
  type Operation,
  type RecordType,
  type Type,
} from './build.js';
import { reachedTypes } from './walk.js';

/** Values that a service has besides those of the contract, by the name of the enumeration. */
export type AllowedValues = Readonly<Record<string, readonly string[]>>;

/** What was made for some allowed values: plans of encoders and decoders are kept by the objects. */
interface Made {
  readonly types: Map<Type, Type>;
  readonly operations: Map<Operation, Operation>;
}

const madeFor = new WeakMap<AllowedValues, Made>();

function madeIn(allowed: AllowedValues): Made {
  const made = madeFor.get(allowed) ?? { types: new Map(), operations: new Map() };
  madeFor.set(allowed, made);
  return made;
}

const valuesFor = (allowed: AllowedValues, { name }: EnumerationType): readonly string[] =>
  Object.hasOwn(allowed, name) ? (allowed[name] ?? []) : [];

/** True for a type that is one of the enumerations, or has one below it. */
const reaches = (type: Type, allowed: AllowedValues): boolean =>
  reachedTypes({ type: opt(type, '') }).some(
    (each) => each.kind === 'enumeration' && valuesFor(allowed, each).length > 0,
  );

const enumerationWith = (type: EnumerationType, allowed: AllowedValues): EnumerationType => ({
  ...type,
  values: [...new Set([...type.values, ...valuesFor(allowed, type)])],
});

/** The fields are made when they are asked for: a record may hold itself. */
function recordWith(type: RecordType, allowed: AllowedValues): RecordType {
  const { name, doc, presence, assumed } = type;
  let made: Fields | undefined;
  return {
    kind: 'record',
    name,
    doc,
    presence,
    ...(assumed === undefined ? {} : { assumed }),
    get fields() {
      return (made ??= fieldsWith(type.fields, allowed));
    },
  };
}

/** The same type, with the allowed values in its enumerations; the type itself when it has none of them. */
export function typeWith<T extends Type>(type: T, allowed: AllowedValues): T;
export function typeWith(type: Type, allowed: AllowedValues): Type {
  const { types } = madeIn(allowed);
  const known = types.get(type);
  if (known !== undefined) return known;
  const made = reaches(type, allowed) ? copyOf(type, allowed) : type;
  types.set(type, made);
  return made;
}

function copyOf(type: Type, allowed: AllowedValues): Type {
  switch (type.kind) {
    case 'scalar':
      return type;
    case 'enumeration':
      return enumerationWith(type, allowed);
    case 'list':
      return { ...type, item: typeWith(type.item, allowed) };
    case 'record':
      return recordWith(type, allowed);
  }
}

/** A field keeps its identity when nothing changes: what is secret is known by it. */
function fieldWith(field: Field, allowed: AllowedValues): Field {
  const type = typeWith(field.type, allowed);
  return type === field.type ? field : { ...field, type };
}

function fieldsWith(fields: Fields, allowed: AllowedValues): Fields {
  const entries = Object.entries(fields).map(([name, field]) => [name, fieldWith(field, allowed)] as const);
  return entries.every(([name, field]) => field === fields[name]) ? fields : Object.fromEntries(entries);
}

/**
 * The same operation, with the allowed values in the enumerations of its parameters and its result: encoder, decoder and
 * checks follow from them. The operation itself when nothing changes.
 * @param allowed the same object for the same profile, so that plans are made once
 */
export function operationWith<O extends Operation>(operation: O, allowed: AllowedValues | undefined): O;
export function operationWith(operation: Operation, allowed: AllowedValues | undefined): Operation {
  if (allowed === undefined) return operation;
  const { operations } = madeIn(allowed);
  const known = operations.get(operation);
  if (known !== undefined) return known;
  const parameters = fieldsWith(operation.parameters, allowed);
  const result = fieldsWith(operation.result, allowed);
  const isSame = parameters === operation.parameters && result === operation.result;
  const made = isSame ? operation : { ...operation, parameters, result };
  operations.set(operation, made);
  return made;
}
