import { append, linesAfter } from '../append.js';
import { badLine, usualRowLimits, type CsvRow, type RowLimits, type RowReader } from './csv.js';

const characters: Readonly<Record<string, string>> = { '\\': '\\', t: '\t', n: '\n', r: '\r' };

function cellOf(text: string, line: number): string {
  let cell = '';
  let from = 0;
  // To replace millions of them by an expression takes a hundred bytes for each.
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', from)) {
    const letter = text.charAt(at + 1);
    const character = Object.hasOwn(characters, letter) ? characters[letter] : undefined;
    if (character === undefined)
      throw badLine(line, 'a backslash that stands for nothing; one of its own is written as two');
    cell = append(cell, text.slice(from, at) + character);
    from = at + 2;
  }
  return append(cell, text.slice(from));
}

type TsvLimits = Pick<RowLimits, 'cellCharacters' | 'cells'>;

function rowOfLine(text: string, line: number, limits: TsvLimits): CsvRow {
  const content = text.endsWith('\r') ? text.slice(0, -1) : text;
  if (content.includes('\r')) throw badLine(line, 'a carriage return without a line feed');
  const cells = content.split('\t', limits.cells + 1);
  if (cells.length > limits.cells) throw badLine(line, `more than ${limits.cells} cells`);
  return { line, cells: cells.map((cell) => cellOf(cell, line)) };
}

/** A reader of tab-separated values: no quotes; `\t`, `\n`, `\r` and `\\` stand for what they look like. */
export function tsvReader(limits: TsvLimits = usualRowLimits): RowReader {
  let rest = '';
  let line = 0;
  const whole = (text: string): CsvRow => {
    line += 1;
    return rowOfLine(text, line, limits);
  };
  return {
    push(text) {
      const lines = linesAfter(rest, text);
      rest = lines.pop() ?? '';
      const rows = lines.map(whole);
      if (rest.length > limits.cellCharacters) throw badLine(line + 1, 'a line that does not end');
      return rows;
    },
    end() {
      return rest === '' ? [] : [whole(rest)];
    },
  };
}
