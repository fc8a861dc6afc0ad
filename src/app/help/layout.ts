import { bold } from '../../formats/streams.js';
import { displayWidth, pad } from '../../formats/layout/width.js';

/** What help is fitted to. */
export interface Page {
  /** Columns that a line may take. */
  readonly width: number;
  readonly hasColor: boolean;
}

/** A name with what it means. */
export type Entry = readonly [label: string, meaning: string];

const indent = '  ';

/**
 * A text in lines of at most this many columns, broken at blanks. A word that is longer stays whole, so that a path or an
 * address can be copied. Without words there is one empty line.
 */
export function inLines(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let [line, used] = ['', 0];
  for (const word of text.split(/[ \t\n]+/)) {
    const columns = displayWidth(word);
    if (line !== '' && used + 1 + columns > width) {
      lines.push(line);
      [line, used] = ['', 0];
    }
    [line, used] = line === '' ? [word, columns] : [`${line} ${word}`, used + 1 + columns];
  }
  return [...lines, line];
}

/** A heading above indented lines. */
export const section = ({ hasColor }: Page, title: string, lines: readonly string[]): readonly string[] => [
  bold(title, hasColor),
  ...lines,
];

/** Parts with an empty line between them; those without lines are left out. */
export const joined = (parts: readonly (readonly string[])[]): readonly string[] =>
  parts.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));

/** A text in indented lines. */
export const paragraph = ({ width }: Page, text: string): readonly string[] =>
  text.split('\n').flatMap((line) => inLines(line, width - indent.length).map((each) => (indent + each).trimEnd()));

const widestLabel = ({ width }: Page, entries: readonly Entry[]): number => {
  const most = Math.max(16, Math.floor(width * 0.4));
  return Math.max(0, ...entries.map(([label]) => displayWidth(label)).filter((columns) => columns <= most));
};

/** A text behind a title, in lines that begin where the text does; below the title where its words would not fit there. */
export function hanging({ width }: Page, title: string, text: string): readonly string[] {
  const lines = inLines(text, width - title.length);
  if (title.trim() !== '' && lines.some((line) => displayWidth(title + line) > width))
    return [title.trimEnd(), ...inLines(text, width - 2 * indent.length).map((line) => indent + indent + line)];
  return lines.map((line, at) => (at === 0 ? title : ' '.repeat(title.length)) + line);
}

/** Names and their meanings in two columns; the meaning of a long name begins below it. */
export function twoColumns(page: Page, entries: readonly Entry[]): readonly string[] {
  const columns = widestLabel(page, entries);
  const start = ' '.repeat(columns + 2 * indent.length);
  return entries.flatMap(([label, meaning]) => {
    const [first = '', ...rest] = inLines(meaning, Math.max(20, page.width - start.length));
    const below = rest.map((line) => start + line);
    if (displayWidth(label) <= columns) return [`${indent}${pad(label, columns)}${indent}${first}`.trimEnd(), ...below];
    return [indent + label, ...(meaning === '' ? [] : [start + first, ...below])];
  });
}

/** The words of a command line as a shell sees them; a flag and its value are one, and so is a sign of the shell and what it is for. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  for (const word of line.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g) ?? []) {
    const before = words.at(-1) ?? '';
    const hasValue = /^--?[\w-]+$/.test(before) && /^[^-|>&]/.test(word);
    if (hasValue || /^(?:\||>|&&)$/.test(before)) words[words.length - 1] = `${before} ${word}`;
    else words.push(word);
  }
  return words;
}

/**
 * A command line in lines that a shell takes as one when they are pasted. One with a comment stays as it is.
 * @param start what stands before the first line
 */
export function pastable({ width }: Page, start: string, line: string): readonly string[] {
  const words = wordsOf(line);
  if (displayWidth(start + line) <= width || words.join(' ') !== line.trim()) return [(start + line).trimEnd()];
  const lines: string[] = [];
  let [current, isEmpty] = [start, true];
  for (const word of words) {
    // Two columns for what continues the line.
    if (!isEmpty && displayWidth(`${current} ${word}`) > width - 2) {
      lines.push(`${current} \\`);
      [current, isEmpty] = [' '.repeat(start.length + 2), true];
    }
    [current, isEmpty] = [isEmpty ? current + word : `${current} ${word}`, false];
  }
  return [...lines, current];
}

/** An example behind the sign of a prompt. */
export const commandLine = (page: Page, line: string): readonly string[] => pastable(page, `${indent}$ `, line);
