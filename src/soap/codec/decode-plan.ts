import type { Value } from '../../core/values/value.js';
import type { EnumerationType, Field, Fields, RecordType, ScalarName, Type } from '../../contract/build.js';
import { records } from '../../contract/service.js';
import { itemOf } from '../../contract/walk.js';
import { scalarForms } from '../values/scalars.js';

/** Text: kept to the character. */
export interface TextNode {
  readonly kind: 'text';
}

/** A scalar other than text: white space at its ends does not count; undefined when the text does not fit. */
export interface LeafNode {
  readonly kind: 'leaf';
  /** Undefined for an enumeration. */
  readonly scalar?: ScalarName;
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
export type Node = TextNode | LeafNode | AnyNode | ListNode | RecordNode;

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
  readonly isBeyond?: boolean | undefined;
}

const textNode: TextNode = { kind: 'text' };
const anyNode: AnyNode = { kind: 'any' };

function scalarNode(name: ScalarName): Node {
  if (name === 'string') return textNode;
  return name === 'anyType' ? anyNode : { kind: 'leaf', scalar: name, read: scalarForms[name].read };
}

function enumerationNode(type: EnumerationType): LeafNode {
  const known: ReadonlySet<string> = new Set(type.values);
  return { kind: 'leaf', read: (text) => (known.has(text) ? text : undefined) };
}

function slotOf(name: string, { type, presence, repeats, namespace, beyond: isBeyond }: Field, index: number): Slot {
  const item = repeats === true ? itemOf(type) : undefined;
  const isRepeated = item !== undefined;
  // A list of no items has no element.
  const isRequired = !isRepeated && presence !== 'opt';
  return { name, index, node: nodeOf(item ?? type), isRequired, isRepeated, namespace, isBeyond };
}

function fieldsNode(fields: Fields, remember: (node: RecordNode) => void): RecordNode {
  const slots: Slot[] = [];
  const byName = new Map<string, Slot>();
  const node: RecordNode = { kind: 'record', slots, byName };
  // Known before its fields are looked at, so that a record may hold itself.
  remember(node);
  for (const [name, field] of Object.entries(fields)) {
    const slot = slotOf(name, field, slots.length);
    slots.push(slot);
    byName.set(field.element ?? name, slot);
  }
  return node;
}

function compile(type: Type): Node {
  switch (type.kind) {
    case 'scalar':
      return scalarNode(type.name);
    case 'enumeration':
      return enumerationNode(type);
    case 'list':
      return {
        kind: 'list',
        item: {
          name: type.itemName,
          index: 0,
          node: nodeOf(type.item),
          isRequired: false,
          namespace: type.namespace,
        },
      };
    case 'record':
      return fieldsNode(type.fields, (node) => plans.set(type, node));
  }
}

const plans = new WeakMap<Type, Node>();
const fieldPlans = new WeakMap<Fields, RecordNode>();

function nodeOf(type: Type): Node {
  const known = plans.get(type);
  if (known !== undefined) return known;
  const node = compile(type);
  plans.set(type, node);
  return node;
}

/** The plan of a set of fields, compiled once. */
export function nodeOfFields(fields: Fields): RecordNode {
  return fieldPlans.get(fields) ?? fieldsNode(fields, (node) => fieldPlans.set(fields, node));
}

const byTypeName: ReadonlyMap<string, RecordType> = new Map(Object.entries(records));

/** The plan of the record that an xsi:type names, if the contract has it. */
export function nodeOfTypeName(name: string): Node | undefined {
  const type = byTypeName.get(name);
  return type === undefined ? undefined : nodeOf(type);
}
