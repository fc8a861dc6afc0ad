import { pad, padLeft, displayWidth, isCountedAlike, truncate } from './width.js';
import { gap, isWhole } from './table-plan.js';
import type { Column } from '../columns.js';

/** What the numbers of a column take before their decimal point, and from it on. */
export interface PointWidths {
  readonly before: number;
  readonly behind: number;
}

const pointOf = (text: string): number => (/^[+-]?\d*\.\d+$/.test(text) ? text.indexOf('.') : text.length);

/** The widths that numbers need to stand with their decimal points below each other. */
export function pointWidths(texts: Iterable<string>): PointWidths {
  let [before, after] = [0, 0];
  for (const text of texts) {
    const point = pointOf(text);
    before = Math.max(before, displayWidth(text.slice(0, point)));
    after = Math.max(after, text.length - point);
  }
  return { before, behind: after };
}

/** A number with blanks around it, so that its decimal point stands where those of the others do. */
export function atPoint(text: string, { before, behind: after }: PointWidths): string {
  const point = pointOf(text);
  const blanks = Math.max(0, before - displayWidth(text.slice(0, point)));
  return `${' '.repeat(blanks)}${text}${' '.repeat(Math.max(0, after - (text.length - point)))}`;
}

/** A column of a table: `index` among all columns, `width` in places of a terminal. */
export interface TableColumn {
  readonly column: Column;
  readonly index: number;
  readonly title: string;
  readonly width: number;
  readonly point: PointWidths | undefined;
}

/** The texts of one line, a column each. */
export type Line = readonly string[];

/** Lays lines out as text. */
export type Layout = (lines: readonly Line[], columns: readonly TableColumn[]) => string;

const noBorders = Object.fromEntries(
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid middle'
    .split(' ')
    .map((border) => [border, '']),
);

/** Cells that the library lays out at a time: its time grows with the square of the lines. */
const blockCells = 32;

/** Fills a cell for the library where it would measure the text wrongly, or cut what is shown whole. */
const stand = '\ue000';

/** The library, without borders; with `isFitted` it cuts texts to their columns. */
export async function libraryLayout(isFitted: boolean): Promise<Layout> {
  const { default: Table } = await import('cli-table3');
  const block = (lines: readonly Line[], columns: readonly TableColumn[]): string => {
    const replaced: string[] = [];
    const cellOf = (text: string, { column, width, point }: TableColumn): string => {
      const isWide = displayWidth(text) > width;
      const isCut = isWide && isFitted && !isWhole(column);
      // The library measures a text many times: it gets no more of it than it shows.
      if (isCountedAlike(text) && (isCut || !isWide)) return text.slice(0, width + 1);
      const fill = point === undefined ? pad : padLeft;
      replaced.push(fill(isCut ? truncate(text, width) : text, width));
      return stand.repeat(width);
    };
    const table = new Table({
      chars: { ...noBorders, middle: gap },
      style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
      colWidths: columns.map(({ width }) => width),
      colAligns: columns.map(({ point }) => (point === undefined ? 'left' : 'right')),
    });
    table.push(...lines.map((line) => columns.map((column, index) => cellOf(line[index] ?? '', column))));
    let next = 0;
    const text = table.toString().replace(/\ue000+/g, () => replaced[next++] ?? '');
    return text
      .split('\n')
      .map((line) => `${line.trimEnd()}\n`)
      .join('');
  };
  return (lines, columns) => {
    const count = Math.max(1, Math.floor(blockCells / columns.length));
    let text = '';
    for (let from = 0; from < lines.length; from += count) text += block(lines.slice(from, from + count), columns);
    return text;
  };
}
