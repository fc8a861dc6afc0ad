import { usage } from '../errors/usage.js';
import { openBytes, type InputBytes } from './bytes.js';
import { type DelimiterName, openSeparated } from './separated.js';
import type { InputFile, InputTable } from './input.js';
import { extname } from 'node:path';
import type { RelctlError } from '../errors/relctl-error.js';
import { isPacked, noUtf8, otherThanText } from './no-text.js';

/** A form of input files, as --input-format names them. */
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

/** The form that the first character of a text shows. */
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
function formOf(bytes: InputBytes, asked: InputForm | undefined): InputForm {
  const { name, head, length } = bytes;
  if (length === 0) throw refused(name, 'is empty: there is no header');
  const other = otherThanText(head, taker);
  if (other !== undefined) throw refused(name, other);
  if (isPacked(head) && (asked ?? 'xlsx') === 'xlsx') return 'xlsx';
  const named = byEnding[extname(name).toLowerCase()];
  const form = asked ?? named;
  if (form === 'xlsx') throw refused(name, 'is no workbook: an .xlsx file begins with PK');
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
  /** Name of the sheet of a workbook. */
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
  if (form === 'xlsx') return (await import('./workbook/open.js')).openWorkbook(bytes, sheet);
  if (form === 'json' || form === 'ndjson') return (await import('./json.js')).openJson(bytes, form);
  return openSeparated(bytes, { form, isAsked: request.form !== undefined, delimiter });
}

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
      said: table.said.map((words) => `${bytes.name}: ${words}`),
      mayHaveCommas: table.mayHaveCommas,
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
