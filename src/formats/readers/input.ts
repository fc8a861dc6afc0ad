import { type RelctlError, usage } from '../../core/errors/relctl-error.js';
import { forMessage } from '../../core/text/text.js';
import { isErrorWord, lengthBeforeCut, textAfterQuote, textOfFormula } from '../../core/text/spreadsheet.js';

/** A cell that is there and cannot be used as it stands, such as an error of a spreadsheet. */
export interface WrongCell {
  readonly text: string;
  /** What is wrong with it, as a clause, and what to do. */
  readonly wrong: string;
  /** The text is all that the file has of it: where it is as it was exported, nothing is wrong. */
  readonly isWhole?: boolean;
  /** The kind of members for which the text is right, and nothing is wrong. */
  readonly rightFor?: 'number' | 'time';
}

/** A number of a workbook: its point is a decimal point. */
export interface NumberCell {
  readonly text: string;
  readonly wrong?: undefined;
}

/**
 * A cell of a row: its text, to the letter; null, what the file says is nothing (a null of JSON); undefined, the row does
 * not have the column; a number with a point of a workbook; or what is wrong with it. An empty cell of a table is the empty
 * text.
 */
export type Cell = string | null | undefined | WrongCell | NumberCell;

const isMarked = (cell: Cell): cell is WrongCell | NumberCell => typeof cell === 'object' && cell !== null;

/** True for a cell that cannot be used. */
export const isWrongCell = (cell: Cell): cell is WrongCell => isMarked(cell) && cell.wrong !== undefined;

/** True for a number of a workbook that has a point. */
export const isNumberCell = (cell: Cell): cell is NumberCell => isMarked(cell) && cell.wrong === undefined;

/** The text of a cell as results show it. */
export const cellForMessage = (cell: Cell): string => (isMarked(cell) ? cell.text : (cell ?? ''));

/** A row of an input file. */
export interface InputRow {
  /** Line of the file that it begins on, or row of the sheet, from 1. */
  readonly line: number;
  /** A cell for each column, in their order. */
  readonly cells: readonly Cell[];
  /** What is wrong with the row as a whole, such as too few cells. */
  readonly wrong?: string;
}

/**
 * What a point within a number of a file is: a decimal point; one where this program wrote the file; or one that may part
 * thousands, because decimals may have a comma.
 */
export type PointMeaning = 'decimal' | 'decimal-as-exported' | 'doubtful';

interface Described {
  /** Titles of the columns, in their order; of JSON, the members of all rows in the order in which they come first. */
  readonly columns: readonly string[];
  /** What was detected of its form, in words: delimiter, byte order mark, sheet. */
  readonly said: readonly string[];
  readonly point: PointMeaning;
  /** How many sheets of a workbook are shown, where none was named. */
  readonly sheets?: number;
}

/** A file of rows, which can be read more than once. */
export interface InputFile extends Described {
  /** As messages name it: the path as it was given, `-` for stdin. */
  readonly name: string;
  /** SHA-256 of its bytes, in hex. */
  readonly sha256: string;
  /** Rows without any value that the last reading left out. */
  readonly skipped: number;
  /** Reads the rows from the first. Throws `usage` for what is no row, and `local` when the file was changed meanwhile. */
  rows(): Iterable<InputRow> | AsyncIterable<InputRow>;
  /** The cell of a row and a column as a spreadsheet names it, `Prices!C12`; undefined for other files. */
  cellName(line: number, column: string): string | undefined;
  close(): void;
}

/** A place in an input file as messages write it: `prices.csv:12:SalesPrice`. */
export const positionIn = (file: string, line: number, column?: string): string =>
  `${file}:${line}${column === undefined ? '' : `:${column}`}`;

/** The error for a place of an input file. */
export const wrongRow = (file: string, line: number, what: string): RelctlError =>
  usage(positionIn(file, line), `${positionIn(file, line)}: ${what}`);

/** The rows of a file, and what was found out of it. */
export interface InputTable extends Described {
  /** The rows behind the header; `onSkip` is called for each without any value, which is left out. */
  rows(onSkip: () => void): Iterable<InputRow> | AsyncIterable<InputRow>;
  /** The cell of a row and a column, as a spreadsheet names it. */
  cellName?(line: number, column: string): string;
}

/** Columns of a file. */
export const mostColumns = 10_000;

const longestTitle = 1000;

/** The titles of a header. Throws `usage` for one that is blank, too long, or there twice. */
export function titlesOf(name: string, { line, cells }: InputRow): readonly string[] {
  const seen = new Map<string, number>();
  return cells.map((cell, index) => {
    const title = isWrongCell(cell) ? '' : cellForMessage(cell).trim();
    const where = `column ${index + 1}`;
    if (title === '') throw wrongRow(name, line, `${where} has no title`);
    if (title.length > longestTitle) throw wrongRow(name, line, `the title of ${where} is too long`);
    if (title.includes('\r'))
      throw wrongRow(name, line, 'lines end with a carriage return alone: save it with LF or CRLF');
    const other = seen.get(title);
    if (other !== undefined)
      throw wrongRow(name, line, `columns ${other} and ${index + 1} have the same title: ${forMessage(title)}`).but({
        advice: 'Rename one of them in the file.',
      });
    seen.set(title, index + 1);
    return title;
  });
}

const isEmptyCell = (cell: Cell): boolean => cell === '' || cell === undefined;

/** True for a row without any value. */
export const isEmptyRow = ({ cells }: InputRow): boolean => cells.every(isEmptyCell);

const counted = (count: number): string => (count === 1 ? '1 cell' : `${count} cells`);

/** A row with as many cells as there are columns; another number of them is told. */
export function fitted(row: InputRow, width: number): InputRow {
  const { length } = row.cells;
  return length === width ? row : { ...row, wrong: `has ${counted(length)}, and the header has ${width}` };
}

const exactly = 'write the exact text in NDJSON';

/** The words for a text that may be another one, which a spreadsheet was kept from changing. */
const doubtful = (text: string, other: string): Cell => ({
  text,
  wrong: `may be ${forMessage(text)}, or ${forMessage(other)} guarded against a spreadsheet: write the value itself, or use NDJSON for such a text`,
  isWhole: true,
});

/**
 * The cell of a text that stands in a table or a workbook: without what this program wrote around it for a spreadsheet, or
 * what is wrong with it where nobody knows which text is meant.
 */
export function tableCell(text: string, kind: 'for-excel' | 'separated' | 'workbook'): Cell {
  const first = text[0];
  if (first === '=') {
    const formulaText = textOfFormula(text);
    if (formulaText !== undefined) return kind === 'for-excel' ? formulaText : doubtful(text, formulaText);
  }
  if (first === "'") {
    const rest = textAfterQuote(text);
    if (rest !== undefined) return doubtful(text, rest);
  }
  // In a workbook an error is a type of its own.
  if (kind !== 'workbook' && isErrorWord(text))
    return {
      text,
      wrong: `is the error ${text.trim()} of a spreadsheet: correct its formula, or ${exactly}`,
      isWhole: true,
    };
  const length = text.endsWith(')') ? lengthBeforeCut(text) : undefined;
  if (length === undefined) return text;
  return {
    text,
    wrong: `is the beginning of a text of ${length} characters, which does not fit into a cell: remove the column, or take it from CSV`,
    isWhole: true,
  };
}
