import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, read } from 'node:fs';
import { promisify, TextDecoder } from 'node:util';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { unreadableInput } from '../../state/own-file.js';
import { isPipe } from '../../state/input-file.js';
import { openTemporaryFile } from '../../state/temporary-file.js';

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
type Taker = '--file' | '--ids';

const advices: Readonly<Record<Taker, { readonly saved: string; readonly zeros: string; readonly piped: string }>> = {
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

const utf16 = 'is UTF-16: save it as "CSV UTF-8", or convert it with `iconv -f utf-16 -t utf-8`';

const others: readonly (readonly [bytes: readonly number[], what: (taker: Taker) => string])[] = [
  [[0xd0, 0xcf, 0x11, 0xe0], (taker) => `is an old or an encrypted workbook: ${advices[taker].saved}`],
  [[0x1f, 0x8b], (taker) => `is compressed: pipe it in, \`gzip -dc FILE | relctl … ${advices[taker].piped}\``],
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
export const workbookFor = (taker: Taker): string => `is a workbook, or another ZIP file: ${advices[taker].saved}`;

/** Why bytes are no text in UTF-8, and what to do; undefined for a text. */
export function noUtf8({ hasZero, wrongLine }: TextFacts, taker: Taker): string | undefined {
  if (hasZero) return `has zero bytes, so it is not UTF-8 text: ${advices[taker].zeros}`;
  if (wrongLine === undefined) return undefined;
  return (
    `is not UTF-8 on line ${wrongLine}: save it as "CSV UTF-8", or convert it, for example with ` +
    '`iconv -f windows-1252 -t utf-8`'
  );
}

const readAt = promisify(read);

const pieceBytes = 64 * 1024;

const markBytes = 16;

/** Bytes of stdin or a pipe that are kept, and of a file that is read. */
const mostBytes = 8 * 2 ** 30;

interface Opened {
  readonly name: string;
  readonly handle: number;
  readonly close: () => void;
}

const markOf = (piece: Uint8Array): Buffer => createHash('sha256').update(piece).digest().subarray(0, markBytes);

async function pieceAt({ name, handle }: Opened, at: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(pieceBytes);
  let length = 0;
  try {
    while (length < pieceBytes) {
      const { bytesRead } = await readAt(handle, piece, length, pieceBytes - length, at + length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
  } catch (thrown) {
    throw unreadableInput(name, thrown);
  }
  return piece.subarray(0, length);
}

const tooLarge = (name: string): RelctlError => usage(name, `${name} has more than ${mostBytes / 2 ** 30} GiB`);

const changed = (name: string): RelctlError =>
  new RelctlError('local', `${name} changed while relctl read it`, {
    facts: { code: 'changed', path: name },
    advice: 'relctl sends nothing more. If it sent rows already, restore the file, and --resume sends the rest.',
  });

/** The bytes of an input file: each is the same in every reading. */
export class InputBytes {
  readonly name: string;
  readonly length: number;
  /** In hex. */
  readonly sha256: string;
  /** The first bytes, up to 64 KiB. */
  readonly head: Buffer;
  readonly text: TextFacts;
  readonly #opened: Opened;
  readonly #marks: readonly Buffer[];

  constructor(
    opened: Opened,
    inputBytes: Pick<InputBytes, 'length' | 'sha256' | 'head' | 'text'>,
    marks: readonly Buffer[],
  ) {
    this.name = opened.name;
    this.length = inputBytes.length;
    this.sha256 = inputBytes.sha256;
    this.head = inputBytes.head;
    this.text = inputBytes.text;
    this.#opened = opened;
    this.#marks = marks;
  }

  /** Bytes from a place up to another or the end, in pieces. Throws `local` when they are not what they were. */
  async *pieces(from = 0, to = this.length): AsyncGenerator<Buffer> {
    const end = Math.min(to, this.length);
    for (let at = from - (from % pieceBytes); at < end; at += pieceBytes) {
      const piece = await pieceAt(this.#opened, at);
      // Nothing is taken of bytes that were not checked: the file may be written to at any time.
      if (this.#marks[at / pieceBytes]?.equals(markOf(piece)) !== true) throw changed(this.name);
      yield piece.subarray(Math.max(0, from - at), end - at);
    }
  }

  close(): void {
    this.#opened.close();
  }
}

async function firstReading(opened: Opened): Promise<InputBytes> {
  const hash = createHash('sha256');
  const text = new TextFacts();
  const marks: Buffer[] = [];
  let head: Buffer | undefined;
  let length = 0;
  for (;;) {
    const piece = await pieceAt(opened, length);
    if (piece.length === 0) break;
    head ??= piece;
    hash.update(piece);
    text.take(piece);
    marks.push(Buffer.from(markOf(piece)));
    length += piece.length;
    if (length > mostBytes) throw tooLarge(opened.name);
    if (piece.length < pieceBytes) break;
  }
  text.end();
  const state = { length, sha256: hash.digest('hex'), head: head ?? Buffer.alloc(0), text };
  return new InputBytes(opened, state, marks);
}

/** Keeps bytes that come only once in a temporary file that nobody else can open. */
async function copyToFile(name: string, chunks: AsyncIterable<Uint8Array>): Promise<Opened> {
  const file = openTemporaryFile();
  try {
    for await (const chunk of chunks) {
      file.append(chunk);
      if (file.length > mostBytes) throw tooLarge(name);
    }
  } catch (thrown) {
    file.close();
    throw thrown;
  }
  return { name, handle: file.handle, close: () => file.close() };
}

async function* bytesOfDevice(name: string, handle: number): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(pieceBytes);
      const { bytesRead } = await readAt(handle, piece, 0, pieceBytes, null);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
    }
  } catch (thrown) {
    throw unreadableInput(name, thrown);
  } finally {
    closeSync(handle);
  }
}

function openNamed(name: string): number {
  try {
    const handle = openSync(name, 'r');
    if (!fstatSync(handle).isDirectory()) return handle;
    closeSync(handle);
  } catch (thrown) {
    throw unreadableInput(name, thrown);
  }
  throw unreadableInput(name, Object.assign(new Error('a folder'), { code: 'EISDIR' }));
}

async function opened(name: string, stream: (name: string) => AsyncIterable<Uint8Array>): Promise<Opened> {
  if (name === '-' || isPipe(name)) return copyToFile(name, stream(name));
  const handle = openNamed(name);
  if (fstatSync(handle).isFile()) return { name, handle, close: () => closeSync(handle) };
  return copyToFile(name, bytesOfDevice(name, handle));
}

/**
 * Opens the bytes of a file, of a pipe, or of stdin by `-`; what comes only once is kept in a temporary file. Throws `usage`
 * for what cannot be read, `local` when there is no place to keep it, and what the stream throws.
 * @param stream the bytes of a pipe, or of stdin
 */
export async function openBytes(
  name: string,
  stream: (name: string) => AsyncIterable<Uint8Array>,
): Promise<InputBytes> {
  const file = await opened(name, stream);
  try {
    return await firstReading(file);
  } catch (thrown) {
    file.close();
    throw thrown;
  }
}
