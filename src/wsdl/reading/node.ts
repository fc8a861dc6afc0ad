import { isLocalName } from '../../xml/tags.js';
import { badAnswer, RelctlError } from '../../core/errors/relctl-error.js';
import { decodeReferences } from '../../xml/escape.js';
import { parseBareTree, type TreeLimits, type TreeNode } from '../../xml/tree.js';

/** A name in a namespace; '' for none. */
export interface QName {
  readonly namespace: string;
  readonly local: string;
}

interface Prefixes {
  get(prefix: string): string | undefined;
}

function nameIn(scope: Prefixes, name: string, code: 'wsdl' | 'xml-malformed'): QName {
  const at = name.indexOf(':');
  const prefix = at < 0 ? '' : name.slice(0, at);
  const namespace = prefix === 'xml' ? 'http://www.w3.org/XML/1998/namespace' : scope.get(prefix);
  if (namespace === undefined && prefix !== '') throw badAnswer(code, `the prefix '${prefix}' has no namespace`);
  return { namespace: namespace ?? '', local: name.slice(at + 1) };
}

type NodeAttributes = Readonly<Record<string, string>>;

function scopeOf(attributes: NodeAttributes, outer: Prefixes): Prefixes {
  let own: Map<string, string> | undefined;
  for (const name in attributes) {
    if (!name.startsWith('xmlns')) continue;
    const value = decodeReferences(attributes[name] ?? '');
    if (name === 'xmlns') (own ??= new Map<string, string>()).set('', value);
    else if (name.startsWith('xmlns:')) (own ??= new Map<string, string>()).set(name.slice(6), value);
  }
  // A copy of all that is declared around each of many elements would take much memory.
  return own === undefined ? outer : { get: (prefix) => own.get(prefix) ?? outer.get(prefix) };
}

const elementKey = (raw: TreeNode): string | undefined => {
  for (const key in raw) if (key !== ':@' && !key.startsWith('#')) return key;
  return undefined;
};

const textOf = (raw: TreeNode): string => {
  const text = raw['#text'];
  if (typeof text === 'string') return decodeReferences(text);
  // A section is a list of texts, as the library keeps it.
  const section = raw['#cdata'];
  if (!Array.isArray(section)) return '';
  return section.map((each: TreeNode) => (typeof each['#text'] === 'string' ? each['#text'] : '')).join('');
};

const none: NodeAttributes = {};

/** An element of a WSDL or a schema, on top of the tree of the library: what is not asked for is not made. */
export class Node implements QName {
  readonly namespace: string;
  readonly local: string;
  readonly scope: Prefixes;
  readonly #attributes: NodeAttributes;
  readonly #content: readonly TreeNode[];
  #children: readonly Node[] | undefined;

  constructor(raw: TreeNode, key: string, outer: Prefixes) {
    // The library gives texts by names here, and a list of nodes.
    this.#attributes = (raw[':@'] ?? none) as NodeAttributes;
    this.#content = raw[key] as readonly TreeNode[];
    this.scope = scopeOf(this.#attributes, outer);
    const { namespace, local } = nameIn(this.scope, key, 'xml-malformed');
    this.namespace = namespace;
    this.local = local;
  }

  /** The value of an attribute; one that declares the default namespace is none. */
  attribute(name: string): string | undefined {
    if (name === 'xmlns' || !Object.hasOwn(this.#attributes, name)) return undefined;
    return decodeReferences(this.#attributes[name] ?? '');
  }

  get children(): readonly Node[] {
    return (this.#children ??= this.#content.flatMap((each): readonly Node[] => {
      const key = elementKey(each);
      return key === undefined ? [] : [new Node(each, key, this.scope)];
    }));
  }

  /** The text between its tags, without that of its children. */
  get text(): string {
    return this.#content.map((each) => (elementKey(each) === undefined ? textOf(each) : '')).join('');
  }
}

/** The root of a document. Throws `bad-answer` for what is not well-formed or too deep, and what counting throws. */
export function readNodes(text: string, limits: TreeLimits): Node {
  for (const raw of parseBareTree(text, limits)) {
    const key = elementKey(raw);
    if (key !== undefined && key !== '?xml') return new Node(raw, key, new Map());
  }
  throw badAnswer('xml-malformed', 'the document has no element');
}

/** The name that a text such as `tns:Person` stands for where it is written. Throws `bad-answer` for an unknown prefix. */
export const nameAt = ({ scope }: Node, text: string): QName => nameIn(scope, text.trim(), 'wsdl');

/** What reading gives; undefined where the description contradicts itself. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    if (RelctlError.from(thrown).facts.code !== 'wsdl') throw thrown;
    return undefined;
  }
}

const longestName = 256;

/** True for the name of an operation or an element: one that a tag can have, and that no object has in a way of its own. */
export const isName = (text: string): boolean =>
  text.length <= longestName && text !== '__proto__' && isLocalName(text);

/** A name as one text, to keep things by. */
export const keyOf = ({ namespace, local }: QName): string => `{${namespace}}${local}`;
