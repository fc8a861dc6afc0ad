import { readSync, closeSync, fstatSync } from 'node:fs';
import { RelctlError } from '../core/errors/relctl-error.js';
import { hash } from 'node:crypto';
import { attempt, openOwn } from './own-file.js';
import { jsonOf } from '../core/values/value.js';

const chunkBytes = 64 * 1024;
const newline = 0x0a;

/**
 * The lines of an open file, without their line feeds, whatever other separators they hold; a last line without a line
 * feed counts. Memory is that of the longest line.
 * @param mostBytes how long a line may be. Throws `usage` for a longer one
 */
export function* readLines(handle: number, mostBytes = Infinity): Generator<string> {
  const chunk = Buffer.alloc(chunkBytes);
  let pieces: Buffer[] = [];
  let bytes = 0;
  // While the line is looked at, its bytes are in memory no more.
  const ended = (): string => {
    const line = Buffer.concat(pieces).toString('utf8');
    [pieces, bytes] = [[], 0];
    return line;
  };
  for (let at = 0; ;) {
    const length = readSync(handle, chunk, 0, chunkBytes, at);
    if (length === 0) break;
    at += length;
    let from = 0;
    for (let to = chunk.indexOf(newline); to !== -1 && to < length; to = chunk.indexOf(newline, from)) {
      pieces.push(chunk.subarray(from, to));
      yield ended();
      from = to + 1;
    }
    // The chunk is read into again: what is left of it must be a copy.
    if (from < length) pieces.push(Buffer.from(chunk.subarray(from, length)));
    bytes += length - from;
    if (bytes > mostBytes) throw new RelctlError('usage', `a line is longer than ${mostBytes} bytes`);
  }
  if (pieces.length > 0) yield ended();
}

const sumLength = 16;

/** The hash of a text, which stands in bytes behind room for it, and of the number of its line. */
function sumIn(bytes: Buffer, index: number): string {
  const number = `${index} `;
  const from = sumLength + 1 - number.length;
  bytes.write(number, from, 'latin1');
  return hash('sha256', bytes.subarray(from)).slice(0, sumLength);
}

/** A part of a text; bytes stand for themselves in base64. */
export type LinePart = string | Uint8Array;

const lengthOf = (part: LinePart): number =>
  typeof part === 'string' ? Buffer.byteLength(part) : Math.ceil(part.length / 3) * 4;

/** Bytes that are made to base64 at once: a multiple of three. */
const base64Bytes = 48 * 1024;

function put(bytes: Buffer, at: number, part: LinePart): number {
  if (typeof part === 'string') return at + bytes.write(part, at);
  let rest = at;
  for (let from = 0; from < part.length; from += base64Bytes) {
    const some = part.subarray(from, from + base64Bytes);
    rest += bytes.write(Buffer.from(some.buffer, some.byteOffset, some.byteLength).toString('base64'), rest, 'latin1');
  }
  return rest;
}

/** Room for a hash and a space, and behind them a text, of which no more copies are made than that: it may be long. */
function roomBefore(parts: readonly LinePart[]): Buffer {
  const bytes = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + lengthOf(part), sumLength + 1));
  let at = sumLength + 1;
  for (const part of parts) at = put(bytes, at, part);
  return bytes;
}

/**
 * A JSON text as a line of a journal. It begins with a hash of its text and number, so that a changed, lost or moved line is
 * found.
 * @param parts that the JSON text consists of
 * @param index number of the line in its file, from 0
 */
export function checkedText(parts: readonly LinePart[], index: number): Buffer {
  const bytes = roomBefore([...parts, '\n']);
  const sum = sumIn(bytes.subarray(0, -1), index);
  bytes.write(`${sum} `, 'latin1');
  return bytes;
}

/** A value as such a line. */
export const checkedLine = (value: object, index: number): Buffer => checkedText([JSON.stringify(value)], index);

/** The value of a line without its line feed; undefined for one that is not what was written at this place. */
export function valueOfLine(line: string, index: number): unknown {
  const text = line.slice(sumLength + 1);
  if (line.slice(0, sumLength + 1) !== `${sumIn(roomBefore([text]), index)} `) return undefined;
  return jsonOf(text);
}

/** True for an open file, not empty, whose last line has its end. Throws what the system throws. */
export function endsInLineFeed(handle: number): boolean {
  const last = Buffer.alloc(1);
  return readSync(handle, last, 0, 1, fstatSync(handle).size - 1) === 1 && last.toString('latin1') === '\n';
}

function* wholeLines(handle: number): Generator<string> {
  let before: string | undefined;
  for (const line of readLines(handle)) {
    if (before !== undefined) yield before;
    before = line;
  }
  if (before !== undefined && endsInLineFeed(handle)) yield before;
}

function opened(file: string): number | undefined {
  try {
    return openOwn(file);
  } catch (thrown) {
    if (thrown instanceof RelctlError && thrown.facts.foreignCode === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** The complete lines of a journal, one at a time, without their line feeds; none when there is no file. Throws `local`. */
export function* wholeLinesOf(file: string): Generator<string, void> {
  const handle = opened(file);
  if (handle === undefined) return;
  try {
    const lines = wholeLines(handle);
    const next = (): IteratorResult<string> => attempt(file, () => lines.next());
    for (let step = next(); step.done !== true; step = next()) yield step.value;
  } finally {
    closeSync(handle);
  }
}
