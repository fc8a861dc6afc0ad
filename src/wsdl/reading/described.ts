import type { BranchOfChoice, ScalarName, SoapVersion } from '../../contract/build.js';
import type { QName } from './node.js';

/** A record by its fields. */
export interface DescribedRecord {
  readonly kind: 'record';
  readonly name: string;
  readonly doc: string;
  readonly fields: readonly DescribedField[];
  /** It may have elements of which nothing says a name. */
  readonly isOpen?: true;
}

/** A type of a description. A type that is used more than once, or that holds itself, is a `ref` to a place of `types`. */
export type DescribedType =
  /** A scalar by its name in the contract; `as` is the type of XML Schema of which only the text is known. */
  (
    | { readonly kind: 'scalar'; readonly name: ScalarName; readonly as?: string }
    | { readonly kind: 'enumeration'; readonly name: string; readonly doc: string; readonly values: readonly string[] }
    | {
        readonly kind: 'list';
        readonly item: DescribedType;
        readonly itemName: string;
        readonly nillable?: true;
        readonly namespace?: string;
      }
    | DescribedRecord
    | { readonly kind: 'ref'; readonly at: number }
  ) & {
    /** Why no value of it can be sent. */
    readonly unsent?: string;
  };

/** A field of a record, a parameter or a member of a result. */
export interface DescribedField {
  readonly name: string;
  readonly type: DescribedType;
  readonly presence: 'req' | 'nil' | 'opt';
  readonly doc: string;
  /** It may be nil although it may be left out. */
  readonly nillable?: true;
  /** Its element stands once for each value. */
  readonly repeats?: true;
  /** The namespace of its element, where it is not that of the service; '' is none. */
  readonly namespace?: string;
  /** Why it cannot be sent, whatever its type says. */
  readonly unsent?: string;
  readonly choice?: BranchOfChoice;
}

/** Whether the items of a list may be nil: those of a field that repeats. */
export const itemsNil = ({ presence, nillable }: DescribedField): { readonly nillable?: true } =>
  presence === 'nil' || nillable === true ? { nillable: true } : {};

/** An operation of a description. */
export interface DescribedOperation {
  readonly name: string;
  readonly doc: string;
  readonly soapAction: string;
  /** The element within the Body of a request. */
  readonly request: QName;
  readonly parameters: readonly DescribedField[];
  /** Its first parameter is the credentials, which are not among the parameters here. */
  readonly takesCredentials: boolean;
  /** The element within the Body of an answer. */
  readonly response: QName;
  /** The one element within that which holds the members; undefined when it holds them itself. */
  readonly resultName?: string;
  readonly result: readonly DescribedField[];
  /** The result may have elements of which nothing says a name. */
  readonly isOpen?: true;
}

/** Something that a description has and that is not read. */
export interface Unread {
  /** Where it is: an operation, a type or an element. */
  readonly place: string;
  readonly what: string;
}

/** An operation that cannot be called by its types, and what a whole envelope of it goes out and is answered with. */
export interface UntypedOperation {
  readonly name: string;
  readonly what: string;
  readonly soapAction: string;
  readonly response: QName;
}

/** What the WSDL of a service says, as plain data. */
export interface Description {
  readonly namespace: string;
  readonly versions: readonly SoapVersion[];
  readonly leftOut: readonly UntypedOperation[];
  /** The address of the port, where it says one. */
  readonly address?: string;
  readonly operations: readonly DescribedOperation[];
  readonly types: readonly DescribedType[];
  readonly unread: readonly Unread[];
}

type Holders = ReadonlyMap<number, readonly number[]>;

/** The records that must have a member of a type, and what is that type by another name, by its place. */
function holdersOf(types: readonly DescribedType[]): Holders {
  const holders = new Map<number, number[]>();
  const add = (type: DescribedType, holder: number): void => {
    if (type.kind !== 'ref') return;
    const known = holders.get(type.at) ?? [];
    known.push(holder);
    holders.set(type.at, known);
  };
  for (const [at, type] of types.entries()) {
    add(type, at);
    if (type.kind !== 'record') continue;
    for (const field of type.fields) if (field.presence === 'req') add(field.type, at);
  }
  return holders;
}

/** Why a type cannot be sent by itself, or for a member of its own that must be there. */
const ownReason = (type: DescribedType): string | undefined =>
  type.unsent ??
  (type.kind === 'record'
    ? type.fields.find(({ presence, unsent }) => presence === 'req' && unsent)?.unsent
    : undefined);

/** Why values of the types of a description cannot be sent. */
export class Unsent {
  readonly #types: readonly DescribedType[];
  /** By the places of types. */
  readonly #reasons = new Map<number, string>();

  constructor(types: readonly DescribedType[]) {
    this.#types = types;
    const untyped = [...types.entries()].flatMap(([at, type]): (readonly [number, string])[] => {
      const why = ownReason(type);
      return why === undefined ? [] : [[at, why]];
    });
    const holders: Holders = untyped.length === 0 ? new Map() : holdersOf(types);
    // What is found grows: a record cannot be sent without a member that cannot.
    for (const [at, why] of untyped) {
      if (this.#reasons.has(at)) continue;
      this.#reasons.set(at, why);
      for (const holder of holders.get(at) ?? []) untyped.push([holder, why]);
    }
  }

  /** Why no value of a field can be sent, but an empty list; undefined for one that can. */
  of({ type, unsent }: Pick<DescribedField, 'type' | 'unsent'>): string | undefined {
    const own = unsent ?? this.#ofType(type);
    const list = type.kind === 'ref' ? this.#types[type.at] : type;
    return own ?? (list?.kind === 'list' ? this.of({ type: list.item }) : undefined);
  }

  /** Why what has these fields cannot be sent: one of them must be there, and cannot. */
  ofAll(fields: readonly DescribedField[]): string | undefined {
    for (const { name, type, presence, unsent } of fields) {
      const why = presence === 'req' ? (unsent ?? this.#ofType(type)) : undefined;
      if (why !== undefined) return `${name} cannot be sent: ${why}`;
    }
    return undefined;
  }

  #ofType(type: DescribedType): string | undefined {
    return type.unsent ?? (type.kind === 'ref' ? this.#reasons.get(type.at) : undefined);
  }
}
