import { isDecimal } from '../../core/text/scalars/decimal.js';
import { isGuid } from '../../core/text/scalars/guid.js';
import { isInteger } from '../../core/text/scalars/integer.js';
import { copyValue } from '../postgres/connect.js';
import type { Cell } from '../../contract/tables/cells.js';
import type { PublishedColumn, PublishedTable, PublishedType } from './tables.js';

/** The types of PostgreSQL for those of the contract: none rounds but that of an instant, which stands beside its dateTime. */
const types: Readonly<Record<PublishedType, string>> = {
  guid: 'uuid',
  string: 'text',
  enumeration: 'text',
  anyType: 'text',
  int: 'integer',
  short: 'integer',
  boolean: 'boolean',
  long: 'bigint',
  decimal: 'numeric',
  dateTime: 'text',
  instant: 'timestamp with time zone',
};

/** A column of a table in PostgreSQL. */
export interface TargetColumn extends PublishedColumn {
  /** Its type as PostgreSQL writes it. */
  readonly targetType: string;
}

/** The number of a record in the mirror, which is its key in PostgreSQL. */
const seq: TargetColumn = {
  name: '_seq',
  type: 'long',
  targetType: 'bigint',
  sql: 'r."_seq"',
  doc: 'The number of the record in the mirror: with _position the key of the row. It is another one in a new mirror.',
  isIndexed: false,
};

const record: TargetColumn = {
  name: '_record',
  type: 'string',
  targetType: 'text',
  sql: 'r."_record"',
  doc: 'The record as JSON, as relctl prints it: nil, absent and empty differ here, and no member is left out.',
  isIndexed: false,
};

/** The instant of a dateTime where that has a zone: of one without it would be a guess. */
function instantOf(
  { of, list }: PublishedTable,
  { name, sql, doc }: PublishedColumn,
): Pick<PublishedColumn, 'sql' | 'doc'> {
  const columns = list?.columns ?? of.columns;
  const { path } = columns.find((each) => each.name === name && each.type === 'instant') ?? {};
  const text = columns.find((each) => each.type === 'dateTime' && each.path === path);
  // A time of the mirror itself.
  if (text === undefined) return { sql, doc };
  const source = `${list === undefined ? 'r' : 'i'}."${text.name}"`;
  return {
    sql: `CASE WHEN ${source} GLOB '*Z' OR ${source} GLOB '*[+-][0-9][0-9]:[0-9][0-9]' THEN ${sql} END`,
    doc: `${doc} NULL where the text has no zone.`,
  };
}

/** The columns of a table in PostgreSQL, the key first. */
export function targetColumns(table: PublishedTable): readonly TargetColumn[] {
  const columns = table.columns.map((column): TargetColumn => ({
    ...column,
    targetType: types[column.type],
    ...(column.type === 'instant' ? instantOf(table, column) : {}),
  }));
  return [seq, ...columns, ...(table.list === undefined ? [record] : [])];
}

/** Characters of the longest decimal that PostgreSQL keeps to the last digit. */
const longestDecimal = 16_000;

/** For types with a form: true for a text that has it. The service may have given another one. */
const fitting: Readonly<Partial<Record<PublishedType, (text: string) => boolean>>> = {
  guid: isGuid,
  long: (text) => isInteger(text, 'long'),
  decimal: (text) => text.length <= longestDecimal && isDecimal(text),
};

/** A cell in the text format of COPY; `misfit` for a text that its type does not have. */
export function copiedCell({ name, type }: PublishedColumn, table: string): (cell: Cell) => string | undefined {
  const path = `${table}.${name}`;
  const fits = fitting[type];
  if (fits !== undefined)
    return (cell) => {
      if (cell === null) return '\\N';
      const text = String(cell);
      return fits(text) ? text : undefined;
    };
  // A timestamptz keeps microseconds: what is finer is cut off, so that no time is later than it was.
  if (type === 'instant') return (cell) => (cell === null ? '\\N' : `${String(cell).replace(/Z$/, '').slice(0, 26)}Z`);
  if (type === 'boolean') return (cell) => (cell === null ? '\\N' : cell === 0 ? 'f' : 't');
  return (cell) => copyValue(cell, path);
}
