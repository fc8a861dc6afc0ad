import { RelctlError } from '../../errors/relctl-error.js';
import { append, linesAfter } from '../text.js';

/** A row of separated values. */
export interface CsvRow {
  /** Line of the file that the row begins on, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Takes a text in pieces of any size and gives the rows that are complete. */
export interface RowReader {
  /** Throws `usage` that names the line. */
  push(text: string): readonly CsvRow[];
  /** The rows that end with the text. Throws `usage` when the text ends within a cell. */
  end(): readonly CsvRow[];
}

/** Limits of a row: a text beyond them is no table. */
export interface RowLimits {
  readonly cellCharacters: number;
  readonly rowCharacters: number;
  readonly cells: number;
}

/** Limits that no export comes near: a value of an answer has at most half as many characters. */
export const usualRowLimits: RowLimits = {
  cellCharacters: 32 * 1024 * 1024,
  rowCharacters: 64 * 1024 * 1024,
  cells: 10_000,
};

/** The `usage` error for a line that cannot be read. Who knows the file says both in the message: `inFile`. */
export const badLine = (line: number, what: string): RelctlError =>
  new RelctlError('usage', what, { facts: { code: 'line', line } });

/** What a reader threw, with its line in the words of the caller if it is an error of `badLine`. */
export function inFile(thrown: unknown, wordsFor: (line: number, what: string) => RelctlError): unknown {
  if (!(thrown instanceof RelctlError) || thrown.facts.line === undefined) return thrown;
  const { line } = thrown.facts;
  return wordsFor(line, thrown.message).with({ line });
}

const noLineFeed = 'a carriage return without a line feed: save it with LF or CRLF';

type State = 'start' | 'plain' | 'quoted' | 'closed' | 'return';

/** Reads RFC 4180 to the letter; lines end with LF or CRLF, and the last need not. */
class CsvReader implements RowReader {
  readonly #delimiter: string;
  readonly #limits: RowLimits;
  /** Next place in a plain cell that is not plain. */
  readonly #stop: RegExp;
  #state: State = 'start';
  #cells: string[] = [];
  #cell = '';
  /** Characters of the row, without those of this cell. */
  #before = 0;
  #line = 1;
  /** Line on which the row, and the quoted cell, began. */
  #rowLine = 1;
  #quoteLine = 1;
  #rows: CsvRow[] = [];

  constructor(delimiter: string, limits: RowLimits) {
    this.#delimiter = delimiter;
    this.#limits = limits;
    this.#stop = new RegExp(`[${delimiter.replace(/[\\\]^-]/, '\\$&')}"\\r\\n]`, 'g');
  }

  push(text: string): readonly CsvRow[] {
    for (let at = 0; at < text.length;) at = this.#step(text, at);
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  end(): readonly CsvRow[] {
    if (this.#state === 'quoted')
      throw badLine(this.#quoteLine, 'the quotation mark that opens a cell here is not closed');
    if (this.#state === 'return') throw badLine(this.#line, noLineFeed);
    const hasStarted = this.#state !== 'start' || this.#cells.length > 0;
    if (hasStarted) this.#endRow();
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #step(text: string, at: number): number {
    switch (this.#state) {
      case 'start':
        return this.#start(text, at);
      case 'plain':
        return this.#plain(text, at);
      case 'quoted':
        return this.#quoted(text, at);
      case 'closed':
        return this.#closed(text, at);
      case 'return':
        if (text[at] !== '\n') throw badLine(this.#line, noLineFeed);
        this.#endLine();
        return at + 1;
    }
  }

  #start(text: string, at: number): number {
    if (text[at] !== '"') {
      this.#state = 'plain';
      return at;
    }
    this.#state = 'quoted';
    this.#quoteLine = this.#line;
    return at + 1;
  }

  #plain(text: string, at: number): number {
    this.#stop.lastIndex = at;
    const end = this.#stop.test(text) ? this.#stop.lastIndex - 1 : text.length;
    this.#add(text.slice(at, end));
    if (end === text.length) return end;
    if (text[end] === '"') throw badLine(this.#line, 'a quotation mark within a cell that does not begin with one');
    return this.#separate(text, end);
  }

  #quoted(text: string, at: number): number {
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    const piece = text.slice(at, end);
    for (let feed = piece.indexOf('\n'); feed !== -1; feed = piece.indexOf('\n', feed + 1)) this.#line += 1;
    this.#add(piece);
    if (quote !== -1) this.#state = 'closed';
    return end + 1;
  }

  #closed(text: string, at: number): number {
    if (text[at] === '"') {
      this.#add('"');
      this.#state = 'quoted';
      return at + 1;
    }
    return this.#separate(text, at);
  }

  #separate(text: string, at: number): number {
    const character = text[at];
    if (character === this.#delimiter) {
      this.#endCell();
      // The next cell is there, even if nothing follows.
      this.#state = 'start';
    } else if (character === '\n') this.#endLine();
    else if (character === '\r') this.#state = 'return';
    else throw badLine(this.#line, 'text after the quotation mark that closes a cell');
    return at + 1;
  }

  #add(text: string): void {
    if (this.#cell.length + text.length > this.#limits.cellCharacters) {
      throw badLine(this.#rowLine, `a cell of more than ${this.#limits.cellCharacters} characters`);
    }
    if (this.#before + this.#cell.length + text.length > this.#limits.rowCharacters) {
      throw badLine(this.#rowLine, `a row of more than ${this.#limits.rowCharacters} characters`);
    }
    this.#cell = append(this.#cell, text);
  }

  #endCell(): void {
    if (this.#cells.length === this.#limits.cells)
      throw badLine(this.#rowLine, `more than ${this.#limits.cells} cells`);
    this.#cells.push(this.#cell);
    this.#before += this.#cell.length;
    this.#cell = '';
  }

  #endRow(): void {
    this.#endCell();
    this.#rows.push({ line: this.#rowLine, cells: this.#cells });
    this.#cells = [];
    this.#before = 0;
    this.#state = 'start';
  }

  #endLine(): void {
    this.#endRow();
    this.#line += 1;
    this.#rowLine = this.#line;
  }
}

/** A reader of comma-separated values, or of values with another character between them. */
export function csvReader(delimiter = ',', limits = usualRowLimits): RowReader {
  return new CsvReader(delimiter, limits);
}

const characters: Readonly<Record<string, string>> = { '\\': '\\', t: '\t', n: '\n', r: '\r' };

function cellOf(text: string, line: number): string {
  let cell = '';
  let from = 0;
  // To replace millions of them by an expression takes a hundred bytes for each.
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', from)) {
    const letter = text.charAt(at + 1);
    const character = Object.hasOwn(characters, letter) ? characters[letter] : undefined;
    if (character === undefined) throw badLine(line, 'an unknown escape; write a backslash as two');
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
