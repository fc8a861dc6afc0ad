import { linesAfter } from './text.js';
import { badLine, usualRowLimits } from './separated/csv.js';

/** The text of one JSON value among many. */
export interface JsonItem {
  /** Line of the file that it begins on, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Takes text piece by piece and gives the items that are whole. */
export interface ItemReader {
  /** Throws `usage` that names the line. */
  push(text: string): readonly JsonItem[];
  end(): readonly JsonItem[];
}

const isBlank = (character: string): boolean =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t';

/** Everything that decides where an item of an array ends; what an item holds is for JSON.parse to judge. */
class ArrayReader implements ItemReader {
  readonly #maxCharacters: number;
  #place: 'before' | 'within' | 'behind' = 'before';
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  #line = 1;
  #itemLine = 1;
  #item = '';
  #items: JsonItem[] = [];
  #hasBegun = false;
  #hasComma = false;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  push(text: string): readonly JsonItem[] {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const character = text[at] ?? '';
      if (character === '\n') this.#line += 1;
      if (this.#inText) this.#textCharacter(character);
      else if (this.#isEdge(character)) {
        if (this.#place === 'within') this.#add(text.slice(from, at));
        this.#edge(character);
        from = at + 1;
      } else this.#plain(character);
    }
    if (this.#place === 'within') this.#add(text.slice(from));
    return this.#takeItems();
  }

  end(): readonly JsonItem[] {
    if (this.#place === 'behind') return [];
    throw badLine(this.#line, this.#place === 'before' ? 'a JSON array should begin' : 'the JSON array does not end');
  }

  #takeItems(): readonly JsonItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #textCharacter(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '\\') this.#isEscaped = true;
    else if (character === '"') this.#inText = false;
  }

  #isEdge(character: string): boolean {
    if (this.#place !== 'within') return true;
    return this.#depth === 0 && (character === ',' || character === ']');
  }

  #edge(character: string): void {
    if (isBlank(character)) return;
    if (this.#place === 'before' && character === '[') {
      this.#place = 'within';
      return;
    }
    if (this.#place !== 'within') {
      throw badLine(this.#line, this.#place === 'before' ? 'a JSON array should begin' : 'text after the JSON array');
    }
    this.#endItem(character === ',');
    if (character === ']') this.#place = 'behind';
  }

  #plain(character: string): void {
    if (!this.#hasBegun && !isBlank(character)) {
      this.#hasBegun = true;
      this.#itemLine = this.#line;
    }
    if (character === '"') this.#inText = true;
    else if (character === '{' || character === '[') this.#depth += 1;
    else if (character === '}' || character === ']') this.#depth -= 1;
  }

  #add(text: string): void {
    this.#item += text;
    if (this.#item.length > this.#maxCharacters) throw badLine(this.#itemLine, 'a record that is too long');
  }

  #endItem(hasComma: boolean): void {
    const text = this.#item.trim();
    if (text === '' && (hasComma || this.#hasComma)) throw badLine(this.#line, 'a record is missing at this comma');
    if (text !== '') this.#items.push({ line: this.#itemLine, text });
    this.#item = '';
    this.#hasBegun = false;
    this.#hasComma = hasComma;
  }
}

/** A reader of the items of one JSON array. */
export function jsonArrayReader(maxCharacters = usualRowLimits.cellCharacters): ItemReader {
  return new ArrayReader(maxCharacters);
}

/** A reader of JSON values, one a line; blank lines are none. */
export function jsonLinesReader(maxCharacters = usualRowLimits.cellCharacters): ItemReader {
  let rest = '';
  let line = 0;
  const items = (lines: readonly string[]): readonly JsonItem[] =>
    lines.flatMap((text) => {
      line += 1;
      return text.trim() === '' ? [] : [{ line, text }];
    });
  return {
    push(text) {
      const lines = linesAfter(rest, text);
      rest = lines.pop() ?? '';
      const whole = items(lines);
      if (rest.length > maxCharacters) throw badLine(line + 1, 'a line that does not end');
      return whole;
    },
    end: () => items([rest]),
  };
}
