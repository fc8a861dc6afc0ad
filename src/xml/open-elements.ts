import { Scope } from './names.js';
import { Repeated } from './repeated.js';
import type { Tag } from './tags.js';

/** Limit of start tags that are kept for each scope; answers have few distinct ones. */
const maxKnownTags = 512;
const maxKnownTagLength = 200;

/** What is known of the elements in a scope. */
interface Surroundings {
  readonly scope: Scope;
  /** Start tags that are kept, by what stands between their brackets. */
  readonly known: Map<string, Tag>;
  /** What was learned of the elements with each of them; undefined before the second of them. */
  readonly repeated: Map<Tag, Repeated | undefined>;
}

const surroundings = (scope: Scope): Surroundings => ({ scope, known: new Map(), repeated: new Map() });

/** The elements that are open, outermost first, and what is known within the innermost. */
export class OpenElements {
  readonly #tags: Tag[] = [];
  readonly #begins: number[] = [];
  /** What was known around those with namespaces of their own. */
  readonly #outer: Surroundings[] = [];
  #inner = surroundings(Scope.root());

  get depth(): number {
    return this.#tags.length;
  }

  get innermost(): Tag | undefined {
    return this.#tags[this.#tags.length - 1];
  }

  get scope(): Scope {
    return this.#inner.scope;
  }

  /** A start tag that was parsed before in this scope. */
  known(raw: string): Tag | undefined {
    return this.#inner.known.get(raw);
  }

  /** Keeps a start tag that declares nothing. */
  store(raw: string, tag: Tag): void {
    const { known, repeated } = this.#inner;
    if (raw.length > maxKnownTagLength || known.size >= maxKnownTags) return;
    known.set(raw, tag);
    repeated.set(tag, undefined);
  }

  /** Learns from an element with a kept start tag that was read tag by tag, beginning with the second one: most come only once. */
  learn(tag: Tag, text: string): Repeated | undefined {
    const { repeated, known } = this.#inner;
    if (!repeated.has(tag)) return undefined;
    const same = repeated.get(tag);
    if (same === undefined) repeated.set(tag, new Repeated(tag));
    return same?.learn(text, known) === undefined ? undefined : same;
  }

  /** The same elements for another document, with the start tags that are known within them. */
  copy(): OpenElements {
    const { scope, known, repeated } = this.#inner;
    const copy = new OpenElements();
    copy.#tags.push(...this.#tags);
    copy.#begins.push(...this.#begins);
    copy.#outer.push(...this.#outer);
    copy.#inner = {
      scope,
      known: new Map(known),
      repeated: new Map([...repeated.keys()].map((tag) => [tag, undefined])),
    };
    return copy;
  }

  /** Takes over what was learned of elements within the innermost one. */
  expect(repeated: Repeated): void {
    this.#inner.repeated.set(repeated.tag, repeated);
  }

  /** @param begin where the element begins within the document */
  push(tag: Tag, begin: number): void {
    this.#tags.push(tag);
    this.#begins.push(begin);
    if (tag.scope === this.#inner.scope) return;
    this.#outer.push(this.#inner);
    this.#inner = surroundings(tag.scope);
  }

  /** Closes the innermost element and gives where it began; undefined when it had namespaces of its own. */
  pop(): number | undefined {
    const tag = this.#tags.pop();
    const begin = this.#begins.pop();
    const outer = this.innermost?.scope;
    if (tag === undefined || tag.scope === outer) return begin;
    // Only around a root element that declares nothing there is nothing.
    this.#inner = this.#outer.pop() ?? this.#inner;
    return undefined;
  }
}
