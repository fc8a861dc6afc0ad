import { escapeText } from '../xml/writer.js';
import { maskText } from './credentials.js';

const shortest = 4;

/** The parts of base64 that a secret has whatever stands before it: three alignments. */
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

/** In text and attributes, as thoroughly escaped as one may. */
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

function forms(secret: string): string[] {
  const hexadecimal = Buffer.from(secret).toString('hex');
  return [
    secret,
    secret.toLowerCase(),
    secret.toUpperCase(),
    ...xmlForms(secret),
    JSON.stringify(secret).slice(1, -1),
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
