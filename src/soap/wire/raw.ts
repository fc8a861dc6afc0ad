import type { Value } from '../../plain/value.js';
import type { XmlAttribute, XmlEvents, XmlName } from '../../xml/events.js';
import { collect } from '../codec/frames.js';

/** An element that no contract describes, such as a fault. */
export interface RawElement {
  readonly name: XmlName;
  readonly attributes: readonly XmlAttribute[];
  readonly children: RawElement[];
  text: string;
}

const rawElement = (name: XmlName, attributes: readonly XmlAttribute[]): RawElement => ({
  name,
  attributes,
  children: [],
  text: '',
});

/** What is kept of an element, before what is shown of it is masked and cut to much less. */
const kept = { characters: 1024 * 1024, elements: 20_000 } as const;

/** Keeps the content of an element that is not in the contract, as far as it is not longer than anybody reads. */
export class RawReader implements XmlEvents {
  readonly root: RawElement;
  readonly #stack: RawElement[];
  #characters = 0;
  #elements = 0;

  constructor(name: XmlName, attributes: readonly XmlAttribute[] = []) {
    this.root = rawElement(name, attributes);
    this.#stack = [this.root];
  }

  open(name: XmlName, attributes: readonly XmlAttribute[]): void {
    const element = rawElement(name, attributes);
    this.#elements += 1;
    this.#characters += attributes.reduce((sum, { value }) => sum + value.length, 0);
    if (this.#elements <= kept.elements && this.#characters <= kept.characters)
      this.#stack.at(-1)?.children.push(element);
    this.#stack.push(element);
  }

  text(text: string): void {
    const top = this.#stack.at(-1);
    const room = kept.characters - this.#characters;
    if (top === undefined || room < 0) return;
    this.#characters += text.length;
    // The mark says that the text was cut: the mask looks for half a secret in front of it.
    top.text += text.length <= room ? text : `${text.slice(0, room)}…`;
  }

  close(): void {
    this.#stack.pop();
  }
}

/** The first child with this local name. */
export function childOf(element: RawElement | undefined, local: string): RawElement | undefined {
  return element?.children.find((child) => child.name.local === local);
}

/** Characters of a tree that are kept: a service may send a whole log. */
const mostCharacters = 16 * 1024;

/** Makes data of elements, up to that number of characters. */
class Pruner {
  readonly #mask: (text: string) => string;
  #left = mostCharacters;

  constructor(mask: (text: string) => string) {
    this.#mask = mask;
  }

  value({ attributes, children, text }: RawElement): Value {
    const members = new Map<string, Value>();
    for (const { name, value } of attributes) collect(members, `@${name.local}`, this.#text(value));
    const content = this.#text(text.trim());
    if (members.size === 0 && children.length === 0) return content;
    if (content !== '') members.set('#text', content);
    for (const [index, child] of children.entries()) {
      if (this.#left <= 0) {
        members.set('…', `${children.length - index} more elements`);
        break;
      }
      this.#left -= child.name.local.length;
      collect(members, child.name.local, this.value(child));
    }
    return Object.fromEntries(members);
  }

  /** Masked before it is cut: the mask would not find half a secret. */
  #text(text: string): string {
    const masked = this.#mask(text);
    const kept = masked.length > this.#left ? `${masked.slice(0, Math.max(0, this.#left))}…` : masked;
    this.#left -= masked.length;
    return kept;
  }
}

/**
 * The content of an element as data: its text; or a record with its attributes (`@name`), its children by name (several
 * with one name as a list) and its own text (`#text`). It is cut at 16,384 characters, and marked with `…`.
 * @param mask hides secrets
 */
export const treeOf = (element: RawElement, mask: (text: string) => string): Value => new Pruner(mask).value(element);
