import { forMessage } from '../lexical/text.js';
import { wrongRow, type Cell, type InputRow } from './input.js';

/** The rows of a file, and what was found out of it. */
export interface InputTable {
  readonly columns: readonly string[];
  readonly said: readonly string[];
  readonly mayHaveCommas: boolean;
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
    const title = typeof cell === 'string' ? cell.trim() : '';
    const where = `column ${index + 1}`;
    if (title === '') throw wrongRow(name, line, `${where} has no title`);
    if (title.length > longestTitle) throw wrongRow(name, line, `the title of ${where} is too long to be one`);
    if (title.includes('\r'))
      throw wrongRow(name, line, 'lines end with a carriage return alone: save it with LF or CRLF');
    const other = seen.get(title);
    if (other !== undefined)
      throw wrongRow(name, line, `columns ${other} and ${index + 1} have the same title: ${forMessage(title)}`).but({
        advice: 'Give one of them another title, in the file.',
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
