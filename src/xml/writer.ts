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
