/**
 * Names of the scalar types of the interface document ("What the service does", rule 3), plus `anyType` for untyped.
 */
export type ScalarName = 'guid' | 'string' | 'int' | 'short' | 'long' | 'decimal' | 'dateTime' | 'boolean' | 'anyType';

/** A scalar type. */
export interface ScalarType<N extends ScalarName = ScalarName> {
  readonly kind: 'scalar';
  readonly name: N;
  /** The type of XML Schema that a description has in its place, where it is another one. */
  readonly as?: string;
}

/** An enumeration: a closed set of exact text values. */
export interface EnumerationType<V extends string = string> {
  readonly kind: 'enumeration';
  readonly name: string;
  readonly doc: string;
  readonly values: readonly V[];
}

/** A list: a wrapper element that holds repeated elements named `itemName`. */
export interface ListType<T extends Type = Type> {
  readonly kind: 'list';
  readonly item: T;
  readonly itemName: string;
  readonly nillable?: true;
  /** The namespace of its items, where it is not that of the service; '' is none. */
  readonly namespace?: string;
}

/** A record: named fields in the order of the wire. */
export interface RecordType<F extends Fields = Fields> {
  readonly kind: 'record';
  readonly name: string;
  readonly doc: string;
  readonly fields: F;
  /**
   * Whether the interface document states the presence of the fields, or we derived it (value types Req, others Opt).
   */
  readonly presence: 'documented' | 'assumed';
  /** It may have members of which nothing says a name. */
  readonly isOpen?: true;
  /** The interface document does not give its name, or nothing of it. */
  readonly assumed?: 'name' | 'whole';
}

/** All types of the contract. What derives from them is an exhaustive switch over `kind`. */
export type Type = ScalarType | EnumerationType | ListType | RecordType;

/** `req`: always sent. `nil`: always sent, may be nil. `opt`: sent or left out, never nil. */
type Presence = 'req' | 'nil' | 'opt';

/**
 * What a value is for people, where its type does not say it. `name`: what a record is called. `key`: what identifies a record,
 * or is typed as it stands, such as a code or a telephone number: half of it is of no use. `words`: sentences, read to the end.
 * `content`: the bytes of a file as text, which no journal and no ledger keeps. `seconds`: a number of them, to which cards add
 * the unit.
 */
export type Role = 'name' | 'key' | 'words' | 'content' | 'seconds';

/** What gives a member that an operation leaves nil in the records of its list. */
export interface NilMember {
  readonly parameter?: string;
  /** What else gives it, or knows of it, in words. */
  readonly elsewhere?: string;
  /** The operation among that which tells what the member is mostly asked for. */
  readonly operation?: string;
}

/** A field of a record, a parameter of an operation or a member of its result. */
export interface Field<T extends Type = Type, P extends Presence = Presence> {
  readonly type: T;
  readonly presence: P;
  readonly doc: string;
  /** What the interface document does not show, so that it is an assumption: the name or the type. */
  readonly assumed?: 'name' | 'type';
  readonly role?: Role;
  /** An `opt` field that may be nil, too. */
  readonly nillable?: true;
  /** Its type is a list without an element of its own: the element of the field stands once for each item. */
  readonly repeats?: true;
  /** The namespace of its element, where it is not that of the service; '' is none. */
  readonly namespace?: string;
  /** The name of its element, where it is not that of the field. */
  readonly element?: string;
  /** A field that the contract does not have, but the WSDL of a service: it is read wherever it stands, and never sent. */
  readonly isExtra?: true;
  /** It is nil in each record of a list, whatever it is like. */
  readonly leftNil?: NilMember;
  /** Why no value of it can be sent, but an empty list. */
  readonly unsent?: string;
  readonly choice?: BranchOfChoice;
}

/** A choice of the record that a field is in, of which one branch alone may be sent, and which of them the field is a part of. */
export interface BranchOfChoice {
  readonly choice: number;
  readonly branch: number;
  readonly isNeeded?: true;
}

/** Fields by name; the order of the keys is the order on the wire. */
export type Fields = Readonly<Record<string, Field>>;

/** `read` changes nothing; `set` writes values that may be written again; `add` makes something new each time. */
export type Access = 'read' | 'set' | 'add';

interface ElementName {
  readonly namespace: string;
  readonly local: string;
}

/** The two versions of SOAP that the service speaks. */
export type SoapVersion = '1.1' | '1.2';

/** How messages of an operation look that the contract does not have. */
interface Wire {
  readonly versions: readonly SoapVersion[];
  /** The namespace of elements that say no other. */
  readonly namespace: string;
  readonly soapAction: string;
  readonly request: ElementName;
  readonly response: ElementName;
  /** The element in an answer that holds the members; undefined when the answer holds them itself. */
  readonly resultName?: string;
  /** Credentials stand before its parameters. */
  readonly takesCredentials: boolean;
  /** Its result may have members of which nothing says a name. */
  readonly isOpen?: true;
}

/** An operation of the service. */
export interface Operation<P extends Fields = Fields, R extends Fields = Fields> {
  readonly name: string;
  readonly doc: string;
  readonly access: Access;
  readonly parameters: P;
  /** Own members of the result, in order, without the result envelope. */
  readonly result: R;
  /** True when the document says that the result extends the result envelope (`Result`, `Data`). */
  readonly envelope: boolean;
  /** Member of the result that pageNumber and pageSize cut into pages. */
  readonly paged?: string;
  /** Member of the result whose element the document does not name: its list is found by the type of its items. */
  readonly unnamed?: string;
  readonly leavesNil?: Readonly<Record<string, NilMember>>;
  /** True when its rows leave members of their records out, so that two readings do not show every change. */
  readonly omitsMembers?: boolean;
  readonly deprecated?: string;
  /**
   * `document`: listed in the interface document. `observed`: seen in a public client of deployed instances only.
   * `imported`: read from the WSDL of a service.
   */
  readonly source: 'document' | 'observed' | 'imported';
  /** Where its messages look other than those of the contract. */
  readonly wire?: Wire;
}

/** Makes a scalar type. */
export const scalar = <N extends ScalarName>(name: N): ScalarType<N> => ({ kind: 'scalar', name });

/** Makes an enumeration type. */
export const enumeration = <const V extends string>(
  name: string,
  doc: string,
  values: readonly V[],
): EnumerationType<V> => ({ kind: 'enumeration', name, doc, values });

type Enumerations<V> = { readonly [N in keyof V]: EnumerationType<V[N] & string> };

/** Makes enumeration types; each key is the name of one. */
export function defineEnumerations<const V extends Readonly<Record<string, string>>>(texts: {
  readonly [N in keyof V]: Pick<EnumerationType<V[N]>, 'doc' | 'values'>;
}): Enumerations<V> {
  const entries = Object.entries<Pick<EnumerationType, 'doc' | 'values'>>(texts);
  return Object.fromEntries(
    entries.map(([name, { doc, values }]) => [name, enumeration(name, doc, values)]),
  ) as Enumerations<V>;
}

/** Makes a list type whose items are elements named `itemName` (default: the name of the item type). */
export const list = <T extends Exclude<Type, ListType>>(item: T, itemName: string = item.name): ListType<T> => ({
  kind: 'list',
  item,
  itemName,
});

/** Makes a record type whose presence column stands in the interface document. */
export const record = <const F extends Fields>(name: string, doc: string, fields: F): RecordType<F> => ({
  kind: 'record',
  name,
  doc,
  fields,
  presence: 'documented',
});

/** Makes a record type for which the interface document gives no presence; ours is derived from the field types. */
export const recordWithoutPresence = <const F extends Fields>(name: string, doc: string, fields: F): RecordType<F> => ({
  ...record(name, doc, fields),
  presence: 'assumed',
});

/** A field that is always sent. */
export const req = <T extends Type>(type: T, doc: string): Field<T, 'req'> => ({ type, presence: 'req', doc });

/** A field that is always sent and may be nil. */
export const nil = <T extends Type>(type: T, doc: string): Field<T, 'nil'> => ({ type, presence: 'nil', doc });

/** A field that may be left out. */
export const opt = <T extends Type>(type: T, doc: string): Field<T, 'opt'> => ({ type, presence: 'opt', doc });

/** A record of which the document does not give the name, or that it does not have at all. */
export const assumedRecord = <R extends RecordType>(what: 'name' | 'whole', type: R): R => ({ ...type, assumed: what });

/** A field of which the document does not show the name, or the type. */
export const assumed = <F extends Field>(what: 'name' | 'type', field: F): F => ({ ...field, assumed: what });

/** A field with a role. */
export const inRole = <F extends Field>(role: Role, field: F): F => ({ ...field, role });

/** The description of an operation; defaults: `envelope: false`, `source: 'document'`. */
interface OperationText<P extends Fields, R extends Fields> {
  readonly name: string;
  readonly doc: string;
  readonly access: Access;
  readonly parameters: P;
  readonly result: R;
  readonly envelope?: boolean;
  readonly paged?: keyof R & string;
  readonly unnamed?: keyof R & string;
  readonly leavesNil?: Readonly<Record<string, NilMember>>;
  readonly omitsMembers?: boolean;
  readonly deprecated?: string;
  readonly source?: Operation['source'];
  readonly wire?: Wire;
}

/** Makes an operation. */
export const operation = <const P extends Fields, const R extends Fields>(
  text: OperationText<P, R>,
): Operation<P, R> => ({
  envelope: false,
  source: 'document',
  ...text,
});

type UnnamedText<P extends Fields, R extends Fields> = Omit<OperationText<P, R>, 'name'>;

type FieldsByName = Readonly<Record<string, Fields>>;

type Operations<P extends FieldsByName, R extends FieldsByName> = {
  readonly [N in keyof P & keyof R]: Operation<P[N], R[N]>;
};

/** Makes operations; each key is the name of one, and the order of the keys is that of the service. */
export function defineOperations<P extends FieldsByName, R extends FieldsByName>(
  texts: { readonly [N in keyof P]: { readonly parameters: P[N] } } & {
    readonly [N in keyof R]: Omit<UnnamedText<Fields, R[N]>, 'parameters'>;
  },
): Operations<P, R> {
  const entries = Object.entries<UnnamedText<Fields, Fields>>(texts);
  return Object.fromEntries(entries.map(([name, text]) => [name, operation({ name, ...text })])) as Operations<P, R>;
}
