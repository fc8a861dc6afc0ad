import { cellText, valueAt, type PlainRecord } from '../cell.js';
import type { Column } from '../columns.js';
import { escapeForTerminal } from '../escape.js';
import { displayWidth, isPlain, pad, truncate } from '../width.js';
import { cardFormat } from './card.js';
import type { Format, FormatContext, Writer } from './format.js';
import { bold } from './looks.js';

/** Rows that are looked at to find the widths; later ones keep to them. */
const measured = 1000;
/** Rows that the library lays out at a time; it grows slow with more. */
const blockRows = 100;
const gap = '  ';
const least = 4;

type Cells = readonly string[];

const isKey = ({ type }: Column): boolean => type.kind === 'scalar' && type.name === 'guid';

function cellsOf(record: PlainRecord, columns: readonly Column[]): Cells {
  return columns.map(({ path }) => {
    const value = valueAt(record, path);
    return value === null ? '-' : escapeForTerminal(cellText(value));
  });
}

/** Widths that fit: keys keep theirs, the others give way, the widest first. Undefined when not even that is enough. */
export function fittedWidths(
  natural: readonly number[],
  columns: readonly Column[],
  width: number,
): readonly number[] | undefined {
  const widths = [...natural];
  const room = width - gap.length * (widths.length - 1);
  for (let excess = widths.reduce((sum, each) => sum + each, 0) - room; excess > 0;) {
    const flexible = widths.map((each, index) => {
      const column = columns[index];
      return column === undefined || isKey(column) || each <= least ? -1 : each;
    });
    const widest = Math.max(...flexible);
    if (widest < 0) return undefined;
    const runnerUp = Math.max(least, ...flexible.filter((each) => each < widest));
    const cut = Math.min(excess, Math.max(1, widest - runnerUp));
    widths[flexible.indexOf(widest)] = widest - cut;
    excess -= cut;
  }
  return widths;
}

/** Stands in for text whose width the library may see otherwise than a terminal does. */
const stand = '\ue000';

type Layout = (rows: readonly Cells[]) => string;

const noBorders = Object.fromEntries(
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid middle'
    .split(' ')
    .map((place) => [place, '']),
);

/** Lays rows of padded cells out with the library, and puts back what only stood in. */
async function libraryLayout(): Promise<Layout> {
  const { default: Table } = await import('cli-table3');
  return (rows) => {
    const table = new Table({
      chars: { ...noBorders, middle: gap },
      style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    });
    const replaced: string[] = [];
    for (const cells of rows) {
      table.push(
        cells.map((cell) => {
          if (isPlain(cell)) return cell;
          replaced.push(cell);
          return stand.repeat(displayWidth(cell));
        }),
      );
    }
    let next = 0;
    return table.toString().replace(/\ue000+/g, () => replaced[next++] ?? '');
  };
}

class TableWriter implements Writer {
  readonly #context: FormatContext;
  readonly #layout: Layout;
  #waiting: Cells[] = [];
  #records: PlainRecord[] = [];
  #widths: readonly number[] | undefined;
  #card: Writer | undefined;

  constructor(context: FormatContext, layout: Layout) {
    this.#context = context;
    this.#layout = layout;
  }

  begin(): string {
    return '';
  }

  records(batch: readonly PlainRecord[]): string {
    if (this.#card !== undefined) return this.#card.records(batch);
    const rows = batch.map((record) => cellsOf(record, this.#context.columns));
    if (this.#widths !== undefined) return this.#lines(rows);
    this.#waiting.push(...rows);
    this.#records.push(...batch);
    return this.#waiting.length < measured ? '' : this.#start();
  }

  end(): string {
    return this.#widths === undefined && this.#card === undefined && this.#waiting.length > 0 ? this.#start() : '';
  }

  #start(): string {
    const { columns, width, hasHeader } = this.#context;
    const natural = columns.map((column, index) => {
      const title = hasHeader ? displayWidth(column.title) : 0;
      return this.#waiting.reduce((most, cells) => Math.max(most, displayWidth(cells[index] ?? '')), title);
    });
    const widths = width === undefined ? natural : fittedWidths(natural, columns, width);
    const [waiting, records] = [this.#waiting, this.#records];
    [this.#waiting, this.#records] = [[], []];
    if (widths === undefined) return this.#asCards(records);
    this.#widths = widths;
    return this.#header(widths) + this.#lines(waiting);
  }

  /** A terminal too narrow for the keys alone gets cards: a key that is cut is of no use. */
  #asCards(records: readonly PlainRecord[]): string {
    const writer = cardFormat.open(this.#context) as Writer;
    this.#card = writer;
    return writer.begin() + writer.records(records);
  }

  #header(widths: readonly number[]): string {
    const { columns, hasHeader, hasColor } = this.#context;
    if (!hasHeader) return '';
    const titles = columns.map((column, index) => pad(truncate(column.title, widths[index] ?? 0), widths[index] ?? 0));
    return `${bold(titles.join(gap).trimEnd(), hasColor)}\n`;
  }

  #lines(rows: readonly Cells[]): string {
    const padded = rows.map((cells) => cells.map((cell, index) => this.#fit(cell, index)));
    // Beyond the first blocks the rows are joined as the library would: with fixed widths there is nothing left to lay out.
    const head = padded.slice(0, blockRows);
    const laid = head.length === 0 ? [] : this.#layout(head).split('\n');
    const rest = padded.slice(blockRows).map((cells) => cells.join(gap));
    return [...laid, ...rest].map((line) => `${line.trimEnd()}\n`).join('');
  }

  #fit(cell: string, index: number): string {
    const width = this.#widths?.[index] ?? 0;
    const column = this.#context.columns[index];
    const isWhole = this.#context.width === undefined || (column !== undefined && isKey(column));
    return pad(isWhole ? cell : truncate(cell, width), width);
  }
}

/** For people: columns side by side, fitted to the terminal; keys are never cut. Not a promise to scripts. */
export const table: Format = {
  async open(context) {
    return new TableWriter(context, await libraryLayout());
  },
};
