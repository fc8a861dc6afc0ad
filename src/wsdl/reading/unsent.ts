import { childNamed, isTrue, referenceIn, schemaChildren, schemaNamespace } from './components.js';
import type { Component, ComponentKind, Components } from './components.js';
import { readable, type Node } from './node.js';

/** What a type is made of, each part looked into once: groups may hold themselves, and types extend themselves. */
class Parts {
  readonly #components: Components;
  readonly #seen = new Set<Node>();

  constructor(components: Components) {
    this.#components = components;
  }

  requiredAttribute({ node, schema }: Component): string | undefined {
    for (const each of schemaChildren(node)) {
      if (each.local === 'attribute' && each.attribute('use') === 'required')
        return each.attribute('name') ?? each.attribute('ref') ?? '';
      const group = each.local === 'attributeGroup' ? this.#named('attributeGroup', { node: each, schema }) : undefined;
      const required = group === undefined ? undefined : this.requiredAttribute(group);
      if (required !== undefined) return required;
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
    const definition = name && readable(() => this.#components.find(kind, referenceIn(component, name)));
    if (definition === undefined || definition === '' || this.#seen.has(definition.node)) return undefined;
    this.#seen.add(definition.node);
    return definition;
  }
}

function isSchema(component: Component): boolean {
  const { node } = component;
  const name = node.local === 'element' ? node.attribute('ref') : undefined;
  return name !== undefined && readable(() => referenceIn(component, name))?.namespace === schemaNamespace;
}

function derivationIn({ node, schema }: Component): Component | undefined {
  const content = childNamed(node, 'complexContent', 'simpleContent');
  const derived = content && childNamed(content, 'extension', 'restriction');
  return derived && { node: derived, schema };
}

/** Why no element of a complex type can be sent: what must be in it and no field says; undefined where one can. */
export function whyUnsent(component: Component, components: Components): string | undefined {
  if (isTrue(component.node, 'abstract')) return 'an abstract type, which another type must replace';
  const parts = new Parts(components);
  let isWhole = true;
  for (let at: Component | undefined = component; at !== undefined;) {
    const derived: Component | undefined = derivationIn(at);
    const own = derived ?? at;
    const attribute = parts.requiredAttribute(own);
    if (attribute !== undefined) return `the attribute ${attribute} is required, and relctl sends no attributes`;
    if (isWhole && parts.hasOpenElement(own, true)) return 'it requires an element that the WSDL does not define (any)';
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
    const derived: Component | undefined = derivationIn(at);
    if (parts.hasOpenElement(derived ?? at, false)) return true;
    at = derived?.node.local === 'extension' ? parts.baseOf(derived) : undefined;
  }
  return false;
}
