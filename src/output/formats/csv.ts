import { cellText, valueAt } from '../cell.js';
import type { Column } from '../columns.js';
import type { Format, FormatContext } from './format.js';

/** How a line of separated values is written. */
interface Dialect {
  readonly delimiter: string;
  readonly quote: (cell: string) => string;
  /** A line whose only cell is empty. */
  readonly blank: string;
}

const needsQuotes = /[",\r\n]/;

/** RFC 4180: quoted when it holds a comma, a quote or a line break; quotes doubled; otherwise to the character. */
const csvDialect: Dialect = {
  delimiter: ',',
  quote: (cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell),
  // Readers skip a blank line.
  blank: '""',
};

const tsvEscapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** No quotes: a tab, line break or backslash within a cell is written as `\t`, `\n`, `\r`, `\\`. */
const tsvDialect: Dialect = {
  delimiter: '\t',
  quote: (cell) => cell.replace(/[\\\t\n\r]/g, (character) => tsvEscapes[character] ?? character),
  // Two quotes would read back as two quotes.
  blank: '',
};

// Spreadsheets take the full-width forms for the plain ones.
const startsFormula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const isNumber = /^[+-]?\d+(?:\.\d+)?$/;
const numericTypes: ReadonlySet<string> = new Set(['int', 'short', 'long', 'decimal']);

/** A cell that no spreadsheet runs as a formula. A number in a column of numbers stays: -5 is no formula. */
function guarded(cell: string, { type }: Column): string {
  if (!startsFormula.test(cell)) return cell;
  const isNumeric = type.kind === 'scalar' && numericTypes.has(type.name) && isNumber.test(cell);
  return isNumeric ? cell : `'${cell}`;
}

function separated({ delimiter, quote, blank }: Dialect): Format {
  return {
    open({ columns, hasHeader, hasFormulaGuard }: FormatContext) {
      const line = (cells: readonly string[]): string =>
        cells.length === 1 && cells[0] === '' ? `${blank}\n` : `${cells.join(delimiter)}\n`;
      const shown = (cell: string, column: Column): string =>
        quote(hasFormulaGuard === true ? guarded(cell, column) : cell);
      return {
        begin: () => (hasHeader ? line(columns.map((column) => quote(column.title))) : ''),
        records: (batch) =>
          batch
            .map((record) => line(columns.map((column) => shown(cellText(valueAt(record, column.path)), column))))
            .join(''),
        end: () => '',
      };
    },
  };
}

/** Comma-separated values; exact, so that they read back as they were. */
export const csv = separated(csvDialect);

/** Tab-separated values. */
export const tsv = separated(tsvDialect);
