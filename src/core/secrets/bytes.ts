/** Bytes that stand for one text, in one encoding. */
type Bytes = Buffer;

const littleEndian = (text: string): Bytes => Buffer.from(text, 'utf16le');

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** True for a guid with its dashes, in letters of any case. */
export const isGuidText = (text: string): boolean => guid.test(text);

/** The sixteen bytes of a guid; undefined for another text. */
function guidBytes(text: string): Bytes | undefined {
  return isGuidText(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : undefined;
}

/** As .NET keeps a guid: its first three groups with their bytes turned round. */
function asDotNet(bytes: Bytes): Bytes {
  const [first, second, third, rest] = [
    bytes.subarray(0, 4),
    bytes.subarray(4, 6),
    bytes.subarray(6, 8),
    bytes.subarray(8),
  ];
  return Buffer.concat([...[first, second, third].map((group) => Buffer.from(group).reverse()), rest]);
}

/** True for a text of characters that have one byte each in ISO 8859-1. */
export const isLatin1 = (text: string): boolean => /^[\u0000-\u00ff]*$/.test(text);

/** The bytes of a secret: as UTF-8, UTF-16 and ISO 8859-1, and, of a guid, the number that it is, in both orders. */
export function bytesOf(secret: string): readonly Bytes[] {
  const number = guidBytes(secret);
  return [
    Buffer.from(secret),
    littleEndian(secret),
    littleEndian(secret).swap16(),
    ...(isLatin1(secret) ? [Buffer.from(secret, 'latin1')] : []),
    ...(number === undefined ? [] : [number, asDotNet(number)]),
  ];
}

/** Base64 of bytes within other bytes: one form for each of the three places at which they can begin. */
export function base64Forms(bytes: Bytes): readonly string[] {
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
export function hexadecimalForms(bytes: Bytes): readonly string[] {
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
export function guidForms(secret: string): readonly string[] {
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
