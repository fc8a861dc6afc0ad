import type { Value } from '../../core/values/value.js';
import type { Field, Fields, ScalarName, Type } from '../../contract/build.js';
import { records } from '../../contract/service.js';
import { fieldsOf, itemOf } from '../../contract/walk.js';
import type { XmlAttribute } from '../../xml/events.js';
import { formOfType, scalarForms, xsiNamespace, type TextualName } from '../values/scalars.js';

/** A scalar: text to the character, or a value; undefined when the text does not fit. */
export interface LeafNode {
  readonly kind: 'leaf';
  /** Undefined for an enumeration. */
  readonly scalar?: ScalarName;
  /** The values of an enumeration. */
  readonly words?: readonly string[];
  readonly read: (text: string) => Value | undefined;
}

interface AnyNode {
  readonly kind: 'any';
}

/** A wrapper around items. */
export interface ListNode {
  readonly kind: 'list';
  readonly item: Slot;
}

/** Fields in the order of the wire. */
export interface RecordNode {
  readonly kind: 'record';
  readonly slots: readonly Slot[];
  readonly byName: ReadonlyMap<string, Slot>;
}

/** How a type is read. */
export type Node = LeafNode | AnyNode | ListNode | RecordNode;

/** A place that one element fills: a field of a record, or an item of a list. */
export interface Slot {
  readonly name: string;
  readonly index: number;
  readonly node: Node;
  /** Always sent, nil or not. */
  readonly isRequired: boolean;
  /** Its element comes once for each item of a list, and its node is that of an item. */
  readonly isRepeated?: boolean;
  /** The namespace of its element, where it is not that of the service. */
  readonly namespace?: string | undefined;
  /** The contract does not have it: it stands anywhere, behind the others in the record, and nothing about it is an error. */
  readonly isExtra?: boolean | undefined;
}

const anyNode: AnyNode = { kind: 'any' };

const leafNode = (scalar: TextualName): LeafNode => ({ kind: 'leaf', scalar, read: scalarForms[scalar].read });

function slotOf(name: string, { type, presence, repeats, namespace, isExtra }: Field, index: number): Slot {
  const item = repeats === true ? itemOf(type) : undefined;
  const isRepeated = item !== undefined;
  // A list of no items has no element.
  const isRequired = !isRepeated && presence !== 'opt';
  return { name, index, node: nodeOf(item ?? type), isRequired, isRepeated, namespace, isExtra };
}

function nodeOf(type: Type): Node {
  switch (type.kind) {
    case 'scalar':
      return type.name === 'anyType' ? anyNode : leafNode(type.name);
    case 'enumeration': {
      const known: ReadonlySet<string> = new Set(type.values);
      return { kind: 'leaf', words: type.values, read: (text) => (known.has(text) ? text : undefined) };
    }
    case 'list': {
      const { itemName: name, item, namespace } = type;
      return { kind: 'list', item: { name, index: 0, node: nodeOf(item), isRequired: false, namespace } };
    }
    case 'record':
      return nodeOfFields(type.fields);
  }
}

const plans = new WeakMap<Fields, RecordNode>();

/** The plan of a set of fields, compiled once. */
export function nodeOfFields(fields: Fields): RecordNode {
  const known = plans.get(fields);
  if (known !== undefined) return known;
  const slots: Slot[] = [];
  const byName = new Map<string, Slot>();
  const node: RecordNode = { kind: 'record', slots, byName };
  // Known before its fields are compiled, so that a record may hold itself.
  plans.set(fields, node);
  for (const [name, field] of Object.entries(fields)) {
    const slot = slotOf(name, field, slots.length);
    slots.push(slot);
    byName.set(field.element ?? name, slot);
  }
  return node;
}

/** The plan of the record that an xsi:type names, if the contract has it. */
export const nodeOfTypeName = (name: string): RecordNode | undefined =>
  Object.hasOwn(records, name) ? nodeOfFields(fieldsOf(records[name])) : undefined;

/** The value of an attribute of XML Schema instances. */
export const attributeOf = (attributes: readonly XmlAttribute[], local: string): string | undefined =>
  attributes.find(({ name }) => name.local === local && name.namespace === xsiNamespace)?.value.trim();

/** True for the attributes of an element that is nil. */
export function isMarkedNil(attributes: readonly XmlAttribute[]): boolean {
  if (attributes.length === 0) return false;
  const value = attributeOf(attributes, 'nil');
  return value === 'true' || value === '1';
}

/** How the type is read that the xsi:type of an element names; undefined without one that is known. */
export function typeNamed(
  attributes: readonly XmlAttribute[],
  { namespace: own, namespaceOf }: { namespace: string; namespaceOf: (prefix: string) => string | undefined },
): RecordNode | LeafNode | undefined {
  const type = attributes.length === 0 ? undefined : attributeOf(attributes, 'type');
  if (type === undefined) return undefined;
  const [prefix = '', local = ''] = type.includes(':') ? type.split(':', 2) : ['', type];
  const namespace = namespaceOf(prefix);
  if (namespace === own) return nodeOfTypeName(local);
  const form = formOfType(namespace, local);
  return form && { kind: 'leaf', read: form.read };
}

/** Namespaces whose attributes say how an element is read; those of XML, XML Schema and SOAP. */
const markup =
  /^http:\/\/(?:schemas\.xmlsoap\.org\/soap\/(?:envelope|encoding)\/|www\.w3\.org\/(?:XML\/1998\/namespace|2001\/XMLSchema-instance|2003\/05\/soap-(?:envelope|encoding)))$/;

const none: readonly XmlAttribute[] = [];

/** The attributes that hold data. */
export const dataOf = (attributes: readonly XmlAttribute[]): readonly XmlAttribute[] =>
  attributes.length === 0 ? none : attributes.filter(({ name }) => !markup.test(name.namespace));
