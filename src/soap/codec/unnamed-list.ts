import { isList, isRecord, type Value } from '../../core/values/value.js';
import type { XmlAttribute, XmlName } from '../../xml/events.js';
import { addItem } from './bounds.js';
import { attributeOf, nodeOfTypeName, type RecordNode, type Slot } from './decode-plan.js';
import { TreeElement } from './elements.js';
import { isBlank } from './leaf.js';
import type { OpenElement } from './open-element.js';
import type { NoteCollector } from './notes.js';

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
    // An attribute can hold no item, and was told when it was read.
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
