import { isXmlSpace, withoutEnd } from '../lexical/ends.js';
import { forMessage } from '../lexical/text.js';
import type { XmlAttribute, XmlLimits, XmlName } from './events.js';
import { parseName, type Scope } from './names.js';
import { decodeReferences } from './references.js';
import { refusal } from './refusals.js';

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
  const found: RawAttribute[] = [];
  attribute.lastIndex = from;
  let end = from;
  for (let match = attribute.exec(text); match !== null; match = attribute.exec(text)) {
    const [, raw = '', double, single] = match;
    if (found.length >= limits.maxAttributes)
      throw refusal('xml-limit', `more than ${limits.maxAttributes} attributes`);
    if (raw.length > limits.maxNameLength)
      throw refusal('xml-limit', `a name longer than ${limits.maxNameLength} characters`);
    if (found.some((known) => known.raw === raw))
      throw refusal('xml-malformed', `the attribute '${forMessage(raw)}' comes twice`);
    found.push({ raw, value: attributeValue(double ?? single ?? '') });
    end = attribute.lastIndex;
  }
  const rest = text.slice(end);
  // Not trim(): no-break spaces and the like are not white space to XML.
  if (/[^ \t\n]/.test(rest)) throw refusal('xml-malformed', `'${forMessage(rest.trim())}' is no attribute`);
  return found;
}

function prefixDeclared(raw: string): string | undefined {
  if (raw === 'xmlns') return '';
  return raw.startsWith('xmlns:') ? parseName(raw).local : undefined;
}

function resolved(attributes: readonly RawAttribute[], scope: Scope): readonly XmlAttribute[] {
  const found = attributes.map(({ raw, value }) => ({ name: scope.attribute(parseName(raw)), value }));
  const expanded = new Set(found.map(({ name }) => `${name.namespace} ${name.local}`));
  if (expanded.size < found.length) throw refusal('xml-malformed', 'two attributes have the same name and namespace');
  return found.length === 0 ? none : Object.freeze(found);
}

/**
 * Reads what stands between `<` and `>` of a start tag. Throws `bad-answer` (xml-malformed, xml-limit).
 * @param text the tag without its angle brackets
 */
export function parseTag(text: string, outer: Scope, limits: XmlLimits): Tag {
  const isEmpty = text.endsWith('/');
  const inner = isEmpty ? text.slice(0, -1) : text;
  const end = /[ \t\n]/.exec(inner)?.index ?? inner.length;
  const raw = inner.slice(0, end);
  if (raw.length > limits.maxNameLength)
    throw refusal('xml-limit', `a name longer than ${limits.maxNameLength} characters`);
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

/**
 * Index of the `>` that ends a tag, or -1 when it has not come yet; a `>` within quotes is part of a value.
 * @param from index behind the `<`
 */
export function tagEnd(text: string, from: number): number {
  let quote = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 0x22 || code === 0x27) quote = code;
    else if (code === 0x3e) return at;
    else if (code === 0x3c) throw refusal('xml-malformed', "'<' within a tag");
  }
  return -1;
}
