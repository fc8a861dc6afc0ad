import { type RelctlError, usage } from '../../core/errors/relctl-error.js';
import { IdSet } from '../../client/ids/id-set.js';
import { badLine, csvReader, inFile } from '../../core/text/separated/csv.js';
import { forMessage } from '../../core/text/text.js';
import { guidComplaint, pastedGuid } from '../../core/text/scalars.js';
import { isWrongCell, cellForMessage } from '../../formats/readers/input.js';
import { JsonMistake, readJsonRecord } from '../../formats/readers/json.js';
import { jsonArrayReader, jsonLinesReader, type JsonItem } from '../../core/text/json-items.js';

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

/** Sees the columns or members of a file. Throws `usage` for those of what holds other ids than are wanted. */
export type CheckColumns = (names: readonly string[]) => void;

/** The ids of a text. */
export interface ParsedIds {
  /** Each once, with its first line. */
  readonly ids: IdList;
  readonly repeats: number;
}

const mostIds = 1_000_000;

const mostPrinted = 60;

const delimiters = [',', ';', '\t', '|'] as const;

const sliceCharacters = 64 * 1024;

/** What a reader gives of a text, of which it gets some at a time: rows take much more memory. */
function* readBy<T>(
  reader: { push(text: string): readonly T[]; end(): readonly T[] },
  text: string,
): Generator<T, void> {
  for (let at = 0; at < text.length; at += sliceCharacters) yield* reader.push(text.slice(at, at + sliceCharacters));
  yield* reader.end();
}

/** True for a first line that begins JSON: a GUID in braces and a name in brackets do not. */
const beginsJson = (header: string): boolean => /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[[{"\]]|$))/.test(header);

function jsonItems(text: string, header: string): Generator<JsonItem, void> {
  const start = header.trim();
  if (start.startsWith('[')) return readBy(jsonArrayReader(), text);
  // A record over several lines, as one record is printed, is read as the only item of an array.
  return start === '{' ? readBy(jsonArrayReader(), `[${text}]`) : readBy(jsonLinesReader(), text);
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

function* idsInColumn(text: string, delimiter: string, column: number): Generator<ListedId, void> {
  for (const { cells, line } of readBy(csvReader(delimiter), text)) {
    const isBlank = cells.length === 1 && cells[0] === '';
    if (line > 1 && !isBlank) yield { id: cells[column] ?? '', line };
  }
}

function* idsByLine(text: string): Generator<ListedId, void> {
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const id = line.trim();
    if (id !== '' && !id.startsWith('#')) yield { id, line: index + 1 };
  }
}

/** The ids as they stand, and whether there is one on each line, without a header; the first line says how they are read. */
function listedIn(
  text: string,
  check: CheckColumns,
): { readonly listed: Iterable<ListedId>; readonly isPlain: boolean } {
  const header = text.slice(0, text.search(/\r?\n|$/));
  if (beginsJson(header)) return { listed: idsOf(jsonItems(text, header), check), isPlain: false };
  for (const delimiter of delimiters) {
    const names = cellsOf(header, delimiter);
    check(names);
    const column = idColumn({ line: 1, names, noun: 'columns' });
    if (column !== undefined) return { listed: idsInColumn(text, delimiter, column), isPlain: false };
  }
  return { listed: idsByLine(text), isPlain: true };
}

function* idsOf(items: Iterable<JsonItem>, check: CheckColumns): Generator<ListedId, void> {
  for (const item of items) yield idOf(item, check);
}

function noGuid(source: string, { id: text, line }: ListedId, isPlain: boolean): RelctlError {
  const quoted = forMessage(text.length > mostPrinted ? `${text.slice(0, mostPrinted)}…` : text);
  const isHeader = line === 1 && isPlain && guidComplaint(text) === '';
  const why = isHeader ? '; a header needs a column Id' : guidComplaint(text);
  return usage('--ids', `${source}, line ${line}: '${quoted}' is not a GUID${why}`);
}

/**
 * Reads the ids of a text: one a line, where blank lines and lines that begin with `#` are skipped; or CSV whose header has
 * a column `Id`, or records of JSON with a member `Id`, as relctl writes them. Throws `usage` for too many ids, for lines
 * that are no GUID, and for a text that cannot be read.
 * @param source name of the text in an error message
 * @param checkColumns sees the columns that the first line may name before it is read, and may throw
 */
export function parseIds(text: string, source: string, checkColumns: CheckColumns = () => undefined): ParsedIds {
  const [ids, known] = [new IdList(), new IdSet()];
  let repeats = 0;
  try {
    const { listed, isPlain } = listedIn(text.replace(/^\ufeff/, ''), checkColumns);
    for (const each of listed) {
      const { line } = each;
      const id = pastedGuid(each.id);
      if (id === undefined) throw noGuid(source, each, isPlain);
      if (known.add(id)) ids.add({ id, line });
      else repeats += 1;
      if (ids.size > mostIds) throw usage('--ids', `${source}, line ${line}: more than ${mostIds} ids`);
    }
  } catch (thrown) {
    throw inFile(thrown, (line, what) => usage('--ids', `${source}, line ${line}: ${what}`));
  }
  return { ids, repeats };
}

/** True for the columns of the results of a batch: the Ids of what its rows added are in its own column `_id`, not in `id`. */
export const isOfBatch = (columns: readonly string[]): boolean =>
  columns.includes('_outcome') && columns.includes('_id');
