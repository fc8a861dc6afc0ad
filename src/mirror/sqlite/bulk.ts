import type { Database } from '../../sqlite/open.js';
import type { Cell } from '../../tables/cells.js';

const rowsAtOnce = 32;

/** Adds rows to a table, many with a statement: a statement a row costs more than the row. */
export interface Bulk {
  readonly add: (cells: readonly Cell[]) => void;
  /** Adds the rows that wait. */
  readonly flush: () => void;
}

/**
 * Adds rows to a table, in place of those that are the same by its key.
 * @param fixed columns with the same value in each row, as they stand in a statement
 */
export function bulkInto(
  database: Database,
  table: string,
  { columns, fixed = {} }: { readonly columns: readonly string[]; readonly fixed?: Readonly<Record<string, string>> },
): Bulk {
  const names = [...columns, ...Object.keys(fixed)].map((name) => `"${name}"`);
  const row = `(${[...columns.map(() => '?'), ...Object.values(fixed)].join(', ')})`;
  const into = `INSERT OR REPLACE INTO "${table}" (${names.join(', ')}) VALUES `;
  const statements: string[] = [];
  const statementOf = (count: number): string => (statements[count] ??= into + Array(count).fill(row).join(', '));
  let waiting: Cell[] = [];
  const write = (count: number): void => {
    database.statement(statementOf(count)).run(...waiting);
    waiting = [];
  };
  return {
    add: (cells) => {
      for (const cell of cells) waiting.push(cell);
      if (waiting.length === rowsAtOnce * columns.length) write(rowsAtOnce);
    },
    flush: () => {
      if (waiting.length > 0) write(waiting.length / columns.length);
    },
  };
}
