import { readSync } from 'node:fs';
import { RelctlError } from '../core/errors/relctl-error.js';

const chunkBytes = 64 * 1024;
const newline = 0x0a;

/**
 * The lines of an open file, without their line feeds, whatever other separators they hold; a last line without a line
 * feed counts. Memory is that of the longest line.
 * @param mostBytes how long a line may be. Throws `usage` for a longer one
 */
export function* readLines(handle: number, mostBytes = Infinity): Generator<string> {
  const chunk = Buffer.alloc(chunkBytes);
  let begun: Buffer[] = [];
  let bytes = 0;
  // While the line is looked at, its bytes are in memory no more.
  const ended = (): string => {
    const line = Buffer.concat(begun).toString('utf8');
    [begun, bytes] = [[], 0];
    return line;
  };
  for (let at = 0; ;) {
    const length = readSync(handle, chunk, 0, chunkBytes, at);
    if (length === 0) break;
    at += length;
    let from = 0;
    for (let to = chunk.indexOf(newline); to !== -1 && to < length; to = chunk.indexOf(newline, from)) {
      begun.push(chunk.subarray(from, to));
      yield ended();
      from = to + 1;
    }
    // The chunk is read into again: what is left of it must be a copy.
    if (from < length) begun.push(Buffer.from(chunk.subarray(from, length)));
    bytes += length - from;
    if (bytes > mostBytes) throw new RelctlError('usage', `a line is longer than ${mostBytes} bytes`);
  }
  if (begun.length > 0) yield ended();
}
