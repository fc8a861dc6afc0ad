import type { EnumerationType, Field, Fields, ListType, Operation, RecordType, Type } from '../../contract/build.js';
import { defined } from '../../core/values/value.js';
import type {
  DescribedField,
  DescribedOperation,
  DescribedRecord,
  DescribedType,
  Description,
} from '../../wsdl/reading/described.js';
import { TypeMaker } from '../../wsdl/reading/imported.js';

const noWords = 'In the WSDL of the service, not in the contract.';

/** Members that say how a call went: those of the contract are what the reader of answers knows. */
const outcome: ReadonlySet<string> = new Set(['Result', 'Data']);

/**
 * The operations of the contract as a service with this description answers them: with members and enumeration values that
 * the description has beyond the contract, behind those of the contract; and by the description where the interface document
 * shows no type or name. What is sent is as the contract has it.
 */
export class ReadableOperations {
  readonly #described: ReadonlyMap<string, DescribedOperation>;
  readonly #resolve: Resolve;
  readonly #maker: TypeMaker;
  readonly #made = new Map<Operation, Operation>();
  readonly #records = new Map<RecordType, Map<Resolved, RecordType>>();

  constructor(description: Description) {
    this.#described = new Map(description.operations.map((each) => [each.name, each]));
    this.#resolve = resolving(description.types);
    this.#maker = new TypeMaker(description, true);
  }

  /** An operation with what its answer may hold beyond the contract; the very same where that is nothing. */
  of(operation: Operation): Operation {
    const known = this.#made.get(operation);
    if (known !== undefined) return known;
    const made = this.#make(operation);
    this.#made.set(operation, made);
    // What was made of an operation is as it is.
    this.#made.set(made, made);
    return made;
  }

  #make(operation: Operation): Operation {
    const described = operation.source === 'imported' ? undefined : this.#described.get(operation.name);
    // Members that stand in the answer itself are no members of the result.
    if (described?.resultName === undefined) return operation;
    const own = described.result.filter(({ name }) => !outcome.has(name));
    const result = this.#fields(operation.result, withNamedList(operation, own, this.#resolve));
    return result === operation.result ? operation : { ...operation, result };
  }

  #fields(fields: Fields, described: readonly Named[]): Fields {
    const byName = new Map(described.map((each) => [each.name, each]));
    const own = Object.entries(fields).map(([name, field]) => [name, this.#field(field, byName.get(name))] as const);
    const more = safe(described).filter(({ name }) => !Object.hasOwn(fields, name));
    if (more.length === 0 && own.every(([name, field]) => field === fields[name])) return fields;
    return Object.fromEntries([...own, ...more.map((field) => [field.name, this.#unknownField(field)] as const)]);
  }

  #unknownField(field: DescribedField): Field {
    const made = this.#maker.fieldOf(field);
    return { ...made, doc: made.doc === '' ? noWords : made.doc, isExtra: true };
  }

  #field(field: Field, described: Named | undefined): Field {
    if (described === undefined) return field;
    if (field.assumed !== undefined) return this.#decided(field, described);
    // An element that comes again and again is no list of the contract.
    if (described.repeats === true) return field;
    const type = this.#type(field.type, described.type);
    return type === field.type ? field : { ...field, type };
  }

  /** A field of which the document shows no type or no name is as the description has it. */
  #decided(field: Field, described: Named): Field {
    const { type: made, namespace, repeats } = this.#maker.fieldOf(described);
    const type =
      matchTypes(field.type, made, { list: (...types) => this.#decidedList(types, field.assumed, described) }) ??
      this.#decidedType(field.type, described.type);
    const wire = defined({ element: described.element, namespace, repeats });
    if (type === field.type && Object.keys(wire).length === 0) return field;
    const { doc, role, presence } = field;
    return { type, presence, doc, ...defined({ role }), ...wire };
  }

  #decidedList([type, made]: readonly [ListType, ListType], assumed: Field['assumed'], described: Named): Type {
    const to = itemTypeOf(described, this.#resolve);
    if (to === undefined) return made;
    const item = assumed === 'name' ? this.#type(type.item, to) : this.#decidedType(type.item, to);
    const isSame = item === type.item && made.itemName === type.itemName && made.namespace === undefined;
    return isSame && described.repeats !== true ? type : { ...made, item };
  }

  #decidedType(type: Type, described: DescribedType): Type {
    const to = this.#resolve(described);
    const record = (own: RecordType, other: DescribedRecord): Type | undefined => {
      if (own.assumed !== undefined) return this.#decidedRecord(own, other);
      return own.name === other.name ? this.#record(own, other) : undefined;
    };
    return matchTypes(type, to, { record }) ?? (isAs(type, to) ? type : this.#maker.typeOf(described));
  }

  /** A record that the document does not show has the fields of the description, in their order. */
  #decidedRecord(type: RecordType, { name, fields }: DescribedRecord): RecordType {
    const own = Object.entries(type.fields);
    const made = safe(fields).map((each) => {
      const field = type.fields[each.name];
      return [each.name, field === undefined ? this.#maker.fieldOf(each) : this.#decided(field, each)] as const;
    });
    const isSame = made.length === own.length && made.every(([, field], at) => field === own[at]?.[1]);
    return isSame ? type : { ...type, name, fields: Object.fromEntries(made) };
  }

  #type(type: Type, described: DescribedType): Type {
    const made = matchTypes(type, this.#resolve(described), {
      record: (own, to): Type => this.#record(own, to),
      enumeration: (own, to) => withValues(own, to.values),
      list: (own, to) => this.#list(own, to.item),
    });
    return made ?? type;
  }

  #list(type: ListType, described: DescribedType): ListType {
    const item = this.#type(type.item, described);
    return item === type.item ? type : { ...type, item };
  }

  #record(type: RecordType, to: DescribedRecord): RecordType {
    const known = this.#records.get(type) ?? new Map<Resolved, RecordType>();
    this.#records.set(type, known);
    const fields = known.get(to) === undefined ? this.#fields(type.fields, to.fields) : type.fields;
    const made = known.get(to) ?? (fields === type.fields ? type : { ...type, fields });
    known.set(to, made);
    return made;
  }
}

/** Fields that a record can hold under their names; others are read as what nobody knows. */
const safe = <F extends DescribedField>(fields: readonly F[]): readonly F[] =>
  fields.filter(({ name }) => name !== '__proto__');

/** True for a scalar that a description has as the contract has it, and for an enumeration of the same values. */
const isAs = (type: Type, to: Resolved): boolean =>
  matchTypes(type, to, {
    scalar: (own, other) => other.name === own.name && other.as === own.as,
    enumeration: ({ values }, other) =>
      other.values.length === values.length && other.values.every((value) => values.includes(value)),
  }) === true;

function withValues(type: EnumerationType, values: readonly string[]): EnumerationType {
  const more = values.filter((value) => !type.values.includes(value));
  return more.length === 0 ? type : { ...type, values: [...type.values, ...more] };
}

/** A described type that is no reference. */
export type Resolved = Exclude<DescribedType, { readonly kind: 'ref' }>;

/** Gives the type that a reference means. */
export type Resolve = (type: DescribedType) => Resolved;

/** Makes what gives the types of a description. */
export function resolving(types: readonly DescribedType[]): Resolve {
  const resolve: Resolve = (type) =>
    type.kind === 'ref' ? resolve(types[type.at] ?? { kind: 'scalar', name: 'anyType' }) : type;
  return resolve;
}

type Kinded = Pick<Type, 'kind'>;

type OfKind<T extends Kinded, K> = Extract<T, { readonly kind: K }>;

/**
 * What the handler of their kind makes of two types, each of the contract or of a description; undefined for types of two
 * kinds, and where their kind has no handler.
 */
export function matchTypes<One extends Kinded, Other extends Kinded, R>(
  one: One,
  other: Other,
  handlers: { readonly [K in Type['kind']]?: (one: OfKind<One, K>, other: OfKind<Other, K>) => R },
): R | undefined {
  if (one.kind !== other.kind) return undefined;
  // TypeScript does not see that both are of the kind by which the handler is chosen.
  const handle = handlers[one.kind] as ((one: One, other: Other) => R) | undefined;
  return handle?.(one, other);
}

/** A described field, with the name of its element where that is another one. */
export type Named = DescribedField & { readonly element?: string };

/** The type of the items of a list; undefined for what is none. */
function itemTypeOf({ type, repeats }: DescribedField, resolve: Resolve): DescribedType | undefined {
  const own = resolve(type);
  if (repeats === true) return own;
  return own.kind === 'list' ? own.item : undefined;
}

/**
 * The described members of a result, of which the only list of records that the contract does not have is the one that the
 * interface document does not name: it has the name of the contract, and its own as that of its element.
 */
export function withNamedList(
  { result, unnamed: member }: Operation,
  described: readonly DescribedField[],
  resolve: Resolve,
): readonly Named[] {
  if (member === undefined || described.some(({ name }) => name === member)) return described;
  const isList = (field: DescribedField): boolean => {
    const item = itemTypeOf(field, resolve);
    return item !== undefined && resolve(item).kind === 'record';
  };
  const [only, second] = described.filter((field) => !Object.hasOwn(result, field.name) && isList(field));
  if (only === undefined || second !== undefined) return described;
  return described.map((field) => (field === only ? { ...field, name: member, element: field.name } : field));
}
