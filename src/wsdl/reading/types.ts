import { badAnswer, RelctlError } from '../../core/errors/relctl-error.js';
import {
  childNamed,
  docOf,
  isTrue,
  referenceIn,
  schemaChildren,
  type Component,
  type Components,
  type Schema,
  schemaNamespace,
} from './components.js';
import { itemsNil, type DescribedField, type DescribedType, type Unread } from './described.js';
import { keyOf, type Node, type QName } from './node.js';
import { choicesIn, distinct, fieldsIn, mostWithin, type ElementTypes } from './particles.js';
import { isOpen, whyUnsent } from './unsent.js';
import { defined } from '../../core/values/value.js';
import type { ScalarName } from '../../contract/build.js';

/** Namespaces in which services of .NET keep the type `guid`. */
const guidNamespaces: ReadonlySet<string> = new Set([
  'http://microsoft.com/wsdl/types/',
  'http://schemas.microsoft.com/2003/10/Serialization/',
]);

/** The types of XML Schema by the scalar of the contract that holds all their values; of most only the text is known. */
const builtIns: Readonly<Partial<Record<ScalarName, string>>> = {
  boolean: 'boolean',
  dateTime: 'dateTime',
  anyType: 'anyType',
  short: 'short byte unsignedByte',
  int: 'int unsignedShort',
  long: 'long unsignedInt',
  decimal: 'decimal integer nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger unsignedLong',
  string:
    'string anySimpleType float double date time duration gYear gYearMonth gMonth gMonthDay gDay base64Binary hexBinary ' +
    'anyURI QName NOTATION normalizedString token language Name NCName NMTOKEN NMTOKENS ID IDREF IDREFS ENTITY ENTITIES',
};

const scalarNames = new Map<string, ScalarName>(
  // The keys are the names of scalars, which the type of Object.entries does not say.
  (Object.entries(builtIns) as [ScalarName, string][]).flatMap(([name, types]) =>
    types.split(' ').map((type) => [type, name] as const),
  ),
);

function builtInScalar({ namespace, local }: QName): DescribedType | undefined {
  if (guidNamespaces.has(namespace)) return local === 'guid' ? { kind: 'scalar', name: 'guid' } : undefined;
  if (namespace !== schemaNamespace) return undefined;
  const name = scalarNames.get(local);
  return name && { kind: 'scalar', name, ...(name === local ? {} : { as: local }) };
}

const mostElements = 200_000;

/** As many of the types that may stand for one are named. */
const mostOthers = 3;

const anyType: DescribedType = { kind: 'scalar', name: 'anyType' };
const text: DescribedType = { kind: 'scalar', name: 'string' };

const arrayNamespace = 'http://schemas.xmlsoap.org/soap/encoding/';

function enumerationValuesOf(restriction: Node): readonly string[] {
  const values = schemaChildren(restriction).filter(({ local }) => local === 'enumeration');
  return [...new Set(values.map((each) => each.attribute('value') ?? ''))];
}

/** Reads the types of schemas. */
export class Types implements ElementTypes {
  readonly components: Components;
  readonly namespace: string;
  /** Types that others refer to by their place. */
  readonly all: DescribedType[] = [];
  readonly unread: Unread[] = [];
  readonly #reported = new Set<string>();
  readonly #locations = new Map<string, number>();
  readonly #simples = new Map<string, DescribedType>();
  readonly #extending = new Set<string>();
  readonly #anonymousLocations = new Map<Schema, Map<Node, number>>();
  readonly #toRead: (() => void)[] = [];
  #fields = 0;

  constructor(components: Components, namespace: string) {
    this.components = components;
    this.namespace = namespace;
  }

  skip(subject: string, what: string): void {
    const key = `${subject}\n${what}`;
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.unread.push({ place: subject, what });
  }

  count(): void {
    this.#fields += 1;
    if (this.#fields > mostElements)
      throw badAnswer('wsdl-limit', `the description has more than ${mostElements} elements in its types`);
  }

  /** What reading gives; undefined, which is told, where the description contradicts itself. */
  orSkip<T>(subject: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (thrown) {
      const error = RelctlError.from(thrown);
      if (error.facts.code !== 'wsdl') throw error;
      this.#extending.clear();
      this.skip(subject, error.message);
      return undefined;
    }
  }

  finish(): void {
    for (let read = this.#toRead.pop(); read !== undefined; read = this.#toRead.pop()) read();
  }

  /** Reads the types that are left; those that are lists within lists without end become trees, which is told. */
  settle(): void {
    this.finish();
    const endless = [...this.all.keys()].filter((at) => this.#isEndless(this.all[at]));
    for (const at of endless) {
      const type = this.all[at];
      if (type?.kind === 'list') this.skip(type.itemName, 'an endlessly nested list');
      this.all[at] = anyType;
    }
  }

  #isEndless(type: DescribedType | undefined): boolean {
    let within = type;
    for (let lists = 0; lists <= mostWithin; lists += 1) {
      if (within?.kind !== 'list') return false;
      within = this.typeAt(within.item);
    }
    return true;
  }

  ofElement(component: Component, name: string): DescribedType {
    const { node, schema } = component;
    const reference = node.attribute('type');
    if (reference !== undefined) return this.#named(referenceIn(component, reference));
    const simple = childNamed(node, 'simpleType');
    if (simple !== undefined) return this.#simple({ node: simple, schema }, name);
    const complex = childNamed(node, 'complexType');
    return complex === undefined ? anyType : this.#anonymous({ node: complex, schema }, name);
  }

  #named(name: QName): DescribedType {
    const known = builtInScalar(name);
    if (known !== undefined) return known;
    const key = keyOf(name);
    const at = this.#locations.get(key);
    if (at !== undefined) return { kind: 'ref', at };
    const simple = this.components.find('simpleType', name);
    if (simple !== undefined) return this.#namedSimple(simple, name);
    const complex = this.components.get('complexType', name);
    this.#reportOthers(complex, name);
    const index = this.#later(complex, name.local, this.components.extendedBy(name).length > 0);
    this.#locations.set(key, index);
    return { kind: 'ref', at: index };
  }

  /** Tells which types may stand in the place of one: elements that they add are read as those that nothing describes. */
  #reportOthers({ node }: Component, name: QName): void {
    const others = this.components.extendedBy(name);
    if (isTrue(node, 'abstract') || others.length === 0) return;
    const more = others.length > mostOthers ? ` and ${others.length - mostOthers} more` : '';
    const names = `${others.slice(0, mostOthers).join(', ')}${more}`;
    this.skip(name.local, `a type that others can extend (${names}): their additions are read but never sent`);
  }

  /** A type that stands within an element: the element may stand within it again. */
  #anonymous(component: Component, name: string): DescribedType {
    const { node, schema } = component;
    const paths = this.#anonymousLocations.get(schema) ?? new Map<Node, number>();
    this.#anonymousLocations.set(schema, paths);
    const at = paths.get(node) ?? this.#later(component, name);
    paths.set(node, at);
    return { kind: 'ref', at };
  }

  /** Takes a place for a type, whose fields are read later: it may hold itself, and rows of types may be long. */
  #later(component: Component, name: string, isExtended = false): number {
    this.count();
    const index = this.all.push(anyType) - 1;
    this.#toRead.push(() => {
      const type = this.orSkip(name, () => this.#complex(component, name)) ?? anyType;
      const open = type.kind === 'record' && (isExtended || isOpen(component, this.components));
      const unsent = whyUnsent(component, this.components);
      this.all[index] = { ...type, ...(open ? { isOpen: true } : {}), ...defined({ unsent }) };
    });
    return index;
  }

  typeAt(type: DescribedType): DescribedType {
    return type.kind === 'ref' ? (this.all[type.at] ?? anyType) : type;
  }

  #namedSimple(component: Component, name: QName): DescribedType {
    const key = keyOf(name);
    const known = this.#simples.get(key);
    if (known !== undefined) return known;
    const read = this.#simple(component, name.local);
    // The values of an enumeration are kept once.
    const type: DescribedType = read.kind === 'enumeration' ? { kind: 'ref', at: this.all.push(read) - 1 } : read;
    this.#simples.set(key, type);
    return type;
  }

  #simple(component: Component, name: string): DescribedType {
    const restriction = childNamed(component.node, 'restriction');
    if (restriction === undefined) {
      const kind = childNamed(component.node, 'list', 'union')?.local ?? 'simpleType';
      return { kind: 'scalar', name: 'string', as: kind };
    }
    const base = this.#baseOf({ ...component, node: restriction }, name);
    const wide = this.typeAt(base);
    const isText = wide.kind === 'enumeration' || (wide.kind === 'scalar' && wide.name === 'string');
    const values = isText ? enumerationValuesOf(restriction) : [];
    return values.length === 0 ? base : { kind: 'enumeration', name, doc: docOf(component.node), values };
  }

  #baseOf(component: Component, name: string): DescribedType {
    const reference = component.node.attribute('base');
    if (reference === undefined) {
      const inner = childNamed(component.node, 'simpleType');
      return inner === undefined ? text : this.#simple({ ...component, node: inner }, name);
    }
    return this.#within(referenceIn(component, reference), 'is made of itself', (base) => this.#named(base));
  }

  /** What is made of a type, which must not be made of itself. */
  #within<T>(name: QName, what: string, read: (name: QName) => T): T {
    const key = keyOf(name);
    if (this.#extending.has(key)) throw badAnswer('wsdl', `the type ${name.local} ${what}`);
    if (this.#extending.size > mostWithin) throw badAnswer('wsdl', `the type ${name.local} is made of too many others`);
    this.#extending.add(key);
    const nullable = read(name);
    this.#extending.delete(key);
    return nullable;
  }

  #complex(component: Component, name: string): DescribedType {
    const { node } = component;
    if (isTrue(node, 'abstract')) this.skip(name, 'an abstract type: never sent');
    const simple = childNamed(node, 'simpleContent');
    if (simple !== undefined) return this.#simpleContent({ ...component, node: simple }, name);
    const fields = this.fieldsOf(component, name);
    if (fields === undefined) return anyType;
    return this.#listOf(component, fields) ?? { kind: 'record', name, doc: docOf(node), fields };
  }

  #simpleContent(component: Component, name: string): DescribedType {
    const derived = childNamed(component.node, 'extension', 'restriction');
    if (derived === undefined) return text;
    this.#reportAttributes(derived, name);
    return this.#baseOf({ ...component, node: derived }, name);
  }

  /** A record that is one repeated element and nothing else is a list. */
  #listOf({ node }: Component, fields: readonly DescribedField[]): DescribedType | undefined {
    const [only, second] = fields;
    if (only?.repeats !== true || second !== undefined || childNamed(node, 'complexContent') !== undefined)
      return undefined;
    const { type: item, name: itemName, namespace } = only;
    return { kind: 'list', item, itemName, ...itemsNil(only), ...(namespace === undefined ? {} : { namespace }) };
  }

  #reportAttributes(node: Node, name: string): void {
    for (const each of schemaChildren(node)) {
      if (each.attribute('use') === 'prohibited') continue;
      if (each.local === 'attribute') {
        this.skip(name, `attribute ${each.attribute('name') ?? each.attribute('ref') ?? ''}: read but never sent`);
      } else if (each.local === 'attributeGroup' || each.local === 'anyAttribute')
        this.skip(name, 'attributes: read but never sent');
    }
  }

  /** The fields of a complex type, with those that it extends; undefined when no record holds what it says. */
  fieldsOf(component: Component, name: string): readonly DescribedField[] | undefined {
    const { node } = component;
    this.#reportAttributes(node, name);
    if (childNamed(node, 'simpleContent') !== undefined) return undefined;
    const complex = childNamed(node, 'complexContent');
    if ([node, complex ?? node].some((each) => isTrue(each, 'mixed'))) this.skip(name, 'text between elements (mixed)');
    if (complex === undefined) return fieldsIn(this, component, { name });
    const derived = childNamed(complex, 'extension', 'restriction');
    if (derived === undefined) return [];
    this.#reportAttributes(derived, name);
    const own = { ...component, node: derived };
    return derived.local === 'restriction' ? this.#restricted(own, name) : this.#extended(own, name);
  }

  #extended(component: Component, name: string): readonly DescribedField[] | undefined {
    const base = this.#fieldsOfBase(component, name);
    const added = base === undefined ? undefined : fieldsIn(this, component, { name, choices: choicesIn(base) });
    return base === undefined || added === undefined ? undefined : distinct(this, [...base, ...added], name);
  }

  #restricted(component: Component, name: string): readonly DescribedField[] | undefined {
    const base = referenceIn(component, component.node.attribute('base') ?? '');
    if (base.namespace !== arrayNamespace) return fieldsIn(this, component, { name });
    this.skip(name, 'an array of SOAP encoding');
    return undefined;
  }

  #fieldsOfBase(component: Component, name: string): readonly DescribedField[] | undefined {
    const base = referenceIn(component, component.node.attribute('base') ?? '');
    if (builtInScalar(base) !== undefined) return [];
    return this.#within(base, 'extends itself', () => this.fieldsOf(this.components.get('complexType', base), name));
  }
}
