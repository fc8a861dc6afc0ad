import { badAnswer } from '../../errors/relctl-error.js';
import { wsdlNamespace } from './documents.js';
import { isName, keyOf, nameAt, type Node } from './node.js';

const soapNamespaces = ['http://schemas.xmlsoap.org/wsdl/soap/', 'http://schemas.xmlsoap.org/wsdl/soap12/'] as const;

/** The children of this name that are elements of WSDL. */
export const wsdlChildren = ({ children }: Node, local: string): readonly Node[] =>
  children.filter((each) => each.namespace === wsdlNamespace && each.local === local);

/** The first of them, if there is one. */
export const wsdlChild = (node: Node, local: string): Node | undefined => wsdlChildren(node, local)[0];

/** The child of this name that is an element of a binding of SOAP 1.1 or 1.2. */
export const soapChild = ({ children }: Node, local: string): Node | undefined =>
  children.find((each) => (soapNamespaces as readonly string[]).includes(each.namespace) && each.local === local);

/** The name that an element of WSDL has; empty without. */
export const ownName = (node: Node): string => node.attribute('name')?.trim() ?? '';

/** Elements of WSDL by name, in all documents. */
export class Definitions {
  readonly #roots: readonly Node[];
  readonly #byName = new Map<string, Node>();

  constructor(roots: readonly Node[]) {
    this.#roots = roots;
    for (const root of roots) {
      const namespace = root.attribute('targetNamespace') ?? '';
      for (const node of root.children) {
        if (node.namespace !== wsdlNamespace) continue;
        const key = `${node.local} ${keyOf({ namespace, local: ownName(node) })}`;
        if (!this.#byName.has(key)) this.#byName.set(key, node);
      }
    }
  }

  all(local: string): readonly Node[] {
    return this.#roots.flatMap((root) => wsdlChildren(root, local));
  }

  /** The declaration that an attribute names; undefined when there is none. */
  named(local: string, at: Node, attribute: string): Node | undefined {
    const name = at.attribute(attribute);
    return name === undefined ? undefined : this.#byName.get(`${local} ${keyOf(nameAt(at, name))}`);
  }
}

/** An operation of a binding, with what its port type says of it. */
export interface Bound {
  readonly name: string;
  readonly bound: Node;
  readonly abstract: Node;
  readonly style: string;
}

const styleOf = (binding: Node): string => soapChild(binding, 'binding')?.attribute('style') ?? 'document';

const isOverHttp = (binding: Node): boolean =>
  /(^|\/http\/?)$/i.test(soapChild(binding, 'binding')?.attribute('transport')?.trim() ?? '');

/** The bindings of SOAP over HTTP, SOAP 1.1 first: those that a port has, or all where no port has one. */
function soapBindings(definitions: Definitions): readonly Node[] {
  const bindings = definitions.all('binding');
  const found = soapNamespaces.flatMap((namespace) =>
    bindings.filter((each) => soapChild(each, 'binding')?.namespace === namespace && isOverHttp(each)),
  );
  const ports = definitions.all('service').flatMap((service) => wsdlChildren(service, 'port'));
  const used = new Set(ports.map((port) => definitions.named('binding', port, 'binding')));
  const ofPorts = found.filter((each) => used.has(each));
  return ofPorts.length === 0 ? found : ofPorts;
}

/** The operations of a port type by name: several may have one name. */
function abstractsOf(portType: Node): ReadonlyMap<string, readonly Node[]> {
  const byName = new Map<string, Node[]>();
  for (const each of wsdlChildren(portType, 'operation')) {
    const name = ownName(each);
    byName.set(name, [...(byName.get(name) ?? []), each]);
  }
  return byName;
}

const inputName = (operation: Node): string | undefined => wsdlChild(operation, 'input')?.attribute('name');

/** The operations of the first binding of SOAP over HTTP that is read; says what others offer. Throws `bad-answer`. */
export function boundOperations(
  definitions: Definitions,
  skip: (place: string, what: string) => void,
): readonly Bound[] {
  const bindings = soapBindings(definitions);
  const binding = bindings.find((each) => styleOf(each) === 'document') ?? bindings[0];
  if (binding === undefined) throw badAnswer('wsdl', 'the description has no binding of SOAP 1.1 or 1.2 over HTTP');
  const portType = definitions.named('portType', binding, 'type');
  if (portType === undefined)
    throw badAnswer('wsdl', `the description has no portType ${binding.attribute('type') ?? ''}`);
  for (const other of bindings)
    if (definitions.named('portType', other, 'type') !== portType) skip(ownName(other), 'operations of another port');
  const abstracts = abstractsOf(portType);
  return wsdlChildren(binding, 'operation').flatMap((bound): readonly Bound[] => {
    const name = ownName(bound);
    const same = abstracts.get(name) ?? [];
    const wanted = inputName(bound);
    const abstract = same.find((each) => inputName(each) === wanted) ?? same[0];
    const style = soapChild(bound, 'operation')?.attribute('style') ?? styleOf(binding);
    if (abstract !== undefined && isName(name)) return [{ name, bound, abstract, style }];
    skip(name, abstract === undefined ? 'an operation that the port type does not have' : 'a name that is none');
    return [];
  });
}
