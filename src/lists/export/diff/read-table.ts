import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { RelctlError, usage } from '../../../core/errors/relctl-error.js';
import { unreadableBecause, unreadableInput } from '../../../state/own-file.js';
import { isGzipName } from '../../../state/gzip.js';
import { isPipe } from '../../../state/input-file.js';
import { badLine, csvReader, type CsvRow, tsvReader } from '../../../core/text/separated/csv.js';
import { jsonArrayReader, jsonLinesReader, type JsonItem } from '../../../core/text/json-items.js';
import { jsonOf, isObject } from '../../../core/values/value.js';
import type { TablePart, TableRow } from './packed-tables.js';

/** Formats that can be read back. */
export const tableFormats = ['csv', 'tsv', 'json', 'ndjson', 'xlsx', 'parquet'] as const;

/** One of them. */
export type TableFormat = (typeof tableFormats)[number];

/** Formats in which the same value is the same text. */
const alike: Readonly<Record<TableFormat, 'cells' | 'json' | 'xlsx' | 'parquet'>> = {
  csv: 'cells',
  tsv: 'cells',
  json: 'json',
  ndjson: 'json',
  xlsx: 'xlsx',
  parquet: 'parquet',
};

/** True for files whose values can be compared. */
export const areAlike = (left: TableFile, right: TableFile): boolean => alike[left.format] === alike[right.format];

/** True for a file whose values are JSON texts. */
export const hasJson = ({ format }: TableFile): boolean => alike[format] === 'json' || alike[format] === 'parquet';

/** A file of records. */
export interface TableFile {
  readonly file: string;
  readonly format: TableFormat;
  /** Between the cells of CSV. */
  readonly delimiter: string;
}

/** The format by the ending of a file name, without .gz; undefined for another ending. */
export function formatByName(file: string): TableFormat | undefined {
  const [, ending = ''] = /\.([a-z]+)(?:\.gz)?$/i.exec(file) ?? [];
  const name = ending.toLowerCase();
  if (name === 'jsonl') return 'ndjson';
  return tableFormats.find((format) => format === name);
}

function unreadable({ file, format }: TableFile, thrown: unknown): RelctlError {
  if (thrown instanceof RelctlError) {
    // What reads workbooks names the file.
    if (format === 'xlsx') return thrown.but({ facts: { ...thrown.facts, path: file } });
    const { message, facts } = thrown;
    const words = facts.line === undefined ? message : `line ${facts.line}: ${message}`;
    return thrown.but({ message: `${file}, ${words}`, facts: { ...facts, path: file } });
  }
  if (thrown instanceof TypeError) {
    return new RelctlError('usage', `${file} is not UTF-8`, { facts: { code: 'encoding', path: file } });
  }
  const { code } = unreadableBecause(thrown);
  // Its reader throws errors of many kinds, none of them with a code.
  if (format === 'parquet' && !/^[A-Z_]+$/.test(code))
    return new RelctlError('usage', `${file} is not a Parquet file, or is damaged`, {
      facts: { code: 'parquet', path: file },
    });
  const isPacked = code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE';
  if (!isPacked) return unreadableInput(file, thrown);
  return new RelctlError('usage', `${file} is not a complete gzip file (${code})`, {
    facts: { foreignCode: code, path: file },
  });
}

/** The text of a file in strict UTF-8, without byte order mark, decompressed when its name ends in .gz. */
async function* textOf(file: string): AsyncGenerator<string> {
  // Larger pieces become texts that V8 collects late.
  const bytes = createReadStream(file, { highWaterMark: 64 * 1024 });
  const unpacked = isGzipName(file) ? createGunzip() : undefined;
  if (unpacked !== undefined) bytes.on('error', (error) => unpacked.destroy(error)).pipe(unpacked);
  // A byte that is not UTF-8 must not become another character: that could make a difference, or hide one.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of (unpacked ?? bytes) as AsyncIterable<Buffer>) {
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

function columnsOf({ cells, line }: CsvRow): readonly string[] {
  const seen = new Set<string>();
  for (const name of cells) {
    if (seen.has(name)) throw badLine(line, `two columns are named '${name}'`);
    seen.add(name);
  }
  return cells;
}

function cellsRow({ line, cells }: CsvRow, names: readonly string[]): TableRow {
  if (cells.length !== names.length) {
    throw badLine(line, `${cells.length} cells, but the header has ${names.length}`);
  }
  return { line, names, values: cells };
}

interface Reading<T> {
  push(text: string): readonly T[];
  end(): readonly T[];
}

async function* pieces<T>(file: string, reader: Reading<T>): AsyncGenerator<readonly T[]> {
  for await (const text of textOf(file)) yield reader.push(text);
  yield reader.end();
}

async function* cellTable({ file, format, delimiter }: TableFile): AsyncGenerator<TablePart> {
  let names: readonly string[] | undefined;
  for await (const piece of pieces(file, format === 'csv' ? csvReader(delimiter) : tsvReader())) {
    let rows = piece;
    const [first] = rows;
    if (names === undefined) {
      if (first === undefined) continue;
      names = columnsOf(first);
      yield { kind: 'columns', names };
      rows = rows.slice(1);
    }
    const header = names;
    yield { kind: 'rows', rows: rows.map((row) => cellsRow(row, header)) };
  }
  if (names === undefined) throw badLine(1, 'there is no header');
}

const mark = '\u0000';
const marked = /"\\u0000(-?\d[\d.eE+-]*)"/g;
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const mayLose = /[\d.]{16}|\d[eE]/;

/** JSON whose long numbers are texts with a mark: as numbers, two that differ in the last digit could become equal. */
function withAllDigits(text: string): string {
  if (!mayLose.test(text)) return text;
  return text.replace(token, (match) =>
    !match.startsWith('"') && mayLose.test(match) ? JSON.stringify(mark + match) : match,
  );
}

const textOfValue = (value: unknown): string => JSON.stringify(value).replace(marked, '$1');

function flatten(value: object, above: string, fields: Map<string, string>): void {
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const path = above + name;
    const isNested = isObject(member);
    if (isNested && Object.keys(member).length > 0) flatten(member, `${path}.`, fields);
    else fields.set(path, textOfValue(member));
  }
}

function itemRow({ line, text }: JsonItem): TableRow {
  const value = jsonOf(withAllDigits(text));
  if (value === undefined) throw badLine(line, 'a record is not valid JSON');
  if (!isObject(value)) throw badLine(line, 'this is not a record');
  const fields = new Map<string, string>();
  flatten(value, '', fields);
  return { line, names: [...fields.keys()], values: [...fields.values()] };
}

async function* jsonTable({ file, format }: TableFile): AsyncGenerator<TablePart> {
  for await (const items of pieces(file, format === 'json' ? jsonArrayReader() : jsonLinesReader())) {
    yield { kind: 'rows', rows: items.map(itemRow) };
  }
}

async function tableIn(table: TableFile): Promise<AsyncGenerator<TablePart>> {
  switch (table.format) {
    case 'csv':
    case 'tsv':
      return cellTable(table);
    case 'json':
    case 'ndjson':
      return jsonTable(table);
    case 'xlsx':
      return (await import('./packed-tables.js')).workbookTable(table.file);
    case 'parquet':
      return (await import('./packed-tables.js')).parquetTable(table.file);
  }
}

/**
 * Reads the records of a file, a piece of it at a time. Throws `usage` with file and line for a file that is damaged (a row of another
 * length than the header, a wrong quotation mark, text that is not UTF-8) or cannot be read, and for a pipe.
 */
export async function* readTable(table: TableFile): AsyncGenerator<TablePart> {
  // What was read of one does not come again.
  if (isPipe(table.file))
    throw usage(table.file, `${table.file} is a pipe, but relctl reads each file of a comparison more than once`, {
      advice: 'Write it to a file first, then compare that file.',
    });
  try {
    yield* await tableIn(table);
  } catch (thrown) {
    throw unreadable(table, thrown);
  }
}
