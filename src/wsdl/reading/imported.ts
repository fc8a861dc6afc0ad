import {
  enumeration,
  operation as makeOperation,
  scalar,
  type Access,
  type Field,
  type Fields,
  type ListType,
  type Operation,
  type RecordType,
  type Type,
} from '../../contract/build.js';
import { defined } from '../../core/values/value.js';
import {
  itemsNil,
  Unsent,
  type DescribedField,
  type DescribedOperation,
  type DescribedType,
  type Description,
} from './described.js';

/** Makes types and fields as the contract has them of a description. Types are made once, when they are first looked at. */
export class TypeMaker {
  readonly #types: readonly DescribedType[];
  readonly #made: (Type | undefined)[] = [];
  /** Elements stand in several namespaces, so that each has to say its own. */
  readonly #namespace: string | undefined;
  /** What it makes is for reading alone: everything may be missing. */
  readonly #isForReading: boolean;
  #unsent: Unsent | undefined;

  constructor(description: Description, isForReading = false) {
    const { types, namespace } = description;
    this.#types = types;
    this.#isForReading = isForReading;
    this.#namespace = !isForReading && hasOtherNamespaces(description) ? namespace : undefined;
  }

  typeOf(type: DescribedType): Type {
    switch (type.kind) {
      case 'scalar':
        return { ...scalar(type.name), ...defined({ as: type.as }) };
      case 'enumeration':
        return enumeration(type.name, type.doc, type.values);
      case 'list':
        return this.#list(type);
      case 'record':
        return this.#record(type);
      case 'ref':
        return (this.#made[type.at] ??= this.typeOf(this.#types[type.at] ?? { kind: 'scalar', name: 'anyType' }));
    }
  }

  #list(type: DescribedType & { readonly kind: 'list' }): ListType {
    const { item, itemName, nillable } = type;
    return {
      kind: 'list',
      item: this.typeOf(item),
      itemName,
      ...defined({ nillable }),
      ...this.#resolveNamespace(type),
    };
  }

  #record({ name, doc, fields, isOpen }: DescribedType & { readonly kind: 'record' }): RecordType {
    const make = (): Fields => this.fieldsOf(fields);
    let made: Fields | undefined;
    // A record may hold itself: its fields are made when they are asked for.
    return {
      kind: 'record',
      name,
      doc,
      presence: 'documented',
      ...defined({ isOpen }),
      get fields() {
        return (made ??= make());
      },
    };
  }

  #resolveNamespace({ namespace }: { readonly namespace?: string }): { readonly namespace?: string } {
    return defined({ namespace: namespace ?? this.#namespace });
  }

  fieldsOf(fields: readonly DescribedField[]): Fields {
    return Object.fromEntries(fields.map((field) => [field.name, this.fieldOf(field)]));
  }

  fieldOf(field: DescribedField): Field {
    const { name, doc, nillable, repeats, choice } = field;
    const unsent = this.#isForReading ? undefined : (this.#unsent ??= new Unsent(this.#types)).of(field);
    const presence = this.#isForReading ? 'opt' : field.presence;
    const type = this.typeOf(field.type);
    return {
      type: repeats === true ? { kind: 'list', item: type, itemName: name, ...itemsNil(field) } : type,
      presence,
      doc,
      ...defined({ nillable, repeats, unsent, choice }),
      ...this.#resolveNamespace(field),
    };
  }
}

function hasOtherNamespaces({ types, operations, namespace }: Description): boolean {
  const isOther = ({ namespace }: { readonly namespace?: string }): boolean => namespace !== undefined;
  const inType = (type: DescribedType): boolean =>
    (type.kind === 'list' && (isOther(type) || inType(type.item))) ||
    (type.kind === 'record' && type.fields.some((field) => isOther(field) || inType(field.type)));
  const isOtherOperation = ({ parameters, result, request }: DescribedOperation): boolean =>
    request.namespace !== namespace || [...parameters, ...result].some((field) => isOther(field) || inType(field.type));
  return types.some(inType) || operations.some(isOtherOperation);
}

/** How much an operation of a description changes: it counts as a write until somebody says otherwise. */
export type AccessOf = (name: string) => Access;

/** The operations of a description as those of the contract are, by name. They are made when they are first asked for. */
export class ImportedOperations {
  readonly #description: Description;
  readonly #described: ReadonlyMap<string, DescribedOperation>;
  readonly #maker: TypeMaker;
  readonly #accessOf: AccessOf;
  readonly #made = new Map<string, Operation>();

  constructor(description: Description, accessOf: AccessOf) {
    this.#description = description;
    this.#described = new Map(description.operations.map((each) => [each.name, each]));
    this.#maker = new TypeMaker(description);
    this.#accessOf = accessOf;
  }

  /** Their names, in the order of the description. */
  get names(): readonly string[] {
    return [...this.#described.keys()];
  }

  find(name: string): Operation | undefined {
    const described = this.#described.get(name);
    if (described === undefined) return undefined;
    const made = this.#made.get(name) ?? this.#make(described);
    this.#made.set(name, made);
    return made;
  }

  /** An operation that is left out, whose words say why: a whole envelope of it can be sent, and its answer read as it is. */
  untypedOperation(name: string): Operation | undefined {
    const { leftOut, namespace, versions } = this.#description;
    const operation = leftOut.find((each) => each.name === name);
    if (operation === undefined) return undefined;
    const { what, soapAction, response } = operation;
    const request = { namespace, local: name };
    return makeOperation({
      ...{ name, doc: what, access: 'add', parameters: {}, result: {}, source: 'imported' },
      wire: { namespace: response.namespace, soapAction, request, response, takesCredentials: false, versions },
    });
  }

  #make({ name, doc, parameters, result, ...wire }: DescribedOperation): Operation {
    const { soapAction, request, response, resultName, takesCredentials, isOpen } = wire;
    const { namespace, versions } = this.#description;
    return makeOperation({
      name,
      doc: doc === '' ? 'The WSDL does not describe it.' : doc,
      access: this.#accessOf(name),
      parameters: this.#maker.fieldsOf(parameters),
      result: this.#maker.fieldsOf(result),
      source: 'imported',
      wire: {
        ...{ namespace, soapAction, request, response, takesCredentials, versions },
        ...defined({ resultName, isOpen }),
      },
    });
  }
}
