import type { Value } from '../../core/values/value.js';
import type { ElementTaker, ElementTemplate, XmlAttribute, XmlEvents, XmlName } from '../../xml/events.js';
import { UnknownElements } from './bounds.js';
import { isMarkedNil, type RecordNode } from './decode-plan.js';
import type { DecoderOptions } from './decoder-options.js';
import { ListElement, RecordElement, TreeElement } from './elements.js';
import { itemTaker } from './item-takers.js';
import { Leaf } from './leaf.js';
import type { OpenElement, Reading } from './open-element.js';
import { UnnamedList } from './unnamed-list.js';

/**
 * Turns the events of one element, and of what is in it, into a value: each open element reads what stands in it, and stores
 * its value in the one around it. Items of a list that are all alike come as a whole. Throws `bad-answer` for a known element
 * in another namespace, for a field that comes twice, and for what takes too much memory (answer-limit).
 */
export class Decoder implements XmlEvents {
  readonly #root: RecordNode;
  readonly #reading: Reading;
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
