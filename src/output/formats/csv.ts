import { cellText, valueAt } from '../cell.js';
import type { Format, FormatContext } from './format.js';

/** How a line of separated values is written. */
interface Dialect {
  readonly delimiter: string;
  readonly quote: (cell: string) => string;
}

const needsQuotes = /[",\r\n]/;

/** RFC 4180: quoted when it holds a comma, a quote or a line break; quotes doubled; otherwise to the character. */
const csvDialect: Dialect = {
  delimiter: ',',
  quote: (cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell),
};

const tsvEscapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** No quotes: a tab, line break or backslash within a cell is written as `\t`, `\n`, `\r`, `\\`. */
const tsvDialect: Dialect = {
  delimiter: '\t',
  quote: (cell) => cell.replace(/[\\\t\n\r]/g, (character) => tsvEscapes[character] ?? character),
};

function separated({ delimiter, quote }: Dialect): Format {
  return {
    open({ columns, hasHeader }: FormatContext) {
      // A line with one empty cell would be a blank line, which readers skip.
      const line = (cells: readonly string[]): string =>
        cells.length === 1 && cells[0] === '' ? '""\n' : `${cells.join(delimiter)}\n`;
      return {
        begin: () => (hasHeader ? line(columns.map((column) => quote(column.title))) : ''),
        records: (batch) =>
          batch.map((record) => line(columns.map(({ path }) => quote(cellText(valueAt(record, path)))))).join(''),
        end: () => '',
      };
    },
  };
}

/** Comma-separated values; exact, so that they read back as they were. */
export const csv = separated(csvDialect);

/** Tab-separated values. */
export const tsv = separated(tsvDialect);
