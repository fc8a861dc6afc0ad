const usualBytes = 64 * 1024;

/** The references that texts are full of, and the bytes that they stand for. */
const references = [
  ['amp;', '&'],
  ['lt;', '<'],
  ['gt;', '>'],
  ['quot;', '"'],
  ['apos;', "'"],
].map(([name = '', byte = '']) => ({ name: Buffer.from(name), byte: byte.charCodeAt(0) }));

/** The reference that begins behind an `&`; undefined for one that has to be looked at closely. */
function referenceAt(bytes: Uint8Array, at: number): (typeof references)[number] | undefined {
  for (let index = 0; index < references.length; index += 1) {
    const reference = references[index];
    if (reference !== undefined && isWordAt(bytes, at, reference.name)) return reference;
  }
  return undefined;
}

/** True when a word stands at an index. */
export function isWordAt(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let index = 0; index < word.length; index += 1) if (bytes[at + index] !== word[index]) return false;
  return true;
}

/** True when nothing but white space stands between two indexes. */
export function isBlank(bytes: Uint8Array, begin: number, end: number): boolean {
  for (let at = begin; at < end; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return false;
  }
  return true;
}

const hexadecimal = new Uint8Array(256);
for (const digit of Buffer.from('0123456789abcdefABCDEF')) hexadecimal[digit] = 1;

const guidLength = 36;
const isDash = (index: number): boolean => index === 8 || index === 13 || index === 18 || index === 23;

/** True when a GUID stands between two indexes: 8-4-4-4-12 hexadecimal digits. */
export function isGuidAt(bytes: Uint8Array, begin: number, end: number): boolean {
  if (end - begin !== guidLength) return false;
  for (let index = 0; index < guidLength; index += 1) {
    const byte = bytes[begin + index] ?? 0;
    if (isDash(index) ? byte !== 0x2d : hexadecimal[byte] !== 1) return false;
  }
  return true;
}

/**
 * Writes bytes behind each other. Nothing is checked: who writes sees to it that there is room. Loops, because texts of
 * records are short: a call into Node for each of them would take longer.
 */
export class ByteWriter {
  bytes: Buffer;
  /** Where the next byte goes. */
  at = 0;

  constructor(bytes: Buffer = Buffer.allocUnsafeSlow(usualBytes)) {
    this.bytes = bytes;
  }

  put(bytes: Uint8Array): void {
    const { bytes: into, at } = this;
    for (let index = 0; index < bytes.length; index += 1) into[at + index] = bytes[index] ?? 0;
    this.at = at + bytes.length;
  }

  copy(from: Uint8Array, begin: number, end: number): void {
    const { bytes: into } = this;
    const shift = this.at - begin;
    for (let index = begin; index < end; index += 1) into[index + shift] = from[index] ?? 0;
    this.at = end + shift;
  }

  /** Copies the text of an element with its references replaced; false for one that has to be looked at closely. */
  copyDecoded(from: Uint8Array, begin: number, end: number): boolean {
    const { bytes: into } = this;
    let { at } = this;
    for (let index = begin; index < end; index += 1, at += 1) {
      const byte = from[index] ?? 0;
      into[at] = byte;
      if (byte !== 0x26) continue;
      // Behind the text there is a `<`, so that no name is found across its end.
      const reference = referenceAt(from, index + 1);
      if (reference === undefined) return false;
      into[at] = reference.byte;
      index += reference.name.length;
    }
    this.at = at;
    return true;
  }

  /** Copies bytes that are none of those that `odd` marks with 1; false when there is one. */
  copyPlain(
    from: Uint8Array,
    { begin, end }: { readonly begin: number; readonly end: number },
    odd: Uint8Array,
  ): boolean {
    const { bytes: into } = this;
    const shift = this.at - begin;
    for (let index = begin; index < end; index += 1) {
      const byte = from[index] ?? 0;
      if (odd[byte] === 1) return false;
      into[index + shift] = byte;
    }
    this.at = end + shift;
    return true;
  }
}
