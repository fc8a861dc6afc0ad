import { displayWidth, pad } from '../../formats/layout/width.js';
import { helpPages } from './page-names.js';
import { hanging, inLines, pastable, section, type Page } from './layout.js';

// Makes the pages of the docs readable in a terminal: the Markdown that these use, and no other.

type Lines = readonly string[];

/** What help says in the place of a link to a page: the page by its name, where it prints it. */
function linkText(text: string, target: string): string {
  if (/^https?:/.test(target)) return text === target ? text : `${text} (${target})`;
  const [, file = ''] = /(?:^|\/)([\w-]+)\.md/.exec(target) ?? [];
  return Object.hasOwn(helpPages, file) ? `${text} (relctl help ${file})` : text;
}

const withoutMarks = (text: string): string =>
  text
    .replace(/(`+)(.+?)\1/g, (_all, _ticks, code: string) => code.trim().replaceAll('*', '\u0000'))
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, (_all, label: string, target: string) => linkText(label, target))
    .replace(/\*\*(.+?)\*\*/g, '$1')
    .replaceAll('\\|', '|')
    .replaceAll('\u0000', '*');

const cellsOf = (line: string): Lines =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => withoutMarks(cell.trim()));

const gap = 2;

const longestWordIn = (cell: string): number => Math.max(0, ...cell.split(' ').map(displayWidth));

/** Widths of columns that fit; undefined when the cells would become too narrow to read. */
function fittedWidths(rows: readonly Lines[], width: number): readonly number[] | undefined {
  const columns = (rows[0] ?? []).map((_head, at) => rows.map((row) => row[at] ?? ''));
  const least = columns.map((cells) => Math.max(...cells.map(longestWordIn)));
  const widths = columns.map((cells) => Math.max(...cells.map(displayWidth)));
  const desired = widths.map((columns) => Math.min(columns, 24));
  const room = width - gap * columns.length;
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  while (sum(widths) > room) {
    const widest = widths.indexOf(Math.max(...widths));
    const next = (widths[widest] ?? 0) - 1;
    if (next < Math.max(least[widest] ?? 0, desired[widest] ?? 0)) return undefined;
    widths[widest] = next;
  }
  return widths;
}

function alignedRow(row: Lines, widths: readonly number[]): Lines {
  const cells = row.map((cell, at) => inLines(cell, widths[at] ?? 0));
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_none, line) =>
    `  ${cells.map((lines, at) => pad(lines[line] ?? '', widths[at] ?? 0)).join(' '.repeat(gap))}`.trimEnd(),
  );
}

function stackedRow(page: Page, head: Lines, [first = '', ...rest]: Lines): Lines {
  const named = rest.flatMap((cell, at) => (cell === '' ? [] : hanging(page, `      ${head[at + 1] ?? ''}: `, cell)));
  return [...hanging(page, '  ', first), ...named];
}

function tableText(page: Page, lines: Lines): Lines {
  const rows = lines.map(cellsOf);
  const [head = [], , ...body] = rows;
  const widths = fittedWidths([head, ...body], page.width);
  if (widths === undefined) return body.flatMap((row) => stackedRow(page, head, row));
  const isTall = body.some((row) => alignedRow(row, widths).length > 2);
  const above = alignedRow(head, widths);
  return [
    ...(head.every((cell) => cell === '')
      ? []
      : [...above, `  ${widths.map((each) => '-'.repeat(each)).join(' '.repeat(gap))}`]),
    ...body.flatMap((row, index) => [...(isTall && index > 0 ? [''] : []), ...alignedRow(row, widths)]),
  ];
}

const listItem = /^(\s*)([-*]|\d+\.) (.*)$/;

function textLine(page: Page, line: string): Lines {
  const heading = /^(#+) (.*)$/.exec(line);
  if (heading !== null) {
    const title = withoutMarks(heading[2] ?? '');
    return section(page, (heading[1] ?? '').length < 3 ? title.toUpperCase() : title, []);
  }
  const [, deep = '', mark = '', text = ''] = listItem.exec(line) ?? [];
  if (mark !== '') return hanging(page, `  ${deep}${mark} `, withoutMarks(text));
  return hanging(page, '  ', withoutMarks(line));
}

/** Lines of one sort: code, tables, and what stands on a line of its own. */
interface Block {
  readonly sort: 'code' | 'shell' | 'table' | 'text';
  readonly lines: Lines;
}

function codeBlock(part: string): Block {
  const [first = '', ...lines] = part.split('\n');
  return { sort: /^```sh\b/.test(first) ? 'shell' : 'code', lines: lines.slice(0, -1) };
}

function textBlocks(part: string): readonly Block[] {
  const blocks = part.split(/\n{2,}/).map((block) => block.split('\n').filter((line) => line.trim() !== ''));
  return blocks
    .filter(({ length }) => length > 0)
    .map((lines) => ({ sort: lines[0]?.startsWith('|') === true ? 'table' : 'text', lines }));
}

function blocksOf(text: string): readonly Block[] {
  const parts = text.replace(/<!--[^]*?-->\n*/g, '').split(/^(```[^]*?^```)$/m);
  return parts.flatMap((part) => (part.startsWith('```') ? codeBlock(part) : textBlocks(part)));
}

/**
 * A page of the docs as people read it in a terminal.
 * @param text Markdown, of which each paragraph and each item of a list is one line
 */
export function markdownText(page: Page, text: string): Lines {
  const blocks = blocksOf(text).map(({ sort, lines }) => {
    switch (sort) {
      case 'code':
        return lines.map((line) => `    ${line}`.trimEnd());
      case 'shell':
        return lines.flatMap((line) => pastable(page, '    ', line));
      case 'table':
        return tableText(page, lines);
      case 'text':
        return lines.flatMap((line) => textLine(page, line));
    }
  });
  return blocks.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}
