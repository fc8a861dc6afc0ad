import { TextDecoder } from 'node:util';
import { refusal } from './refusals.js';

// the characters that must not stand in a document as they are
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

function startsWith(bytes: Uint8Array, ...mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

/** The encoding that the first bytes show, or undefined when they show none. */
function markedEncoding(bytes: Uint8Array): string | undefined {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return 'utf-8';
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (startsWith(bytes, 0xfe, 0xff)) return 'utf-16be';
  return undefined;
}

function strictDecoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw refusal('xml-encoding', `the encoding '${encoding.slice(0, 40)}' is not known`);
  }
}

/**
 * Bytes to text, strictly: a byte that is wrong in the encoding ends the reading; nothing becomes U+FFFD. Line ends become
 * LF as XML demands, also where a chunk ends between CR and LF.
 */
export class XmlDecoder {
  readonly #charset: string | undefined;
  #decoder: TextDecoder | undefined;
  #encoding = 'utf-8';
  #held = new Uint8Array(0);
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
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    if (this.#decoder === undefined) {
      // Three bytes tell a byte order mark from text.
      if (bytes.length < 3) {
        this.#held = Uint8Array.from(bytes);
        return '';
      }
      this.#begin(bytes);
    }
    this.#held = new Uint8Array(0);
    return this.#normalised(this.#decoded(bytes, { stream: true }));
  }

  /** The text that is left when the input ends. Throws when it ends within a character. */
  end(): string {
    if (this.#decoder === undefined) this.#begin(this.#held);
    const rest = this.#decoded(this.#held, { stream: false });
    const text = this.#normalised(rest);
    return this.#endsInCarriageReturn ? `${text}\n` : text;
  }

  #begin(bytes: Uint8Array): void {
    this.#encoding = markedEncoding(bytes) ?? this.#charset ?? 'utf-8';
    this.#decoder = strictDecoder(this.#encoding);
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
