import { keyOf, nameAt, readable, type Node, type QName } from './node.js';
import { badAnswer } from '../../core/errors/relctl-error.js';

/** Namespace of the elements of XML Schema. */
export const schemaNamespace = 'http://www.w3.org/2001/XMLSchema';

/** A schema document in the namespace into which it was imported or included. */
export interface Schema {
  readonly root: Node;
  /** Its target namespace; that of its includer, when it has none of its own. */
  readonly namespace: string;
  readonly isChameleon: boolean;
}

/** A declaration, with the schema that it stands in. */
export interface Component {
  readonly node: Node;
  readonly schema: Schema;
}

/** Kinds of declarations that are looked for by their names, as their elements are called. */
export type ComponentKind = 'element' | 'complexType' | 'simpleType' | 'group' | 'attributeGroup';

/** The declarations of all schemas of a service, by kind and name. */
export class Components {
  readonly #byName = new Map<string, Component>();
  /** Elements for which others may stand, and kinds and names of what is redefined. */
  readonly #heads = new Set<string>();
  readonly #redefined = new Set<string>();
  /** Names of the types that add elements to a type, by its name. */
  readonly #extended = new Map<string, string[]>();

  constructor(schemas: readonly Schema[]) {
    for (const schema of schemas) this.#add(schema);
  }

  #add(schema: Schema): void {
    for (const node of schema.root.children) {
      if (node.namespace !== schemaNamespace) continue;
      const local = node.attribute('name');
      if (node.local === 'redefine') this.#addRedefined(node, schema);
      if (local === undefined) continue;
      const name = { namespace: schema.namespace, local: local.trim() };
      const key = `${node.local} ${keyOf(name)}`;
      // The same document may be included twice, under two addresses.
      if (!this.#byName.has(key)) {
        this.#byName.set(key, { node, schema });
        this.#addExtended({ node, schema }, name);
      }
      const head = node.attribute('substitutionGroup');
      const headKey = head === undefined ? undefined : keyOfReference({ node, schema }, head);
      if (headKey !== undefined) this.#heads.add(headKey);
    }
  }

  #addExtended({ node, schema }: Component, own: QName): void {
    const content = childNamed(node, 'complexContent');
    const extension = content === undefined ? undefined : childNamed(content, 'extension');
    const base = extension?.attribute('base');
    if (extension === undefined || base === undefined) return;
    const key = keyOfReference({ node: extension, schema }, base);
    if (key === undefined || key === keyOf(own)) return;
    const names = this.#extended.get(key) ?? [];
    names.push(own.local);
    this.#extended.set(key, names);
  }

  #addRedefined(redefine: Node, { namespace }: Schema): void {
    for (const node of schemaChildren(redefine)) {
      const local = node.attribute('name');
      if (local !== undefined) this.#redefined.add(`${node.local} ${keyOf({ namespace, local: local.trim() })}`);
    }
  }

  /** True for an element for which others may stand. */
  isHead(name: QName): boolean {
    return this.#heads.has(keyOf(name));
  }

  /** Names of the types that extend a type, which may stand in its place. */
  extendedBy(name: QName): readonly string[] {
    return this.#extended.get(keyOf(name)) ?? [];
  }

  /** The declaration of a name; undefined when no schema has it. Throws `bad-answer` for one that is redefined. */
  find(kind: ComponentKind, name: QName): Component | undefined {
    const key = `${kind} ${keyOf(name)}`;
    if (this.#redefined.has(key)) throw badAnswer('wsdl', `the ${kind} ${name.local} is redefined (redefine)`);
    return this.#byName.get(key);
  }

  /** The same. Throws `bad-answer` when no schema has it, too. */
  get(kind: ComponentKind, name: QName): Component {
    const component = this.find(kind, name);
    if (component !== undefined) return component;
    throw badAnswer('wsdl', `the description has no ${kind} ${name.local} in the namespace '${name.namespace}'`);
  }
}

/** What a name in an attribute stands for: in a schema without a namespace of its own, in the namespace of its includer. */
export function referenceIn({ node, schema }: Component, text: string): QName {
  const name = nameAt(node, text);
  return name.namespace === '' && schema.isChameleon ? { ...name, namespace: schema.namespace } : name;
}

/** The key of what is referred to; undefined for a prefix that nothing declares, which is told where what refers is read. */
const keyOfReference = (component: Component, text: string): string | undefined =>
  readable(() => keyOf(referenceIn(component, text)));

/** The children of a node that are elements of XML Schema. */
export const schemaChildren = ({ children }: Node): readonly Node[] =>
  children.filter(({ namespace }) => namespace === schemaNamespace);

/** What an attribute of true and false says; false without it. */
export function isTrue(node: Node, name: string): boolean {
  const text = node.attribute(name)?.trim();
  return text === 'true' || text === '1';
}

/** The child of this name, if there is one. */
export const childNamed = (node: Node, ...names: readonly string[]): Node | undefined =>
  schemaChildren(node).find(({ local }) => names.includes(local));

const longestDoc = 1000;

/** Words of documentation in one line. */
export const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, longestDoc);

/** The words of its documentation, in one line; empty without. */
export function docOf(node: Node): string {
  const annotation = childNamed(node, 'annotation');
  const texts = annotation && schemaChildren(annotation).filter(({ local }) => local === 'documentation');
  return inOneLine((texts ?? []).map(({ text }) => text).join(' '));
}
