import { usage } from '../errors/usage.js';
import { openBytes, type InputBytes } from './bytes.js';
import type { DelimiterName } from './delimiter.js';
import { formOf, type InputForm } from './form.js';
import type { InputFile } from './input.js';
import { openSeparated } from './separated.js';
import type { InputTable } from './table.js';

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
