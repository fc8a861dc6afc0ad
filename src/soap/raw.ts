import type { XmlAttribute, XmlName } from '../xml/events.js';
import type { Value } from './values.js';

/** Namespace of xsi:nil and xsi:type. */
export const xsiNamespace = 'http://www.w3.org/2001/XMLSchema-instance';

/** True when an element is marked nil. */
export function isNil(attributes: readonly XmlAttribute[]): boolean {
  return attributes.some(
    ({ name, value }) =>
      name.namespace === xsiNamespace && name.local === 'nil' && (value.trim() === 'true' || value.trim() === '1'),
  );
}

/** An element that no contract describes, as it came. */
export interface RawElement {
  readonly name: XmlName;
  readonly attributes: readonly XmlAttribute[];
  readonly children: RawElement[];
  text: string;
}

/** A new raw element. */
export const rawElement = (name: XmlName, attributes: readonly XmlAttribute[]): RawElement => ({
  name,
  attributes,
  children: [],
  text: '',
});

/** Sets a field by a name that came from outside, also when it is `__proto__`. */
export function setField(record: Record<string, Value>, name: string, value: Value): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Adds a field that may repeat: the second one makes a list of it. */
export function addField(record: Record<string, Value>, name: string, value: Value): void {
  const known = Object.hasOwn(record, name) ? record[name] : undefined;
  if (known === undefined) setField(record, name, value);
  else setField(record, name, Array.isArray(known) ? [...(known as readonly Value[]), value] : [known, value]);
}

/** A raw element as a value: text, or a record of its children; nil as null. Nothing of it is dropped. */
export function rawValue(element: RawElement): Value {
  const attributes = element.attributes.filter(({ name }) => name.namespace !== xsiNamespace);
  if (isNil(element.attributes) && element.children.length === 0 && element.text === '') return null;
  if (element.children.length === 0 && attributes.length === 0) return element.text;
  const record: Record<string, Value> = {};
  for (const { name, value } of attributes) setField(record, `@${name.local}`, value);
  for (const child of element.children) addField(record, child.name.local, rawValue(child));
  if (element.text.trim() !== '') setField(record, '#text', element.text);
  return record;
}

/** The first child with this local name. */
export function childOf(element: RawElement | undefined, local: string): RawElement | undefined {
  return element?.children.find((child) => child.name.local === local);
}

/** All text within an element, in order, trimmed. */
export function textWithin(element: RawElement): string {
  return [element.text, ...element.children.map(textWithin)]
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join(' ');
}
