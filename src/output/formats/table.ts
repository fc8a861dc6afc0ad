import type { RecordValue } from '../../plain/value.js';
import { briefText } from '../brief.js';
import { valueAt } from '../cell.js';
import { isNumeric, type Column } from '../columns.js';
import { escapeForTerminal } from '../escape.js';
import { displayWidth, isPlain, pad, truncate } from '../width.js';
import { cardFormat } from './card.js';
import type { Format, FormatContext, Writer } from './format.js';
import { bold } from './style.js';

/** Rows that are looked at to find the widths; later ones keep to them. */
const measured = 1000;
/** Rows that the library lays out at a time; it grows slow with more. */
const blockRows = 100;
const gap = '  ';
/** Of fewer characters nobody can tell what was cut, nor read the header. */
const least = 8;

type Cells = readonly string[];

/** A key or a number that is cut is of no use, or taken for another. */
const isRigid = (column: Column): boolean =>
  isNumeric(column) || (column.type.kind === 'scalar' && column.type.name === 'guid');

function cellsOf(record: RecordValue, columns: readonly Column[]): Cells {
  return columns.map(({ path }) => {
    const value = valueAt(record, path);
    return value === null ? '-' : escapeForTerminal(briefText(value));
  });
}

const endsInId = /[\da-f]{4}-[\da-f]{12}$/i;

/** A title that fits; of one that ends in an id the end is kept, because ids often begin alike. */
function fittedTitle(title: string, width: number): string {
  const isCutId = endsInId.test(title) && title.length > width;
  return pad(isCutId ? `…${title.slice(title.length - width + 1)}` : truncate(title, width), width);
}

const sum = (widths: readonly number[]): number => widths.reduce((total, each) => total + each, 0);

/**
 * Widths that fit: keys and numbers keep theirs, the others are cut down to one common bound as wide as can be. Undefined
 * when not even the least bound is enough.
 */
export function fittedWidths(
  natural: readonly number[],
  columns: readonly Column[],
  width: number,
): readonly number[] | undefined {
  const room = width - gap.length * (natural.length - 1);
  const rigid = columns.map(isRigid);
  const within = (bound: number): number[] =>
    natural.map((each, index) => (rigid[index] === true ? each : Math.min(each, bound)));
  if (sum(within(least)) > room) return undefined;
  let [low, high] = [least, Math.max(least, room)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sum(within(middle)) <= room) low = middle;
    else high = middle - 1;
  }
  const widths = within(low);
  let spare = room - sum(widths);
  return widths.map((each, index) => {
    if (spare === 0 || each >= (natural[index] ?? 0)) return each;
    spare -= 1;
    return each + 1;
  });
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
  #records: RecordValue[] = [];
  #widths: readonly number[] | undefined;
  #card: Writer | undefined;

  constructor(context: FormatContext, layout: Layout) {
    this.#context = context;
    this.#layout = layout;
  }

  begin(): string {
    return '';
  }

  records(batch: readonly RecordValue[]): string {
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
      // At least one: the library must find something to put a mark without a width back for.
      const title = hasHeader ? displayWidth(column.title) : 1;
      return this.#waiting.reduce((most, cells) => Math.max(most, displayWidth(cells[index] ?? '')), title);
    });
    const widths = width === undefined ? natural : fittedWidths(natural, columns, width);
    const [waiting, records] = [this.#waiting, this.#records];
    [this.#waiting, this.#records] = [[], []];
    if (widths === undefined) return this.#asCards(records);
    this.#widths = widths;
    return this.#header(widths) + this.#lines(waiting);
  }

  /** A terminal too narrow for the keys alone gets cards, of the table's own columns. */
  #asCards(records: readonly RecordValue[]): string {
    const writer = cardFormat.open({ ...this.#context, isChosen: true }) as Writer;
    this.#card = writer;
    return writer.begin() + writer.records(records);
  }

  #header(widths: readonly number[]): string {
    const { columns, hasHeader, hasColor } = this.#context;
    if (!hasHeader) return '';
    const titles = columns.map((column, index) => fittedTitle(column.title, widths[index] ?? 0));
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
    const isWhole = this.#context.width === undefined || (column !== undefined && isRigid(column));
    return pad(isWhole ? cell : truncate(cell, width), width);
  }
}

/** For people: columns side by side, fitted to the terminal; keys and numbers are never cut. Not a promise to scripts. */
export const table: Format = {
  audience: 'people',
  layout: 'table',
  isResumable: false,
  async open(context) {
    return new TableWriter(context, await libraryLayout());
  },
};
