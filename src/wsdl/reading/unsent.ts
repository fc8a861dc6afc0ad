import { childNamed, isTrue, referenceIn, schemaChildren, schemaNamespace } from './components.js';
import type { Component, ComponentKind, Components } from './components.js';
import type { DescribedField, DescribedType } from './described.js';
import { readable, type Node } from './node.js';

/** What a type is made of, each part looked into once: groups may hold themselves, and types extend themselves. */
class Parts {
  readonly #components: Components;
  readonly #seen = new Set<Node>();

  constructor(components: Components) {
    this.#components = components;
  }

  /** The attribute that must be there; undefined for none. */
  requiredAttribute({ node, schema }: Component): string | undefined {
    for (const each of schemaChildren(node)) {
      if (each.local === 'attribute' && each.attribute('use') === 'required')
        return each.attribute('name') ?? each.attribute('ref') ?? '';
      const group = each.local === 'attributeGroup' ? this.#named('attributeGroup', { node: each, schema }) : undefined;
      const found = group === undefined ? undefined : this.requiredAttribute(group);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** True where an element may be there, or must be, that no field says: one that is left open, or a schema. */
  hasOpenElement({ node, schema }: Component, mustBe: boolean): boolean {
    return schemaChildren(node).some((each) => {
      const isNone = (attribute: string): boolean => each.attribute(attribute)?.trim() === '0';
      if (isNone('maxOccurs') || (mustBe && isNone('minOccurs'))) return false;
      const part = { node: each, schema };
      if (each.local === 'any') return true;
      if (['sequence', 'all', mustBe ? '' : 'choice'].includes(each.local)) return this.hasOpenElement(part, mustBe);
      const group = each.local === 'group' ? this.#named('group', part) : undefined;
      return group === undefined ? isSchema(part) : this.hasOpenElement(group, mustBe);
    });
  }

  /** The type that a type is derived from, if it is a complex one that was not looked into. */
  baseOf(derived: Component): Component | undefined {
    return this.#named('complexType', derived, 'base');
  }

  #named(kind: ComponentKind, component: Component, attribute = 'ref'): Component | undefined {
    const name = component.node.attribute(attribute);
    // What cannot be found is told where it is read.
    const found = name && readable(() => this.#components.find(kind, referenceIn(component, name)));
    if (found === undefined || found === '' || this.#seen.has(found.node)) return undefined;
    this.#seen.add(found.node);
    return found;
  }
}

function isSchema(component: Component): boolean {
  const { node } = component;
  const name = node.local === 'element' ? node.attribute('ref') : undefined;
  return name !== undefined && readable(() => referenceIn(component, name))?.namespace === schemaNamespace;
}

/** The part of a type that says what it adds to another one, or what it keeps of it. */
function derivedIn({ node, schema }: Component): Component | undefined {
  const content = childNamed(node, 'complexContent', 'simpleContent');
  const derived = content && childNamed(content, 'extension', 'restriction');
  return derived && { node: derived, schema };
}

/** Why no element of a complex type can be sent: what must be in it and no field says; undefined where one can. */
export function whyUnsent(component: Component, components: Components): string | undefined {
  if (isTrue(component.node, 'abstract')) return 'another type must stand in its place (abstract)';
  const parts = new Parts(components);
  let isWhole = true;
  for (let at: Component | undefined = component; at !== undefined;) {
    const derived: Component | undefined = derivedIn(at);
    const own = derived ?? at;
    const attribute = parts.requiredAttribute(own);
    if (attribute !== undefined) return `the attribute ${attribute} must be there, and attributes are not sent`;
    if (isWhole && parts.hasOpenElement(own, true)) return 'an element that the WSDL leaves open must be there (any)';
    // A restriction says again which elements of its base it keeps.
    isWhole &&= derived?.node.local === 'extension';
    at = derived && parts.baseOf(derived);
  }
  return undefined;
}

/** True for a complex type that may hold elements of which nothing says a name. */
export function isOpen(component: Component, components: Components): boolean {
  const parts = new Parts(components);
  for (let at: Component | undefined = component; at !== undefined;) {
    const derived: Component | undefined = derivedIn(at);
    if (parts.hasOpenElement(derived ?? at, false)) return true;
    at = derived?.node.local === 'extension' ? parts.baseOf(derived) : undefined;
  }
  return false;
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
    const found = [...types.entries()].flatMap(([at, type]): (readonly [number, string])[] => {
      const why = ownReason(type);
      return why === undefined ? [] : [[at, why]];
    });
    const holders: Holders = found.length === 0 ? new Map() : holdersOf(types);
    // What is found grows: a record cannot be sent without a member that cannot.
    for (const [at, why] of found) {
      if (this.#reasons.has(at)) continue;
      this.#reasons.set(at, why);
      for (const holder of holders.get(at) ?? []) found.push([holder, why]);
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
