import { valueAt, type RecordValue } from '../../core/values/value.js';
import { isNumeric, type Column, briefParts, joinedParts, displayText } from '../columns.js';
import { escapeForTerminal } from '../escape.js';
import {
  hiddenNote,
  mayBreak,
  planTable,
  type Measured,
  atPoint,
  type Layout,
  libraryLayout,
  type Line,
  pointWidths,
  type TableColumn,
} from '../layout/table-layout.js';
import { displayWidth, wrapped } from '../layout/width.js';
import { cardFormat } from './card.js';
import type { Format, FormatContext, Writer } from './format.js';
import { bold } from '../streams.js';

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

function measure(column: Column, rows: readonly Cells[], index: number): Measured & Pick<TableColumn, 'point'> {
  const cells = rows.map((row) => row[index] ?? []);
  const title = displayWidth(escapeForTerminal(column.title));
  const texts = cells.map(joinedParts);
  const point = isNumeric(column) ? pointWidths(texts) : undefined;
  const cell = point === undefined ? widest(texts) : point.before + point.behind;
  return { column, title, cell, part: cells.reduce((most, cell) => Math.max(most, widest(cell)), 0), point };
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
