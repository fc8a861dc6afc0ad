import { formatNames, formats, usualFormats, type FormatName } from '../../src/formats/writers/index.js';
import { code, table } from './markdown.js';

/** What each format is for. */
const uses: Readonly<Record<FormatName, string>> = {
  table: 'people: a line for each record',
  card: 'people: a line for each member of a record',
  json: 'programs: one document, nested',
  ndjson: 'programs: one record a line, nested',
  csv: 'spreadsheets and databases: one record a line',
  tsv: 'the same, with tabs between the cells',
  yaml: 'programs and people: one document, nested',
  xlsx: 'people who want a workbook; not to a terminal',
  parquet: 'DuckDB, Spark, Trino: columns in row groups; not to a terminal',
};

const notes = (name: FormatName): string => {
  const { isResumable } = formats[name];
  const usual = Object.entries(usualFormats).find(([, each]) => each === name);
  const parts = [usual === undefined ? '' : `usual for a ${usual[0] === 'list' ? 'list' : 'single record'}`];
  return [...parts, isResumable ? 'an export can be resumed' : ''].filter((part) => part !== '').join('; ');
};

/** Every format of output. */
export function formatsText(): string {
  return table(
    ['-o', 'for', 'remarks'],
    formatNames.map((name) => [code(name), uses[name], notes(name)]),
  );
}
