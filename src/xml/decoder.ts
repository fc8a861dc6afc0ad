import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { refusal } from './refusals.js';

const none = new Uint8Array(0);
const utf8Mark = [0xef, 0xbb, 0xbf] as const;

/** A character that must not stand in a document as it is. */
export const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

function startsWith(bytes: Uint8Array, ...mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

/** The encoding that the first bytes show, or undefined when they show none. */
function markedEncoding(bytes: Uint8Array): string | undefined {
  if (startsWith(bytes, ...utf8Mark)) return 'utf-8';
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (startsWith(bytes, 0xfe, 0xff)) return 'utf-16be';
  return undefined;
}

function strictDecoder(encoding: string): TextDecoder {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    // UTF-8 is decoded chunk by chunk, and only the first can begin with a mark.
    return decoder.encoding === 'utf-8' ? new TextDecoder(encoding, { fatal: true, ignoreBOM: true }) : decoder;
  } catch {
    throw refusal('xml-encoding', `the encoding '${encoding.slice(0, 40)}' is not known`);
  }
}

/** How many of these bytes of UTF-8 are whole characters: all but one that is begun at their end. */
function wholeCharacters(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes[length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const wanted = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return wanted > back ? Math.max(0, length - back) : length;
  }
  return length;
}

/**
 * Bytes to text, strictly: a byte that is wrong in the encoding ends the reading; nothing becomes U+FFFD. Line ends become
 * LF as XML demands, also where a chunk ends between CR and LF.
 */
export class XmlDecoder {
  readonly #charset: string | undefined;
  #decoder: TextDecoder | undefined;
  #encoding = 'utf-8';
  #isUtf8 = true;
  #held: Uint8Array = none;
  #bytes = 0;
  #endsInCarriageReturn = false;

  /** @param charset from the HTTP header; wins over the declaration, a byte order mark wins over both */
  constructor(charset?: string) {
    this.#charset = charset;
  }

  /** Label of the encoding in use; known after the first bytes. */
  get encoding(): string {
    return this.#encoding;
  }

  /** True when the header settled the encoding, so that a declaration has nothing to say. */
  get isSettled(): boolean {
    return this.#charset !== undefined;
  }

  /** Decodes a chunk. Throws `bad-answer` (xml-encoding, xml-malformed). */
  decode(chunk: Uint8Array): string {
    let bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    if (this.#decoder === undefined) {
      // Three bytes tell a byte order mark from text.
      if (bytes.length < 3) {
        this.#held = Uint8Array.from(bytes);
        return '';
      }
      bytes = this.#begin(bytes);
    }
    if (!this.#isUtf8) {
      this.#held = none;
      return this.#normalised(this.#decoded(bytes, { stream: true }));
    }
    const whole = wholeCharacters(bytes);
    const text = this.#utf8(bytes.subarray(0, whole));
    this.#held = whole === bytes.length ? none : Uint8Array.from(bytes.subarray(whole));
    return this.#normalised(text);
  }

  /** The text that is left when the input ends. Throws when it ends within a character. */
  end(): string {
    const rest = this.#decoder === undefined ? this.#begin(this.#held) : this.#held;
    const text = this.#normalised(this.#decoded(rest, { stream: false }));
    return this.#endsInCarriageReturn ? `${text}\n` : text;
  }

  /** Settles the encoding; gives the bytes behind a mark of UTF-8. */
  #begin(bytes: Uint8Array): Uint8Array {
    this.#encoding = markedEncoding(bytes) ?? this.#charset ?? 'utf-8';
    this.#decoder = strictDecoder(this.#encoding);
    this.#isUtf8 = this.#decoder.encoding === 'utf-8';
    if (!this.#isUtf8 || !startsWith(bytes, ...utf8Mark)) return bytes;
    this.#bytes = utf8Mark.length;
    return bytes.subarray(utf8Mark.length);
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
      throw refusal('xml-encoding', `a byte near offset ${this.#bytes} is not ${this.#encoding}`);
    }
  }

  #normalised(text: string): string {
    const match = forbidden.exec(text);
    if (match !== null) {
      const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      throw refusal('xml-malformed', `the character U+${code} must not stand in a document`);
    }
    const whole = this.#endsInCarriageReturn ? `\r${text}` : text;
    this.#endsInCarriageReturn = whole.endsWith('\r');
    if (!whole.includes('\r')) return whole;
    return (this.#endsInCarriageReturn ? whole.slice(0, -1) : whole).replace(/\r\n?/g, '\n');
  }
}
