import { valueAt, type RecordValue } from '../../core/values/value.js';
import { shellWord } from '../../core/text/text.js';
import { asTyped, isNumeric, type Column, briefParts, joinedParts, displayText } from '../columns.js';
import { escapeForTerminal } from '../escape.js';
import { gap, isKey, isWhole, mayBreak, planTable, type Measured } from '../layout/table-plan.js';
import { displayWidth, isCountedAlike, pad, padLeft, truncate, wrapped } from '../layout/width.js';
import { cardFormat } from './card.js';
import type { Format, FormatContext, Writer } from './format.js';
import { bold } from '../streams.js';

/** What the numbers of a column take before their decimal point, and from it on. */
interface PointWidths {
  readonly before: number;
  readonly behind: number;
}

const pointOf = (text: string): number => (/^[+-]?\d*\.\d+$/.test(text) ? text.indexOf('.') : text.length);

function pointWidths(texts: Iterable<string>): PointWidths {
  let [before, after] = [0, 0];
  for (const text of texts) {
    const point = pointOf(text);
    before = Math.max(before, displayWidth(text.slice(0, point)));
    after = Math.max(after, text.length - point);
  }
  return { before, behind: after };
}

/** A number with blanks around it, so that its decimal point stands where those of the others do. */
function atPoint(text: string, { before, behind: after }: PointWidths): string {
  const point = pointOf(text);
  const blanks = Math.max(0, before - displayWidth(text.slice(0, point)));
  return `${' '.repeat(blanks)}${text}${' '.repeat(Math.max(0, after - (text.length - point)))}`;
}

/** Rows that are looked at to find the widths, or as many as have so many characters; later ones keep to them. */
const measured = 1000;
const measuredCharacters = 4 * 1024 * 1024;
/** Widest column where there is no terminal: each row is filled up to it. A longer cell makes its own row wider. */
const mostWidth = 1000;
/** The parts of a cell: those of a list are its items. */
type Cell = readonly string[];
type Cells = readonly Cell[];

const cellsOf = (record: RecordValue, columns: readonly Column[]): Cells =>
  columns.map(({ path }) => {
    const value = valueAt(record, path);
    return value === null ? ['-'] : briefParts(value).map((part) => escapeForTerminal(displayText(part)));
  });

const charactersIn = (rows: readonly Cells[]): number =>
  rows.reduce((sum, cells) => cells.reduce((all, cell) => cell.reduce((own, part) => own + part.length, all), sum), 0);

const widest = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0);

interface TableColumn {
  readonly column: Column;
  readonly index: number;
  readonly title: string;
  readonly width: number;
  readonly point: PointWidths | undefined;
}

function measure(column: Column, rows: readonly Cells[], index: number): Measured & Pick<TableColumn, 'point'> {
  const cells = rows.map((row) => row[index] ?? []);
  const title = displayWidth(escapeForTerminal(column.title));
  const texts = cells.map(joinedParts);
  const point = isNumeric(column) ? pointWidths(texts) : undefined;
  const cell = point === undefined ? widest(texts) : point.before + point.behind;
  return { column, title, cell, part: cells.reduce((most, cell) => Math.max(most, widest(cell)), 0), point };
}

function hiddenNote(visible: readonly Column[], hidden: readonly Column[]): string | undefined {
  if (hidden.length === 0) return undefined;
  const count = hidden.length === 1 ? '1 column' : `${hidden.length} columns`;
  // With a column that tells the rows apart, so that the words can be pasted.
  const mark = visible.find(isKey) ?? visible.find(({ role }) => role === 'name');
  const pasted = [...(mark === undefined ? [] : [mark]), ...hidden].map(asTyped);
  return `${count} hidden: --columns ${shellWord(pasted.join(','))}, or -o card`;
}

type Line = readonly string[];

type Layout = (lines: readonly Line[], columns: readonly TableColumn[]) => string;

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
async function libraryLayout(isFitted: boolean): Promise<Layout> {
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

class TableWriter implements Writer {
  readonly #context: FormatContext;
  readonly #layout: Layout;
  #waiting: Cells[] = [];
  #characters = 0;
  #records: RecordValue[] = [];
  #shown: readonly TableColumn[] | undefined;
  #card: Writer | undefined;

  constructor(context: FormatContext, layout: Layout) {
    this.#context = context;
    this.#layout = layout;
  }

  get #width(): number | undefined {
    return this.#context.display?.width;
  }

  begin(): string {
    return '';
  }

  records(batch: readonly RecordValue[]): string {
    if (this.#card !== undefined) return this.#card.records(batch);
    const rows = batch.map((record) => cellsOf(record, this.#context.columns));
    if (this.#shown !== undefined) return this.#rows(rows, this.#shown);
    this.#waiting = this.#waiting.concat(rows);
    // Only a terminal may get cards.
    if (this.#width !== undefined) this.#records = this.#records.concat(batch);
    this.#characters += charactersIn(rows);
    const isEnough = this.#waiting.length >= measured || this.#characters >= measuredCharacters;
    return isEnough ? this.#start() : '';
  }

  end(): string {
    return this.#shown === undefined && this.#card === undefined && this.#waiting.length > 0 ? this.#start() : '';
  }

  note(): string | undefined {
    const indexes = this.#shown?.map(({ index }) => index);
    if (indexes === undefined) return undefined;
    const { columns } = this.#context;
    const isVisible = (_: Column, index: number): boolean => indexes.includes(index);
    return hiddenNote(
      columns.filter(isVisible),
      columns.filter((column, index) => !isVisible(column, index)),
    );
  }

  #start(): string {
    const { columns, hasHeader, display } = this.#context;
    const width = this.#width;
    const [waiting, records] = [this.#waiting, this.#records];
    [this.#waiting, this.#records] = [[], []];
    const candidates = columns.map((column, index) => {
      const each = measure(column, waiting, index);
      // At least one: the library must find something to put a mark without a width back for.
      return hasHeader ? each : { ...each, title: 1 };
    });
    const natural = candidates.map(({ title, cell }) => Math.max(title, Math.min(cell, mostWidth)));
    const plan = width === undefined ? { widths: natural, isUseful: true } : planTable(candidates, width);
    if (!plan.isUseful && display?.isAsked !== true) return this.#asCards(records);
    const tableColumns = candidates.flatMap(({ column, point }, index): TableColumn[] => {
      const room = plan.widths[index];
      return room === undefined ? [] : [{ column, index, title: escapeForTerminal(column.title), width: room, point }];
    });
    this.#shown = tableColumns;
    return this.#header(tableColumns) + this.#rows(waiting, tableColumns);
  }

  /** A terminal in which no row could be told from another gets cards, of the table's own columns. */
  #asCards(records: readonly RecordValue[]): string {
    const writer = cardFormat.open({ ...this.#context, isChosen: true }) as Writer;
    this.#card = writer;
    return writer.begin() + writer.records(records);
  }

  #header(visible: readonly TableColumn[]): string {
    const { hasHeader, display } = this.#context;
    if (!hasHeader) return '';
    const titles = visible.map(({ title }) => title);
    return `${bold(this.#layout([titles], visible).trimEnd(), display?.hasColor)}\n`;
  }

  #rows(rows: readonly Cells[], visible: readonly TableColumn[]): string {
    return this.#layout(
      rows.flatMap((row) => this.#linesOf(row, visible)),
      visible,
    );
  }

  #linesOf(row: Cells, visible: readonly TableColumn[]): readonly Line[] {
    const columns = visible.map((each) => this.#cellLines(row[each.index] ?? [], each));
    const count = Math.max(1, ...columns.map((lines) => lines.length));
    return Array.from({ length: count }, (_, at) => columns.map((lines) => lines[at] ?? ''));
  }

  #cellLines(cell: Cell, { column, width, point }: TableColumn): readonly string[] {
    const text = joinedParts(cell);
    // The library knows no decimal points.
    if (point !== undefined) return [atPoint(text, point)];
    const isBroken = this.#width !== undefined && mayBreak(column) && displayWidth(text) > width;
    if (!isBroken) return [text];
    // The library cuts words that are wider than a line, and measures the whole text again for each line of it.
    return column.role === 'words' ? [...wrapped(text, width)] : cell;
  }
}

/** For people: columns side by side, as many as fit the terminal. Titles, keys, dates and numbers are never cut. Not a promise to scripts. */
export const table: Format = {
  audience: 'people',
  layout: 'table',
  isResumable: false,
  async open(context) {
    return new TableWriter(context, await libraryLayout(context.display?.width !== undefined));
  },
};
