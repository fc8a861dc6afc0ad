import { scalarOf } from '../../contract/walk.js';
import { csvQuote } from '../../core/text/text.js';
import { protectText, mayReadAsValue, startsFormula } from '../../core/text/spreadsheet.js';
import { valueAt, type CellLayout, type CopiedTexts, hasValue, type RecordValue } from '../../core/values/value.js';
import { cellText, isNumeric, type Column } from '../columns.js';
import type { Format, FormatContext } from './format.js';

interface Dialect {
  readonly delimiter: string;
  readonly quote: (cell: string) => string;
  /** A line whose only cell is empty. */
  readonly blank: string;
  /** What `quote` does to a text. */
  readonly copied: CopiedTexts;
}

const unwrapped = { around: '', wrap: '', outside: [] } as const;

function quotedTexts(delimiter: string): CopiedTexts {
  const escapes = { '"': '""', '\r': '\r', '\n': '\n' };
  const code = delimiter.codePointAt(0) ?? 0;
  if (code >= 0x80) return { around: '', wrap: '"', escapes, outside: [[code, code]] };
  return { ...unwrapped, wrap: '"', escapes: { ...escapes, [delimiter]: delimiter } };
}

const csvDialect = (delimiter: string): Dialect => ({
  delimiter,
  quote: csvQuote(delimiter),
  // Readers skip a blank line.
  blank: '""',
  copied: quotedTexts(delimiter),
});

const tsvEscapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** No quotes: a tab, line break or backslash within a cell is written as `\t`, `\n`, `\r`, `\\`. */
const tsvDialect: Dialect = {
  delimiter: '\t',
  quote: (cell) => cell.replace(/[\\\t\n\r]/g, (character) => tsvEscapes[character] ?? character),
  // Two quotes would read back as two quotes.
  blank: '',
  copied: { ...unwrapped, escapes: tsvEscapes },
};

const mostDigits = 15;

const namesNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Types whose texts Excel takes for what they are, or leaves alone. */
const plainTypes: ReadonlySet<string | undefined> = new Set(['boolean', 'guid', 'dateTime']);

const isPlainType = ({ type }: Column): boolean => plainTypes.has(scalarOf(type));

const isExactNumber = (cell: string, column: Column): boolean =>
  isNumeric(column) && namesNumber.test(cell) && cell.replace(/^-?0*\.?0*|\./g, '').length <= mostDigits;

/** A cell that Excel reads back as it was: numbers of more digits than it keeps, and texts that it would read otherwise. */
function protectCell(cell: string, column: Column): string {
  if (isExactNumber(cell, column) || (isPlainType(column) && !startsFormula.test(cell))) return cell;
  return mayReadAsValue(cell) ? protectText(cell) : cell;
}

/** A title that Excel does not run as a formula: a query may name a column as it likes. */
const safeTitle = ({ title }: Column, { lines }: FormatContext): string =>
  lines?.hasKeptTexts === true && startsFormula.test(title) ? protectText(title) : title;

function withComma(cell: string, { type }: Column): string {
  return scalarOf(type) === 'decimal' ? cell.replace('.', ',') : cell;
}

function cellOf(record: RecordValue, column: Column, context: FormatContext): string {
  const { lines } = context;
  const value = valueAt(record, column.path);
  if (!hasValue(value)) return lines?.nullAs ?? '';
  const text = cellText(value);
  const safe = lines?.hasKeptTexts === true ? protectCell(text, column) : text;
  // What became a text keeps its point.
  return lines?.hasDecimalComma === true && !safe.startsWith('=') ? withComma(safe, column) : safe;
}

/** Lines of so many cells each. One join for all, because a line at a time leaves a chain of pieces to be put together. */
function joined(
  cells: string[],
  { width, delimiter, ending }: { readonly width: number; readonly delimiter: string; readonly ending: string },
): string {
  const { length } = cells;
  if (length === 0) return '';
  const pieces: string[] = [];
  for (let from = 0; from < length; from += width) {
    // The end of a line and the beginning of the next one have no delimiter between them.
    const first = from === 0 ? (cells[0] ?? '') : `${cells[from - 1] ?? ''}${ending}${cells[from] ?? ''}`;
    pieces.push(first);
    for (let at = from + 1; at < from + width - 1; at += 1) pieces.push(cells[at] ?? '');
  }
  pieces.push((cells[length - 1] ?? '') + ending);
  return pieces.join(delimiter);
}

function layoutOf(context: FormatContext, { delimiter, quote, blank }: Dialect): readonly CellLayout[] {
  const { columns, lines } = context;
  const isBlank = (cell: string): boolean => columns.length === 1 && cell === '';
  return columns.map((column, at) => {
    const [member = ''] = column.path;
    const isCopied = column.path.length === 1 && lines?.hasKeptTexts !== true && lines?.hasDecimalComma !== true;
    return {
      member,
      before: at === 0 ? '' : delimiter,
      of(value) {
        const cell = quote(cellOf(value === undefined ? {} : { [member]: value }, column, context));
        return isBlank(cell) ? blank : cell;
      },
      isCopied,
    };
  });
}

function separated(delimiter: 'any' | 'tab', dialectFor: (context: FormatContext) => Dialect): Format {
  return {
    audience: 'programs',
    layout: 'cells',
    isResumable: true,
    delimiter,
    open(context: FormatContext) {
      const { columns, hasHeader, lines = {} } = context;
      const dialect = dialectFor(context);
      const { delimiter, quote, blank } = dialect;
      const ending = lines.lineEnding === 'crlf' ? '\r\n' : '\n';
      const mark = lines.hasMark === true ? '\ufeff' : '';
      const text = (cells: string[], width: number): string => {
        if (width !== 1) return joined(cells, { width, delimiter, ending });
        return cells.map((cell) => (cell === '' ? blank : cell) + ending).join('');
      };
      return {
        begin: () =>
          mark +
          (hasHeader
            ? text(
                columns.map((column) => quote(safeTitle(column, context))),
                columns.length,
              )
            : ''),
        records(batch) {
          const cells: string[] = [];
          for (const record of batch) for (const column of columns) cells.push(quote(cellOf(record, column, context)));
          return text(cells, columns.length);
        },
        end: () => '',
        row: (record) => {
          let line = '';
          for (let at = 0; at < columns.length; at += 1) {
            const column = columns[at];
            if (column === undefined) continue;
            const cell = quote(cellOf(record, column, context));
            line = at === 0 ? cell : line + delimiter + cell;
          }
          return (columns.length === 1 && line === '' ? blank : line) + ending;
        },
        layout: () => ({ cells: layoutOf(context, dialect), copied: dialect.copied, end: ending }),
      };
    },
  };
}

/** Comma-separated values; exact, so that they read back as they were. */
export const csv = separated('any', ({ lines }) => csvDialect(lines?.delimiter ?? ','));

/** Tab-separated values. */
export const tsv = separated('tab', () => tsvDialect);
