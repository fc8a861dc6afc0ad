import { RelctlError } from '../../errors/relctl-error.js';
import { csvReader, type CsvRow } from '../../lexical/csv.js';
import { isGuid } from '../../lexical/guid.js';
import { forMessage } from '../../lexical/text.js';
import { usage } from '../../errors/usage.js';

/** An id to ask for, and where it stood. */
export interface GivenId {
  readonly id: string;
  /** Line of the file, from 1. */
  readonly line: number;
}

/** The ids of a file. */
export interface GivenIds {
  /** Each once, where it stood first. */
  readonly ids: readonly GivenId[];
  /** Lines that repeat one. */
  readonly repeats: number;
}

/** More ids than this are no list for one run. */
const mostIds = 1_000_000;

function refused(source: string, line: number, what: string): RelctlError {
  return usage('--ids', `${source}, line ${line}: ${what}`);
}

function plainIds(lines: readonly string[]): readonly GivenId[] {
  return lines.flatMap((text, index) => {
    const id = text.trim();
    return id === '' || id.startsWith('#') ? [] : [{ id, line: index + 1 }];
  });
}

/** The column of a header that holds the ids; undefined when the line is no such header. */
function headerOf(line: string): { readonly delimiter: string; readonly column: number } | undefined {
  for (const delimiter of [',', ';', '\t', '|']) {
    const [row] = rowsOf(`${line}\n`, delimiter) ?? [];
    const column = row?.cells.indexOf('Id') ?? -1;
    if (column !== -1) return { delimiter, column };
  }
  return undefined;
}

function rowsOf(text: string, delimiter: string): readonly CsvRow[] | undefined {
  try {
    const reader = csvReader(delimiter);
    return [...reader.push(text), ...reader.end()];
  } catch {
    // A header whose names break lines is none of ours.
    return undefined;
  }
}

function columnIds(text: string, source: string): readonly GivenId[] | undefined {
  const header = headerOf(text.slice(0, text.search(/\r?\n|$/)));
  if (header === undefined) return undefined;
  const reader = csvReader(header.delimiter);
  try {
    const [, ...rows] = [...reader.push(text), ...reader.end()];
    const isBlank = ({ cells }: CsvRow): boolean => cells.length === 1 && cells[0] === '';
    return rows.filter((row) => !isBlank(row)).map(({ cells, line }) => ({ id: cells[header.column] ?? '', line }));
  } catch (thrown) {
    const { message } = RelctlError.from(thrown);
    throw usage('--ids', `${source}, ${message}`);
  }
}

/**
 * The ids in a text: one a line, with blank lines and lines that begin with `#` between them; or a table of separated
 * values whose header has a column `Id`, such as relctl writes. Throws `usage` with the line of what is no GUID, and for
 * too many.
 * @param source what the text is called in an error
 */
export function parseIds(text: string, source: string): GivenIds {
  const plain = text.replace(/^\ufeff/, '');
  const all = columnIds(plain, source) ?? plainIds(plain.split(/\r\n|\n|\r/));
  const first = new Map<string, GivenId>();
  for (const given of all) {
    if (!isGuid(given.id)) {
      const shown = forMessage(given.id.length > 60 ? `${given.id.slice(0, 60)}…` : given.id);
      throw refused(source, given.line, `'${shown}' is no GUID such as 6f9619ff-8b86-d011-b42d-00c04fc964ff`);
    }
    const key = given.id.toLowerCase();
    if (!first.has(key)) first.set(key, given);
    if (first.size > mostIds) throw refused(source, given.line, `more than ${mostIds} ids`);
  }
  return { ids: [...first.values()], repeats: all.length - first.size };
}
