import { RelctlError } from '../../core/errors/relctl-error.js';
import type { XmlAttribute, XmlEvents, XmlName } from '../../xml/events.js';
import { XmlReader } from '../../xml/reader.js';
import { unreadable } from './faults.js';

/** An element of a request. */
export interface Element {
  readonly name: XmlName;
  readonly attributes: readonly XmlAttribute[];
  readonly children: Element[];
  /** All character data between its own tags. */
  text: string;
  /** True when there is text other than white space before its first child. */
  startsWithText: boolean;
  /** True when there is a comment or an instruction between its own tags. */
  hasAside: boolean;
  /** How many elements of the document opened before it. */
  readonly number: number;
  /** Its xsi:type, with the prefix resolved. */
  readonly type: { readonly namespace: string; readonly local: string } | undefined;
}

/** A document that was read, as far as it could be. */
export interface Document {
  readonly root: Element | undefined;
  readonly broken: RelctlError | undefined;
}

/** Bounds of a request. A real service has none on elements; a small document must not take much memory here. */
const limits = { maxElements: 200_000, maxDepth: 64, maxLength: 8 * 1024 * 1024 } as const;

const blank = /^[ \t\n\r]*$/;
// what .NET refuses to read, though it writes it
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const instance = 'http://www.w3.org/2001/XMLSchema-instance';

function sayable(text: string): string {
  const match = control.exec(text);
  if (match === null) return text;
  const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0');
  throw new RelctlError('bad-answer', `hexadecimal value 0x${code}, is an invalid character`, {
    facts: { code: 'xml-malformed' },
  });
}

class TreeReader implements XmlEvents {
  root: Element | undefined;
  #count = 0;
  readonly #open: Element[] = [];
  readonly #namespaceOf: (prefix: string) => string | undefined;

  constructor(namespaceOf: (prefix: string) => string | undefined) {
    this.#namespaceOf = namespaceOf;
  }

  open(name: XmlName, attributes: readonly XmlAttribute[]): void {
    for (const { value } of attributes) sayable(value);
    const element: Element = {
      name,
      attributes,
      children: [],
      text: '',
      startsWithText: false,
      hasAside: false,
      number: this.#count,
      type: this.#typeOf(attributes),
    };
    this.#count += 1;
    this.root ??= element;
    this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  }

  text(text: string): void {
    const top = this.#open.at(-1);
    if (top === undefined) return;
    top.text += sayable(text);
    if (top.children.length === 0 && !blank.test(text)) top.startsWithText = true;
  }

  comment(): void {
    const top = this.#open.at(-1);
    if (top !== undefined) top.hasAside = true;
  }

  instruction(): void {
    this.comment();
  }

  close(): void {
    this.#open.pop();
  }

  #typeOf(attributes: readonly XmlAttribute[]): Element['type'] {
    const value = attributeOf(attributes, 'type', instance)?.trim();
    if (value === undefined || value === '') return undefined;
    const colon = value.indexOf(':');
    const namespace = this.#namespaceOf(colon === -1 ? '' : value.slice(0, colon)) ?? '';
    return { namespace, local: value.slice(colon + 1) };
  }
}

function attributeOf(attributes: readonly XmlAttribute[], local: string, namespace: string): string | undefined {
  return attributes.find(({ name }) => name.local === local && name.namespace === namespace)?.value;
}

/** True for an element marked xsi:nil. */
export function isNil({ attributes }: Element): boolean {
  const value = attributeOf(attributes, 'nil', instance);
  return value === 'true' || value === '1';
}

/**
 * Reads a document as far as it is well-formed. Document types, XML 1.1 and references to control characters are refused;
 * sizes are bounded. Never throws.
 */
export function readDocument(text: string): Document {
  const tree = new TreeReader((prefix) => reader.namespaceOf(prefix));
  // The text is decoded already: its declared encoding is ignored.
  const reader: XmlReader = new XmlReader(tree, { charset: 'utf-8', limits });
  try {
    // In two pieces: what is before a forbidden character is read first, so that the request can be routed.
    const at = Math.max(text.search(control), 0);
    reader.write(Buffer.from(text.slice(0, at), 'utf8'));
    reader.write(Buffer.from(text.slice(at), 'utf8'));
    reader.end();
    return { root: tree.root, broken: undefined };
  } catch (thrown) {
    return { root: tree.root, broken: RelctlError.from(thrown) };
  }
}

const missing = (part: 'Envelope' | 'Body'): string =>
  `Request format is invalid: Missing required soap:${part} element.`;

const isNamed = ({ name }: Element, local: string, namespace: string): boolean =>
  name.local === local && name.namespace === namespace;

const isMarked = (element: Element, namespace: string): boolean =>
  ['1', 'true'].includes(attributeOf(element.attributes, 'mustUnderstand', namespace) ?? '');

/** What an envelope holds. */
export interface Envelope {
  readonly content: readonly Element[];
  /** Names of header entries that say they must be understood. Roles are not looked at. */
  readonly mustUnderstand: readonly string[];
}

/** The content of an envelope: one Header at most, then the Body. Throws the fault for what is none, or has no Body. */
export function envelopeOf(root: Element): Envelope {
  const { namespace } = root.name;
  if (root.name.local !== 'Envelope') throw unreadable(missing('Envelope'));
  const [first, second] = root.children;
  const header = first !== undefined && isNamed(first, 'Header', namespace) ? first : undefined;
  const body = header === undefined ? first : second;
  if (body === undefined || root.startsWithText || !isNamed(body, 'Body', namespace)) throw unreadable(missing('Body'));
  return {
    content: body.children,
    mustUnderstand: (header?.children ?? [])
      .filter((entry) => isMarked(entry, namespace))
      .map((entry) => entry.name.local),
  };
}

/** What routing finds in a document without looking at its version. */
export type RequestElement =
  { readonly found: Element | undefined } | { readonly broken: RelctlError } | { readonly lacks: string };

/** The first element within anything called Body within anything called Envelope. */
export function requestElementOf({ root, broken }: Document): RequestElement {
  const lacking = (part: 'Envelope' | 'Body'): RequestElement =>
    broken === undefined || part === 'Envelope' ? { lacks: missing(part) } : { broken };
  if (root === undefined) return broken === undefined ? lacking('Envelope') : { broken };
  if (root.name.local !== 'Envelope') return lacking('Envelope');
  const body = root.children.find((child) => isNamed(child, 'Body', root.name.namespace));
  if (body === undefined) return lacking('Body');
  const [element] = body.children;
  if (element === undefined && broken !== undefined) return { broken };
  return { found: body.startsWithText ? undefined : element };
}
