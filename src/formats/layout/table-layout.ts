import { pad, padLeft, displayWidth, isCountedAlike, truncate } from './width.js';
import { type Column, asTyped, isNumeric } from '../columns.js';
import { scalarOf, valuesOf } from '../../contract/walk.js';
import { shellWord } from '../../core/text/text.js';

/** What stands between two columns. */
const gap = '  ';

/** A name that is cut further could be anybody's. */
const leastName = 24;
/** Sentences in narrower lines are hard to read. */
const leastWords = 16;
/** Of fewer characters nobody can tell what was cut. */
const leastText = 16;

/** What the title and the cells of a column take, in columns of a terminal. */
export interface Measured {
  readonly column: Column;
  readonly title: number;
  /** The widest cell, with its parts behind each other. */
  readonly cell: number;
  /** The widest part of a cell. */
  readonly part: number;
}

/** How the columns of a table stand in a terminal. */
export interface TablePlan {
  /** The width of each column; undefined for one that is hidden. */
  readonly widths: readonly (number | undefined)[];
  /** False when its name, its first key or its first sentences are hidden, or all but one column. */
  readonly isUseful: boolean;
}

const wholeScalars: ReadonlySet<string | undefined> = new Set(['guid', 'dateTime', 'boolean']);

/** True for a column whose cells are of no use when they are cut, or are taken for others. */
function isWhole(column: Column): boolean {
  const { type, role } = column;
  if (role === 'key' || role === 'words' || isNumeric(column)) return true;
  return valuesOf(type) !== undefined || wholeScalars.has(scalarOf(type));
}

/** True for a column whose rows may take several lines: sentences, and the parts of what is not cut. */
export const mayBreak = ({ type, role }: Column): boolean =>
  role === 'words' || (role === 'key' && type.kind === 'list');

const isList = (measured: Measured | undefined): boolean =>
  measured?.column.type.kind === 'list' && mayBreak(measured.column);

/** True for a column that says which record a row is. */
const isKey = ({ type, role }: Column): boolean => role === 'key' || scalarOf(type) === 'guid';

function leastOf({ column, title, cell, part }: Measured, isName: boolean): number {
  if (isName) return Math.max(title, Math.min(cell, leastName));
  if (column.role === 'words') return Math.max(title, Math.min(cell, leastWords));
  if (mayBreak(column)) return Math.max(title, part);
  return isWhole(column) ? Math.max(title, cell) : Math.max(title, Math.min(cell, leastText));
}

/** The columns that are shown: the name first, then each that has room behind those before it. */
function chosen(leasts: readonly number[], name: number, width: number): ReadonlySet<number> {
  const visible = new Set<number>();
  const order = [...(name < 0 ? [] : [name]), ...leasts.keys()];
  let remaining = width;
  for (const index of order) {
    if (visible.has(index)) continue;
    const needed = (leasts[index] ?? 0) + (visible.size === 0 ? 0 : gap.length);
    // A table has one column at least.
    if (needed > remaining && visible.size > 0) continue;
    visible.add(index);
    remaining -= needed;
  }
  return visible;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Widths between their least and what they would take, up to one common bound as wide as the room allows. */
function shared(leasts: readonly number[], desired: readonly number[], room: number): readonly number[] {
  const within = (bound: number): readonly number[] =>
    leasts.map((least, index) => Math.max(least, Math.min(desired[index] ?? 0, bound)));
  let [low, high] = [0, Math.max(0, room)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sum(within(middle)) <= room) low = middle;
    else high = middle - 1;
  }
  const widths = within(low);
  let spare = room - sum(widths);
  return widths.map((each, index) => {
    if (spare <= 0 || each >= (desired[index] ?? 0)) return each;
    spare -= 1;
    return each + 1;
  });
}

/**
 * The widths of a table in a terminal. The name has room first, then the other columns in their order: a column for whose
 * least there is no room is hidden. What is left goes to the name, then to the others alike. Titles, and cells that are of no
 * use when cut, are never cut; only a table of one column may be wider than the terminal.
 */
export function planTable(all: readonly Measured[], width: number): TablePlan {
  const name = all.findIndex(({ column }) => column.role === 'name');
  const key = all.findIndex(({ column }) => isKey(column));
  const words = all.findIndex(({ column }) => column.role === 'words');
  const leasts = all.map((each, index) => leastOf(each, index === name));
  const visible = [...chosen(leasts, name, width)].sort((one, other) => one - other);
  const at = (numbers: readonly number[]): readonly number[] => visible.map((index) => numbers[index] ?? 0);
  const natural = all.map(({ title, cell }, index) => Math.max(title, cell, leasts[index] ?? 0));
  const room = width - gap.length * (visible.length - 1);
  const isAll = sum(at(natural)) <= room;
  // The items of a list stand behind each other in all rows or not at all.
  const desired = natural.map((each, index) => (isAll || !isList(all[index]) ? each : (leasts[index] ?? 0)));
  const forName = Math.min(desired[name] ?? 0, room - sum(at(leasts)) + (leasts[name] ?? 0));
  const named = leasts.map((least, index) => (index === name ? Math.max(least, forName) : least));
  const widths = shared(at(named), at(desired), room);
  return {
    widths: all.map((_, index) => (visible.includes(index) ? widths[visible.indexOf(index)] : undefined)),
    isUseful:
      visible.length > Math.min(1, all.length - 1) &&
      [name, key, words].every((index) => index < 0 || visible.includes(index)),
  };
}

/** Says which columns a table does not show, and what shows them; undefined when it shows all. */
export function hiddenNote(visible: readonly Column[], hidden: readonly Column[]): string | undefined {
  if (hidden.length === 0) return undefined;
  const count = hidden.length === 1 ? '1 column' : `${hidden.length} columns`;
  // With a column that tells the rows apart, so that the words can be pasted.
  const mark = visible.find(isKey) ?? visible.find(({ role }) => role === 'name');
  const pasted = [...(mark === undefined ? [] : [mark]), ...hidden].map(asTyped);
  return `${count} hidden: --columns ${shellWord(pasted.join(','))}, or -o card`;
}

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
