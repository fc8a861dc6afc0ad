import { type Value, isRecord, type RecordValue } from '../../core/values/value.js';
import type { XmlAttribute, XmlEvents, XmlName } from '../../xml/events.js';
import { collect } from '../codec/open-element.js';
import type { Rows } from '../codec/rows.js';

/** An element that no contract describes, such as a fault. */
export interface RawElement {
  readonly name: XmlName;
  readonly attributes: readonly XmlAttribute[];
  readonly children: RawElement[];
  text: string;
}

/** A copy of a text: a part of what came would keep all that came with it in memory. */
const copied = (text: string): string => ` ${text}`.slice(1);

/** As long as the longest name of an element: those that are looked for are shorter. */
const longestNamespace = 256;

const copiedName = ({ namespace, local, prefix }: XmlName): XmlName => ({
  namespace: copied(namespace.slice(0, longestNamespace)),
  local: copied(local),
  prefix: copied(prefix),
});

const rawElement = (name: XmlName, attributes: readonly XmlAttribute[]): RawElement => ({
  name: copiedName(name),
  attributes: attributes.map((each) => ({ name: copiedName(each.name), value: copied(each.value) })),
  children: [],
  text: '',
});

/** What is kept of an element, before what is shown of it is masked and cut to much less: an attribute counts as an element. */
const limits = { characters: 1024 * 1024, elements: 20_000 } as const;

/** Keeps the content of an element that is not in the contract, as far as it is not longer than anybody reads. */
export class RawReader implements XmlEvents {
  readonly root: RawElement;
  readonly #stack: RawElement[];
  /** Stands for the elements that are not kept. */
  readonly #lost = rawElement({ namespace: '', local: '', prefix: '' }, []);
  #characters = 0;
  #elements = 0;

  constructor(name: XmlName, attributes: readonly XmlAttribute[] = []) {
    this.root = rawElement(name, attributes);
    this.#stack = [this.root];
  }

  open(name: XmlName, attributes: readonly XmlAttribute[]): void {
    this.#elements += 1 + attributes.length;
    this.#characters += attributes.reduce((sum, { value }) => sum + value.length, 0);
    const isWithinLimits = this.#elements <= limits.elements && this.#characters <= limits.characters;
    const element = isWithinLimits ? rawElement(name, attributes) : this.#lost;
    if (isWithinLimits) this.#stack.at(-1)?.children.push(element);
    this.#stack.push(element);
  }

  text(text: string): void {
    const top = this.#stack.at(-1);
    const room = limits.characters - this.#characters;
    if (top === undefined || room < 0) return;
    this.#characters += text.length;
    // The mark says that the text was cut: the mask looks for half a secret in front of it.
    top.text += text.length <= room ? copied(text) : `${copied(text.slice(0, room))}…`;
  }

  close(): void {
    this.#stack.pop();
  }
}

/** The first child with this local name. */
export function childOf(element: RawElement | undefined, local: string): RawElement | undefined {
  return element?.children.find((child) => child.name.local === local);
}

function treeIn({ attributes, children, text }: RawElement, room: Room): Value {
  const members = new Map<string, Value>();
  for (const { name, value } of attributes) collect(members, `@${name.local}`, room.text(value));
  const content = room.text(text.trim());
  if (members.size === 0 && children.length === 0) return content;
  if (content !== '') members.set('#text', content);
  for (const [index, child] of children.entries()) {
    if (room.isFull) {
      members.set('…', `${children.length - index} more elements`);
      break;
    }
    room.take(child.name.local.length);
    collect(members, child.name.local, treeIn(child, room));
  }
  return Object.fromEntries(members);
}

/**
 * The content of an element as data: its text; or a record with its attributes (`@name`), its children by name (several
 * with one name as a list) and its own text (`#text`). It is cut at 16,384 characters, and marked with `…`.
 * @param mask hides secrets
 */
export const treeOf = (element: RawElement, mask: (text: string) => string): Value => treeIn(element, new Room(mask));

/** Characters of data that an error has: a service may send a whole log, or a whole list. */
const mostCharacters = 16 * 1024;

type ValueView = NonNullable<Rows['printed']>;

const asItIs: ValueView = (value) => value;

/** Room for the texts of the data of one error. */
export class Room {
  readonly #mask: (text: string) => string;
  /** What stands for a value; undefined for one that is no longer there. */
  readonly view: ValueView;
  #left = mostCharacters;

  /**
   * @param mask hides secrets
   * @param view what the rows of a list were made of, where they are no records
   */
  constructor(mask: (text: string) => string, view = asItIs) {
    this.#mask = mask;
    this.view = view;
  }

  get isFull(): boolean {
    return this.#left <= 0;
  }

  take(characters: number): void {
    this.#left -= characters;
  }

  /** As much of a text as there is room for. Masked before it is cut: the mask would not find half a secret. */
  text(text: string): string {
    const masked = this.#mask(text);
    const cut = masked.length > this.#left ? `${masked.slice(0, Math.max(0, this.#left))}…` : masked;
    this.take(masked.length);
    return cut;
  }
}

function cutList(items: readonly Value[], room: Room): Value {
  const values: Value[] = [];
  for (const [index, item] of items.entries()) {
    const viewed = room.isFull ? undefined : room.view(item);
    if (viewed === undefined) return [...values, `… ${items.length - index} more`];
    values.push(cutValue(viewed, room));
  }
  return values;
}

function cutValue(value: Value, room: Room): Value {
  if (typeof value === 'string') return room.text(value);
  // What is no text takes room too: there may be millions of it.
  room.take(1);
  if (Array.isArray(value)) return cutList(value as readonly Value[], room);
  return isRecord(value) ? cutRecord(value, room) : value;
}

function cutRecord(record: RecordValue, room: Room): RecordValue {
  const values = new Map<string, Value>();
  const members = Object.entries(record);
  for (const [index, [name, value]] of members.entries()) {
    if (room.isFull) {
      values.set('…', `${members.length - index} more members`);
      break;
    }
    room.take(name.length);
    values.set(name, cutValue(value, room));
  }
  return Object.fromEntries(values);
}

/** The members of a result as data of an error: masked, and cut at 16,384 characters with `…`. */
export const cutData = (record: RecordValue, mask: (text: string) => string, valueView?: ValueView): RecordValue =>
  cutRecord(record, new Room(mask, valueView));
