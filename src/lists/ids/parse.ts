import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { IdSet } from '../../client/ids/id-set.js';
import { csvReader, type CsvRow, type RowReader, badLine } from '../../core/text/separated/csv.js';
import { forMessage } from '../../core/text/text.js';
import { guidComplaint, pastedGuid } from '../../core/text/scalars.js';
import { IdList, type ListedId } from './id-list.js';
import { isWrongCell, cellForMessage } from '../../formats/readers/input.js';
import { JsonMistake, readJsonRecord } from '../../formats/readers/json.js';
import { jsonArrayReader, jsonLinesReader, type ItemReader, type JsonItem } from '../../core/text/json-items.js';

/** A record over several lines, as one record is printed, read as the only item of an array. */
function oneRecordReader(): ItemReader {
  const reader = jsonArrayReader();
  reader.push('[');
  return {
    push: (text) => reader.push(text),
    end: () => [...reader.push(']'), ...reader.end()],
  };
}

function readerFor(header: string): ItemReader {
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
  const place = idColumn({ line, names, noun: 'members' });
  if (place === undefined) {
    const others = names.length === 0 ? '' : `, only ${columnsForMessage(names)}`;
    throw badLine(line, `the record has no member Id${others}`);
  }
  const name = names[place] ?? '';
  const cell = members.get(name);
  if (isWrongCell(cell)) throw badLine(line, `${name} ${cell.wrong}`);
  return { id: cellForMessage(cell), line };
}

/** Ids in the member Id of records: of a JSON array, one a line, or one record over several lines. */
function jsonReading(
  header: string,
  checkColumns: CheckColumns,
): { push(text: string): readonly ListedId[]; end(): readonly ListedId[] } {
  const reader = readerFor(header);
  const idsOf = (items: readonly JsonItem[]): readonly ListedId[] => items.map((item) => idOf(item, checkColumns));
  return { push: (text) => idsOf(reader.push(text)), end: () => idsOf(reader.end()) };
}

/** The ids of a text. */
export interface ParsedIds {
  /** Each once, with its first line. */
  readonly ids: IdList;
  readonly repeats: number;
}

const mostIds = 1_000_000;

const mostShown = 60;

interface IdLine extends ListedId {
  /** What else the line looks like, in words: a header. */
  readonly asHeader?: string | undefined;
}

interface Reading {
  push(text: string): readonly IdLine[];
  end(): readonly IdLine[];
}

/**
 * Ids one a line.
 * @param asHeader what the first line looks like besides
 */
function plainReading(asHeader: string | undefined): Reading {
  let rest = '';
  let line = 0;
  const idsOf = (lines: readonly string[]): readonly IdLine[] =>
    lines.flatMap((text) => {
      line += 1;
      const id = text.trim();
      if (id === '' || id.startsWith('#')) return [];
      return line === 1 && asHeader !== undefined ? [{ id, line, asHeader }] : [{ id, line }];
    });
  return {
    push(text) {
      if (!/[\r\n]/.test(text)) {
        rest += text;
        return [];
      }
      // A carriage return at the end may be the first half of a line ending.
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      return idsOf(lines);
    },
    end: () => idsOf(rest.split(/\r/)),
  };
}

const isBlank = ({ cells }: CsvRow): boolean => cells.length === 1 && cells[0] === '';

function columnReading(reader: RowReader, column: number): Reading {
  let isHeader = true;
  const idsOf = (rows: readonly CsvRow[]): readonly ListedId[] => {
    const others = isHeader ? rows.slice(1) : rows;
    if (rows.length > 0) isHeader = false;
    return others.filter((row) => !isBlank(row)).map(({ cells, line }) => ({ id: cells[column] ?? '', line }));
  };
  return { push: (text) => idsOf(reader.push(text)), end: () => idsOf(reader.end()) };
}

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
  #reading: Reading | undefined;
  #repeats = 0;
  #firstOther: IdLine | undefined;
  #others = 0;

  /**
   * @param source name of the text in an error message
   * @param checkColumns sees the columns that the first line may name before it is read, and may throw
   */
  constructor(source: string, checkColumns: CheckColumns = () => undefined) {
    this.#source = source;
    this.#checkColumns = checkColumns;
  }

  /** Takes a piece. Throws `usage` for too many ids, and for a text that cannot be read. */
  push(text: string): void {
    const reading = this.#reading;
    if (reading !== undefined) {
      this.#take(() => reading.push(text));
      return;
    }
    this.#head += text;
    if (text.includes('\n')) this.#begin();
  }

  /** The ids, when all pieces were taken. Throws as `push` does, and `usage` for lines that are no GUID. */
  end(): ParsedIds {
    const reading = this.#reading ?? this.#begin();
    this.#take(() => reading.end());
    this.#checkOthers();
    return { ids: this.#ids, repeats: this.#repeats };
  }

  #begin(): Reading {
    const head = this.#head.replace(/^\ufeff/, '');
    const header = head.slice(0, head.search(/\r?\n|$/));
    const reading = this.#readingFor(header);
    this.#head = '';
    this.#reading = reading;
    this.#take(() => reading.push(head));
    return reading;
  }

  #readingFor(header: string): Reading {
    if (beginsJson(header)) return jsonReading(header, this.#checkColumns);
    const splits = splitsOf(header);
    for (const { columns } of splits) this.#checkColumns(columns);
    const found = this.#read(() => headerOf(splits));
    return found === undefined
      ? plainReading(likeHeader(splits))
      : columnReading(csvReader(found.delimiter), found.column);
  }

  #take(read: () => readonly IdLine[]): void {
    for (const idLine of this.#read(read)) {
      const id = pastedGuid(idLine.id);
      if (id === undefined) {
        this.#firstOther ??= idLine;
        this.#others += 1;
        continue;
      }
      if (this.#known.add(id)) this.#ids.add({ id, line: idLine.line });
      else this.#repeats += 1;
      if (this.#ids.size > mostIds)
        throw usage('--ids', `${this.#source}, line ${idLine.line}: more than ${mostIds} ids`);
    }
  }

  #checkOthers(): void {
    if (this.#firstOther === undefined) return;
    const { id, line, asHeader } = this.#firstOther;
    const shown = forMessage(id.length > mostShown ? `${id.slice(0, mostShown)}…` : id);
    const what = `${this.#source}, line ${line}: '${shown}' is no GUID`;
    if (asHeader !== undefined) throw usage('--ids', `${what}; ${asHeader}`);
    const more = this.#others === 1 ? '' : `; ${this.#others} lines are none`;
    throw usage('--ids', `${what}${guidComplaint(id)}${more}`);
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (thrown) {
      if (!(thrown instanceof RelctlError) || thrown.facts.code !== 'line') throw thrown;
      throw usage('--ids', `${this.#source}, ${thrown.message}`);
    }
  }
}

const delimiters = [',', ';', '\t', '|'] as const;

/** A first line as a header, by what may separate its cells. */
interface Split {
  readonly delimiter: string;
  readonly columns: readonly string[];
}

function splitBy(header: string, delimiter: string): Split {
  try {
    const [row] = csvReader(delimiter).push(`${header}\n`);
    return { delimiter, columns: row?.cells ?? [] };
  } catch {
    // A header with line breaks in its names is not one of relctl.
    return { delimiter, columns: [] };
  }
}

/** A first line as a header, once by each delimiter. */
const splitsOf = (header: string): readonly Split[] => delimiters.map((delimiter) => splitBy(header, delimiter));

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
  const [first, second] = names.flatMap((name, place) => (name.trim().toLowerCase() === 'id' ? [place] : []));
  if (first === undefined || second === undefined) return first;
  const shown = (place: number): string => `${place + 1} (${forMessage((names[place] ?? '').trim())})`;
  throw badLine(line, `${noun} ${shown(first)} and ${shown(second)} are both named Id: keep the one that is meant`);
}

/** The delimiter of a header and the place of its column Id; undefined when the line is no such header. Throws `usage`. */
function headerOf(splits: readonly Split[]): { readonly delimiter: string; readonly column: number } | undefined {
  for (const { delimiter, columns } of splits) {
    const column = idColumn({ line: 1, names: columns, noun: 'columns' });
    if (column !== undefined) return { delimiter, column };
  }
  return undefined;
}

/** True for the columns of the results of a batch: the Ids of what its rows added are in its own column `_id`, not in `id`. */
export const isOfBatch = (columns: readonly string[]): boolean =>
  columns.includes('_outcome') && columns.includes('_id');

const mostColumns = 8;

/** The names of columns in words. */
function columnsForMessage(columns: readonly string[]): string {
  const shown = columns.slice(0, mostColumns).map((name) => forMessage(name.trim()));
  const last = columns.length > mostColumns ? `${columns.length - mostColumns} more` : shown.pop();
  return shown.length === 0 ? (last ?? '') : `${shown.join(', ')} and ${last}`;
}

/** What a first line that is no GUID looks like besides a name: a header without a column Id, or a row without a header. */
function likeHeader(splits: readonly Split[]): string | undefined {
  const titled = splits.map(({ columns }) => columns.filter((name) => name.trim() !== ''));
  const [columns = []] = titled.toSorted((one, other) => other.length - one.length);
  const [first = ''] = columns;
  if (columns.length <= 1 && !/(?:Id|ID|[_ .-]id)$/.test(first.trim())) return undefined;
  if (columns.some((cell) => pastedGuid(cell) !== undefined || guidComplaint(cell) !== ''))
    return 'a file of several columns needs a header with a column Id';
  return `as a header it names no column Id, only ${columnsForMessage(columns)}`;
}

/** True for a first line that begins JSON: a GUID in braces and a name in brackets do not. */
const beginsJson = (header: string): boolean => /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[[{"\]]|$))/.test(header);
