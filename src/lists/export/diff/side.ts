import { RelctlError, usage } from '../../../core/errors/relctl-error.js';
import { inAnyCase, nearest, shellWord } from '../../../core/text/text.js';
import { jsonOf } from '../../../core/values/value.js';
import { hasJson, readTable, type TableFile } from './read-table.js';
import type { TableFields, TableRow } from './packed-tables.js';

/** Records of a file that stand side by side. */
export interface Piece {
  /** Which record of the file the first of them is, from 0. */
  readonly first: number;
  readonly rows: readonly TableRow[];
}

function plainKey(text: string): string {
  const key = text.startsWith('"') ? jsonOf(text) : undefined;
  return typeof key === 'string' ? key : text;
}

/** The flag for a file whose header was read as one column, although it has another delimiter; undefined for any other. */
function otherDelimiter([name = '', second]: readonly string[]): string | undefined {
  if (second !== undefined) return undefined;
  return name.includes(';') ? '--delimiter semicolon' : name.includes('|') ? '--delimiter pipe' : undefined;
}

/** One of two files that are compared. */
export class Side {
  readonly #table: TableFile;
  readonly #key: string;
  #columns: readonly string[] | undefined;
  /** The columns that are compared, and their places; undefined for all members of all records. */
  #compared: readonly string[] | undefined;
  #places: readonly number[] | undefined;

  constructor(table: TableFile, key: string) {
    this.#table = table;
    this.#key = key;
  }

  /** The columns of its header; undefined for a file without one. Throws `usage` when the key is none of them. */
  async readColumns(): Promise<readonly string[] | undefined> {
    for await (const part of readTable(this.#table)) {
      if (part.kind === 'columns') this.#takeColumns(part.names);
      break;
    }
    return this.#columns;
  }

  /** All names of its values: those of its header, else of the members of its records. Throws `usage`. */
  async readNames(): Promise<readonly string[]> {
    const columns = await this.readColumns();
    if (columns !== undefined) return columns;
    const names = new Set<string>();
    for await (const { rows } of this.pieces()) for (const row of rows) for (const name of row.names) names.add(name);
    return [...names];
  }

  shownOf({ names, values }: TableFields, columns: readonly string[]): readonly (string | null)[] {
    return columns.map((name) => {
      const text = values[names.indexOf(name)];
      if (text === undefined || !hasJson(this.#table)) return text ?? null;
      return text === 'null' ? null : plainKey(text);
    });
  }

  /** Compares records in these columns only, all of which the file has. */
  compareIn(columns: readonly string[]): void {
    const own = this.#columns ?? [];
    this.#compared = columns;
    const indexes = columns.map((name) => own.indexOf(name));
    const isAll = indexes.length === own.length && indexes.every((position, at) => position === at);
    this.#places = isAll ? undefined : indexes;
  }

  async *pieces(): AsyncGenerator<Piece, void> {
    let first = 0;
    for await (const part of readTable(this.#table)) {
      if (part.kind === 'columns') this.#takeColumns(part.names);
      else {
        yield { first, rows: part.rows };
        first += part.rows.length;
      }
    }
  }

  /** The key of a record. Throws `usage` when it has none. */
  keyOf({ names, values, line }: TableRow): string {
    const position = names.indexOf(this.#key);
    const text = values[position === -1 ? names.indexOf(inAnyCase(this.#key, names) ?? '') : position];
    const key = text === undefined ? undefined : hasJson(this.#table) ? plainKey(text) : text;
    if (key !== undefined && key !== '' && text !== 'null') return key;
    throw new RelctlError('usage', `${this.#table.file}, line ${line}: a record without ${this.#key}`, {
      facts: { path: '--key', code: 'line' },
    });
  }

  fieldsOf({ names, values }: TableFields): TableFields {
    if (this.#compared === undefined) return { names, values };
    const indexes = this.#places;
    return {
      names: this.#compared,
      values: indexes === undefined ? values : indexes.map((position) => values[position] ?? ''),
    };
  }

  /** A text that two records share exactly if they are equal; the order of members in JSON does not matter. */
  contentOf(row: TableFields): string {
    const { names, values } = this.fieldsOf(row);
    if (this.#compared !== undefined) return JSON.stringify(values);
    const members = names.map((name, at) => [name, values[at] ?? ''] as const);
    return JSON.stringify(members.sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  /** The error for a file that is damaged when it was read first. */
  changed(): RelctlError {
    const { file } = this.#table;
    return new RelctlError('usage', `${file} changed during the comparison`, {
      facts: { path: file, code: 'changed' },
    });
  }

  #takeColumns(names: readonly string[]): void {
    this.#columns = names;
    if (inAnyCase(this.#key, names) !== undefined) return;
    const near = nearest(this.#key, names);
    const said = near === undefined ? undefined : `--key ${shellWord(near)}`;
    throw usage(
      '--key',
      `${this.#table.file} has no column ${this.#key}; it has ${names.join(', ')}`,
      otherDelimiter(names) ?? said,
    );
  }
}
