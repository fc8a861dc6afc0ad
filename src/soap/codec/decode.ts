import { type Value, isList, isRecord } from '../../core/values/value.js';
import type { ElementTaker, ElementTemplate, XmlAttribute, XmlEvents, XmlName } from '../../xml/events.js';
import { UnknownElements, addItem, type NoteCollector } from './notes.js';
import { isMarkedNil, type RecordNode, attributeOf, nodeOfTypeName, type Slot } from './decode-plan.js';
import { type DecoderOptions, Leaf, isBlank } from './leaf.js';
import { ListElement, RecordElement, TreeElement } from './elements.js';
import { itemTaker } from './item-takers.js';
import type { OpenElement, DecodeContext } from './open-element.js';

const isNothing = (value: Value): boolean => value === null || (typeof value === 'string' && isBlank(value));

const itemsIn = (value: Value | undefined): readonly Value[] => (value !== undefined && isList(value) ? value : []);

/** An element with attributes alone. */
const isBare = (value: Value): boolean => isRecord(value) && Object.keys(value).every((name) => name.startsWith('@'));

/** Finds items of a list without a name by the name or xsi:type of their records (Gaps in the endpoint definitions). */
export class UnnamedList {
  readonly #slot: Slot;
  readonly #item: Slot;
  readonly #namespace: string;
  readonly #items: Value[] = [];

  constructor(slot: Slot & { readonly node: { readonly kind: 'list' } }, namespace: string) {
    this.#slot = slot;
    this.#item = slot.node.item;
    this.#namespace = namespace;
  }

  /** The list of a result by the name of its member; undefined when that is no list. */
  static of(root: RecordNode, member: string, namespace: string): UnnamedList | undefined {
    const slot = root.byName.get(member);
    const node = slot?.node;
    return slot === undefined || node?.kind !== 'list' ? undefined : new UnnamedList({ ...slot, node }, namespace);
  }

  itemOf({ local, namespace }: XmlName, attributes: readonly XmlAttribute[]): Slot | undefined {
    if (local === this.#item.name && namespace === this.#namespace) return this.#item;
    const type = attributes.length === 0 ? undefined : attributeOf(attributes, 'type');
    const named = type === undefined ? undefined : nodeOfTypeName(type.slice(type.indexOf(':') + 1));
    return named !== undefined && named === this.#item.node ? this.#item : undefined;
  }

  /** Takes an item that is in no list of the contract, or an element of such items alone; false for anything else. */
  takes(element: OpenElement, value: Value): boolean {
    const { up, slot } = element;
    if (element instanceof TreeElement) return slot === undefined && element.hasItems && isNothing(value);
    if (slot !== this.#item || up === undefined || up.kind === 'list') return false;
    addItem(this.#items, value, { path: this.#slot.name });
    for (let at: OpenElement | undefined = up; at instanceof TreeElement; at = at.up) at.hasItems = true;
    return true;
  }

  /** Adds the items to the result, and notes the unknown members that are left. */
  finish(result: OpenElement, notes: NoteCollector): void {
    const { value, extras = new Map<string, Value>() } = result;
    const { name } = this.#slot;
    const known = value[name];
    // An attribute can hold no item, and was reported when it was read.
    const others = [...extras].filter(([each]) => !each.includes('@'));
    const isEmpty = known === undefined && this.#items.length === 0 && others.length > 0;
    if (this.#items.length > 0) value[name] = [...itemsIn(known), ...this.#items];
    if (!isEmpty || !others.every(([, each]) => isNothing(each) || isBare(each))) {
      for (const [each] of others) notes.add('unknown-field', each);
      return;
    }
    // Nothing in this answer can hold an item: whichever of them is the list, it is empty.
    value[name] = [];
    for (const [each, held] of others) if (isNothing(held)) extras.delete(each);
  }
}

/**
 * Turns the events of one element, and of what is in it, into a value: each open element reads what stands in it, and stores
 * its value in the one around it. Items of a list that are all alike come as a whole. Throws `bad-answer` for a known element
 * in another namespace, for a field that comes twice, and for what takes too much memory (answer-limit).
 */
export class Decoder implements XmlEvents {
  readonly #root: RecordNode;
  readonly #reading: DecodeContext;
  readonly #leaf: Leaf<OpenElement>;
  /** The innermost open element. */
  #top: OpenElement | undefined;
  /** The value of the element; undefined before its end. */
  value: Value | undefined;
  readonly #unnamed: UnnamedList | undefined;

  constructor(root: RecordNode, options: DecoderOptions) {
    const { unnamed: member, namespace } = options;
    const unnamed = member === undefined ? undefined : UnnamedList.of(root, member, namespace);
    this.#root = root;
    this.#leaf = new Leaf(options);
    this.#reading = {
      ...options,
      ownNamespace: namespace,
      leaf: this.#leaf,
      unknown: new UnknownElements(),
      unnamedItem: unnamed && ((name, attributes) => unnamed.itemOf(name, attributes)),
    };
    this.#unnamed = unnamed;
  }

  open(name: XmlName, attributes: readonly XmlAttribute[]): void {
    if (this.#leaf.slot !== undefined) {
      const start = this.#leaf.interrupt();
      this.#top = new TreeElement(this.#reading, start, start);
    }
    const top = this.#top;
    if (top === undefined) {
      const start = { up: undefined, name: name.local, slot: undefined, isNil: isMarkedNil(attributes) };
      this.#top = new RecordElement(this.#reading, start, this.#root).with(attributes);
      return;
    }
    const next = top.open(name, attributes);
    if (next !== top) this.#top = next;
  }

  text(text: string): void {
    if (this.#leaf.slot !== undefined) this.#leaf.text(text);
    else this.#top?.text(text);
  }

  close(): void {
    if (this.#leaf.slot !== undefined) this.#leaf.end();
    else if (this.#top !== undefined) this.#close(this.#top);
  }

  #close(element: OpenElement): void {
    const { up, slot, name } = element;
    if (up === undefined) this.#unnamed?.finish(element, this.#reading.notes);
    const value = element.end();
    this.#top = up;
    if (this.#unnamed?.takes(element, value) === true) return;
    if (up === undefined) this.value = value;
    else up.store(slot, name, value);
  }

  elements(template: ElementTemplate): ElementTaker | undefined {
    const { namespace, sink } = this.#reading;
    const list = this.#top;
    if (!(list instanceof ListElement) || this.#leaf.slot !== undefined || sink !== undefined) return undefined;
    // Within a record there are few items, and what stands behind them is none.
    return list.isOutermost ? itemTaker(template, list, namespace) : undefined;
  }
}
