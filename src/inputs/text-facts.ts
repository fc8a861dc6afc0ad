import { TextDecoder } from 'node:util';

const newline = 0x0a;

const linesIn = (bytes: Uint8Array): number => {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return lines;
};

const decoder = (): TextDecoder => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What bytes are when they are taken for a text. They come in pieces of any size. */
export class TextFacts {
  #decoder = decoder();
  #lines = 1;
  #last: Uint8Array = new Uint8Array(0);
  /** Line of the first byte that is no UTF-8, from 1. */
  wrongLine: number | undefined;
  /** Some byte is zero, which no text in UTF-8 has. */
  hasZero = false;
  hasQuote = false;
  hasBackslash = false;

  take(piece: Buffer): void {
    this.hasZero ||= piece.includes(0);
    this.hasQuote ||= piece.includes('"');
    this.hasBackslash ||= piece.includes('\\');
    if (this.wrongLine !== undefined) return;
    try {
      this.#decoder.decode(piece, { stream: true });
      this.#lines += linesIn(piece);
      this.#last = piece;
    } catch {
      this.wrongLine = this.#lineOfMistake(piece);
    }
  }

  /** Declares the end: half a character is none. */
  end(): void {
    if (this.wrongLine !== undefined) return;
    try {
      this.#decoder.decode();
    } catch {
      this.wrongLine = this.#lines;
    }
  }

  /** Reads a piece byte by byte, which nobody waits for; the bytes before it may end within a character. */
  #lineOfMistake(piece: Buffer): number {
    this.#decoder = decoder();
    const before = this.#last.subarray(-3);
    const start = before.findIndex((byte) => (byte & 0xc0) !== 0x80);
    if (start !== -1) this.#decoder.decode(before.subarray(start), { stream: true });
    for (let at = 0; at < piece.length; at += 1) {
      try {
        this.#decoder.decode(piece.subarray(at, at + 1), { stream: true });
      } catch {
        return this.#lines + linesIn(piece.subarray(0, at));
      }
    }
    return this.#lines;
  }
}
