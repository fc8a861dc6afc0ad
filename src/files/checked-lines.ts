import { hash } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import { RelctlError } from '../errors/relctl-error.js';
import { attempt } from './failure.js';
import { readLines } from './lines.js';
import { openOwn } from './own-file.js';

const sumLength = 16;

function sumOf(text: string, index: number): string {
  return hash('sha256', `${index} ${text}`).slice(0, sumLength);
}

/**
 * A value as a line of a journal. It begins with a hash of its text and number, so that a changed, lost or moved line is
 * found.
 * @param index number of the line in its file, from 0
 */
export function checkedLine(value: object, index: number): string {
  const text = JSON.stringify(value);
  return `${sumOf(text, index)} ${text}\n`;
}

/** The value of a line without its line feed; undefined for one that is not what was written at this place. */
export function valueOfLine(line: string, index: number): unknown {
  const text = line.slice(sumLength + 1);
  if (line !== `${sumOf(text, index)} ${text}`) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function endsInLineFeed(handle: number): boolean {
  const last = Buffer.alloc(1);
  return readSync(handle, last, 0, 1, fstatSync(handle).size - 1) === 1 && last.toString('latin1') === '\n';
}

/** The complete lines: the last one is incomplete when it has no line feed. */
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
    if (thrown instanceof RelctlError && thrown.facts.code === 'ENOENT') return undefined;
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
