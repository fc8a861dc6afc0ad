import { csvQuote } from '../core/text/separated/csv-quote.js';
import { openPartFile } from '../state/part-file.js';
import { type Cell, type InputFile, shownCell } from '../formats/readers/input.js';
import { type Entry, type Sent, withWay } from '../state/ledger/outcome.js';
import { openLastEntries, type RowStates } from './batch/journal.js';
import { wayToSettle } from '../lists/record/writing.js';
import { ownPrefix } from './columns.js';
import type { GivenRow } from './rows/planned-rows.js';

/** What results are made of. */
export interface ResultsParts {
  readonly file: string;
  readonly input: InputFile;
  readonly journal: string;
  readonly states: RowStates;
  readonly rows: AsyncIterable<GivenRow>;
  /** True where rows send files: size and SHA-256 of each are told. */
  readonly hasFiles: boolean;
  /** True for a row, by its cells, that an earlier run added: where it is not sent, what was told of it stays. */
  readonly wasAdded: (cells: readonly Cell[]) => boolean;
  /** Titles of columns that look like those of results and were given another meaning: they are written as given. */
  readonly meant: readonly string[];
  readonly wrong: ReadonlyMap<number, string>;
  /** What stands for null, which CSV does not have. */
  readonly nullText: string;
  /** Called with the path of the complete file, before it gets its name. */
  readonly isReady: (part: string) => void;
}

const titles = ['line', 'key', 'outcome', 'number', 'code', 'message', 'id', 'at'].map((name) => `${ownPrefix}${name}`);

const fileTitles = ['size', 'sha256'].map((name) => `${ownPrefix}${name}`);

const tellsRow: ReadonlySet<string> = new Set([...titles, ...fileTitles]);

const [lineTitle, messageTitle] = [`${ownPrefix}line`, `${ownPrefix}message`];

const pieceLength = 65_536;

const quoted = csvQuote(',');

const lineOf = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

const lostWords = ({ operation: name, input }: Sent): string =>
  withWay('it was sent, and no answer was kept', wayToSettle({ operation: { name }, input }));

function cellsOf(entry: Entry | undefined, mistake: string): readonly string[] {
  if (entry === undefined) return ['not sent', '', '', mistake, '', ''];
  if ('sends' in entry) return ['unknown', '', '', lostWords(entry.sends), '', entry.at];
  const { outcome, number, code, words, id } = entry.ends;
  return [outcome, String(number ?? ''), code ?? '', words ?? '', id ?? '', entry.at];
}

const keyIn = (entry: Entry | undefined): string | undefined =>
  entry !== undefined && 'sends' in entry ? entry.sends.key : entry?.key;

function fileCells(entry: Entry | undefined): readonly string[] {
  const said = entry !== undefined && 'ends' in entry ? entry.ends : entry?.sends;
  return [String(said?.file?.size ?? ''), said?.file?.sha256 ?? ''];
}

interface RowAt {
  readonly line: number;
  readonly mistake: string;
}

/** What results that are fed back tell of a row that is not sent again, under the titles of these results. */
const toldBefore = (own: readonly string[], { line, mistake }: RowAt, cellOf: (title: string) => Cell): string[] =>
  own.map((title) =>
    title === lineTitle ? String(line) : title === messageTitle ? mistake : shownCell(cellOf(title)),
  );

/**
 * Writes what became of each row, and the row as it was given, so that rows that failed can be mended and fed back. The file is
 * whole or as before. Throws `local`, and what reading the input throws.
 */
export async function writeResults(parts: ResultsParts): Promise<void> {
  const { file, input, states, wrong, hasFiles, wasAdded, nullText } = parts;
  const { columns } = input;
  const part = openPartFile(file);
  const entries = openLastEntries(parts.journal, states);
  const given = (cell: Cell): string => (cell === null ? nullText : shownCell(cell));
  const own = hasFiles ? [...titles, ...fileTitles] : titles;
  // Of results that were fed back, what an earlier run told is told anew: no title may be there twice.
  const isGiven = (title: string): boolean => !tellsRow.has(title) || parts.meant.includes(title);
  const kept = [...columns.keys()].filter((index) => isGiven(columns[index] ?? ''));
  const told = async ({ row, line, cells, plan }: GivenRow): Promise<readonly string[]> => {
    const entry = entries.of(row);
    const mistake = wrong.get(row) ?? '';
    if (entry === undefined && wasAdded(cells))
      return toldBefore(own, { line, mistake }, (title) => cells[columns.indexOf(title)]);
    // What became of a record may be that its row cannot be planned any more.
    const key = keyIn(entry) ?? (await plan()).plan?.key ?? '';
    return [String(line), key, ...cellsOf(entry, mistake), ...(hasFiles ? fileCells(entry) : [])];
  };
  try {
    let text = lineOf([...own, ...kept.map((index) => columns[index] ?? '')]);
    for await (const row of parts.rows) {
      text += lineOf([...(await told(row)), ...kept.map((index) => given(row.cells[index]))]);
      if (text.length < pieceLength) continue;
      part.write(Buffer.from(text));
      text = '';
    }
    part.write(Buffer.from(text));
    part.putAs(file, parts.isReady);
  } finally {
    entries.close();
    part.discard();
  }
}
