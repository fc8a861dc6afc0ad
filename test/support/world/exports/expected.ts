import type { Row } from './service.js';

/** Formats that are written by rows, and so can be gone on with. */
export type Format = 'csv' | 'tsv' | 'ndjson' | 'json';

/** The columns that are asked for. */
export const columns = ['Id', 'DisplayName', 'ImportKey', 'IsInactive'] as const;

const cellsOf = ({ id, name, key, isInactive }: Row): readonly string[] => [id, name, key, String(isInactive)];

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const escaped = (cell: string): string =>
  cell.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');

const objectOf = ({ id, name, key, isInactive }: Row): object => ({
  ...{ Id: id, DisplayName: name, ImportKey: key, IsInactive: isInactive },
});

const indented = (row: Row): string => JSON.stringify(objectOf(row), undefined, 2).replaceAll(/^/gm, '  ');

/** A row as a file of this format has it, with what ends it; a document of JSON has commas between. */
const pieceOf: Readonly<Record<Format, (row: Row) => string>> = {
  csv: (row) => `${cellsOf(row).map(quoted).join(',')}\n`,
  tsv: (row) => `${cellsOf(row).map(escaped).join('\t')}\n`,
  ndjson: (row) => `${JSON.stringify(objectOf(row))}\n`,
  json: indented,
};

const headers: Readonly<Record<Format, string>> = {
  csv: `${columns.join(',')}\n`,
  tsv: `${columns.join('\t')}\n`,
  ndjson: '',
  json: '',
};

/** The file of these rows, written by the words of docs/exports.md and docs/formats.md and not by the program. */
export function fileOf(format: Format, rows: readonly Row[]): string {
  const pieces = rows.map(pieceOf[format]);
  if (format === 'json') return rows.length === 0 ? '[]\n' : `[\n${pieces.join(',\n')}\n]\n`;
  return headers[format] + pieces.join('');
}

/**
 * The rows that a file has, each one of those that were ever shown; undefined for a file that is anything else. A row that came
 * in two states is there in both.
 */
export function rowsIn(format: Format, text: string, shown: readonly Row[]): readonly Row[] | undefined {
  const rows: Row[] = [];
  for (let rest = bodyOf(format, text); rest !== '';) {
    const row = shown.find((each) => rest?.startsWith(pieceOf[format](each)));
    if (row === undefined || rest === undefined) return undefined;
    rows.push(row);
    rest = rest.slice(pieceOf[format](row).length).replace(/^,\n/, '');
  }
  return fileOf(format, rows) === text ? rows : undefined;
}

function bodyOf(format: Format, text: string): string | undefined {
  if (format === 'json') return text === '[]\n' ? '' : /^\[\n([\s\S]*)\n\]\n$/.exec(text)?.[1];
  return text.startsWith(headers[format]) ? text.slice(headers[format].length) : undefined;
}
