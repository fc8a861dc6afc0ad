import { opt, recordWithoutPresence, type Field, type RecordType, type ScalarType } from '../../contract/build.js';
import { anyType, int } from '../../contract/scalars.js';
import { usage } from '../../core/errors/relctl-error.js';
import type { RecordValue } from '../../core/values/value.js';
import type { Answer, AnswerColumn } from '../../state/sqlite/question.js';

/** Finds what a column holds that shows the column of a table as it is; undefined where that is not known. */
export type FieldOf = (column: AnswerColumn) => Field | undefined;

/** Makes records of the rows of an answer. */
export interface AnswerRecords {
  readonly type: RecordType;
  of(row: readonly Answer[]): RecordValue;
}

/** Throws `usage` for columns that records cannot have: without a name, with the same name, or in an order they lose. */
function checkNames(names: readonly string[], path: string): void {
  const nameless = names.indexOf('');
  if (nameless >= 0) throw usage(path, `column ${nameless + 1} has no name: give it one by AS`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw usage(path, `two columns are named ${twice}: give one another name by AS`);
  // JavaScript puts members whose names are numbers before all others.
  const kept = Object.keys(Object.fromEntries(names.map((name) => [name, true])));
  const moved = names.find((name, at) => kept[at] !== name);
  if (moved !== undefined) throw usage(path, `a column is named ${moved}, which is a number: give it a name by AS`);
}

/** A cell as relctl has such values everywhere: what a double cannot hold is text, as long is; bytes are base64. */
function valueOf(cell: Answer): string | number | boolean | null {
  if (typeof cell === 'bigint') return Number.isSafeInteger(Number(cell)) ? Number(cell) : String(cell);
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : String(cell);
  return cell instanceof Uint8Array ? Buffer.from(cell).toString('base64') : cell;
}

const isNumber = (cell: Answer | undefined): boolean => typeof cell === 'bigint' || typeof cell === 'number';

/** The type of what is computed, by its first values: numbers, or anything. */
function typeSeen(rows: readonly (readonly Answer[])[], at: number): ScalarType {
  const cells = rows.map((row) => row[at]).filter((cell) => cell !== null);
  return cells.length > 0 && cells.every(isNumber) ? int : anyType;
}

/**
 * The records of an answer, whose members are the columns. Throws `usage` for names that no record can have.
 * @param first its first rows
 * @param path what the statement was given with, for errors
 */
export function answerRecords(
  columns: readonly AnswerColumn[],
  first: readonly (readonly Answer[])[],
  { fieldOf, path }: { readonly fieldOf: FieldOf; readonly path: string },
): AnswerRecords {
  const names = columns.map(({ name }) => name);
  checkNames(names, path);
  const fields = columns.map(
    (column, at) => [column.name, fieldOf(column) ?? opt(typeSeen(first, at), 'A column of the answer.')] as const,
  );
  return {
    type: recordWithoutPresence('Answer', 'A row of the answer.', Object.fromEntries(fields)),
    of: (row) => Object.fromEntries(names.map((name, at) => [name, valueOf(row[at] ?? null)])),
  };
}
