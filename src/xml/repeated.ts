import type { ElementChild, ElementForm, ElementTemplate, XmlEvents, XmlName } from './events.js';
import { Scope, type Tag } from './tags.js';

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

/** Bounds on what is learned. Beyond them elements are read tag by tag. */
const maxChildren = 200;
const maxForms = 4;
const maxTemplates = 64;
const maxFailures = 8;
/** Failures in a row, more or less, that make a template be given up. */
const mostCredit = 16;

const opening = /[ \t\n]*<([^<>]+)>/y;

/** A child as it stands in one element. */
interface ChildInElement {
  readonly raw: string;
  readonly form: ElementForm;
}

/** The children of an element that was read, and what stands behind them; undefined when one of them has children. */
function childrenOf(
  text: string,
  known: ReadonlyMap<string, Tag>,
): { readonly standing: readonly ChildInElement[]; readonly tail: string } | undefined {
  const standing: ChildInElement[] = [];
  opening.lastIndex = text.indexOf('>') + 1;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const [literal, content = ''] = match;
    if (content.startsWith('/')) return opening.lastIndex === text.length ? { standing, tail: literal } : undefined;
    const tag = known.get(content);
    if (tag === undefined || standing.length === maxChildren) return undefined;
    const { raw, name, attributes, isEmpty } = tag;
    standing.push({ raw, form: { literal, name, attributes, isEmpty } });
    if (isEmpty) continue;
    const end = text.indexOf('<', opening.lastIndex);
    const close = `</${raw}>`;
    if (!text.startsWith(close, end)) return undefined;
    opening.lastIndex = end + close.length;
  }
  return undefined;
}

function withForm(child: ElementChild, form: ElementForm): ElementChild | undefined {
  if (child.forms.some(({ literal }) => literal === form.literal)) return child;
  return child.forms.length === maxForms ? undefined : { ...child, forms: [...child.forms, form] };
}

const asOptional = (child: ElementChild): ElementChild => (child.isOptional ? child : { ...child, isOptional: true });

/** Children that take in these as well; undefined when they stand in another order, or one of them twice. */
function merged(
  children: readonly ElementChild[],
  standing: readonly ChildInElement[],
): readonly ElementChild[] | undefined {
  const all = [...children];
  const isFirst = children.length === 0;
  let next = 0;
  const skipTo = (column: number): void => {
    for (; next < column; next += 1) all.splice(next, 1, ...all.slice(next, next + 1).map(asOptional));
  };
  for (const { raw, form } of standing) {
    const position = all.findIndex((child) => child.raw === raw);
    const known = all[position];
    if (known === undefined) all.splice(next, 0, { raw, forms: [form], isOptional: !isFirst });
    else {
      const more = position < next ? undefined : withForm(known, form);
      if (more === undefined) return undefined;
      skipTo(position);
      all[position] = more;
    }
    next += 1;
  }
  skipTo(all.length);
  return all.length > maxChildren ? undefined : all;
}

const isPlain = (text: string): boolean => /^[\t\n\x20-\x7e]*$/.test(text);

/**
 * What is learned of the elements with one start tag in one scope, so that the next ones can be taken out of bytes: their
 * markup, to the character, as it was read tag by tag before.
 */
export class Repeated {
  readonly tag: Tag;
  /** Undefined while nothing is known of them, and when that is given up. */
  template: ElementTemplate | undefined;
  #accepted: ElementTemplate | undefined;
  #templates = 0;
  #failures = 0;
  #credit = mostCredit;

  /** @param template what was learned of such elements in another document */
  constructor(tag: Tag, template?: ElementTemplate) {
    this.tag = tag;
    this.template = template;
  }

  /** Keeps count of how often the template serves, and gives up one that does not. */
  served(times: number): void {
    this.#credit = Math.min(mostCredit, times === 0 ? this.#credit - 1 : this.#credit + times);
    if (this.#credit > 0) return;
    this.template = undefined;
    this.#templates = maxTemplates;
  }

  /** The template is one by which they are taken. */
  accepted(): void {
    this.#accepted = this.template;
  }

  /** Nobody takes them by the template: that before it is used again, if there was one. */
  refused(): void {
    this.#failures += 1;
    this.template = this.#accepted;
  }

  /**
   * Looks at an element that was read tag by tag. Gives what is known of them all.
   * @param text the element, from its `<` to its last `>`
   * @param known start tags in its scope, by what stands between their brackets
   */
  learn(text: string, known: ReadonlyMap<string, Tag>): ElementTemplate | undefined {
    if (this.#failures >= maxFailures || this.#templates >= maxTemplates) return this.template;
    const template = this.#with(text, known);
    if (template === undefined) this.#failures += 1;
    else if (template !== this.template) {
      this.template = template;
      this.#templates += 1;
      this.#credit = mostCredit;
    }
    return this.template;
  }

  #with(text: string, known: ReadonlyMap<string, Tag>): ElementTemplate | undefined {
    const head = text.slice(0, text.indexOf('>') + 1);
    const found = known.get(head.slice(1, -1)) === this.tag ? childrenOf(text, known) : undefined;
    if (found === undefined || found.standing.length === 0) return undefined;
    const old = this.template;
    if (old !== undefined && old.tail !== found.tail) return undefined;
    const children = merged(old?.children ?? [], found.standing);
    if (children === undefined) return undefined;
    const isSame = old !== undefined && children.every((child, index) => child === old.children[index]);
    if (isSame && children.length === old.children.length) return old;
    const literals = children.flatMap(({ forms }) => forms.map(({ literal }) => literal));
    const { name, attributes } = this.tag;
    return isPlain(head + literals.join('') + found.tail)
      ? { name, attributes, head, children, tail: found.tail }
      : undefined;
  }
}

/** An event, and the index in the document to which it was read when it was reported. */
export type ReportedEvent = { readonly at: number } & (
  | { readonly kind: 'open'; readonly tag: Tag; readonly begin: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'close'; readonly name: XmlName }
);

/** Most events that are kept: the envelope around a list has few. */
const mostEvents = 2000;

/** How a document begins, before the first of the elements that follow each other. */
export interface Beginning {
  readonly length: number;
  readonly events: readonly ReportedEvent[];
  /** Elements that were opened. */
  readonly elements: number;
  /** Those that are open behind it. */
  readonly open: OpenElements;
}

/** The events before the first element of a name, where so many are open; undefined without one. */
function beforeFirst(
  events: readonly ReportedEvent[],
  name: XmlName,
  depth: number,
): Omit<Beginning, 'open'> | undefined {
  let [open, elements] = [0, 0];
  let found: Omit<Beginning, 'open'> | undefined;
  for (const [index, each] of events.entries()) {
    if (each.kind === 'close') {
      open -= 1;
      // Elements of that name stood in another one before.
      if (open < depth) found = undefined;
    } else if (each.kind === 'open') {
      if (open === depth && each.tag.name === name)
        found ??= { length: each.begin, events: events.slice(0, index), elements };
      open += 1;
      elements += 1;
    }
  }
  return found;
}

/** Records the events at the beginning of a document, to replay them for one that begins in the same way. */
export class BeginningRecorder {
  #events: ReportedEvent[] | undefined = [];

  add(event: ReportedEvent): void {
    if (this.#events === undefined) return;
    this.#events.push(event);
    if (this.#events.length > mostEvents) this.#events = undefined;
  }

  /** Something came that cannot be replayed, or the beginning is known. */
  end(): void {
    this.#events = undefined;
  }

  /**
   * How the document began, before the first of the elements of a name that follow each other within the innermost one. It is
   * given once; undefined where not all of it is known.
   */
  before(name: XmlName, open: OpenElements): Beginning | undefined {
    const before = this.#events && beforeFirst(this.#events, name, open.depth);
    this.end();
    return before && { ...before, open: open.copy() };
  }
}

/** Reports an event again. */
export function replay(events: XmlEvents, event: ReportedEvent, setScope: (scope: Scope) => void): void {
  if (event.kind === 'text') events.text(event.text);
  else if (event.kind === 'close') events.close(event.name);
  else {
    setScope(event.tag.scope);
    events.open(event.tag.name, event.tag.attributes);
  }
}
