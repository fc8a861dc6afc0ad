import { type RelctlError, usage } from '../../core/errors/relctl-error.js';
import { IdSet } from '../../client/ids/id-set.js';
import { badLine, csvReader, type CsvRow, inFile } from '../../core/text/separated/csv.js';
import { forMessage } from '../../core/text/text.js';
import { guidComplaint, pastedGuid } from '../../core/text/scalars.js';
import { isWrongCell, cellForMessage } from '../../formats/readers/input.js';
import { JsonMistake, readJsonRecord } from '../../formats/readers/json-reader.js';
import { jsonArrayReader, jsonLinesReader, type ItemReader, type JsonItem } from '../../core/text/json-items.js';

/** An id to ask for, and where it was. */
export interface ListedId {
  readonly id: string;
  readonly line: number;
}

const idBytes = 36;

/** Ids that are allocated together, so that a list that grows is never copied. */
const blockIds = 16_384;

interface Block {
  readonly texts: Buffer;
  readonly lines: Uint32Array;
}

/** Ids in order, 40 bytes an id. */
export class IdList implements Iterable<ListedId> {
  readonly #blocks: Block[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): ListedId | undefined {
    return this.#size === 0 ? undefined : this.#at(0);
  }

  add({ id, line }: ListedId): void {
    const offset = this.#size % blockIds;
    if (offset === 0) {
      this.#blocks.push({ texts: Buffer.alloc(blockIds * idBytes), lines: new Uint32Array(blockIds) });
    }
    const block = this.#blockOf(this.#size);
    block.texts.write(id, offset * idBytes, 'latin1');
    block.lines[offset] = line;
    this.#size += 1;
  }

  *[Symbol.iterator](): Generator<ListedId, void> {
    for (let index = 0; index < this.#size; index += 1) yield this.#at(index);
  }

  #at(index: number): ListedId {
    const { texts, lines } = this.#blockOf(index);
    const offset = index % blockIds;
    return { id: texts.toString('latin1', offset * idBytes, (offset + 1) * idBytes), line: lines[offset] ?? 0 };
  }

  #blockOf(index: number): Block {
    const block = this.#blocks[Math.floor(index / blockIds)];
    if (block === undefined) throw new RangeError(`no id at ${index}`);
    return block;
  }
}

/** A record over several lines, as one record is printed, read as the only item of an array. */
function oneRecordReader(): ItemReader {
  const reader = jsonArrayReader();
  reader.push('[');
  return {
    push: (text) => reader.push(text),
    end: () => [...reader.push(']'), ...reader.end()],
  };
}

function jsonReader(header: string): ItemReader {
  const text = header.trim();
  if (text.startsWith('[')) return jsonArrayReader();
  return text === '{' ? oneRecordReader() : jsonLinesReader();
}

function membersOf({ line, text }: JsonItem): ReturnType<typeof readJsonRecord> {
  try {
    return readJsonRecord(text);
  } catch (thrown) {
    if (!(thrown instanceof JsonMistake)) throw thrown;
    throw badLine(line + text.slice(0, thrown.at).split('\n').length - 1, thrown.message);
  }
}

function idOf(item: JsonItem, checkColumns: CheckColumns): ListedId {
  const { line } = item;
  const members = membersOf(item);
  const names = [...members.keys()];
  checkColumns(names);
  const column = idColumn({ line, names, noun: 'members' });
  if (column === undefined) throw badLine(line, 'the record has no member Id');
  const name = names[column] ?? '';
  const cell = members.get(name);
  if (isWrongCell(cell)) throw badLine(line, `${name} ${cell.wrong}`);
  return { id: cellForMessage(cell), line };
}

/** The ids of a text. */
export interface ParsedIds {
  /** Each once, with its first line. */
  readonly ids: IdList;
  readonly repeats: number;
}

const mostIds = 1_000_000;

const mostPrinted = 60;

/** Takes a text in pieces of any size, and gives what is whole. */
interface Reader<T> {
  push(text: string): readonly T[];
  end(): readonly T[];
}

const mapped = <T>(reader: Reader<T>, idsOf: (items: readonly T[]) => readonly ListedId[]): Reader<ListedId> => ({
  push: (text) => idsOf(reader.push(text)),
  end: () => idsOf(reader.end()),
});

function lineReader(): Reader<string> {
  let rest = '';
  return {
    push(text) {
      if (!/[\r\n]/.test(text)) {
        rest += text;
        return [];
      }
      // A carriage return at the end may be the first half of a line ending.
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      return lines;
    },
    end: () => rest.split(/\r/),
  };
}

/** Ids one a line. */
function plainReader(): Reader<ListedId> {
  let line = 0;
  return mapped(lineReader(), (lines) =>
    lines.flatMap((text) => {
      line += 1;
      const id = text.trim();
      return id === '' || id.startsWith('#') ? [] : [{ id, line }];
    }),
  );
}

const isBlank = ({ cells }: CsvRow): boolean => cells.length === 1 && cells[0] === '';

/** Ids in a column of CSV, whose header is the first line. */
const columnReader = (delimiter: string, column: number): Reader<ListedId> =>
  mapped(csvReader(delimiter), (rows) =>
    rows.filter((row) => row.line > 1 && !isBlank(row)).map(({ cells, line }) => ({ id: cells[column] ?? '', line })),
  );

/**
 * Reads the ids of a text: one a line, where blank lines and lines that begin with `#` are skipped; or CSV whose header has
 * a column `Id`, or records of JSON with a member `Id`, as relctl writes them. The text comes in pieces of any size.
 */
export class IdReader {
  readonly #source: string;
  readonly #checkColumns: CheckColumns;
  readonly #ids = new IdList();
  readonly #known = new IdSet();
  /** The text until its first line is whole, which says how it is read. */
  #head = '';
  #reading: Reader<ListedId> | undefined;
  #repeats = 0;
  /** It has an id on each line, without a header. */
  #isPlain = false;

  /**
   * @param source name of the text in an error message
   * @param checkColumns sees the columns that the first line may name before it is read, and may throw
   */
  constructor(source: string, checkColumns: CheckColumns = () => undefined) {
    this.#source = source;
    this.#checkColumns = checkColumns;
  }

  /** Takes a piece. Throws `usage` for too many ids, for lines that are no GUID, and for a text that cannot be read. */
  push(text: string): void {
    const reading = this.#reading;
    if (reading !== undefined) {
      this.#take(() => reading.push(text));
      return;
    }
    this.#head += text;
    if (text.includes('\n')) this.#begin();
  }

  /** The ids, when all pieces were taken. Throws as `push` does. */
  end(): ParsedIds {
    const reading = this.#reading ?? this.#begin();
    this.#take(() => reading.end());
    return { ids: this.#ids, repeats: this.#repeats };
  }

  #begin(): Reader<ListedId> {
    const head = this.#head.replace(/^\ufeff/, '');
    const header = head.slice(0, head.search(/\r?\n|$/));
    const reading = this.#read(() => this.#readingFor(header));
    this.#head = '';
    this.#reading = reading;
    this.#take(() => reading.push(head));
    return reading;
  }

  /** Ids one a line, in a column of CSV, or in the member Id of records of JSON, as the first line says. */
  #readingFor(header: string): Reader<ListedId> {
    const check = this.#checkColumns;
    if (beginsJson(header)) return mapped(jsonReader(header), (items) => items.map((item) => idOf(item, check)));
    for (const delimiter of delimiters) {
      const names = cellsOf(header, delimiter);
      check(names);
      const column = idColumn({ line: 1, names, noun: 'columns' });
      if (column !== undefined) return columnReader(delimiter, column);
    }
    this.#isPlain = true;
    return plainReader();
  }

  #take(read: () => readonly ListedId[]): void {
    for (const { id: text, line } of this.#read(read)) {
      const id = pastedGuid(text);
      if (id === undefined) throw this.#noGuid(text, line);
      if (this.#known.add(id)) this.#ids.add({ id, line });
      else this.#repeats += 1;
      if (this.#ids.size > mostIds) throw usage('--ids', `${this.#source}, line ${line}: more than ${mostIds} ids`);
    }
  }

  #noGuid(text: string, line: number): RelctlError {
    const quoted = forMessage(text.length > mostPrinted ? `${text.slice(0, mostPrinted)}…` : text);
    const isHeader = line === 1 && this.#isPlain && guidComplaint(text) === '';
    const why = isHeader ? '; a header needs a column Id' : guidComplaint(text);
    return usage('--ids', `${this.#source}, line ${line}: '${quoted}' is not a GUID${why}`);
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (thrown) {
      throw inFile(thrown, (line, what) => usage('--ids', `${this.#source}, line ${line}: ${what}`));
    }
  }
}

const delimiters = [',', ';', '\t', '|'] as const;

/** The cells of a first line; none where they are no line of CSV. */
function cellsOf(header: string, delimiter: string): readonly string[] {
  try {
    const [row] = csvReader(delimiter).push(`${header}\n`);
    return row?.cells ?? [];
  } catch {
    // A header with line breaks in its names is not one of relctl.
    return [];
  }
}

/** Sees the columns or members of a file. Throws `usage` for those of what holds other ids than are wanted. */
export type CheckColumns = (names: readonly string[]) => void;

interface Names {
  readonly line: number;
  readonly names: readonly string[];
  readonly noun: 'columns' | 'members';
}

/**
 * The place of the name that is `Id` in any case of letters; undefined when there is none. Throws `usage`, which names the
 * line, when there are several: each may have the Ids of something else.
 */
function idColumn({ line, names, noun }: Names): number | undefined {
  const [first, second] = names.flatMap((name, column) => (name.trim().toLowerCase() === 'id' ? [column] : []));
  if (first === undefined || second === undefined) return first;
  throw badLine(line, `${noun} ${first + 1} and ${second + 1} are both named Id: remove one`);
}

/** True for the columns of the results of a batch: the Ids of what its rows added are in its own column `_id`, not in `id`. */
export const isOfBatch = (columns: readonly string[]): boolean =>
  columns.includes('_outcome') && columns.includes('_id');

/** True for a first line that begins JSON: a GUID in braces and a name in brackets do not. */
const beginsJson = (header: string): boolean => /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[[{"\]]|$))/.test(header);
