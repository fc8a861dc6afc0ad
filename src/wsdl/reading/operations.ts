import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../core/values/value.js';
import {
  boundOperations,
  chosenBinding,
  Definitions,
  ownName,
  soapBindings,
  soapChild,
  reportOthers,
  wsdlChild,
  wsdlChildren,
  type Binding,
  type Bound,
} from './bindings.js';
import { childNamed, Components, inOneLine, referenceIn, type Component } from './components.js';
import type { Documents } from './documents.js';
import {
  Unsent,
  type DescribedField,
  type DescribedOperation,
  type DescribedRecord,
  type Description,
  type UntypedOperation,
} from './described.js';
import { nameAt, readable, type Node, type QName } from './node.js';
import { standIn } from './particles.js';
import { Types } from './types.js';
import { isOpen, whyUnsent } from './unsent.js';

function whyNotCallable({ bound, abstract, style }: Bound): string | undefined {
  const [input, output] = [wsdlChild(bound, 'input'), wsdlChild(bound, 'output')];
  if (style !== 'document') return `the style '${style}'`;
  if (wsdlChild(abstract, 'input') === undefined || wsdlChild(abstract, 'output') === undefined)
    return 'a call without an answer, or an answer without a call';
  const uses = [input, output].map((each) => (each === undefined ? undefined : soapChild(each, 'body')));
  if (uses.some((body) => body === undefined)) return 'a message that is not the Body alone';
  if (uses.some((body) => (body?.attribute('use') ?? 'literal') !== 'literal')) return 'SOAP encoding';
  if (!/^[ !#-~]*$/.test(actionOf(bound))) return 'a SOAPAction that is not valid in a header';
  return input !== undefined && soapChild(input, 'header') !== undefined ? 'a SOAP header' : undefined;
}

const actionOf = (bound: Node): string => soapChild(bound, 'operation')?.attribute('soapAction') ?? '';

function bodyElementOf(
  definitions: Definitions,
  { bound, abstract }: Bound,
  direction: 'input' | 'output',
): QName | undefined {
  const port = wsdlChild(abstract, direction);
  const message = port && definitions.named('message', port, 'message');
  if (message === undefined) return undefined;
  const path = wsdlChild(bound, direction);
  const named = path && soapChild(path, 'body')?.attribute('parts')?.trim().split(/\s+/);
  const parts = wsdlChildren(message, 'part').filter((part) => named === undefined || named.includes(ownName(part)));
  const [part, second] = parts;
  const element = part?.attribute('element');
  return part === undefined || element === undefined || second !== undefined ? undefined : nameAt(part, element);
}

function fieldsOfMessage(types: Types, name: QName): readonly DescribedField[] | undefined {
  const element = types.components.get('element', name);
  if (types.components.isHead(name)) types.skip(name.local, standIn);
  const holder = complexOf(types, element);
  if (holder !== undefined) return types.fieldsOf(holder, name.local);
  const { node } = element;
  // An element without a type is an empty message.
  const hasType = (node.attribute('type') ?? node.attribute('substitutionGroup')) !== undefined;
  return hasType || childNamed(node, 'simpleType') !== undefined ? undefined : [];
}

function complexOf(types: Types, element: Component): Component | undefined {
  const { node, schema } = element;
  const inner = childNamed(node, 'complexType');
  if (inner !== undefined) return { node: inner, schema };
  const reference = node.attribute('type');
  return reference === undefined ? undefined : types.components.find('complexType', referenceIn(element, reference));
}

/** The record of the one element `…Result` of an answer, as services of .NET have it; undefined in any other answer. */
function wrapped(types: Types, name: string, fields: readonly DescribedField[]): DescribedRecord | undefined {
  const [only] = fields;
  const isOne = fields.length === 1 && only?.name === `${name}Result`;
  if (!isOne || only.repeats === true || only.namespace !== undefined) return undefined;
  // Its fields are asked for now.
  types.finish();
  const type = types.typeAt(only.type);
  return type.kind === 'record' ? type : undefined;
}

function resultOf(
  types: Types,
  { name, fields }: { readonly name: string; readonly fields: readonly DescribedField[] },
  holder: Component | undefined,
): Pick<DescribedOperation, 'result' | 'resultName' | 'isOpen'> {
  const record = wrapped(types, name, fields);
  if (record !== undefined)
    return { resultName: `${name}Result`, result: record.fields, ...defined({ isOpen: record.isOpen }) };
  return { result: fields, ...(holder !== undefined && isOpen(holder, types.components) ? { isOpen: true } : {}) };
}

function takesCredentials(types: Types, { namespace }: QName, [first]: readonly DescribedField[]): boolean {
  if (first?.name !== 'credentials' || first.namespace !== undefined || namespace !== types.namespace) return false;
  types.finish();
  const type = types.typeAt(first.type);
  return type.kind === 'record' && type.fields.some(({ name }) => name === 'ApiKey');
}

function messagesOf(definitions: Definitions, bound: Bound): Pick<DescribedOperation, 'request' | 'response'> | string {
  const why = whyNotCallable(bound);
  if (why !== undefined) return why;
  const request = bodyElementOf(definitions, bound, 'input');
  const response = bodyElementOf(definitions, bound, 'output');
  return request === undefined || response === undefined ? 'a message that is not one element' : { request, response };
}

function operationOf(types: Types, definitions: Definitions, bound: Bound): DescribedOperation | string {
  const { name, abstract } = bound;
  const messages = messagesOf(definitions, bound);
  if (typeof messages === 'string') return messages;
  const all = fieldsOfMessage(types, messages.request);
  const answered = fieldsOfMessage(types, messages.response);
  if (all === undefined || answered === undefined) return 'a message that is not a record';
  const complexAt = (element: QName): Component | undefined =>
    complexOf(types, types.components.get('element', element));
  const holder = complexAt(messages.request);
  const unsent = holder && whyUnsent(holder, types.components);
  if (unsent !== undefined) return unsent;
  const isCredited = takesCredentials(types, messages.request, all);
  return {
    name,
    doc: inOneLine(wsdlChild(abstract, 'documentation')?.text ?? ''),
    soapAction: actionOf(bound.bound),
    ...messages,
    parameters: isCredited ? all.slice(1) : all,
    takesCredentials: isCredited,
    ...resultOf(types, { name, fields: answered }, complexAt(messages.response)),
  };
}

function commonNamespace(definitions: Definitions, bound: readonly Bound[]): string {
  const counts = new Map<string, number>();
  for (const each of bound) {
    const namespace = readable(() => bodyElementOf(definitions, each, 'input'))?.namespace;
    if (namespace !== undefined) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? '';
}

function responseNameOf(definitions: Definitions, each: Bound, namespace: string): QName {
  const output = wsdlChild(each.bound, 'output');
  const own = (output && soapChild(output, 'body'))?.attribute('namespace');
  return (
    readable(() => bodyElementOf(definitions, each, 'output')) ?? {
      namespace: own ?? namespace,
      local: `${each.name}Response`,
    }
  );
}

function operationNameOf(definitions: Definitions, each: Bound, used: ReadonlySet<string>): string {
  const message = used.has(each.name) ? readable(() => bodyElementOf(definitions, each, 'input')) : undefined;
  return message?.local ?? each.name;
}

function callableOperations(definitions: Definitions, binding: Binding): readonly string[] {
  if (binding.portType === undefined) return [];
  const bound = boundOperations(binding, () => undefined);
  const isCallable = (each: Bound): boolean => typeof readable(() => messagesOf(definitions, each)) === 'object';
  return bound.filter(isCallable).map((each) => `${each.name} ${actionOf(each.bound)}`);
}

/** The binding, and those that do the same in another version of SOAP: of the same operations and actions, at one address. */
function versionsOf(definitions: Definitions, bindings: readonly Binding[], binding: Binding): readonly Binding[] {
  const callable = callableOperations(definitions, binding);
  const isSame = (other: Binding): boolean =>
    other.portType === binding.portType &&
    (other.port === undefined) === (binding.port === undefined) &&
    other.address === binding.address &&
    isDeepStrictEqual(callableOperations(definitions, other), callable);
  return [binding, ...bindings.filter((other) => other.version !== binding.version && isSame(other))];
}

function readOperations(
  types: Types,
  definitions: Definitions,
  bound: readonly Bound[],
): Pick<Description, 'operations' | 'leftOut'> {
  const operations: DescribedOperation[] = [];
  const unusable: UntypedOperation[] = [];
  const names = new Set<string>();
  for (const each of bound) {
    const name = operationNameOf(definitions, each, names);
    const distinct = names.has(name)
      ? 'a second operation of this name'
      : types.orSkip(name, () => operationOf(types, definitions, { ...each, name }));
    if (typeof distinct === 'string') types.skip(name, distinct);
    if (typeof distinct === 'object') operations.push(distinct);
    else if (!names.has(name)) {
      const what = types.unread.findLast(({ place: subject }) => subject === name)?.what ?? '';
      const response = responseNameOf(definitions, each, types.namespace);
      unusable.push({ name, what, soapAction: actionOf(each.bound), response });
    }
    names.add(name);
  }
  return { operations, leftOut: unusable };
}

/**
 * What the documents of a WSDL say of a service. What is not read is named. Throws `bad-answer` for documents that refer to
 * what they do not have, for types that are made of themselves, and without a binding of SOAP; `usage` for a port that is not
 * there.
 */
export function describe({ definitions: roots, schemas }: Documents, port?: string): Description {
  const definitions = new Definitions(roots);
  const bindings = soapBindings(definitions);
  const binding = chosenBinding(bindings, port, (each) => callableOperations(definitions, each).length);
  const read = versionsOf(definitions, bindings, binding);
  const others: [place: string, what: string][] = [];
  const bound = boundOperations(binding, (subject, what) => others.push([subject, what]));
  reportOthers(bindings, read, (subject, what) => others.push([subject, what]));
  const namespace = commonNamespace(definitions, bound);
  const types = new Types(new Components(schemas), namespace);
  for (const [path, what] of others) types.skip(path, what);
  const { operations, leftOut: unusable } = readOperations(types, definitions, bound);
  types.settle();
  const called = port === undefined ? read : [binding];
  return {
    namespace,
    versions: [...new Set(called.map(({ version }) => version))].sort(),
    ...defined({ address: binding.address }),
    ...withoutUnsent(types, operations, unusable),
    types: types.all,
    unread: types.unread,
  };
}

/** The operations that can be sent; one with a parameter that must be there and cannot be sent is left out, and named. */
function withoutUnsent(
  types: Types,
  operations: readonly DescribedOperation[],
  unusable: readonly UntypedOperation[],
): Pick<Description, 'operations' | 'leftOut'> {
  const unsent = new Unsent(types.all);
  const reasons = new Map(operations.map((each) => [each, unsent.ofAll(each.parameters)]));
  const without = operations.flatMap((each): readonly UntypedOperation[] => {
    const { name, soapAction, response } = each;
    const what = reasons.get(each);
    if (what === undefined) return [];
    types.skip(name, what);
    return [{ name, what, soapAction, response }];
  });
  return {
    operations: operations.filter((each) => reasons.get(each) === undefined),
    leftOut: [...unusable, ...without],
  };
}
