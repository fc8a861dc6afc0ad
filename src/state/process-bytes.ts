import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { orElse } from '../core/values/value.js';

const replacement = '\ufffd';

/** Texts that this process was started with, in bytes; none where the system does not show them. */
function startedWith(file: 'cmdline' | 'environ'): readonly Buffer[] {
  const texts: Buffer[] = [];
  const bytes = orElse(() => readFileSync(`/proc/self/${file}`), Buffer.alloc(0));
  for (let from = 0, to = bytes.indexOf(0); to !== -1; from = to + 1, to = bytes.indexOf(0, from))
    texts.push(bytes.subarray(from, to));
  return texts;
}

const isText = (bytes: Buffer | undefined): boolean => bytes !== undefined && isUtf8(bytes);

/**
 * The place of the first argument that is no UTF-8, or of which that is not known; -1 for none.
 * @param argv the last arguments of this process
 */
export function damagedArgument(argv: readonly string[]): number {
  if (!argv.some((each) => each.includes(replacement))) return -1;
  const bytes = startedWith('cmdline').slice(-argv.length);
  return argv.findIndex((each, at) => each.includes(replacement) && !isText(bytes[at]));
}

/** True for a variable of this process that is no UTF-8, or of which that is not known. */
export function isDamagedVariable(name: string, value: string): boolean {
  if (!value.includes(replacement)) return false;
  const start = Buffer.from(`${name}=`);
  return !isText(startedWith('environ').find((each) => each.subarray(0, start.length).equals(start)));
}
