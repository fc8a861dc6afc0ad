import type { Operation } from '../../contract/build.js';
import type { DescribedField, DescribedType } from '../../wsdl/reading/described.js';

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

/** A described field, with the name of its element where that is another one. */
export type Named = DescribedField & { readonly element?: string };

/** The type of the items of a list; undefined for what is none. */
export function itemTypeOf({ type, repeats }: DescribedField, resolve: Resolve): DescribedType | undefined {
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
