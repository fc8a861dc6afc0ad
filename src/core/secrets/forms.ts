import { isGuid } from '../text/scalars.js';
import { forMessage } from '../text/text.js';

type Bytes = Buffer;

const littleEndian = (text: string): Bytes => Buffer.from(text, 'utf16le');

function guidBytes(text: string): Bytes | undefined {
  return isGuid(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : undefined;
}

function dotNetGuidBytes(bytes: Bytes): Bytes {
  const [first, second, third, rest] = [
    bytes.subarray(0, 4),
    bytes.subarray(4, 6),
    bytes.subarray(6, 8),
    bytes.subarray(8),
  ];
  return Buffer.concat([...[first, second, third].map((group) => Buffer.from(group).reverse()), rest]);
}

/** True for a text of characters that have one byte each in ISO 8859-1. */
const isLatin1 = (text: string): boolean => /^[\u0000-\u00ff]*$/.test(text);

/** The bytes of a secret: as UTF-8, UTF-16 and ISO 8859-1, and, of a guid, the number that it is, in both orders. */
function bytesOf(secret: string): readonly Bytes[] {
  const number = guidBytes(secret);
  return [
    Buffer.from(secret),
    littleEndian(secret),
    littleEndian(secret).swap16(),
    ...(isLatin1(secret) ? [Buffer.from(secret, 'latin1')] : []),
    ...(number === undefined ? [] : [number, dotNetGuidBytes(number)]),
  ];
}

/** Base64 of bytes within other bytes: one form for each of the three places at which they can begin. */
function base64Forms(bytes: Bytes): readonly string[] {
  const standard = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The characters at both ends also depend on the neighbours.
    const from = offset === 0 ? 0 : offset + 1;
    const until = (offset + bytes.length) % 3 === 0 ? text.length : text.length - 1;
    return text.slice(from, until);
  });
  return standard.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

const inPairs = (hexadecimal: string, before: string, between: string): string =>
  (hexadecimal.match(/../g) ?? []).map((pair) => `${before}${pair}`).join(between);

/** Bytes as hexadecimal: in one, with dashes as BitConverter of .NET writes them, with blanks, each behind `%`, `\x` or `0x`. */
function hexadecimalForms(bytes: Bytes): readonly string[] {
  const lower = bytes.toString('hex');
  return [lower, lower.toUpperCase()].flatMap((digits) => [
    digits,
    inPairs(digits, '', '-'),
    inPairs(digits, '', ' '),
    inPairs(digits, '%', ''),
    inPairs(digits, '\\x', ''),
    inPairs(digits, '0x', ','),
    inPairs(digits, '0x', ', '),
  ]);
}

/** How .NET and others write a guid: without dashes, and as a structure. Nothing for another text. */
function guidForms(secret: string): readonly string[] {
  const number = guidBytes(secret)?.toString('hex');
  if (number === undefined) return [];
  const pieces = inPairs(number.slice(16), '0x', ',');
  const structure = `{0x${number.slice(0, 8)},0x${number.slice(8, 12)},0x${number.slice(12, 16)},{${pieces}}}`;
  return [
    secret.replaceAll('-', ''),
    number,
    number.toUpperCase(),
    structure,
    structure.toUpperCase().replaceAll('X', 'x'),
  ];
}

/** Names that HTML has for the characters from U+00A0 to U+00FF, in their order. */
const latin1Names =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'.split(
    ' ',
  );

const escapedXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

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

function urlForms(secret: string): readonly string[] {
  // Half a surrogate pair cannot stand in a URL, and stands for U+FFFD as everywhere.
  const component = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'));
  const field = new URLSearchParams([['', secret]]).toString().slice(1);
  const percent = (mark: string): string => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
  const strict = component.replace(/[!'()*]/g, percent);
  const strictest = strict.replace(/[-_.~]/g, percent);
  return [component, component.replaceAll('%20', '+'), field, strict, strictest]
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

function nestedJsonForms(secret: string): readonly string[] {
  const forms = [...new Set(jsonForms(secret))];
  return [...forms, ...forms.flatMap(jsonForms)];
}

type Reference = (code: number) => string;

const numericReferences: readonly Reference[] = [
  String,
  (code) => `x${code.toString(16)}`,
  (code) => `x${code.toString(16).toUpperCase()}`,
];

const referred = (text: string, part: RegExp, number: Reference): string =>
  text.replace(part, (character) => `&#${number(character.codePointAt(0) ?? 0)};`);

/** The forms of a secret in a page: characters beyond ASCII, those that .NET escapes, all but letters and digits, or all of them by number or by name. */
function pageForms(secret: string): readonly string[] {
  const nonAscii = /[^\u0000-\u007f]/gu;
  const named = (text: string): string =>
    text.replace(/[\u00a0-\u00ff]/g, (character) => `&${latin1Names[character.charCodeAt(0) - 0xa0] ?? ''};`);
  const forms = [
    ...xmlForms(secret).flatMap((text) => [
      text,
      ...numericReferences.map((number) => referred(text, nonAscii, number)),
      referred(text, /[\u00a0-\u00ff\u{10000}-\u{10ffff}]/gu, String),
      named(text),
    ]),
    ...[/[^]/gu, /[^a-z0-9]/giu].flatMap((part) => numericReferences.map((number) => referred(secret, part, number))),
    ...xmlForms(secret).flatMap(xmlForms),
  ];
  // A fault quotes a page.
  return [...forms, ...forms.map(escapedXml)];
}

/** All but letters and digits escaped, as in scripts by libraries that trust no other character. */
function scriptForms(secret: string): readonly string[] {
  const inScript = secret.replace(/[^a-z0-9]/gi, (unit) => {
    const code = unit.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : unitEscape(unit);
  });
  const units = secret.replace(/[^a-z0-9]/gi, unitEscape);
  return [
    inScript,
    upperUnits(inScript).replace(/\\x[0-9a-f]{2}/g, (byte) => `\\x${byte.slice(2).toUpperCase()}`),
    units,
    upperUnits(units),
  ];
}

function misreadForms(form: string): readonly string[] {
  if (!/[^\u0000-\u007f]/.test(form)) return [];
  const asLatin1 = Buffer.from(form).toString('latin1');
  return isLatin1(form) ? [asLatin1, Buffer.from(form, 'latin1').toString()] : [asLatin1];
}

/** The shortest form that is looked for, in characters: shorter ones are found everywhere. */
export const shortest = 4;

function formsAsWritten(secret: string): readonly string[] {
  return [
    secret,
    secret.toLowerCase(),
    secret.toUpperCase(),
    ...guidForms(secret),
    ...pageForms(secret),
    ...scriptForms(secret),
    // A gateway that quotes the request: the envelope within JSON, or packed.
    ...[...new Set([secret, ...xmlForms(secret)])].flatMap(nestedJsonForms),
    ...urlForms(secret),
    ...bytesOf(secret).flatMap((bytes) => [...hexadecimalForms(bytes), ...base64Forms(bytes).flatMap(base64Within)]),
    ...base64Forms(Buffer.from(escapedXml(secret))).flatMap(base64Within),
  ];
}

function spellingsOfGuid(secret: string): readonly string[] {
  if (!isGuid(secret)) return [secret];
  const cases = [...new Set([secret, secret.toLowerCase(), secret.toUpperCase()])];
  return [...cases, ...cases.map((text) => text.replaceAll('-', ''))];
}

/** Base64 as addresses and texts of JSON hold it: both escape some of its characters. */
const base64Within = (form: string): readonly string[] => {
  const inUrl = form.replaceAll('+', '%2B').replaceAll('/', '%2F');
  return [form, inUrl, lowerPercents(inUrl), form.replaceAll('/', '\\/'), form.replaceAll('+', '\\u002B')];
};

const formsBySecret = new Map<string, readonly string[]>();

/** The most secrets whose forms are kept; a run has a handful, but the embedded service is given any. */
const mostKnown = 64;

/**
 * The forms in which a text that came back from elsewhere may hold a secret: as it is, as XML, HTML, JSON, an address,
 * base64, hexadecimal, with its bytes in other encodings; of a guid also what .NET writes. Only forms that machines make:
 * those of other case, or of decomposed letters, would hide ordinary words.
 * @returns each once, of at least four characters, the longest first
 */
export function formsOf(secret: string): readonly string[] {
  const before = formsBySecret.get(secret);
  if (before !== undefined) return before;
  const forms = madeForms(secret);
  if (formsBySecret.size >= mostKnown) formsBySecret.clear();
  formsBySecret.set(secret, forms);
  return forms;
}

function madeForms(secret: string): readonly string[] {
  const written = spellingsOfGuid(secret).flatMap(formsAsWritten);
  const all = [...written, ...written.flatMap(misreadForms)];
  const quoted = all.map((form) => forMessage(form, form.length));
  return [...new Set([...all, ...quoted])]
    .filter((form) => form.length >= shortest)
    .sort((a, b) => b.length - a.length);
}
