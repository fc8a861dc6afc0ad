import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { CsvError, parse, type Parser } from 'csv-parse';
import { RelctlError } from '../errors/relctl-error.js';
import { usage } from '../errors/usage.js';
import { usualRowLimits } from '../lexical/separated/csv.js';
import { tsvReader } from '../lexical/separated/tsv.js';
import type { InputBytes } from './bytes.js';
import { delimiterOf, delimiters, type DelimiterName } from './delimiter.js';
import { wrongRow, type InputRow } from './input.js';
import { fitted, isEmptyRow, mostColumns, titlesOf, type InputTable } from './table.js';

/** Characters of a row: a text beyond them is no table. */
const { cellCharacters: mostInRow } = usualRowLimits;

/** Delimiters of a row, in its texts too. */
const mostDelimiters = 4 * 1024 * 1024;

type Rows = () => AsyncGenerator<InputRow>;

const mark = [0xef, 0xbb, 0xbf] as const;

const hasMark = ({ head }: InputBytes): boolean => mark.every((byte, at) => head[at] === byte);

const meanings: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark that begins a cell of this row is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'text stands behind the quotation mark that ends a cell',
  INVALID_OPENING_QUOTE: 'a quotation mark stands within a cell that does not begin with one: "" within quotes is one',
  CSV_MAX_RECORD_SIZE: `has more than ${mostInRow} characters: a quotation mark may be missing`,
};

const lineFeedsIn = (cells: readonly string[]): number => {
  let count = 0;
  for (const cell of cells) for (let at = cell.indexOf('\n'); at !== -1; at = cell.indexOf('\n', at + 1)) count += 1;
  return count;
};

const occurrencesIn = (piece: Uint8Array, code: number): number => {
  let count = 0;
  for (const byte of piece) if (byte === code) count += 1;
  return count;
};

/**
 * The pieces of a text in which no row has too many delimiters: millions of cells take much more memory than their characters.
 * Only a row that does not end within a piece is looked at, by the line that is read: what is read ahead is much less than is
 * allowed. Throws `usage`.
 */
async function* boundedPieces(bytes: InputBytes, delimiter: string, lineRead: () => number): AsyncGenerator<Buffer> {
  let [line, count] = [0, 0];
  for await (const piece of bytes.pieces()) {
    if (lineRead() === line) count += occurrencesIn(piece, delimiter.charCodeAt(0));
    else [line, count] = [lineRead(), 0];
    if (count > mostDelimiters) {
      const what = `has more than ${mostDelimiters} delimiters without an end: a quotation mark or a line break may be missing`;
      throw wrongRow(bytes.name, line, what);
    }
    yield piece;
  }
}

/**
 * Lets the next row have any number of cells. The parser compares it with the first row that it has counted, and makes an error
 * object, in 24 us, for each that differs, such as a blank line, even where it is told not to mind.
 */
function expectAnyLength({ info }: Parser): void {
  Object.assign(info, { records: 0 });
}

/** The rows of CSV, to the letter of RFC 4180, the header too; lines end with LF or CRLF. Throws `usage`. */
async function* csvRows(bytes: InputBytes, delimiter: string): AsyncGenerator<InputRow> {
  // Counted here: for the parser a CRLF within quotes is two lines, and rows before a mistake are lost with it.
  let line = 1;
  const source = Readable.from(boundedPieces(bytes, delimiter, () => line));
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    max_record_size: mostInRow,
    on_record: (cells: string[]) => {
      expectAnyLength(parser);
      const row: InputRow = { line, cells };
      line += 1 + lineFeedsIn(cells);
      // The types want a record of the same kind.
      return row as never;
    },
  });
  source.on('error', (error) => parser.destroy(error)).pipe(parser);
  try {
    yield* parser as AsyncIterable<InputRow>;
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown;
    throw wrongRow(bytes.name, line, meanings[thrown.code] ?? thrown.message);
  } finally {
    source.destroy();
  }
}

/** The rows of TSV as this program writes it, the header too: no quotes, backslashes escape. Throws `usage`. */
async function* tsvRows(bytes: InputBytes): AsyncGenerator<InputRow> {
  const reader = tsvReader();
  const decoder = new StringDecoder('utf8');
  try {
    for await (const piece of bytes.pieces(hasMark(bytes) ? mark.length : 0)) yield* reader.push(decoder.write(piece));
    yield* reader.end();
  } catch (thrown) {
    if (!(thrown instanceof RelctlError) || thrown.facts.code !== 'line') throw thrown;
    throw usage(thrown.facts.path, `${bytes.name}, ${thrown.message}`, {
      advice: 'Tabs of a spreadsheet are read by --input-format csv --delimiter tab.',
    });
  }
}

async function tableOf(bytes: InputBytes, rows: Rows): Promise<Pick<InputTable, 'columns' | 'rows'>> {
  const first = await rows().next();
  if (first.done === true) throw wrongRow(bytes.name, 1, 'there is no header');
  if (first.value.cells.length > mostColumns) throw wrongRow(bytes.name, 1, `has more than ${mostColumns} columns`);
  const [begin] = first.value.cells;
  if (typeof begin === 'string' && /^sep=/i.test(begin))
    throw wrongRow(bytes.name, 1, 'is no header: remove the line, and give --delimiter');
  const columns = titlesOf(bytes.name, first.value);
  return {
    columns,
    async *rows(onSkip) {
      let isHeader = true;
      for await (const row of rows()) {
        if (isHeader) isHeader = false;
        else if (isEmptyRow(row)) onSkip();
        else yield fitted(row, columns.length);
      }
    },
  };
}

/** Throws `usage` for tabs that this program or a spreadsheet may have written, where these differ. */
function checkTabs({ name, text }: InputBytes, isOurs: boolean): void {
  const isDoubtful = text.hasQuote || (text.hasBackslash && !isOurs);
  if (!isDoubtful) return;
  throw usage(
    '--input-format',
    `${name} has tabs between its cells, and ${text.hasQuote ? 'quotation marks' : 'backslashes'} in them`,
    {
      advice:
        'Say who wrote it: --input-format tsv for relctl (quotation marks are text, \\t, \\n, \\r and \\\\ stand for ' +
        'characters), --input-format csv --delimiter tab for a spreadsheet.',
    },
  );
}

/** How separated values are read; what is undefined is found in the file. */
export interface SeparatedRequest {
  /** The form by the name of the file or by --input-format. */
  readonly form: 'csv' | 'tsv';
  /** True when --input-format says so. */
  readonly isAsked: boolean;
  readonly delimiter: DelimiterName | undefined;
}

const markSaid = (bytes: InputBytes): readonly string[] => (hasMark(bytes) ? ['it begins with a byte order mark'] : []);

async function openTsv(bytes: InputBytes, isAsked: boolean): Promise<InputTable> {
  if (!isAsked) checkTabs(bytes, true);
  const escapes = isAsked || !bytes.text.hasBackslash ? [] : ['\\t, \\n, \\r and \\\\ in it stand for characters'];
  const table = await tableOf(bytes, () => tsvRows(bytes));
  return { ...table, said: [...escapes, ...markSaid(bytes)], mayHaveCommas: false };
}

/** Opens a file of separated values. Throws `usage`. */
export async function openSeparated(
  bytes: InputBytes,
  { form, isAsked, delimiter }: SeparatedRequest,
): Promise<InputTable> {
  if (form === 'tsv' && delimiter === undefined) return openTsv(bytes, isAsked);
  const found = delimiter ?? delimiterOf(bytes);
  if (delimiter === undefined && found === 'tab') checkTabs(bytes, false);
  const cells = delimiter === undefined && found !== 'comma' ? [`a ${found} separates its cells`] : [];
  const table = await tableOf(bytes, () => csvRows(bytes, delimiters[found]));
  return { ...table, said: [...cells, ...markSaid(bytes)], mayHaveCommas: found !== 'comma' };
}
