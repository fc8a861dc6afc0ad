import { isXmlSpace, withoutEnd, forMessage } from '../core/text/text.js';
import type { XmlAttribute, XmlLimits, XmlName } from './events.js';
import { decodeReferences } from './escape.js';
import { badAnswer } from '../core/errors/relctl-error.js';

const start =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const name = `[${start}][${start}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040]*`;
const qualified = new RegExp(`^(?:(${name}):)?(${name})$`, 'u');
// Fits nearly all names; the first use of the other expression takes a millisecond.
const ascii = /^(?:([A-Z_a-z][-.\w]*):)?([A-Z_a-z][-.\w]*)$/;

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';

/** A name as it stands in a tag, cut at its colon. */
export interface RawName {
  readonly prefix: string;
  readonly local: string;
}

/** Cuts a qualified name. Throws `bad-answer` (xml-malformed) when it is none. */
function parseName(raw: string): RawName {
  const match = ascii.exec(raw) ?? qualified.exec(raw);
  if (match === null) throw badAnswer('xml-malformed', `'${forMessage(raw)}' is not a name`);
  return { prefix: match[1] ?? '', local: match[2] ?? '' };
}

/** True for a name without a prefix. */
export const isLocalName = (text: string): boolean => !text.includes(':') && (ascii.test(text) || qualified.test(text));

/** Namespace declarations in force within an element: its own, and those of the elements around it. */
export class Scope {
  readonly #own: ReadonlyMap<string, string>;
  readonly #outer: Scope | undefined;

  private constructor(own: ReadonlyMap<string, string>, outer?: Scope) {
    this.#own = own;
    this.#outer = outer;
  }

  static root(): Scope {
    return new Scope(
      new Map([
        ['', ''],
        ['xml', xmlNamespace],
      ]),
    );
  }

  /** This scope with more declarations. Throws `bad-answer` (xml-malformed) for what Namespaces in XML 1.0 forbids. */
  with(declarations: ReadonlyMap<string, string>): Scope {
    for (const [prefix, uri] of declarations) {
      const isReserved = prefix === 'xmlns' || uri === xmlnsNamespace || (prefix === 'xml') !== (uri === xmlNamespace);
      if (isReserved)
        throw badAnswer('xml-malformed', `the prefix '${prefix}' cannot be bound to '${forMessage(uri)}'`);
      if (prefix !== '' && uri === '') throw badAnswer('xml-malformed', `the prefix '${prefix}' is bound to nothing`);
    }
    return new Scope(declarations, this);
  }

  /** Namespace of a prefix, '' being the default one. */
  uri(prefix: string): string | undefined {
    // A copy of all declarations around it would take a millisecond for each of millions of elements.
    return this.#own.get(prefix) ?? this.#outer?.uri(prefix);
  }

  /** An element's name. Throws `bad-answer` (xml-malformed) when its prefix is not bound. */
  element(raw: RawName): XmlName {
    const namespace = this.uri(raw.prefix);
    if (namespace === undefined) throw badAnswer('xml-malformed', `the prefix '${raw.prefix}' is not bound`);
    return { namespace, local: raw.local, prefix: raw.prefix };
  }

  /** An attribute's name: the default namespace does not apply to attributes. Throws as `element`. */
  attribute(raw: RawName): XmlName {
    return raw.prefix === '' ? { namespace: '', local: raw.local, prefix: '' } : this.element(raw);
  }
}

/**
 * The target of a processing instruction, or undefined when more input is needed. Throws `bad-answer` (xml-malformed,
 * xml-limit). The caller handles the target `xml`, in any case of letters.
 * @param at index of its `<?`
 * @param most length of a name
 */
export function instructionTarget(text: string, at: number, most: number): string | undefined {
  const from = at + 2;
  const length = /[ \t\n?]/.exec(text.slice(from, from + most + 1))?.index;
  if (length === undefined) {
    if (text.length > from + most) throw badAnswer('xml-limit', `a name longer than ${most} characters`);
    return undefined;
  }
  const target = text.slice(from, from + length);
  return target.toLowerCase() === 'xml' || isWhole(text, { target, behind: from + length }) ? target : undefined;
}

/** False when more input is needed to see that a target ends where it seems to. */
function isWhole(
  text: string,
  { target, behind: after }: { readonly target: string; readonly behind: number },
): boolean {
  if (parseName(target).prefix !== '') throw badAnswer('xml-malformed', `':' in the name '${forMessage(target)}'`);
  // A '?' right behind the target can only be the one that ends it.
  if (text.charCodeAt(after) !== 0x3f) return true;
  if (after + 1 >= text.length) return false;
  if (text.charCodeAt(after + 1) !== 0x3e) throw badAnswer('xml-malformed', "'?' in the name of an instruction");
  return true;
}

/** A start tag or empty-element tag, resolved. */
export interface Tag {
  /** The name as it stands, for the end tag to match. */
  readonly raw: string;
  readonly name: XmlName;
  readonly attributes: readonly XmlAttribute[];
  readonly isEmpty: boolean;
  /** The scope within the element: the one outside, unless it declares namespaces. */
  readonly scope: Scope;
}

const none: readonly XmlAttribute[] = Object.freeze([]);

const attribute = /[ \t\n]+([^ \t\n=<>"'/]+)[ \t\n]*=[ \t\n]*(?:"([^"<]*)"|'([^'<]*)')/y;

interface RawAttribute {
  readonly raw: string;
  readonly value: string;
}

function attributeValue(text: string): string {
  const spaced = text.replace(/[\t\n]/g, ' ');
  return spaced.includes('&') ? decodeReferences(spaced) : spaced;
}

function rawAttributes(text: string, from: number, limits: XmlLimits): RawAttribute[] {
  const parsed: RawAttribute[] = [];
  attribute.lastIndex = from;
  let end = from;
  for (let match = attribute.exec(text); match !== null; match = attribute.exec(text)) {
    const [, raw = '', double, single] = match;
    if (parsed.length >= limits.maxAttributes)
      throw badAnswer('xml-limit', `more than ${limits.maxAttributes} attributes`);
    if (raw.length > limits.maxNameLength)
      throw badAnswer('xml-limit', `a name longer than ${limits.maxNameLength} characters`);
    if (parsed.some((known) => known.raw === raw))
      throw badAnswer('xml-malformed', `the attribute '${forMessage(raw)}' comes twice`);
    parsed.push({ raw, value: attributeValue(double ?? single ?? '') });
    end = attribute.lastIndex;
  }
  const rest = text.slice(end);
  // Not trim(): no-break spaces and the like are not white space to XML.
  if (/[^ \t\n]/.test(rest)) throw badAnswer('xml-malformed', `'${forMessage(rest.trim())}' is no attribute`);
  return parsed;
}

function prefixDeclared(raw: string): string | undefined {
  if (raw === 'xmlns') return '';
  return raw.startsWith('xmlns:') ? parseName(raw).local : undefined;
}

function resolved(attributes: readonly RawAttribute[], scope: Scope): readonly XmlAttribute[] {
  const named = attributes.map(({ raw, value }) => ({ name: scope.attribute(parseName(raw)), value }));
  const expanded = new Set(named.map(({ name }) => `${name.namespace} ${name.local}`));
  if (expanded.size < named.length) throw badAnswer('xml-malformed', 'two attributes have the same name and namespace');
  return named.length === 0 ? none : Object.freeze(named);
}

/** Reads what stands between the brackets of a start tag. Throws `bad-answer` (xml-malformed, xml-limit). */
export function parseTag(text: string, outer: Scope, limits: XmlLimits): Tag {
  const isEmpty = text.endsWith('/');
  const inner = isEmpty ? text.slice(0, -1) : text;
  const end = /[ \t\n]/.exec(inner)?.index ?? inner.length;
  const raw = inner.slice(0, end);
  if (raw.length > limits.maxNameLength)
    throw badAnswer('xml-limit', `a name longer than ${limits.maxNameLength} characters`);
  const own = parseName(raw);
  if (end === inner.length) return { raw, name: outer.element(own), attributes: none, isEmpty, scope: outer };
  const attributes: RawAttribute[] = [];
  const declarations = new Map<string, string>();
  for (const each of rawAttributes(inner, end, limits)) {
    const prefix = prefixDeclared(each.raw);
    if (prefix === undefined) attributes.push(each);
    else declarations.set(prefix, each.value);
  }
  const scope = declarations.size === 0 ? outer : outer.with(declarations);
  return { raw, name: scope.element(own), attributes: resolved(attributes, scope), isEmpty, scope };
}

/** The name in an end tag, by what stands between `</` and `>`: white space may stand behind it. */
export const nameOfEnd = (text: string): string => withoutEnd(text, isXmlSpace);

/** Index of the `>` that ends a tag, or -1 when it has not come yet; a `>` within quotes is part of a value. */
export function tagEnd(text: string, from: number): number {
  let quote = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 0x22 || code === 0x27) quote = code;
    else if (code === 0x3e) return at;
    else if (code === 0x3c) throw badAnswer('xml-malformed', "'<' within a tag");
  }
  return -1;
}
