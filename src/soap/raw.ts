import type { XmlEvents, XmlName } from '../xml/events.js';

/** An element that no contract describes, such as a fault. */
export interface RawElement {
  readonly name: XmlName;
  readonly children: RawElement[];
  text: string;
}

const rawElement = (name: XmlName): RawElement => ({ name, children: [], text: '' });

/** Collects what stands between the tags of an element without a contract. */
export class RawReader implements XmlEvents {
  readonly root: RawElement;
  readonly #stack: RawElement[];

  constructor(name: XmlName) {
    this.root = rawElement(name);
    this.#stack = [this.root];
  }

  open(name: XmlName): void {
    const element = rawElement(name);
    this.#stack.at(-1)?.children.push(element);
    this.#stack.push(element);
  }

  text(text: string): void {
    const top = this.#stack.at(-1);
    if (top !== undefined) top.text += text;
  }

  close(): void {
    this.#stack.pop();
  }
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
