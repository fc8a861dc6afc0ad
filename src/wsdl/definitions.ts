import type { Operation, Field, Fields, Type } from '../contract/build.js';
import {
  isNested,
  isReference,
  reachedTypes,
  requestFields,
  schemaName,
  soapActionOf,
  type NamedType,
} from '../contract/walk.js';
import { resultEnvelope } from '../contract/records/shared.js';
import { defined } from '../core/values/value.js';
import { escapeAttribute, escapeText, xmlDeclaration } from '../xml/escape.js';

/** An element of a description: its attributes in their order, and either words or other elements. */
interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: string | readonly Element[];
}

/** Makes an element. */
export const element = (
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  content: string | readonly Element[] = [],
): Element => ({ name, attributes, content });

function written({ name, attributes, content }: Element, indent: string): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`);
  const tag = `${indent}<${name}${pairs.join('')}`;
  if (content.length === 0) return `${tag} />`;
  if (typeof content === 'string') return `${tag}>${escapeText(content)}</${name}>`;
  return [`${tag}>`, ...content.map((each) => written(each, `${indent}  `)), `${indent}</${name}>`].join('\n');
}

/** A whole document: indented, without a byte order mark, as .asmx services write it. */
export const writeDocument = (root: Element): string => `${xmlDeclaration}\n${written(root, '')}`;

/** Namespaces by the prefixes under which the root declares them, in the order in which .asmx services do. */
const prefixes = {
  'xmlns:soap': 'http://schemas.xmlsoap.org/wsdl/soap/',
  'xmlns:tm': 'http://microsoft.com/wsdl/mime/textMatching/',
  'xmlns:soapenc': 'http://schemas.xmlsoap.org/soap/encoding/',
  'xmlns:mime': 'http://schemas.xmlsoap.org/wsdl/mime/',
  'xmlns:s': 'http://www.w3.org/2001/XMLSchema',
  'xmlns:s1': 'http://microsoft.com/wsdl/types/',
  'xmlns:soap12': 'http://schemas.xmlsoap.org/wsdl/soap12/',
  'xmlns:http': 'http://schemas.xmlsoap.org/wsdl/http/',
  'xmlns:wsdl': 'http://schemas.xmlsoap.org/wsdl/',
} as const satisfies Element['attributes'];

/** Name of the base type of results with the result envelope. The interface document gives it none; this one is ours. */
const resultBase = 'PvApiResult';

function typeReference(type: Type): string | undefined {
  if (type.kind !== 'scalar') return `tns:${schemaName(type)}`;
  if (type.name === 'anyType') return undefined;
  return type.name === 'guid' ? 's1:guid' : `s:${type.name}`;
}

/** Whether a type is sent or received. Only answers have nil for empty nested members. */
type Travel = 'request' | 'response';

const typed = (type: Type): Element['attributes'] => defined({ type: typeReference(type) });

/** Req must be there, Nil too but may be nil, Opt may be left out; a nested Opt member of an answer may be nil (rule 4). */
function member(name: string, { type, presence }: Field, travel: Travel): Element {
  const mayBeNil = presence === 'nil' || (presence === 'opt' && isNested(type) && travel === 'response');
  return element('s:element', {
    minOccurs: presence === 'opt' ? '0' : '1',
    maxOccurs: '1',
    name,
    ...(mayBeNil ? { nillable: 'true' } : {}),
    ...typed(type),
  });
}

const sequence = (fields: Fields, travel: Travel): readonly Element[] => {
  const members = Object.entries(fields).map(([name, field]) => member(name, field, travel));
  return members.length === 0 ? [] : [element('s:sequence', {}, members)];
};

function resultType(operation: Operation): Element {
  const own = sequence(operation.result, 'response');
  const name = `${operation.name}Result`;
  if (!operation.envelope) return element('s:complexType', { name }, own);
  return element('s:complexType', { name }, [
    element('s:complexContent', { mixed: 'false' }, [element('s:extension', { base: `tns:${resultBase}` }, own)]),
  ]);
}

const globalElement = (name: string, content: readonly Element[]): Element =>
  element('s:element', { name }, [element('s:complexType', {}, content)]);

const mayBeEmpty = ({ envelope, result }: Operation): boolean =>
  !envelope && Object.entries(result).every(([, { presence }]) => presence === 'opt');

function responseElement(operation: Operation): Element {
  const name = `${operation.name}Result`;
  const nillable = mayBeEmpty(operation) ? { nillable: 'true' } : {};
  return globalElement(`${operation.name}Response`, [
    element('s:sequence', {}, [
      element('s:element', { minOccurs: '0', maxOccurs: '1', name, ...nillable, type: `tns:${name}` }),
    ]),
  ]);
}

function declaration(type: NamedType, travel: Travel): Element {
  switch (type.kind) {
    case 'enumeration': {
      const values = type.values.map((value) => element('s:enumeration', { value }));
      return element('s:simpleType', { name: type.name }, [element('s:restriction', { base: 's:string' }, values)]);
    }
    case 'list': {
      const nillable = isReference(type.item) ? { nillable: 'true' } : {};
      const attributes = { minOccurs: '0', maxOccurs: 'unbounded', name: type.itemName, ...nillable };
      const item = element('s:element', { ...attributes, ...typed(type.item) });
      return element('s:complexType', { name: schemaName(type) }, [element('s:sequence', {}, [item])]);
    }
    case 'record':
      return element('s:complexType', { name: type.name }, sequence(type.fields, travel));
  }
}

function declared(operations: readonly Operation[]): readonly Element[] {
  const answered = new Set(operations.flatMap(({ result }) => reachedTypes(result)));
  const known = new Set<string>();
  const once = (name: string, make: () => Element): readonly Element[] => {
    if (known.has(name)) return [];
    known.add(name);
    return [make()];
  };
  const types = (fields: Fields): readonly Element[] =>
    reachedTypes(fields).flatMap((type) =>
      once(schemaName(type), () => declaration(type, answered.has(type) ? 'response' : 'request')),
    );
  const base = (): readonly Element[] => [
    ...once(resultBase, () => element('s:complexType', { name: resultBase }, sequence(resultEnvelope, 'response'))),
    ...types(resultEnvelope),
  ];
  return operations.flatMap((operation) => [
    globalElement(operation.name, sequence(requestFields(operation), 'request')),
    ...types(requestFields(operation)),
    responseElement(operation),
    resultType(operation),
    ...(operation.envelope ? base() : []),
    ...types(operation.result),
  ]);
}

const hex = (length: number): string => `[0-9a-fA-F]{${length}}`;

const guidSchema = element('s:schema', { elementFormDefault: 'qualified', targetNamespace: prefixes['xmlns:s1'] }, [
  element('s:simpleType', { name: 'guid' }, [
    element('s:restriction', { base: 's:string' }, [
      element('s:pattern', { value: [8, 4, 4, 4, 12].map(hex).join('-') }),
    ]),
  ]),
]);

/**
 * The two schemas of the description: the type `guid`, then the elements and types of the operations, which import it. .NET
 * has the other order, but the import names no location, and tools of JAX-WS find only a schema before it. The prefixes of
 * their names are declared at the root of the description.
 */
export function schemas(operations: readonly Operation[], namespace: string): readonly Element[] {
  return [
    guidSchema,
    element('s:schema', { elementFormDefault: 'qualified', targetNamespace: namespace }, [
      element('s:import', { namespace: prefixes['xmlns:s1'] }),
      ...declared(operations),
    ]),
  ];
}

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
