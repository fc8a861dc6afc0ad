import type { SoapVersion } from '../../contract/build.js';
import { badAnswer, usage } from '../../core/errors/relctl-error.js';
import { defined } from '../../core/values/value.js';
import { wsdlNamespace } from './documents.js';
import { isName, keyOf, nameAt, readable, type Node } from './node.js';

/** The namespace in which a description binds a version of SOAP. */
const namespaces: Readonly<Record<SoapVersion, string>> = {
  '1.1': 'http://schemas.xmlsoap.org/wsdl/soap/',
  '1.2': 'http://schemas.xmlsoap.org/wsdl/soap12/',
};

const soapNamespaces = Object.entries(namespaces) as [version: SoapVersion, namespace: string][];

/** The children of this name that are elements of WSDL. */
export const wsdlChildren = ({ children }: Node, local: string): readonly Node[] =>
  children.filter((each) => each.namespace === wsdlNamespace && each.local === local);

/** The first of them, if there is one. */
export const wsdlChild = (node: Node, local: string): Node | undefined => wsdlChildren(node, local)[0];

/** The child of this name that is an element of a binding of SOAP 1.1 or 1.2. */
export const soapChild = ({ children }: Node, local: string): Node | undefined =>
  children.find((each) => soapNamespaces.some(([, namespace]) => each.namespace === namespace) && each.local === local);

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

/** A binding of SOAP over HTTP, with a port that has it where one has. */
export interface Binding {
  readonly node: Node;
  readonly version: SoapVersion;
  readonly portType: Node | undefined;
  readonly port?: Node;
  /** Where the port says that its service is. */
  readonly address?: string;
}

/** The bindings of SOAP over HTTP, once for each of their ports, SOAP 1.1 first. */
export function soapBindings(definitions: Definitions): readonly Binding[] {
  const bindings = definitions.all('binding');
  const ports = definitions.all('service').flatMap((service) => wsdlChildren(service, 'port'));
  const named = (local: 'binding' | 'portType', node: Node, attribute: string): Node | undefined =>
    readable(() => definitions.named(local, node, attribute));
  return soapNamespaces.flatMap(([version, namespace]) =>
    bindings
      .filter((each) => soapChild(each, 'binding')?.namespace === namespace && isOverHttp(each))
      .flatMap((node): readonly Binding[] => {
        const binding = { node, version, portType: named('portType', node, 'type') };
        const own = ports.filter((port) => named('binding', port, 'binding') === node);
        return own.length === 0
          ? [binding]
          : own.map((port) => ({ ...binding, port, ...defined({ address: addressOf(port) }) }));
      }),
  );
}

const addressOf = (port: Node): string | undefined => soapChild(port, 'address')?.attribute('location')?.trim();

function operationsOfPortType(portType: Node): ReadonlyMap<string, readonly Node[]> {
  const byName = new Map<string, Node[]>();
  for (const each of wsdlChildren(portType, 'operation')) {
    const name = ownName(each);
    byName.set(name, [...(byName.get(name) ?? []), each]);
  }
  return byName;
}

const inputName = (operation: Node): string | undefined => wsdlChild(operation, 'input')?.attribute('name');

type ReportSkip = (path: string, what: string) => void;

/** The operations of a binding; says which are none. Throws `bad-answer` without a port type. */
export function boundOperations({ node: binding, portType }: Binding, skip: ReportSkip): readonly Bound[] {
  if (portType === undefined)
    throw badAnswer('wsdl', `the description has no portType ${binding.attribute('type') ?? ''}`);
  const abstracts = operationsOfPortType(portType);
  return wsdlChildren(binding, 'operation').flatMap((bound): readonly Bound[] => {
    const name = ownName(bound);
    const same = abstracts.get(name) ?? [];
    const messageName = inputName(bound);
    const abstract = same.find((each) => inputName(each) === messageName) ?? same[0];
    const style = soapChild(bound, 'operation')?.attribute('style') ?? styleOf(binding);
    if (abstract !== undefined && isName(name)) return [{ name, bound, abstract, style }];
    skip(name, abstract === undefined ? 'an operation that the port type does not have' : 'a name that is none');
    return [];
  });
}

/**
 * The binding that is read: that of the port of this name, or the one with most operations that can be called, first among
 * those of ports. Throws `usage` for another name, and `bad-answer` without any binding of SOAP.
 */
export function chosenBinding(
  bindings: readonly Binding[],
  name: string | undefined,
  callable: (binding: Binding) => number,
): Binding {
  const ofPorts = bindings.filter(({ port }) => port !== undefined);
  if (name !== undefined) {
    const matchingPort = ofPorts.find(({ port }) => port !== undefined && ownName(port) === name);
    if (matchingPort !== undefined) return matchingPort;
    const names = ofPorts.flatMap(({ port }) => (port === undefined ? [] : [ownName(port)]));
    throw usage('--port', `the description has no port of SOAP '${name}'; it has ${names.join(', ') || 'none'}`);
  }
  const counted = (ofPorts.length === 0 ? bindings : ofPorts).map((each) => ({ each, count: callable(each) }));
  const most = Math.max(...counted.map(({ count }) => count));
  const frequent = counted.find(({ count }) => count === most);
  if (frequent === undefined) throw badAnswer('wsdl', 'the description has no binding of SOAP 1.1 or 1.2 over HTTP');
  return frequent.each;
}

/** Says which bindings and ports are not read, and how they are. @param read the binding that is, in all its versions */
export function reportOthers(bindings: readonly Binding[], read: readonly Binding[], skip: ReportSkip): void {
  for (const other of bindings.filter((each) => !read.includes(each))) {
    const { node, port, address = 'no address' } = other;
    const remark = port === undefined ? 'which no port has' : `--port ${ownName(port)} reads them instead`;
    const isOwn = read.some((each) => each.portType === other.portType);
    if (!isOwn) skip(ownName(node), `operations of another binding: ${remark}`);
    else if (port !== undefined) skip(ownName(port), `these operations with another binding, at ${address}: ${remark}`);
  }
}
