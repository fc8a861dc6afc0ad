import { displayWidth } from './width.js';

/** Words of a text; what stands in backticks is one. */
const word = /(?:`[^`]*`|\S)+/g;

/**
 * Lines of a text that is broken between words, each but the first behind an indent. A command in backticks stays whole,
 * so that it can be pasted; so does a word that is longer than a line.
 */
export function wrapWords(text: string, width: number, indent: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const [each] of text.matchAll(word)) {
    const next = line === '' ? each : `${line} ${each}`;
    const start = lines.length === 0 ? '' : indent;
    if (line !== '' && displayWidth(`${start}${next}`) > width) {
      lines.push(`${start}${line}`);
      line = each;
    } else line = next;
  }
  return line === '' ? lines : [...lines, `${lines.length === 0 ? '' : indent}${line}`];
}
