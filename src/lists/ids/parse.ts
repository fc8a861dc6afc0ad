import { RelctlError } from '../../errors/relctl-error.js';
import { createIdSet } from '../../client/ids/id-set.js';
import { csvReader, type CsvRow, type RowReader } from '../../lexical/separated/csv.js';
import { pastedGuid } from '../../lexical/values/guid.js';
import { usage } from '../../errors/usage.js';
import { beginsJson, headerOf, likeHeader, splitsOf, type CheckColumns } from './columns.js';
import { IdList, type GivenId } from './id-list.js';
import { jsonReading } from './json.js';

/** The ids of a text. */
export interface GivenIds {
  /** Each once, with its first line. */
  readonly ids: IdList;
  /** Number of lines that repeat an id. */
  readonly repeats: number;
}

/** How many ids one run takes at most. */
const mostIds = 1_000_000;

/** What stands for an id on a line. */
export interface GivenLine extends GivenId {
  /** What else the line looks like, in words: a header. */
  readonly asHeader?: string | undefined;
}

/** Takes a text in pieces and gives what stands for ids. */
interface Reading {
  push(text: string): readonly GivenLine[];
  end(): readonly GivenLine[];
}

/**
 * Ids one a line.
 * @param asHeader what the first line looks like besides
 */
function plainReading(asHeader: string | undefined): Reading {
  let rest = '';
  let line = 0;
  const idsOf = (lines: readonly string[]): readonly GivenLine[] =>
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

/**
 * Reads the ids of a text: one a line, where blank lines and lines that begin with `#` are skipped; or CSV whose header has
 * a column `Id`, or records of JSON with a member `Id`, as relctl writes them. The text comes in pieces of any size. A name may stand for an id.
 */
export class IdReader {
  readonly #source: string;
  readonly #idNamed: (given: GivenLine) => Promise<string | undefined>;
  readonly #checkColumns: CheckColumns;
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
   * @param checkColumns sees the columns that the first line may name before it is read, and may throw
   */
  constructor(
    source: string,
    idNamed: (given: GivenLine) => Promise<string | undefined>,
    checkColumns: CheckColumns = () => undefined,
  ) {
    this.#source = source;
    this.#idNamed = idNamed;
    this.#checkColumns = checkColumns;
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
    const reading = this.#readingFor(header);
    this.#head = '';
    this.#reading = reading;
    await this.#take(() => reading.push(head));
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

  async #take(read: () => readonly GivenLine[]): Promise<void> {
    for (const given of this.#read(read)) {
      const id = pastedGuid(given.id) ?? (await this.#idNamed(given));
      if (id === undefined) continue;
      if (this.#known.add(id)) this.#ids.add({ id, line: given.line });
      else this.#repeats += 1;
      if (this.#ids.size > mostIds)
        throw usage('--ids', `${this.#source}, line ${given.line}: more than ${mostIds} ids`);
    }
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
