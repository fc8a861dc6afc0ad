import { escapeText } from '../../xml/writer.js';
import { maskText } from '../codec/credentials.js';

const shortest = 4;

/** The base64 of a secret within a longer text: one form for each of the three alignments. */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
      .toString('base64')
      .replace(/=+$/, '');
    // The characters at both ends also depend on the neighbours.
    const from = offset === 0 ? 0 : offset + 1;
    const until = (offset + Buffer.byteLength(secret)) % 3 === 0 ? text.length : text.length - 1;
    return text.slice(from, until);
  });
}

/** The forms of a secret in XML text and attributes. */
function xmlForms(secret: string): string[] {
  const text = escapeText(secret);
  const quoted = text.replaceAll('"', '&quot;');
  return [
    text,
    text.replaceAll('&gt;', '>'),
    quoted,
    quoted.replaceAll("'", '&apos;'),
    quoted.replaceAll("'", '&#39;'),
  ];
}

function urlForms(secret: string): string[] {
  // Half a surrogate pair cannot stand in a URL, and stands for U+FFFD as everywhere.
  const component = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'));
  const field = new URLSearchParams([['', secret]]).toString().slice(1);
  return [component, component.replaceAll('%20', '+'), field].flatMap((form) => [
    form,
    form.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()),
  ]);
}

/**
 * The forms of a secret in JSON: as it is, in ASCII only, and as .NET writes it, which also escapes HTML characters.
 */
function jsonForms(secret: string): string[] {
  const text = JSON.stringify(secret).slice(1, -1);
  const escaped = (part: RegExp): string =>
    text.replace(part, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const plain = [escaped(/[^\u0020-\u007e]/g), escaped(/[^\u0020-\u007e]|[&'+<>`]/g)];
  const all = plain.flatMap((form) => [form, form.replaceAll('\\"', '\\u0022')]);
  return [
    text,
    ...all.flatMap((form) => [form, form.replace(/\\u[0-9a-f]{4}/g, (unit) => `\\u${unit.slice(2).toUpperCase()}`)]),
  ];
}

/**
 * The forms of a secret in HTML with numeric references: for all characters beyond ASCII, or for those that .NET
 * escapes.
 */
function pageForms(secret: string): string[] {
  const numbered = (text: string, part: RegExp, number: (code: number) => string): string =>
    text.replace(part, (character) => `&#${number(character.codePointAt(0) ?? 0)};`);
  const beyond = /[^\u0000-\u007f]/gu;
  return xmlForms(secret).flatMap((text) => [
    text,
    numbered(text, beyond, String),
    numbered(text, /[\u00a0-\u00ff\u{10000}-\u{10ffff}]/gu, String),
    numbered(text, beyond, (code) => `x${code.toString(16)}`),
    numbered(text, beyond, (code) => `x${code.toString(16).toUpperCase()}`),
  ]);
}

function forms(secret: string): string[] {
  const hexadecimal = Buffer.from(secret).toString('hex');
  return [
    secret,
    secret.toLowerCase(),
    secret.toUpperCase(),
    ...pageForms(secret),
    ...jsonForms(secret),
    // A gateway that quotes the request: the envelope within JSON, or packed.
    ...xmlForms(secret).flatMap(jsonForms),
    ...base64Forms(escapeText(secret)),
    ...urlForms(secret),
    ...base64Forms(secret),
    hexadecimal,
    hexadecimal.toUpperCase(),
  ].filter((form) => form.length >= shortest);
}

/**
 * A function that replaces secrets in text that came back from elsewhere, in the forms that such text takes: raw, XML,
 * JSON, URL, base64, hexadecimal. Secrets shorter than four characters are not looked for: they would be found everywhere.
 */
export function createMask(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets.filter((secret) => secret.length >= shortest).flatMap(forms))].sort(
    (a, b) => b.length - a.length,
  );
  return (text) => known.reduce((masked, form) => masked.replaceAll(form, maskText), text);
}
