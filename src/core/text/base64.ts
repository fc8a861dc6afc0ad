import { badAnswer, type RelctlError } from '../errors/relctl-error.js';

// One character at a time: a pattern of groups would need a stack as deep as the text is long.
const form = /^[A-Za-z0-9+/]*(=*)$/;

/** Tells whether text is strict base64, with its padding and without white space, as it comes. */
export class Base64Check {
  #length = 0;
  #padding = 0;
  #isRight = true;

  /** Takes the next piece of the text. Cuts in the text make no difference. */
  write(piece: string): void {
    if (piece === '' || !this.#isRight) return;
    const matchLength = form.exec(piece)?.[1]?.length;
    // Behind padding nothing but padding may come.
    this.#isRight = matchLength !== undefined && (this.#padding === 0 || matchLength === piece.length);
    this.#length += piece.length;
    this.#padding += matchLength ?? 0;
  }

  /** True when what came so far is a whole text in base64; an empty one is. */
  isWhole(): boolean {
    return this.#isRight && this.#length % 4 === 0 && this.#padding <= 2;
  }
}

/** True for strict base64, with its padding and without white space. */
export const isBase64 = (text: string): boolean => {
  const check = new Base64Check();
  check.write(text);
  return check.isWhole();
};

const whiteSpace = ' \t\r\n';
const whiteSpaces = /[ \t\r\n]+/g;
const letters = /^[A-Za-z0-9+/]*$/;

const [stranger, letter, padding, white] = [0, 1, 2, 3] as const;

function classOf(character: string): number {
  if (character === '=') return padding;
  if (whiteSpace.includes(character)) return white;
  return letters.test(character) ? letter : stranger;
}

/** The class of each ASCII character; all others are strangers. */
const classes = Uint8Array.from({ length: 128 }, (_, code) => classOf(String.fromCharCode(code)));

/**
 * Strict base64 to bytes, as the text comes: the alphabet with `+` and `/`, groups of four, padding at the end only and
 * never left out; white space is passed over wherever it stands. Cuts in the text make no difference.
 */
export class Base64Decoder {
  /** Characters of a group that is not whole yet. */
  #partial = '';
  #isPadded = false;
  #passed = 0;
  #room = Buffer.alloc(0);
  readonly #path: string;

  /** @param path member that holds the text, for errors: what counts is the position in it, not where the document is read */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * The bytes of the groups that are whole now; they stay as they are until the next piece only. Throws `bad-answer`
   * (base64) with the position in the whole text, from 0.
   */
  write(piece: string): Uint8Array {
    const text = this.#partial + piece;
    const length = text.length - (text.length % 4);
    const rest = text.slice(length);
    const isPlain = !this.#isPadded && letters.test(rest);
    const bytes = isPlain ? this.#plain(text.slice(0, length)) : undefined;
    if (bytes === undefined) return this.#careful(piece);
    this.#partial = rest;
    this.#passed += piece.length;
    return bytes;
  }

  /** Declares the end of the text. Throws `bad-answer` (base64) within a group. */
  end(): void {
    if (this.#partial !== '')
      throw this.#notBase64(`it ends within a group of four characters, at position ${this.#passed}`);
  }

  #plain(text: string): Uint8Array | undefined {
    const length = (text.length / 4) * 3;
    // The decoder of the platform passes over what it does not know, so that fewer bytes come. It knows a second alphabet
    // besides, and may look at the low byte only of a character that has two.
    if (text.includes('-') || text.includes('_') || Buffer.byteLength(text) !== text.length) return undefined;
    return this.#decoded(text, length).length === length ? this.#room.subarray(0, length) : undefined;
  }

  #decoded(text: string, length: number): Uint8Array {
    if (this.#room.length < length) this.#room = Buffer.allocUnsafe(length);
    return this.#room.subarray(0, this.#room.write(text, 'base64'));
  }

  #careful(piece: string): Uint8Array {
    const odd = this.#strangerIn(piece, this.#partial);
    if (odd !== -1) {
      const code = (piece.codePointAt(odd) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      throw this.#notBase64(`the character U+${code} cannot stand at position ${this.#passed + odd}`);
    }
    const text = this.#partial + piece.replace(whiteSpaces, '');
    const length = text.length - (text.length % 4);
    const groups = text.slice(0, length);
    this.#isPadded ||= groups.endsWith('=');
    this.#partial = text.slice(length);
    this.#passed += piece.length;
    return this.#decoded(groups, (length / 4) * 3);
  }

  /** Index of the first character that cannot stand behind those before it, or -1. */
  #strangerIn(piece: string, unfinished: string): number {
    let count = unfinished.length;
    let isPadded = this.#isPadded || unfinished.includes('=');
    for (let at = 0; at < piece.length; at += 1) {
      const kind = classes[piece.charCodeAt(at)] ?? stranger;
      if (kind === white) continue;
      const mayStand = kind === letter ? !isPadded : kind === padding && count % 4 >= 2;
      if (!mayStand) return at;
      if (kind === padding) isPadded = true;
      count += 1;
    }
    return -1;
  }

  #notBase64(why: string): RelctlError {
    return badAnswer('base64', `the content is not base64: ${why}`, { path: this.#path });
  }
}
