import { RelctlError } from '../../errors/relctl-error.js';
import { createIdSet } from '../../client/ids/id-set.js';
import { csvReader, type CsvRow, type RowReader } from '../../lexical/separated/csv.js';
import { pastedGuid } from '../../lexical/values/guid.js';
import { usage } from '../../errors/usage.js';
import { IdList, type GivenId } from './id-list.js';

/** The ids of a text. */
export interface GivenIds {
  /** Each once, with its first line. */
  readonly ids: IdList;
  /** Number of lines that repeat an id. */
  readonly repeats: number;
}

/** How many ids one run takes at most. */
const mostIds = 1_000_000;

function rowsOf(text: string, delimiter: string): readonly CsvRow[] | undefined {
  try {
    const reader = csvReader(delimiter);
    return [...reader.push(text), ...reader.end()];
  } catch {
    // A header with line breaks in its names is not one of relctl.
    return undefined;
  }
}

/** The place of the only cell that is `Id` in any case of letters; undefined when there is none, or are several. */
function onlyId(cells: readonly string[]): number | undefined {
  const places = cells.flatMap((cell, place) => (cell.trim().toLowerCase() === 'id' ? [place] : []));
  return places.length === 1 ? places[0] : undefined;
}

const delimiters = [',', ';', '\t', '|'] as const;

/** True for the header of the results of a batch: the Ids of what its rows added are in its own column `_id`, not in `id`. */
export function isOfBatch(header: string): boolean {
  return delimiters.some((delimiter) => {
    const cells = rowsOf(`${header}\n`, delimiter)?.[0]?.cells ?? [];
    return cells.includes('_outcome') && cells.includes('_id');
  });
}

/** The delimiter of a header and the place of its column Id; undefined when the line is no such header. */
function headerOf(line: string): { readonly delimiter: string; readonly column: number } | undefined {
  for (const delimiter of delimiters) {
    const [row] = rowsOf(`${line}\n`, delimiter) ?? [];
    const cells = row?.cells ?? [];
    const column = cells.includes('Id') ? cells.indexOf('Id') : onlyId(cells);
    if (column !== undefined) return { delimiter, column };
  }
  return undefined;
}

/** Takes a text in pieces and gives what stands for ids. */
interface Reading {
  push(text: string): readonly GivenId[];
  end(): readonly GivenId[];
}

/** Ids one a line. */
function plainReading(): Reading {
  let rest = '';
  let line = 0;
  const idsOf = (lines: readonly string[]): readonly GivenId[] =>
    lines.flatMap((text) => {
      line += 1;
      const id = text.trim();
      return id === '' || id.startsWith('#') ? [] : [{ id, line }];
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

/** Ids in a column of separated values behind a header. */
function columnReading(reader: RowReader, column: number): Reading {
  let isHeader = true;
  const idsOf = (rows: readonly CsvRow[]): readonly GivenId[] => {
    const others = isHeader ? rows.slice(1) : rows;
    if (rows.length > 0) isHeader = false;
    return others.filter((row) => !isBlank(row)).map(({ cells, line }) => ({ id: cells[column] ?? '', line }));
  };
  return { push: (text) => idsOf(reader.push(text)), end: () => idsOf(reader.end()) };
}

function readingFor(header: string): Reading {
  const found = headerOf(header);
  return found === undefined ? plainReading() : columnReading(csvReader(found.delimiter), found.column);
}

/**
 * Reads the ids of a text: one a line, where blank lines and lines that begin with `#` are skipped; or CSV whose header has
 * a column `Id`, as relctl writes it. The text comes in pieces of any size. A name may stand for an id.
 */
export class IdReader {
  readonly #source: string;
  readonly #idNamed: (given: GivenId) => Promise<string | undefined>;
  readonly #checkHeader: (header: string) => void;
  readonly #ids = new IdList();
  /** Which ids are in the list. */
  readonly #known = createIdSet();
  /** The text until its first line is whole, which says how it is read. */
  #head = '';
  #reading: Reading | undefined;
  #repeats = 0;

  /**
   * @param source name of the text in an error message
   * @param idNamed gives the id that a name on a line stands for; undefined for a line that is left out
   * @param checkHeader sees the first line before it is read, and may throw
   */
  constructor(
    source: string,
    idNamed: (given: GivenId) => Promise<string | undefined>,
    checkHeader: (header: string) => void = () => undefined,
  ) {
    this.#source = source;
    this.#idNamed = idNamed;
    this.#checkHeader = checkHeader;
  }

  /** Takes a piece. Throws what `idNamed` throws, and `usage` for too many ids. */
  async push(text: string): Promise<void> {
    const reading = this.#reading;
    if (reading !== undefined) return this.#take(() => reading.push(text));
    this.#head += text;
    if (text.includes('\n')) await this.#begin();
  }

  /** The ids, when all pieces were taken. Throws as `push` does. */
  async end(): Promise<GivenIds> {
    const reading = this.#reading ?? (await this.#begin());
    await this.#take(() => reading.end());
    return { ids: this.#ids, repeats: this.#repeats };
  }

  async #begin(): Promise<Reading> {
    const head = this.#head.replace(/^\ufeff/, '');
    const header = head.slice(0, head.search(/\r?\n|$/));
    this.#checkHeader(header);
    const reading = readingFor(header);
    this.#head = '';
    this.#reading = reading;
    await this.#take(() => reading.push(head));
    return reading;
  }

  async #take(read: () => readonly GivenId[]): Promise<void> {
    for (const given of this.#read(read)) {
      const id = pastedGuid(given.id) ?? (await this.#idNamed(given));
      if (id === undefined) continue;
      if (this.#known.add(id)) this.#ids.add({ id, line: given.line });
      else this.#repeats += 1;
      if (this.#ids.size > mostIds)
        throw usage('--ids', `${this.#source}, line ${given.line}: more than ${mostIds} ids`);
    }
  }

  #read(read: () => readonly GivenId[]): readonly GivenId[] {
    try {
      return read();
    } catch (thrown) {
      const { message } = RelctlError.from(thrown);
      throw usage('--ids', `${this.#source}, ${message}`);
    }
  }
}
