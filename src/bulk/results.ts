import { csvQuote } from '../lexical/separated/csv-quote.js';
import { openPartFile } from '../files/part-file.js';
import { shownCell, type Cell, type InputFile } from '../inputs/input.js';
import type { Entry, Sent } from '../batches/entry.js';
import type { RowStates } from '../batches/row-states.js';
import { openLastEntries } from '../batches/states.js';
import { withWay } from '../batches/outcome.js';
import { wayToSettle } from '../records/writing.js';
import { ownPrefix } from './reading/columns.js';
import type { GivenRow } from './planned-rows.js';

/** What results are made of. */
export interface ResultsParts {
  /** Where they go. */
  readonly file: string;
  readonly input: InputFile;
  readonly journal: string;
  readonly states: RowStates;
  /** The rows, read anew. */
  readonly rows: AsyncIterable<GivenRow>;
  /** True where rows send files: size and SHA-256 of each are told. */
  readonly hasFiles: boolean;
  /** What is to be told of a row that was not sent, by its cells. */
  readonly unsentAs: (cells: readonly Cell[]) => string;
  /** What was wrong with rows when they were checked, by their numbers. */
  readonly wrong: ReadonlyMap<number, string>;
  /** What stands for null, which CSV does not have. */
  readonly nullText: string;
  /** Called with the path of the complete file, before it gets its name. */
  readonly isReady: (part: string) => void;
}

const titles = ['line', 'key', 'outcome', 'number', 'code', 'message', 'id', 'at'].map((name) => `${ownPrefix}${name}`);

const fileTitles = ['size', 'sha256'].map((name) => `${ownPrefix}${name}`);

const tellsRow: ReadonlySet<string> = new Set([...titles, ...fileTitles]);

/** Results are written in pieces of about so many characters. */
const pieceLength = 65_536;

const quoted = csvQuote(',');

const lineOf = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

/** That no answer is known, and where to look. */
const lostWords = ({ operation: name, input }: Sent): string =>
  withWay('it was sent, and no answer was kept', wayToSettle({ operation: { name }, input }));

/** What an entry tells of its row, as cells. */
function cellsOf(entry: Entry | undefined, mistake: string, before: string): readonly string[] {
  if (entry === undefined) return [before, '', '', mistake, '', ''];
  if ('sends' in entry) return ['unknown', '', '', lostWords(entry.sends), '', entry.at];
  const { outcome, number, code, words, id } = entry.ends;
  return [outcome, String(number ?? ''), code ?? '', words ?? '', id ?? '', entry.at];
}

/** What identifies the record of a row, as an entry tells it. */
const keyIn = (entry: Entry | undefined): string | undefined =>
  entry !== undefined && 'sends' in entry ? entry.sends.key : entry?.key;

/** Size and hash of the file of a row, once its content was read. */
function fileCells(entry: Entry | undefined): readonly string[] {
  const said = entry !== undefined && 'ends' in entry ? entry.ends : entry?.sends;
  return [String(said?.file?.size ?? ''), said?.file?.sha256 ?? ''];
}

/**
 * Writes what became of each row, and the row as it was given, so that rows that failed can be mended and fed back. The file is
 * whole or as before. Throws `local`, and what reading the input throws.
 */
export async function writeResults({
  file,
  input,
  journal,
  states,
  rows,
  wrong,
  hasFiles,
  unsentAs,
  nullText,
  isReady,
}: ResultsParts): Promise<void> {
  const part = openPartFile(file);
  const entries = openLastEntries(journal, states);
  const given = (cell: Cell): string => (cell === null ? nullText : shownCell(cell));
  // Of results that were fed back, what an earlier run told is told anew: no title may be there twice.
  const kept = [...input.columns.keys()].filter((index) => !tellsRow.has(input.columns[index] ?? ''));
  try {
    let text = lineOf([...titles, ...(hasFiles ? fileTitles : []), ...kept.map((index) => input.columns[index] ?? '')]);
    for await (const { row, line, cells, plan } of rows) {
      const entry = entries.of(row);
      // What became of a record may be that its row cannot be planned any more.
      const key = keyIn(entry) ?? (await plan()).plan?.key ?? '';
      const own = [String(line), key, ...cellsOf(entry, wrong.get(row) ?? '', unsentAs(cells))];
      if (hasFiles) own.push(...fileCells(entry));
      text += lineOf([...own, ...kept.map((index) => given(cells[index]))]);
      if (text.length < pieceLength) continue;
      part.write(Buffer.from(text));
      text = '';
    }
    part.write(Buffer.from(text));
    part.putAs(file, isReady);
  } finally {
    entries.close();
    part.discard();
  }
}
