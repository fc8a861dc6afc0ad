import { RelctlError } from '../../errors/relctl-error.js';
import { csvReader, type CsvRow } from '../../lexical/csv.js';
import { isGuid } from '../../lexical/guid.js';
import { forMessage } from '../../lexical/text.js';
import { usage } from '../../errors/usage.js';

/** An id to ask for, and where it was. */
export interface GivenId {
  readonly id: string;
  /** Line of the file, from 1; 0 for an ID of the command line. */
  readonly line: number;
}

/** The ids of a file. */
export interface GivenIds {
  /** Each once, with its first line. */
  readonly ids: readonly GivenId[];
  /** Number of lines that repeat an id. */
  readonly repeats: number;
}

/** How many ids one run takes at most. */
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

/** The delimiter of a header and the place of its column Id; undefined when the line is no such header. */
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
    // A header with line breaks in its names is not one of relctl.
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
 * Reads the ids of a text: one a line, where blank lines and lines that begin with `#` are skipped; or CSV whose header has
 * a column `Id`, as relctl writes it. Throws `usage` with the line of what is not a GUID, and for too many ids.
 * @param source name of the text in an error message
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
