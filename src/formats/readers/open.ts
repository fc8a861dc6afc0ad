import { usage, type RelctlError } from '../../core/errors/relctl-error.js';
import { openBytes, type InputBytes, isPacked, noUtf8, otherThanText } from './bytes.js';
import { type InputFile, type InputTable, wrongRow, fitted, isEmptyRow, titlesOf, tableCell } from './input.js';
import { baseTitle } from '../edits/base.js';
import { forMessage } from '../../core/text/text.js';
import { extname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { csvReader, type CsvRow, inFile, type RowReader, tsvReader } from '../../core/text/separated/csv.js';
import { defined } from '../../core/values/value.js';

const delimiters = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;

type DelimiterName = keyof typeof delimiters;

const names = Object.keys(delimiters) as readonly DelimiterName[];

function delimiterOf({ name, head }: Pick<InputBytes, 'name' | 'head'>): DelimiterName {
  // A quotation mark that is not closed is a mistake of the file, wherever it ends.
  const [header = ''] = /^(?:"[^"]*"?|[^"\n])*/.exec(head.toString('utf8')) ?? [];
  const bare = header.replaceAll(/"[^"]*"?/g, '');
  const held = names.filter((each) => bare.includes(delimiters[each]));
  const [first = 'comma', second] = held;
  if (second === undefined) return first;
  throw usage('--delimiter', `the header of ${name} has ${held.join(' and ')}: choose its delimiter`, {
    hint: `--delimiter ${first}`,
  });
}

type Rows = () => AsyncGenerator<CsvRow>;

const mark = [0xef, 0xbb, 0xbf] as const;

const hasMark = ({ head }: InputBytes): boolean => mark.every((byte, at) => head[at] === byte);

/**
 * The rows of a text, the header too: CSV to the letter of RFC 4180, or TSV as this program writes it, without quotes, where
 * backslashes escape. Throws `usage` that names the line.
 */
async function* rowsOf(bytes: InputBytes, reader: RowReader, advice?: string): AsyncGenerator<CsvRow> {
  const decoder = new StringDecoder('utf8');
  try {
    for await (const piece of bytes.pieces(hasMark(bytes) ? mark.length : 0)) yield* reader.push(decoder.write(piece));
    yield* reader.end();
  } catch (thrown) {
    throw inFile(thrown, (line, what) => wrongRow(bytes.name, line, what).but(defined({ advice })));
  }
}

async function tableOf(bytes: InputBytes, rows: Rows): Promise<Pick<InputTable, 'columns' | 'rows'>> {
  const first = await rows().next();
  if (first.done === true) throw wrongRow(bytes.name, 1, 'there is no header');
  const [begin] = first.value.cells;
  if (typeof begin === 'string' && /^sep=/i.test(begin))
    throw wrongRow(bytes.name, 1, 'is not a header: remove the line, and use --delimiter');
  const columns = titlesOf(bytes.name, first.value);
  // Of the files with a mark, those that are edited and fed back have texts as they are.
  const kind = hasMark(bytes) && !columns.includes(baseTitle) ? 'for-excel' : 'separated';
  return {
    columns,
    async *rows(onSkip) {
      let isHeader = true;
      for await (const row of rows()) {
        if (isHeader) isHeader = false;
        else if (isEmptyRow(row)) onSkip();
        else yield fitted({ ...row, cells: row.cells.map((cell) => tableCell(cell, kind)) }, columns.length);
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
        'Choose who wrote it: --input-format tsv for relctl (quotation marks are text, \\t, \\n, \\r and \\\\ are escaped ' +
        'characters), --input-format csv --delimiter tab for a spreadsheet.',
    },
  );
}

interface SeparatedRequest {
  /** The form by the name of the file or by --input-format. */
  readonly form: 'csv' | 'tsv';
  /** True when --input-format says so. */
  readonly isAsked: boolean;
  readonly delimiter: DelimiterName | undefined;
}

const markNotes = (bytes: InputBytes): readonly string[] =>
  hasMark(bytes) ? ['it begins with a byte order mark'] : [];

const spreadsheetTabs = 'For tabs of a spreadsheet, use --input-format csv --delimiter tab.';

const lastBytes = 4096;

async function endNotes(bytes: InputBytes): Promise<readonly string[]> {
  const pieces: Buffer[] = [];
  for await (const piece of bytes.pieces(Math.max(0, bytes.length - lastBytes))) pieces.push(piece);
  const last = Buffer.concat(pieces).toString('utf8').split('\n').at(-1) ?? '';
  return last === '' ? [] : [`its last line has no line end, and may be truncated: ${forMessage(last, 80)}`];
}

async function openTsv(bytes: InputBytes, isExplicit: boolean): Promise<InputTable> {
  if (!isExplicit) checkTabs(bytes, true);
  const escapes = isExplicit || !bytes.text.hasBackslash ? [] : ['\\t, \\n, \\r and \\\\ in it stand for characters'];
  const table = await tableOf(bytes, () => rowsOf(bytes, tsvReader(), spreadsheetTabs));
  return {
    ...table,
    said: [...escapes, ...markNotes(bytes), ...(await endNotes(bytes))],
    point: 'decimal-as-exported',
  };
}

async function openSeparated(
  bytes: InputBytes,
  { form, isAsked: isExplicit, delimiter }: SeparatedRequest,
): Promise<InputTable> {
  if (form === 'tsv' && delimiter === undefined) return openTsv(bytes, isExplicit);
  const separator = delimiter ?? delimiterOf(bytes);
  if (delimiter === undefined && separator === 'tab') checkTabs(bytes, false);
  const cells = delimiter === undefined && separator !== 'comma' ? [`a ${separator} is its delimiter`] : [];
  const table = await tableOf(bytes, () => rowsOf(bytes, csvReader(delimiters[separator])));
  const point = separator === 'comma' ? 'decimal-as-exported' : 'doubtful';
  return { ...table, said: [...cells, ...markNotes(bytes), ...(await endNotes(bytes))], point };
}

type InputForm = 'csv' | 'tsv' | 'ndjson' | 'json' | 'xlsx';

const byEnding: Readonly<Record<string, InputForm>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
  '.xlsx': 'xlsx',
  '.xlsm': 'xlsx',
};

const taker = '--file';

const refused = (name: string, what: string): RelctlError => usage(taker, `${name} ${what}`);

function formOfText(head: Buffer): InputForm {
  const [first] = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (first === '[') return 'json';
  return first === '{' ? 'ndjson' : 'csv';
}

/**
 * The form of a file: that which was asked for; else what its content shows, a workbook before all; else the ending of its
 * name. Throws `usage` for what has none of the forms.
 */
function formOf(bytes: InputBytes, inputForm: InputForm | undefined): InputForm {
  const { name, head, length } = bytes;
  if (length === 0) throw refused(name, 'is empty: there is no header');
  const other = otherThanText(head, taker);
  if (other !== undefined) throw refused(name, other);
  if (isPacked(head) && (inputForm ?? 'xlsx') === 'xlsx') return 'xlsx';
  const named = byEnding[extname(name).toLowerCase()];
  const form = inputForm ?? named;
  if (form === 'xlsx') throw refused(name, 'is not a workbook: an .xlsx file begins with PK');
  const wrong = noUtf8(bytes.text, taker);
  if (wrong !== undefined) throw refused(name, wrong);
  return form ?? formOfText(head);
}

/** How an input file is read; what is undefined is found in the file. */
export interface InputRequest {
  /** `-` is stdin. */
  readonly file: string;
  readonly form?: InputForm | undefined;
  readonly delimiter?: DelimiterName | undefined;
  readonly sheet?: string | undefined;
  /** The bytes of what comes only once, by its name: stdin and pipes. Throws what `openBytes` throws. */
  readonly stream: (file: string) => AsyncIterable<Uint8Array>;
}

function checkFlags(form: InputForm, { delimiter, sheet, file }: InputRequest): void {
  const isTable = form === 'csv' || form === 'tsv';
  if (delimiter !== undefined && !isTable)
    throw usage('--delimiter', `--delimiter is for CSV and TSV, and ${file} is ${form}`, '');
  if (sheet !== undefined && form !== 'xlsx')
    throw usage('--sheet', `--sheet is for workbooks, and ${file} is ${form}`, '');
}

async function openTable(bytes: InputBytes, request: InputRequest): Promise<InputTable> {
  const form = formOf(bytes, request.form);
  checkFlags(form, request);
  const { delimiter, sheet } = request;
  if (form === 'xlsx') return (await import('./workbook/open-workbook.js')).openWorkbook(bytes, sheet);
  if (form === 'json' || form === 'ndjson') return (await import('./json-reader.js')).openJson(bytes, form);
  return openSeparated(bytes, { form, isAsked: request.form !== undefined, delimiter });
}

const textNotes = ({ text }: InputBytes): readonly string[] =>
  text.hasReplacement
    ? ['it has U+FFFD, which programs write for characters that they cannot read; relctl uses it unchanged']
    : [];

/** Opens a file of rows. Throws `usage` for one that cannot be read or has no form that is known. */
export async function openInput(request: InputRequest): Promise<InputFile> {
  const bytes = await openBytes(request.file, request.stream);
  try {
    const table = await openTable(bytes, request);
    let skipped = 0;
    return {
      name: bytes.name,
      sha256: bytes.sha256,
      columns: table.columns,
      said: [...table.said, ...textNotes(bytes)].map((words) => `${bytes.name}: ${words}`),
      point: table.point,
      ...defined({ sheets: table.sheets }),
      get skipped() {
        return skipped;
      },
      rows() {
        skipped = 0;
        return table.rows(() => (skipped += 1));
      },
      cellName: (line, column) => table.cellName?.(line, column),
      close: () => bytes.close(),
    };
  } catch (thrown) {
    bytes.close();
    throw thrown;
  }
}
