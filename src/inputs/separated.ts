import { StringDecoder } from 'node:string_decoder';
import { RelctlError } from '../errors/relctl-error.js';
import { usage } from '../errors/usage.js';
import { csvReader, type RowReader } from '../lexical/separated/csv.js';
import { defined } from '../plain/defined.js';
import { tsvReader } from '../lexical/separated/tsv.js';
import type { InputBytes } from './bytes.js';
import { wrongRow, type InputRow, fitted, isEmptyRow, titlesOf, type InputTable } from './input.js';

/** What separates cells, by the names that --delimiter takes. */
const delimiters = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;

/** The name of a delimiter. */
export type DelimiterName = keyof typeof delimiters;

const names = Object.keys(delimiters) as readonly DelimiterName[];

/** What separates the cells of a table, by its header. Throws `usage` where that holds several delimiters outside quotes. */
function delimiterOf({ name, head }: Pick<InputBytes, 'name' | 'head'>): DelimiterName {
  // A quotation mark that is not closed is a mistake of the file, wherever it ends.
  const [header = ''] = /^(?:"[^"]*"?|[^"\n])*/.exec(head.toString('utf8')) ?? [];
  const bare = header.replaceAll(/"[^"]*"?/g, '');
  const held = names.filter((each) => bare.includes(delimiters[each]));
  const [first = 'comma', second] = held;
  if (second === undefined) return first;
  throw usage('--delimiter', `the header of ${name} has ${held.join(' and ')}: say what separates its cells`, {
    hint: `--delimiter ${first}`,
  });
}

type Rows = () => AsyncGenerator<InputRow>;

const mark = [0xef, 0xbb, 0xbf] as const;

const hasMark = ({ head }: InputBytes): boolean => mark.every((byte, at) => head[at] === byte);

/**
 * The rows of a text, the header too: CSV to the letter of RFC 4180, or TSV as this program writes it, without quotes, where
 * backslashes escape. Throws `usage` that names the line.
 */
async function* rowsOf(bytes: InputBytes, reader: RowReader, advice?: string): AsyncGenerator<InputRow> {
  const decoder = new StringDecoder('utf8');
  try {
    for await (const piece of bytes.pieces(hasMark(bytes) ? mark.length : 0)) yield* reader.push(decoder.write(piece));
    yield* reader.end();
  } catch (thrown) {
    if (!(thrown instanceof RelctlError) || thrown.facts.code !== 'line') throw thrown;
    const [, line, what = ''] = /^line (\d+): (.*)$/s.exec(thrown.message) ?? [];
    throw wrongRow(bytes.name, Number(line), what).but(defined({ advice }));
  }
}

async function tableOf(bytes: InputBytes, rows: Rows): Promise<Pick<InputTable, 'columns' | 'rows'>> {
  const first = await rows().next();
  if (first.done === true) throw wrongRow(bytes.name, 1, 'there is no header');
  const [begin] = first.value.cells;
  if (typeof begin === 'string' && /^sep=/i.test(begin))
    throw wrongRow(bytes.name, 1, 'is no header: remove the line, and give --delimiter');
  const columns = titlesOf(bytes.name, first.value);
  return {
    columns,
    async *rows(onSkip) {
      let isHeader = true;
      for await (const row of rows()) {
        if (isHeader) isHeader = false;
        else if (isEmptyRow(row)) onSkip();
        else yield fitted(row, columns.length);
      }
    },
  };
}

/** Throws `usage` for tabs that this program or a spreadsheet may have written, where these differ. */
function checkTabs({ name, text }: InputBytes, isOurs: boolean): void {
  const isDoubtful = text.hasQuote || (text.hasBackslash && !isOurs);
  if (!isDoubtful) return;
  throw usage(
    '--input-format',
    `${name} has tabs between its cells, and ${text.hasQuote ? 'quotation marks' : 'backslashes'} in them`,
    {
      advice:
        'Say who wrote it: --input-format tsv for relctl (quotation marks are text, \\t, \\n, \\r and \\\\ stand for ' +
        'characters), --input-format csv --delimiter tab for a spreadsheet.',
    },
  );
}

/** How separated values are read; what is undefined is found in the file. */
export interface SeparatedRequest {
  /** The form by the name of the file or by --input-format. */
  readonly form: 'csv' | 'tsv';
  /** True when --input-format says so. */
  readonly isAsked: boolean;
  readonly delimiter: DelimiterName | undefined;
}

const markSaid = (bytes: InputBytes): readonly string[] => (hasMark(bytes) ? ['it begins with a byte order mark'] : []);

const spreadsheetTabs = 'Tabs of a spreadsheet are read by --input-format csv --delimiter tab.';

async function openTsv(bytes: InputBytes, isAsked: boolean): Promise<InputTable> {
  if (!isAsked) checkTabs(bytes, true);
  const escapes = isAsked || !bytes.text.hasBackslash ? [] : ['\\t, \\n, \\r and \\\\ in it stand for characters'];
  const table = await tableOf(bytes, () => rowsOf(bytes, tsvReader(), spreadsheetTabs));
  return { ...table, said: [...escapes, ...markSaid(bytes)], mayHaveCommas: false };
}

/** Opens a file of separated values. Throws `usage`. */
export async function openSeparated(
  bytes: InputBytes,
  { form, isAsked, delimiter }: SeparatedRequest,
): Promise<InputTable> {
  if (form === 'tsv' && delimiter === undefined) return openTsv(bytes, isAsked);
  const found = delimiter ?? delimiterOf(bytes);
  if (delimiter === undefined && found === 'tab') checkTabs(bytes, false);
  const cells = delimiter === undefined && found !== 'comma' ? [`a ${found} separates its cells`] : [];
  const table = await tableOf(bytes, () => rowsOf(bytes, csvReader(delimiters[found])));
  return { ...table, said: [...cells, ...markSaid(bytes)], mayHaveCommas: found !== 'comma' };
}
