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
  /** It has U+FFFD, which programs write in the place of bytes that are no UTF-8. */
  hasReplacement = false;
  hasQuote = false;
  hasBackslash = false;

  take(piece: Buffer): void {
    this.hasZero ||= piece.includes(0);
    this.hasQuote ||= piece.includes('"');
    this.hasBackslash ||= piece.includes('\\');
    if (this.wrongLine !== undefined) return;
    try {
      const text = this.#decoder.decode(piece, { stream: true });
      this.hasReplacement ||= text.includes('\ufffd');
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

/** The flag that takes a file, which says what can be done about one that is no text. */
export type Taker = '--file' | '--ids';

const ways: Readonly<Record<Taker, { readonly saved: string; readonly zeros: string; readonly piped: string }>> = {
  '--file': {
    saved: 'save it as .xlsx without a password',
    zeros: 'save it as "CSV UTF-8", or as .xlsx',
    piped: '--file - --results FILE',
  },
  '--ids': {
    saved: 'save the sheet with the column Id as "CSV UTF-8"',
    zeros: 'save it as "CSV UTF-8"',
    piped: '--ids -',
  },
};

const utf16 = 'is UTF-16: save it as "CSV UTF-8", or convert it by `iconv -f utf-16 -t utf-8`';

const others: readonly (readonly [bytes: readonly number[], what: (taker: Taker) => string])[] = [
  [[0xd0, 0xcf, 0x11, 0xe0], (taker) => `is an old or an encrypted workbook: ${ways[taker].saved}`],
  [[0x1f, 0x8b], (taker) => `is compressed: pipe it in, \`gzip -dc FILE | relctl … ${ways[taker].piped}\``],
  [[0xff, 0xfe], () => utf16],
  [[0xfe, 0xff], () => utf16],
  [[0x50, 0x41, 0x52, 0x31], () => 'is a Parquet file: write it as CSV or NDJSON'],
];

const packed: readonly number[] = [0x50, 0x4b, 0x03, 0x04];

/** Bytes that tell what a file is. */
export const tellingBytes = 4;

const startsWith = (head: Uint8Array, bytes: readonly number[]): boolean =>
  bytes.every((byte, at) => head[at] === byte);

/** True for the first bytes of a workbook. */
export const isPacked = (head: Uint8Array): boolean => startsWith(head, packed);

/** What the first bytes of a file say that it is, and what to do; undefined for what may be a text, or is a workbook. */
export const otherThanText = (head: Uint8Array, taker: Taker): string | undefined =>
  others.find(([bytes]) => startsWith(head, bytes))?.[1](taker);

/** What is said of a workbook where none is taken. */
export const workbookFor = (taker: Taker): string => `is a workbook, or another ZIP file: ${ways[taker].saved}`;

/** Why bytes are no text in UTF-8, and what to do; undefined for a text. */
export function noUtf8({ hasZero, wrongLine }: TextFacts, taker: Taker): string | undefined {
  if (hasZero) return `holds bytes of zero, so it is no text in UTF-8: ${ways[taker].zeros}`;
  if (wrongLine === undefined) return undefined;
  return (
    `is no UTF-8 on line ${wrongLine}: save it as "CSV UTF-8", or convert it from what it is, such as ` +
    '`iconv -f windows-1252 -t utf-8`'
  );
}
