import { forMessage } from '../core/text/text.js';
import { badAnswer, type RelctlError } from '../core/errors/relctl-error.js';

const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Longest reference that can be one: `&#x10FFFF;` with two leading zeros to spare. */
const longestReference = 12;

const numeric = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/;

function character(name: string): string | undefined {
  return named.get(name) ?? numbered(name);
}

function numbered(name: string): string | undefined {
  const match = numeric.exec(name);
  if (match === null) return undefined;
  const [, hexadecimal, decimal] = match;
  const codePoint = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  // Control characters are accepted: .NET services send `&#x1F;` for data that holds one, though XML 1.0 forbids it.
  return codePoint === 0 || codePoint > 0x10ffff || isSurrogate ? undefined : String.fromCodePoint(codePoint);
}

/** What is wrong with a text, and at which index: the place that is told does not depend on where the text was cut. */
export interface WrongText {
  readonly offset: number;
  readonly error: RelctlError;
}

const wrong = (offset: number, what: string): WrongText => ({ offset, error: badAnswer('xml-malformed', what) });

/** Text with its references replaced, or what is wrong with the first that is none. */
function decoded(text: string): string | WrongText {
  let whole = '';
  let from = 0;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', from)) {
    const end = text.indexOf(';', at);
    // No reference has another & in it, where a piece of the text may end.
    if (end === -1 || end - at > longestReference || text.lastIndexOf('&', end) !== at)
      // So much of what follows is there, wherever the text was cut.
      return wrong(at, `bare & before '${forMessage(text.slice(at + 1, at + longestReference))}'`);
    const name = text.slice(at + 1, end);
    const value = character(name);
    if (value === undefined) return wrong(at, `the reference &${forMessage(name)}; stands for nothing`);
    whole += text.slice(from, at) + value;
    from = end + 1;
  }
  return whole + text.slice(from);
}

/**
 * Text with its references replaced: the five named ones and character references. Throws `bad-answer` (xml-malformed) for
 * a bare `&`, an unknown entity, and references to NUL, surrogates or beyond Unicode.
 */
export function decodeReferences(text: string): string {
  const resolved = decoded(text);
  if (typeof resolved === 'string') return resolved;
  throw resolved.error;
}

/** Where in text whose end has not come what is certain ends: the rest may become a reference or a `]]>`. */
export function certainEnd(text: string, from: number): number {
  const { length } = text;
  const reference = text.lastIndexOf('&');
  const mayBegin = reference >= from && length - reference <= longestReference && !text.includes(';', reference);
  let end = mayBegin ? reference : length;
  while (end > from && length - end < 2 && text.charCodeAt(end - 1) === 0x5d) end -= 1;
  return end;
}

/** Character data with its references replaced. */
export function unescapeText(raw: string, mayHoldSectionEnd: boolean): string | WrongText {
  const end = mayHoldSectionEnd ? raw.indexOf(']]>') : -1;
  // What is wrong first is told: cut before the `]]>`, the text would be refused for what stands before it.
  const before = end === -1 ? raw : raw.slice(0, end);
  const text = before.includes('&') ? decoded(before) : before;
  if (end === -1 || typeof text !== 'string') return text;
  return { offset: end, error: badAnswer('xml-malformed', "']]>' in text") };
}

/** What stands outside the root element, where nothing but white space may. */
export function readBetween(raw: string): string | WrongText {
  const offset = raw.search(/[^ \t\n]/);
  if (offset === -1) return raw;
  return { offset, error: badAnswer('xml-malformed', `text outside the root element: '${forMessage(raw.trim())}'`) };
}

/** The first line of every document that goes out. */
export const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>';

const inText = /[&<>\r]/;
const inAttribute = /[&<>"\t\n\r]/;

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

const reference = (character: string): string => references[character] ?? character;

/** Character data for an element. CR goes out as a reference, because a raw one arrives as LF. */
export function escapeText(text: string): string {
  return inText.test(text) ? text.replace(/[&<>\r]/g, reference) : text;
}

/** A value for an attribute in double quotes; white space other than blanks goes out as references. */
export function escapeAttribute(text: string): string {
  return inAttribute.test(text) ? text.replace(/[&<>"\t\n\r]/g, reference) : text;
}

// the characters that XML 1.0 cannot hold
const unsayable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\ud800-\udfff]/u;

/** The first character that XML 1.0 cannot hold (C0 controls, U+FFFE, U+FFFF, lone surrogates), or undefined. */
export function findUnsayable(text: string): { readonly index: number; readonly codePoint: number } | undefined {
  const match = unsayable.exec(text);
  return match === null ? undefined : { index: match.index, codePoint: match[0].codePointAt(0) ?? 0 };
}

// the characters that are written otherwise than they are, or not at all; half a pair may be alone
const special = /[&<>\0-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]/;

/** True for character data that every document holds as it is: most is, and this is one look at it. */
export function isPlainText(text: string): boolean {
  return !special.test(text);
}

// the characters that .NET services write as references in spite of that
const controls = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Character data as .NET services write it: control characters become references such as `&#x1F;`. */
export function escapeReceivedText(text: string): string {
  return escapeText(text).replace(
    controls,
    (character) => `&#x${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()};`,
  );
}
