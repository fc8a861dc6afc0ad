import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { type RelctlError, badAnswer } from '../core/errors/relctl-error.js';
import { forMessage } from '../core/text/text.js';

const none = new Uint8Array(0);
const marks = { 'utf-8': [0xef, 0xbb, 0xbf], 'utf-16le': [0xff, 0xfe], 'utf-16be': [0xfe, 0xff] } as const;

/** A character that must not stand in a document as it is. */
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

const declaration =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"([^"]*)"|'([^']*)')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>$/;

const asUtf8: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

/** The standard name of an encoding that has several names; an unknown name stays as it is. */
function encodingName(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return label;
  }
}

/** The encoding that an XML declaration names, as it stands there. */
function declaredLabel(head: string): string | undefined {
  const end = head.indexOf('?>');
  const match = end === -1 ? null : declaration.exec(head.slice(0, end + 2).replace(/\r\n?/g, '\n'));
  return match?.[3] ?? match?.[4];
}

/** The encoding of a declaration; undefined for UTF-8, ASCII and UTF-16, which are read without it. */
const declaredEncoding = (label: string | undefined): string | undefined =>
  label === undefined || asUtf8.has(label.toLowerCase()) || /^utf-?16/i.test(label) ? undefined : label;

/** True for a name of UTF-8. */
const isUtf8Label = (label = ''): boolean => /^utf-?8$/i.test(label);

/** True for names of different encodings. */
const differ = (left: string, right: string): boolean => encodingName(left) !== encodingName(right);

/** True when a document that declares one encoding can be read by the other. */
function agrees(declared: string, used: string): boolean {
  const name = declared.toLowerCase();
  if (used.startsWith('utf-16')) return name.startsWith('utf-16');
  if (used === 'utf-8') return asUtf8.has(name);
  return encodingName(name) === encodingName(used);
}

/** The encoding by which a document is read, and whether the HTTP header or a byte order mark named it. */
export interface ReadAs {
  readonly encoding: string;
  readonly isSettled: boolean;
}

/** True for encodings that have invalid bytes, which show that a document has another one. */
const isTelling = (used: string): boolean => /^utf-?(?:8|16)/i.test(used);

/**
 * True when the encoding in use may be wrong. The header has precedence over the declaration, but only for an encoding in
 * which a mistake would show: otherwise nobody can say which of the two is right.
 */
function isDoubtful(declared: string, { encoding, isSettled }: ReadAs): boolean {
  return !agrees(declared, encoding) && !(isSettled && isTelling(encoding));
}

/** Checks an XML declaration: version 1.0, and an encoding like that of the bytes. Throws `bad-answer`. */
export function checkDeclaration(text: string, decoder: ReadAs): void {
  const match = declaration.exec(text);
  if (match === null) throw badAnswer('xml-malformed', `'${forMessage(text)}' is no XML declaration`);
  const version = match[1] ?? match[2] ?? '';
  if (version !== '1.0') throw badAnswer('xml-malformed', `XML version '${forMessage(version)}' is not read, only 1.0`);
  const declared = match[3] ?? match[4];
  if (declared !== undefined && isDoubtful(declared, decoder)) {
    throw badAnswer(
      'xml-encoding',
      `the document declares '${forMessage(declared)}' but is read as ${decoder.encoding}`,
    );
  }
}

function startsWith(bytes: Uint8Array, ...mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

type Marked = keyof typeof marks;

/** The encoding of a byte order mark, or undefined where there is none. */
export const encodingOfMark = (bytes: Uint8Array): Marked | undefined =>
  (Object.keys(marks) as Marked[]).find((encoding) => startsWith(bytes, ...marks[encoding]));

/** The encoding that the first bytes show, or undefined when they show none. */
function markedEncoding(bytes: Uint8Array): string | undefined {
  const marked = encodingOfMark(bytes);
  if (marked !== undefined) return marked;
  // `<?` of a declaration: nothing else begins so.
  if (startsWith(bytes, 0x3c, 0x00, 0x3f)) return 'utf-16le';
  if (startsWith(bytes, 0x00, 0x3c, 0x00)) return 'utf-16be';
  return undefined;
}

function strictDecoder(encoding: string): TextDecoder {
  try {
    // Only the first chunk can begin with a mark, which is taken away before it is decoded.
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  } catch {
    throw badAnswer('xml-encoding', `the encoding '${forMessage(encoding)}' is not known`);
  }
}

/** How many of these bytes of UTF-8 are whole characters: all but one that is begun at their end. */
export function wholeCharacters(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes[length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const bytesOfCharacter = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return bytesOfCharacter > back ? Math.max(0, length - back) : length;
  }
  return length;
}

/** The first half of a character of UTF-16, by the high byte of a unit. */
const isFirstHalf = (high = 0): boolean => (high & 0xfc) === 0xd8;

const highByteOf = (encoding: string): 0 | 1 => (encoding === 'utf-16be' ? 0 : 1);

/** How many bytes of UTF-16 are whole characters. */
function wholePairs(bytes: Uint8Array, encoding: string): number {
  const even = bytes.length - (bytes.length % 2);
  const last = even - 2 + highByteOf(encoding);
  // A first half in front of the last one would be held back by the decoder: with what follows it is told as wrong.
  return isFirstHalf(bytes[last]) && !isFirstHalf(bytes[last - 2]) ? even - 2 : even;
}

/** The text of some bytes; undefined where one of them is wrong. Cut within a character, the rest of it is no mistake. */
function rightText(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return strictDecoder(encoding).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

/** What an encoding gives of some bytes before the first that is wrong, and how many these are. */
function goodPart(bytes: Uint8Array, encoding: string): { readonly text: string; readonly length: number } {
  let [good, bad] = [0, bytes.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (rightText(bytes.subarray(0, middle), encoding) === undefined) bad = middle;
    else good = middle;
  }
  const text = rightText(bytes.subarray(0, good), encoding) ?? '';
  if (encoding === 'utf-8') return { text, length: Buffer.byteLength(text) };
  return { text, length: encoding.startsWith('utf-16') ? text.length * 2 : good };
}

/** Bytes within which a declaration has to end for its encoding to be looked at before the first text. */
const longestDeclaration = 256;

/**
 * Bytes to text, strictly: a byte that is wrong in the encoding ends the reading; nothing becomes U+FFFD. Line ends become
 * LF as XML demands, also where a chunk ends between CR and LF. The encoding is that of the byte order mark; else UTF-8 where
 * the header or the XML declaration says so, in which a mistake would show; else that of the header, else of the declaration.
 */
export class XmlDecoder {
  readonly #charset: string | undefined;
  #decoder: TextDecoder | undefined;
  #encoding = 'utf-8';
  #isUtf8 = true;
  /** Which of the two forms of UTF-16 it is, however it is written. */
  #utf16: string | undefined;
  #held: Uint8Array = none;
  #bytes = 0;
  #endsInCarriageReturn = false;
  #hasReturns = false;
  #failure: RelctlError | undefined;
  #isMarked = false;
  #differing: string | undefined;

  constructor(charset?: string) {
    this.#charset = charset;
  }

  /** Label of the encoding in use; known after the first bytes. */
  get encoding(): string {
    return this.#encoding;
  }

  /** True when the header or a mark settled the encoding, so that a declaration has nothing to say. */
  get isSettled(): boolean {
    return this.#charset !== undefined || this.#isMarked;
  }

  /** What header and declaration say, where these differ. */
  get differing(): string | undefined {
    return this.#differing;
  }

  /** What is wrong behind the text that was given last: `bad-answer` (xml-encoding, xml-malformed). */
  get failure(): RelctlError | undefined {
    return this.#failure;
  }

  /** Decodes a chunk, up to the first byte that is wrong. Throws `bad-answer` for an encoding that is not known. */
  decode(chunk: Uint8Array): string {
    let bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    if (this.#decoder === undefined) {
      if (!this.#showsEncoding(bytes)) {
        this.#held = Uint8Array.from(bytes);
        return '';
      }
      bytes = this.#begin(bytes);
    }
    const whole = this.#wholeLength(bytes);
    const text = this.#isUtf8
      ? this.#utf8(bytes.subarray(0, whole))
      : this.#decoded(bytes.subarray(0, whole), { stream: true });
    this.#held = whole === bytes.length ? none : Uint8Array.from(bytes.subarray(whole));
    return this.#normalised(text);
  }

  /** The bytes of the last text, to be decoded again, and those held back; undefined where they are not known exactly. */
  takeBack(text: string): Uint8Array | undefined {
    if (!this.#isUtf8 || this.#hasReturns || this.#failure !== undefined) return undefined;
    const bytes = Buffer.from(text, 'utf8');
    this.#bytes -= bytes.length;
    const all = this.#held.length === 0 ? bytes : Buffer.concat([bytes, this.#held]);
    this.#held = none;
    return all;
  }

  /** Begins with bytes of ASCII that were decoded before, in a document of the same label; gives their text. */
  beginAfter(bytes: Uint8Array): string {
    this.#begin(bytes);
    this.#bytes += bytes.length;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  }

  /** Counts bytes that are taken without being decoded. */
  skip(bytes: number): void {
    this.#bytes += bytes;
  }

  /** The text that is left when the input ends; a character that is cut off is a failure. */
  end(): string {
    const rest = this.#decoder === undefined ? this.#begin(this.#held) : this.#held;
    const text = this.#normalised(this.#decoded(rest, { stream: false }));
    return this.#flushed(text);
  }

  /** True when no further bytes can change which encoding it is: three tell a mark, and a declaration has an end. */
  #showsEncoding(bytes: Uint8Array): boolean {
    if (bytes.length < 3) return false;
    if (isUtf8Label(this.#charset) || markedEncoding(bytes) !== undefined) return true;
    const head = Buffer.from(bytes.subarray(0, longestDeclaration)).toString('latin1');
    const mayBeDeclaration = '<?xml'.startsWith(head.slice(0, 5));
    return !mayBeDeclaration || head.includes('?>') || bytes.length >= longestDeclaration;
  }

  #wholeLength(bytes: Uint8Array): number {
    if (this.#isUtf8) return this.#wholeUtf8(bytes);
    return this.#utf16 === undefined ? bytes.length : wholePairs(bytes, this.#utf16);
  }

  #wholeUtf8(bytes: Uint8Array): number {
    const whole = wholeCharacters(bytes);
    // A character that is begun where another one is would be taken for good: then the byte behind it is told as wrong.
    return wholeCharacters(bytes.subarray(0, whole)) < whole ? bytes.length : whole;
  }

  /** Settles the encoding; gives the bytes behind a byte order mark. */
  #begin(bytes: Uint8Array): Uint8Array {
    const label = declaredLabel(Buffer.from(bytes.subarray(0, longestDeclaration)).toString('latin1'));
    const charset = this.#charset;
    const named = isUtf8Label(label) ? 'utf-8' : (charset ?? declaredEncoding(label) ?? 'utf-8');
    this.#encoding = markedEncoding(bytes) ?? named;
    if (charset !== undefined && label !== undefined && differ(charset, label))
      this.#differing = `the header says ${forMessage(charset)}, and the declaration ${forMessage(label)}`;
    this.#decoder = strictDecoder(this.#encoding);
    const { encoding } = this.#decoder;
    this.#isUtf8 = encoding === 'utf-8';
    this.#utf16 = encoding.startsWith('utf-16') ? encoding : undefined;
    const marked = encodingOfMark(bytes);
    if (marked === undefined) return bytes;
    this.#isMarked = true;
    this.#bytes = marks[marked].length;
    return bytes.subarray(this.#bytes);
  }

  /** Whole characters, by the quicker of two ways: ASCII many times as fast, and half as large, as by any decoder. */
  #utf8(bytes: Uint8Array): string {
    // A decoder that goes on is twice as fast with other characters; between whole ones it holds nothing back.
    if (!isAscii(bytes)) return this.#decoded(bytes, { stream: true });
    this.#bytes += bytes.length;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  }

  #decoded(bytes: Uint8Array, options: { readonly stream: boolean }): string {
    try {
      const text = this.#decoder?.decode(bytes, options) ?? '';
      this.#bytes += bytes.length;
      return text;
    } catch {
      return this.#beforeBad(bytes);
    }
  }

  #beforeBad(bytes: Uint8Array): string {
    const { text, length } = goodPart(bytes, this.#utf16 ?? (this.#isUtf8 ? 'utf-8' : this.#encoding));
    const said = this.#differing === undefined ? '' : `; ${this.#differing}`;
    const position = this.#bytes + length;
    this.#failure = badAnswer('xml-encoding', `the byte at offset ${position} is not ${this.#encoding}${said}`);
    return text;
  }

  #normalised(text: string): string {
    const match = forbidden.exec(text);
    if (match !== null) {
      const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      this.#failure = badAnswer('xml-malformed', `the character U+${code} must not stand in a document`);
    }
    const good = this.#withLineFeeds(match === null ? text : text.slice(0, match.index));
    return this.#failure === undefined ? good : this.#flushed(good);
  }

  #withLineFeeds(text: string): string {
    const whole = this.#endsInCarriageReturn ? `\r${text}` : text;
    this.#endsInCarriageReturn = whole.endsWith('\r');
    if (!whole.includes('\r')) return whole;
    this.#hasReturns = true;
    return (this.#endsInCarriageReturn ? whole.slice(0, -1) : whole).replace(/\r\n?/g, '\n');
  }

  /** The text with the line end that was held back because a LF could follow. */
  #flushed(text: string): string {
    const isHeld = this.#endsInCarriageReturn;
    this.#endsInCarriageReturn = false;
    return isHeld ? `${text}\n` : text;
  }
}
