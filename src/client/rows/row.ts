import { RelctlError } from '../../core/errors/relctl-error.js';
import { recordBatches, type RecordValue, type Value } from '../../core/values/value.js';
import { guidWords, writeIdWords } from '../ids/guid-table.js';
import { contentWords, hashContent } from '../../core/values/content-hash.js';
import type { RenderedPage } from './rendered-page.js';

/** The page of a rendered row, and its number there. Symbols, because a decoded row has a text for a name. */
export const ofPage = Symbol('page');
export const atRow = Symbol('row');

/**
 * What is left of a record that became text when it was decoded: its Id, the hash of its content, and where its text is. It is
 * no record, and no code can take it for one. Answers have up to a million.
 */
export class RenderedRow {
  readonly [ofPage]: RenderedPage;
  readonly [atRow]: number;

  constructor(page: RenderedPage, row: number) {
    this[ofPage] = page;
    this[atRow] = row;
  }
}

/** The same as it stands in the result of an answer: to the decoder it is a record with an Id. */
export class DecodedRow extends RenderedRow {
  readonly [field: string]: Value;

  get Id(): string {
    return this[ofPage].idOf(this[atRow]);
  }
}

/** A row of a list: a record, or what was made of one while it was decoded, for a sink that asked for that. */
export type Row = RecordValue | RenderedRow;

/** A record with one more member, which comes first and replaces one of the same name. */
export const withLead = (name: string, value: string, record: RecordValue): RecordValue =>
  Object.assign({ [name]: value }, record, { [name]: value });

/** The same for a row; one that was kept as JSON has the member when it is read back. */
export function leadRow(name: string, value: string, row: Row): Row {
  if (!(row instanceof RenderedRow)) return withLead(name, value, row);
  row[ofPage].leads.put(row[atRow], { name, value });
  return row;
}

/** The record of a row, read back where it was kept as JSON. Throws `local`, and `bug` for one of which only text is left. */
export function recordOfRow(row: Row): RecordValue {
  if (!(row instanceof RenderedRow)) return row;
  const [page, number] = [row[ofPage], row[atRow]];
  if (!page.isJson) throw new RelctlError('bug', 'a row of text cannot be used as a record');
  // JSON.stringify wrote its text.
  const whole = JSON.parse(page.textOf(number)) as RecordValue;
  const lead = page.leads.of(number);
  return lead === undefined ? whole : withLead(lead.name, lead.value, whole);
}

/** The text that a row became, a record as JSON. Throws `local`. */
export const textOfRow = (row: Row): string =>
  row instanceof RenderedRow ? row[ofPage].textOf(row[atRow]) : JSON.stringify(row);

const mostRecords = 10_000;

function* recordsOf(rows: readonly Row[]): Generator<RecordValue> {
  for (const row of rows) yield recordOfRow(row);
}

/** The records of rows in their order, some at a time. Throws as `recordOfRow` does. */
export const recordSlices = (rows: readonly Row[]): Generator<readonly RecordValue[]> =>
  recordBatches(recordsOf(rows), mostRecords);

/** What a row was made of, any other value as it is; undefined for a row whose record was not kept. */
export const printedValue = (value: Value): Value | undefined =>
  value instanceof DecodedRow ? value[ofPage].recordOf(value[atRow]) : value;

/** Gives the Id of a record; undefined where it has none. */
export type IdOf = (record: RecordValue) => string | undefined;

/** The Id of a row. Throws `local`. */
export function rowId(row: Row, idOf: IdOf): string | undefined {
  if (!(row instanceof RenderedRow)) return idOf(row);
  const id = row[ofPage].idOf(row[atRow]);
  // A key was found while the record was there. What counts as no Id is known to who asks.
  if (!row[ofPage].hasKeys) return idOf({ Id: id });
  return id === '' ? undefined : id;
}

/** True for a row that became no text: it is not written. */
export const isBlank = (row: Row): boolean =>
  row instanceof RenderedRow && row[ofPage].isBlank(row[atRow], row[atRow] + 1);

/** Writes the hash of what a row holds, or held, to `into` from index `at`, as hashContent does. */
export function writeContent(row: Row, into: Uint32Array, at: number): void {
  if (row instanceof RenderedRow) row[ofPage].contentOf(row[atRow], into, at);
  else hashContent(row, into, at);
}

/** Stands for what a row holds, or held: the hash of it. */
export function contentTextOf(row: Row): string {
  const words = new Uint32Array(contentWords);
  writeContent(row, words, 0);
  return words.join(' ');
}

/** The page of rows that stand on it one after the other, and where; undefined for any others. */
function onPage(rows: readonly Row[]): { readonly page: RenderedPage; readonly from: number } | undefined {
  const [first] = rows;
  if (!(first instanceof RenderedRow)) return undefined;
  const [page, from] = [first[ofPage], first[atRow]];
  for (let index = 1; index < rows.length; index += 1) {
    const row = rows[index];
    if (!(row instanceof RenderedRow) || row[ofPage] !== page || row[atRow] !== from + index) return undefined;
  }
  return { page, from };
}

/** The hashes of rows, side by side. */
export function contentsOf(rows: readonly Row[]): Uint32Array {
  const whole = onPage(rows);
  if (whole !== undefined) return whole.page.contentsOf(whole.from, whole.from + rows.length).slice();
  const hashes = new Uint32Array(rows.length * contentWords);
  for (const [index, row] of rows.entries()) writeContent(row, hashes, index * contentWords);
  return hashes;
}

/** The words of the Ids of rows, side by side, valid as long as the rows; undefined where they are not on one page, or lack some. */
export function idWordsOf(rows: readonly Row[]): Uint32Array | undefined {
  const whole = onPage(rows);
  return whole?.page.wordsOf(whole.from, whole.from + rows.length);
}

/** Writes the four words of the Id of a row; false for one without an Id. Throws `local`. */
export function writeIdOf(row: Row, idOf: IdOf, into: Uint32Array): boolean {
  if (row instanceof RenderedRow && row[ofPage].hasIdWords(row[atRow])) {
    row[ofPage].writeIdWords(row[atRow], into);
    return true;
  }
  const id = rowId(row, idOf);
  if (id !== undefined) writeIdWords(id, into);
  return id !== undefined;
}

/** What tells the rows of a page that have an Id: words, those of one row behind those of the other. */
export interface PageKeys {
  /** Four words for each Id (see writeIdWords). */
  readonly ids: Uint32Array;
  /** The hashes of contents, two words each. */
  readonly contents: Uint32Array;
}

/**
 * The keys of the rows of a page that have an Id. Throws `local`.
 * @param contents the hashes of the rows, two words each
 */
export function pageKeysOf(rows: readonly Row[], contents: Uint32Array, idOf: IdOf): PageKeys {
  const hashes = contents.slice(0, rows.length * contentWords);
  const whole = idWordsOf(rows);
  if (whole !== undefined) return { ids: whole.slice(), contents: hashes };
  const ids = new Uint32Array(rows.length * guidWords);
  const id = new Uint32Array(guidWords);
  let count = 0;
  for (const [index, row] of rows.entries()) {
    if (!writeIdOf(row, idOf, id)) continue;
    ids.set(id, count * guidWords);
    if (count < index) hashes.copyWithin(count * contentWords, index * contentWords, (index + 1) * contentWords);
    count += 1;
  }
  return { ids: ids.subarray(0, count * guidWords), contents: hashes.subarray(0, count * contentWords) };
}

/** Rows of one page whose texts follow each other. */
interface TextRun {
  readonly page: RenderedPage;
  readonly from: number;
  to: number;
  /** Those of them that have text. */
  rows: number;
}

const goesOn = ({ page, to }: TextRun, other: RenderedPage, row: number): boolean =>
  page === other && (to === row || (to < row && page.isBlank(to, row)));

function runsOf(rows: readonly Row[]): readonly (TextRun | Row[])[] {
  const runs: (TextRun | Row[])[] = [];
  let last: TextRun | Row[] | undefined;
  for (const row of rows) {
    if (!(row instanceof RenderedRow) || row[ofPage].isJson) {
      if (Array.isArray(last)) last.push(row);
      else runs.push((last = [row]));
      continue;
    }
    const [page, number] = [row[ofPage], row[atRow]];
    if (last === undefined || Array.isArray(last) || !goesOn(last, page, number))
      runs.push((last = { page, from: number, to: number + 1, rows: 1 }));
    else {
      last.to = number + 1;
      last.rows += 1;
    }
  }
  return runs;
}

/** Text of some rows, or some records. */
export type RowsPart =
  { readonly text: Uint8Array; readonly rows: number } | { readonly records: readonly RecordValue[] };

/**
 * The rows in their order: the text of those that became text, the records of others some at a time. The bytes of a text are
 * valid until the next part is asked for; the first part of a long text counts the rows of all of it. Throws `local`.
 */
export function* partsOf(rows: readonly Row[]): Generator<RowsPart> {
  for (const run of runsOf(rows)) {
    if (Array.isArray(run)) for (const records of recordSlices(run)) yield { records };
    else {
      let count = run.rows;
      for (const text of run.page.piecesOf(run.from, run.to)) {
        yield { text, rows: count };
        count = 0;
      }
    }
  }
}
