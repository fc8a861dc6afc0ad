import type { Operation } from '../contract/build.js';
import { soapActionOf } from '../contract/walk.js';
import { element, writeDocument, type Element } from './element.js';
import { prefixes, schemas } from './schema.js';

/** Name of the service in its description; the interface document gives none, this one is ours. */
export const serviceName = 'RelationshipManagement';

/** What to describe, and where it is. */
export interface DescribedService {
  /** In the order in which they are to stand. */
  readonly operations: readonly Operation[];
  /** XML namespace of the service. */
  readonly namespace: string;
  /** URL under which the caller reaches the service. */
  readonly address: string;
}

/** What each version of SOAP adds to a description: the prefix of its elements, and the name of its binding and its port. */
const dialects = [
  { prefix: 'soap', name: `${serviceName}Soap` },
  { prefix: 'soap12', name: `${serviceName}Soap12` },
] as const;

// Both bindings share one port type, which is named like the first.
const portTypeName = `${serviceName}Soap`;

// .NET declares the prefix once more on each of these, although the root has it.
const documentation = (words: string): Element =>
  element('wsdl:documentation', { 'xmlns:wsdl': prefixes['xmlns:wsdl'] }, words);

const messages = ({ name }: Operation): readonly Element[] =>
  [
    [`${name}SoapIn`, name],
    [`${name}SoapOut`, `${name}Response`],
  ].map(([message = '', content = '']) =>
    element('wsdl:message', { name: message }, [
      element('wsdl:part', { name: 'parameters', element: `tns:${content}` }),
    ]),
  );

const wordsOf = ({ doc, deprecated }: Operation): string =>
  deprecated === undefined ? doc : `${doc} Deprecated: use ${deprecated} instead.`;

const portOperation = (operation: Operation): Element =>
  element('wsdl:operation', { name: operation.name }, [
    documentation(wordsOf(operation)),
    element('wsdl:input', { message: `tns:${operation.name}SoapIn` }),
    element('wsdl:output', { message: `tns:${operation.name}SoapOut` }),
  ]);

const boundOperation = ({ name }: Operation, prefix: string, namespace: string): Element => {
  const body = [element(`${prefix}:body`, { use: 'literal' })];
  const soapAction = soapActionOf(namespace, name);
  return element('wsdl:operation', { name }, [
    element(`${prefix}:operation`, { soapAction, style: 'document' }),
    element('wsdl:input', {}, body),
    element('wsdl:output', {}, body),
  ]);
};

const binding = ({ operations, namespace }: DescribedService, { prefix, name }: (typeof dialects)[number]): Element =>
  element('wsdl:binding', { name, type: `tns:${portTypeName}` }, [
    element(`${prefix}:binding`, { transport: 'http://schemas.xmlsoap.org/soap/http' }),
    ...operations.map((operation) => boundOperation(operation, prefix, namespace)),
  ]);

const service = (address: string): Element =>
  element('wsdl:service', { name: serviceName }, [
    documentation('Relations, relationships, activities, products, lookup lists, marks, workflows and notifications.'),
    ...dialects.map(({ prefix, name }) =>
      element('wsdl:port', { name, binding: `tns:${name}` }, [element(`${prefix}:address`, { location: address })]),
    ),
  ]);

/**
 * The description of the service (WSDL 1.1) in the shape that .asmx services publish: document/literal wrapped, one
 * binding for each version of SOAP (interface document, "What the service does", "Endpoints").
 */
export function writeWsdl(described: DescribedService): string {
  const { operations, namespace, address } = described;
  return writeDocument(
    element('wsdl:definitions', { ...prefixes, 'xmlns:tns': namespace, targetNamespace: namespace }, [
      element('wsdl:types', {}, schemas(operations, namespace)),
      ...operations.flatMap(messages),
      element('wsdl:portType', { name: portTypeName }, operations.map(portOperation)),
      ...dialects.map((dialect) => binding(described, dialect)),
      service(address),
    ]),
  );
}
