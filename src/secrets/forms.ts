import { forMessage } from '../lexical/text.js';
import { base64Forms, bytesOf, guidForms, hexadecimalForms, isGuidText, isLatin1 } from './bytes.js';

/** Names that HTML has for the characters from U+00A0 to U+00FF, in their order. */
const latin1Names =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'.split(
    ' ',
  );

const escapedXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The forms of a secret in XML text and attributes. */
function xmlForms(secret: string): readonly string[] {
  const text = escapedXml(secret);
  const quoted = text.replaceAll('"', '&quot;');
  const forms = [
    text,
    text.replaceAll('&gt;', '>'),
    quoted,
    quoted.replaceAll("'", '&apos;'),
    quoted.replaceAll("'", '&#39;'),
  ];
  return [
    ...forms,
    ...forms.map((form) => form.replaceAll('\r', '&#xD;').replaceAll('\n', '&#xA;').replaceAll('\t', '&#x9;')),
  ];
}

const upperPercents = (text: string): string => text.replace(/%[0-9a-f]{2}/gi, (byte) => byte.toUpperCase());
const lowerPercents = (text: string): string => text.replace(/%[0-9a-f]{2}/gi, (byte) => byte.toLowerCase());

/** The forms of a secret in an address and in the fields of a form, encoded once and twice. */
function urlForms(secret: string): readonly string[] {
  // Half a surrogate pair cannot stand in a URL, and stands for U+FFFD as everywhere.
  const component = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'));
  const field = new URLSearchParams([['', secret]]).toString().slice(1);
  const strict = component.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  return [component, component.replaceAll('%20', '+'), field, strict]
    .flatMap((form) => [form, lowerPercents(form)])
    .flatMap((form) => [form, encodeURIComponent(form), lowerPercents(encodeURIComponent(form)), upperPercents(form)]);
}

const unitEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
const upperUnits = (text: string): string =>
  text.replace(/\\u[0-9a-f]{4}/g, (unit) => `\\u${unit.slice(2).toUpperCase()}`);

/** The forms of a secret in JSON: as it is, in ASCII only, as .NET writes it, which also escapes HTML characters, and each character escaped. */
function jsonForms(secret: string): readonly string[] {
  const text = JSON.stringify(secret).slice(1, -1);
  const plain = [text.replace(/[^\u0020-\u007e]/g, unitEscape), text.replace(/[^\u0020-\u007e]|[&'+<>`]/g, unitEscape)];
  const each = secret.replace(/[^]/g, unitEscape);
  return [
    text,
    text.replaceAll('/', '\\/'),
    ...[...plain.flatMap((form) => [form, form.replaceAll('\\"', '\\u0022')]), each].flatMap((form) => [
      form,
      upperUnits(form),
    ]),
  ];
}

type Reference = (code: number) => string;

/** References to characters by number, as pages write them. */
const numbers: readonly Reference[] = [
  String,
  (code) => `x${code.toString(16)}`,
  (code) => `x${code.toString(16).toUpperCase()}`,
];

const referred = (text: string, part: RegExp, number: Reference): string =>
  text.replace(part, (character) => `&#${number(character.codePointAt(0) ?? 0)};`);

/** The forms of a secret in a page: characters beyond ASCII, those that .NET escapes, or all of them by number or by name. */
function pageForms(secret: string): readonly string[] {
  const beyond = /[^\u0000-\u007f]/gu;
  const named = (text: string): string =>
    text.replace(/[\u00a0-\u00ff]/g, (character) => `&${latin1Names[character.charCodeAt(0) - 0xa0] ?? ''};`);
  return [
    ...xmlForms(secret).flatMap((text) => [
      text,
      ...numbers.map((number) => referred(text, beyond, number)),
      referred(text, /[\u00a0-\u00ff\u{10000}-\u{10ffff}]/gu, String),
      named(text),
    ]),
    ...numbers.map((number) => referred(secret, /[^]/gu, number)),
    ...xmlForms(escapedXml(secret)),
  ];
}

/** A secret whose bytes were read by the wrong table: UTF-8 as ISO 8859-1, as headers are, and the other way round. */
function misreadForms(secret: string): readonly string[] {
  const asLatin1 = Buffer.from(secret).toString('latin1');
  return isLatin1(secret) ? [asLatin1, Buffer.from(secret, 'latin1').toString()] : [asLatin1];
}

/** The shortest form that is looked for, in characters: shorter ones are found everywhere. */
export const shortest = 4;

/** The forms of a secret as it is written here. */
function formsAsWritten(secret: string): readonly string[] {
  return [
    secret,
    secret.toLowerCase(),
    secret.toUpperCase(),
    ...guidForms(secret),
    ...pageForms(secret),
    ...jsonForms(secret),
    // A gateway that quotes the request: the envelope within JSON, or packed.
    ...xmlForms(secret).flatMap(jsonForms),
    ...misreadForms(secret),
    ...urlForms(secret),
    ...bytesOf(secret).flatMap((bytes) => [...hexadecimalForms(bytes), ...base64Forms(bytes)]),
    ...base64Forms(Buffer.from(escapedXml(secret))),
  ];
}

/**
 * The forms in which a text that came back from elsewhere may hold a secret: as it is, as XML, HTML, JSON, an address,
 * base64, hexadecimal, with its bytes in other encodings; of a guid also what .NET writes. Only forms that machines make:
 * those of other case, or of decomposed letters, would hide ordinary words.
 * @returns each once, of at least four characters, the longest first
 */
export function formsOf(secret: string): readonly string[] {
  // Services read a guid and write it again, in small letters.
  const all = (isGuidText(secret) ? [secret, secret.toLowerCase()] : [secret]).flatMap(formsAsWritten);
  const quoted = all.map((form) => forMessage(form, form.length));
  return [...new Set([...all, ...quoted])]
    .filter((form) => form.length >= shortest)
    .sort((a, b) => b.length - a.length);
}
