import { StringDecoder } from 'node:string_decoder';
import { usage } from '../../core/errors/relctl-error.js';
import { inFile, usualRowLimits } from '../../core/text/separated/csv.js';
import { jsonArrayReader, jsonLinesReader, type JsonItem } from '../../core/text/json-items.js';
import type { InputBytes } from './bytes.js';
import { wrongRow, type Cell, isEmptyRow, mostColumns, type InputTable } from './input.js';
import { forMessage } from '../../core/text/text.js';

/** What is wrong with the text of a record, at an index of it. */
export class JsonMistake extends Error {
  readonly at: number;

  constructor(at: number, what: string) {
    super(what);
    this.at = at;
  }
}

const mostDepth = 16;

const blanks = /[ \t\r\n]*/y;
const numbers = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const plainText = /[^"\\\u0000-\u001f]*/y;
const halves = /\p{Surrogate}/u;
const words: Readonly<Record<string, Cell>> = { true: 'true', false: 'false', null: null };

const list = { text: '[…]', wrong: 'is a list, but needs one value' } as const;
const nothing = { text: '{}', wrong: 'is a record, but needs one value' } as const;

class RecordReader {
  readonly #text: string;
  #at = 0;
  readonly members = new Map<string, Cell>();

  constructor(text: string) {
    this.#text = text;
  }

  read(): void {
    this.#blanks();
    if (this.#text[this.#at] !== '{') throw this.#mistake('expected a record, { … }');
    this.#record('', 1);
    this.#blanks();
    if (this.#at < this.#text.length) throw this.#mistake('text after the record');
  }

  #mistake(what: string): JsonMistake {
    return new JsonMistake(this.#at, what);
  }

  #match(form: RegExp): string {
    form.lastIndex = this.#at;
    const [token = ''] = form.exec(this.#text) ?? [];
    this.#at += token.length;
    return token;
  }

  #blanks(): void {
    this.#match(blanks);
  }

  #take(character: string): boolean {
    this.#blanks();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#take(character)) throw this.#mistake(`'${character}' was expected`);
  }

  #items(close: string, item: () => void): number {
    this.#at += 1;
    if (this.#take(close)) return 0;
    let count = 0;
    do {
      this.#blanks();
      item();
      count += 1;
    } while (this.#take(','));
    this.#expect(close);
    return count;
  }

  #record(before: string, depth: number): void {
    if (depth > mostDepth) throw this.#mistake(`records are nested deeper than ${mostDepth}`);
    const count = this.#items('}', () => {
      const name = before + this.#string();
      this.#expect(':');
      this.#blanks();
      const at = this.#at;
      if (this.#text[at] === '{') this.#record(`${name}.`, depth + 1);
      else this.#store(name, this.#value(depth), at);
    });
    if (count === 0 && before !== '') this.#store(before.slice(0, -1), nothing, this.#at);
  }

  #store(name: string, cell: Cell, at: number): void {
    if (this.members.has(name)) throw new JsonMistake(at, `the member '${forMessage(name)}' occurs twice`);
    // Names take much more memory than their characters.
    if (this.members.size >= mostColumns) throw new JsonMistake(at, `there are more than ${mostColumns} members`);
    this.members.set(name, cell);
  }

  #value(depth: number): Cell {
    const first = this.#text[this.#at];
    if (first === '"') return this.#string();
    if (first === '[') return this.#list(depth + 1);
    const number = this.#match(numbers);
    if (number !== '') return number;
    const word = Object.keys(words).find((each) => this.#text.startsWith(each, this.#at));
    if (word === undefined) throw this.#mistake('expected a value');
    this.#at += word.length;
    return words[word];
  }

  #list(depth: number): Cell {
    if (depth > mostDepth) throw this.#mistake(`lists are nested deeper than ${mostDepth}`);
    this.#items(']', () => {
      if (this.#text[this.#at] !== '{') this.#value(depth);
      else {
        const inner = new RecordReader(this.#text);
        inner.#at = this.#at;
        inner.#record('', depth + 1);
        this.#at = inner.#at;
      }
    });
    return list;
  }

  #string(): string {
    const from = this.#at;
    if (this.#text[from] !== '"') throw this.#mistake('expected a text in quotation marks');
    this.#at += 1;
    for (;;) {
      this.#match(plainText);
      if (this.#text[this.#at] !== '\\') break;
      this.#at += 2;
    }
    if (this.#text[this.#at] !== '"')
      throw this.#mistake('a text is not closed, or has a line break or a control character');
    this.#at += 1;
    return this.#unescaped(from);
  }

  #unescaped(from: number): string {
    const raw = this.#text.slice(from, this.#at);
    if (!raw.includes('\\')) return raw.slice(1, -1);
    let text: string;
    try {
      text = JSON.parse(raw) as string;
    } catch {
      throw new JsonMistake(from, 'a backslash begins an escape that JSON does not have');
    }
    if (halves.test(text)) throw new JsonMistake(from, 'a \\u escape is half of a character');
    return text;
  }
}

/**
 * The members of a record in JSON, by their names; those of records within it by dotted names. A number is its text as it
 * stands, true and false are their words. Throws JsonMistake.
 */
export function readJsonRecord(text: string): ReadonlyMap<string, Cell> {
  const reader = new RecordReader(text);
  reader.read();
  return reader.members;
}

type Form = 'json' | 'ndjson';

async function* itemsOf(bytes: InputBytes, form: Form): AsyncGenerator<JsonItem> {
  const reader = form === 'json' ? jsonArrayReader() : jsonLinesReader();
  const decoder = new StringDecoder('utf8');
  let isFirst = true;
  try {
    for await (const piece of bytes.pieces()) {
      const text = decoder.write(piece);
      yield* reader.push(isFirst ? text.replace(/^\ufeff/, '') : text);
      isFirst = false;
    }
    yield* reader.end();
  } catch (thrown) {
    throw inFile(thrown, (line, what) => usage(`line ${line}`, `${bytes.name}, line ${line}: ${what}`));
  }
}

const linesBefore = (text: string, at: number): number => text.slice(0, at).split('\n').length - 1;

function rowOf(
  name: string,
  { line, text }: JsonItem,
): { readonly line: number; readonly members: ReadonlyMap<string, Cell> } {
  if (text.length > usualRowLimits.cellCharacters) throw wrongRow(name, line, 'a record that is too long');
  try {
    return { line, members: readJsonRecord(text) };
  } catch (thrown) {
    if (!(thrown instanceof JsonMistake)) throw thrown;
    throw wrongRow(name, line + linesBefore(text, thrown.at), thrown.message);
  }
}

async function columnsOf(bytes: InputBytes, form: Form): Promise<readonly string[]> {
  const columns = new Set<string>();
  for await (const item of itemsOf(bytes, form)) {
    const { line, members } = rowOf(bytes.name, item);
    for (const name of members.keys()) {
      if (name.trim() === '') throw wrongRow(bytes.name, line, 'a member has no name');
      columns.add(name);
    }
    if (columns.size > mostColumns) throw wrongRow(bytes.name, line, `there are more than ${mostColumns} members`);
  }
  return [...columns];
}

/** Opens JSON, a list of records, or NDJSON, a record a line. Throws `usage`. */
export async function openJson(bytes: InputBytes, form: Form): Promise<InputTable> {
  const columns = await columnsOf(bytes, form);
  return {
    columns,
    said: [],
    point: 'decimal',
    async *rows(onSkip) {
      for await (const item of itemsOf(bytes, form)) {
        const { line, members } = rowOf(bytes.name, item);
        const row = { line, cells: columns.map((name) => members.get(name)) };
        if (isEmptyRow(row)) onSkip();
        else yield row;
      }
    },
  };
}
