import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs';
import { createGunzip, gunzipSync } from 'node:zlib';
import type { AsyncBuffer, FileMetaData } from 'hyparquet';
import { RelctlError, usage } from '../../../core/errors/relctl-error.js';
import { readAt } from '../../../state/durable.js';
import { isGzipName } from '../../../state/gzip.js';
import { openTemporaryFile } from '../../../state/temporary-file.js';
import { isWrongCell, positionIn, cellForMessage, type Cell, type InputRow } from '../../../formats/readers/input.js';
import { lengthBeforeCut } from '../../../core/text/spreadsheet.js';
import { hasValue } from '../../../core/values/value.js';

// Tables that are read from places of their file: workbooks and Parquet files.

const unpackedBytes = (file: string): AsyncIterable<Uint8Array> => {
  const bytes = createReadStream(file);
  if (!isGzipName(file)) return bytes;
  const unpacked = createGunzip();
  bytes.on('error', (error) => unpacked.destroy(error)).pipe(unpacked);
  return unpacked;
};

const rowsAtOnce = 1000;

/** The text of a cell. Throws `usage` for one that does not say what was there: an error, the beginning of a long text. */
function textOfCell(cell: Cell, location: string): string {
  if (!isWrongCell(cell) || cell.rightFor !== undefined) return cellForMessage(cell);
  const isAll = cell.isWhole === true && lengthBeforeCut(cell.text) === undefined;
  if (isAll) return cell.text;
  throw new RelctlError('usage', `${location}: ${cell.wrong}`, { facts: { path: location, code: 'line' } });
}

function sheetRow(file: string, names: readonly string[], { line, cells, wrong }: InputRow): TableRow {
  if (wrong !== undefined) throw usage(positionIn(file, line), `${positionIn(file, line)}: ${wrong}`);
  return { line, names, values: cells.map((cell, at) => textOfCell(cell, positionIn(file, line, names[at]))) };
}

/** Reads the sheet of a workbook. Its cells are texts, as CSV has them. Throws `usage`, also for several that are shown. */
export async function* workbookTable(file: string): AsyncGenerator<TablePart> {
  const { openInput } = await import('../../../formats/readers/open.js');
  // What is packed comes as a pipe does: it is kept in a temporary file.
  const name = isGzipName(file) ? '-' : file;
  const input = await openInput({ file: name, form: 'xlsx', stream: () => unpackedBytes(file) });
  try {
    if ((input.sheets ?? 1) > 1)
      throw new RelctlError('usage', `${file} has ${input.sheets} sheets, and its list may continue on the next`, {
        facts: { code: 'sheets' },
        advice: 'To compare long lists, export CSV or Parquet. Reduce any other workbook to one sheet.',
      });
    yield { kind: 'columns', names: input.columns };
    let rows: TableRow[] = [];
    for await (const row of input.rows()) {
      if (rows.push(sheetRow(file, input.columns, row)) < rowsAtOnce) continue;
      yield { kind: 'rows', rows };
      rows = [];
    }
    yield { kind: 'rows', rows };
  } finally {
    input.close();
  }
}

async function openPlaced(file: string): Promise<{ readonly bytes: AsyncBuffer; readonly close: () => void }> {
  if (isGzipName(file)) {
    const temporaryFile = openTemporaryFile();
    for await (const piece of unpackedBytes(file)) temporaryFile.append(piece);
    return { bytes: placed(temporaryFile.handle, temporaryFile.length), close: () => temporaryFile.close() };
  }
  const handle = openSync(file, 'r');
  return { bytes: placed(handle, fstatSync(handle).size), close: () => closeSync(handle) };
}

const placed = (handle: number, byteLength: number): AsyncBuffer => ({
  byteLength,
  slice(start, end = byteLength) {
    const bytes = new Uint8Array(Math.max(0, end - start));
    if (readAt(handle, bytes, start) !== bytes.length) throw new RangeError('it is truncated');
    return bytes.buffer;
  },
});

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A value as JSON, so that nothing and an empty text differ. Throws `usage` for one that no export of relctl has. */
function jsonOfValue(value: unknown, column: string): string {
  if (!hasValue(value)) return 'null';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return JSON.stringify(value);
  throw new RelctlError('usage', `the column ${column} has values that no export of relctl contains`, {
    facts: { code: 'type' },
  });
}

/** What reads the values: gzip, as relctl writes it, and snappy; texts in strict UTF-8. */
const values = {
  compressors: {
    GZIP: (bytes: Uint8Array, length: number) => gunzipSync(bytes, { maxOutputLength: Math.max(1, length) }),
  },
  parsers: { stringFromBytes: (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes) },
};

const namesIn = ({ schema: [root, ...others] }: FileMetaData): readonly string[] => {
  if (others.length !== root?.num_children || others.some(({ num_children: inner = 0 }) => inner > 0))
    throw new RelctlError('usage', 'it has columns within columns', { facts: { code: 'type' } });
  return others.map(({ name }) => name);
};

/** Reads a Parquet file, a row group at a time. Its values are JSON texts; lines are numbers of rows. Throws `usage`. */
export async function* parquetTable(file: string): AsyncGenerator<TablePart> {
  const { parquetMetadataAsync, parquetRead } = await import('hyparquet');
  const { bytes, close } = await openPlaced(file);
  try {
    const metadata = await parquetMetadataAsync(bytes);
    const names = namesIn(metadata);
    yield { kind: 'columns', names };
    let first = 0;
    for (const { num_rows: count } of metadata.row_groups) {
      const [rowStart, rowEnd] = [first, first + Number(count)];
      let sheets: readonly (readonly unknown[])[] = [];
      const onComplete = (rows: readonly (readonly unknown[])[]): void => void (sheets = rows);
      await parquetRead({ file: bytes, metadata, rowStart, rowEnd, onComplete, ...values });
      if (sheets.length !== rowEnd - rowStart) throw new RangeError('a row group is incomplete');
      const rows = sheets.map((row, at) => ({
        line: rowStart + at + 1,
        names,
        values: names.map((name, column) => jsonOfValue(row[column], name)),
      }));
      yield { kind: 'rows', rows };
      first = rowEnd;
    }
  } finally {
    close();
  }
}

/** Values by dotted names, side by side. Values of JSON and Parquet are JSON texts, those of others are cells. */
export interface TableFields {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

/** A record of a file. */
export interface TableRow extends TableFields {
  readonly line: number;
}

/** A part of a file: first the columns, where it has a header, then its records, some at a time. */
export type TablePart =
  | { readonly kind: 'columns'; readonly names: readonly string[] }
  | { readonly kind: 'rows'; readonly rows: readonly TableRow[] };
