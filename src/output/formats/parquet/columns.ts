import { RelctlError } from '../../../errors/relctl-error.js';
import type { RecordValue, Value } from '../../../plain/value.js';
import { cellText, valueAt } from '../../cell.js';
import type { Column } from '../../columns.js';
import { TextCells } from './text-cells.js';

/** A value as it is stored; null where it is nil or absent. */
type Stored = boolean | bigint | Uint8Array | null;

/** What is stored in a column, in the words of the format. */
type StoredType =
  { readonly type: 'BOOLEAN' | 'INT64' } | { readonly type: 'BYTE_ARRAY'; readonly converted_type: 'UTF8' };

/** The cells of a column in the row group that is being filled. */
export interface ColumnCells {
  readonly stored: StoredType;
  /** Adds the cell of a record. Gives about how many bytes it takes. Throws `bug` for a value of another type. */
  add(record: RecordValue): number;
  /** The cells that were added since the last time, and begins anew. */
  take(): Stored[];
}

const storedBoolean = (value: Value): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

const storedWhole = (value: Value): bigint | undefined =>
  Number.isSafeInteger(value) ? BigInt(Number(value)) : undefined;

const bytesOfValue = 8;

function valueCells(
  { path, title }: Column,
  type: 'BOOLEAN' | 'INT64',
  storedOf: (value: Value) => Stored | undefined,
): ColumnCells {
  let cells: Stored[] = [];
  return {
    stored: { type },
    add(record) {
      const value = valueAt(record, path) ?? null;
      const stored = value === null ? null : storedOf(value);
      if (stored === undefined) throw new RelctlError('bug', `the value of ${title} is not what its type says`);
      cells.push(stored);
      return bytesOfValue;
    },
    take() {
      const taken = cells;
      cells = [];
      return taken;
    },
  };
}

function textCells({ path }: Column): ColumnCells {
  const cells = new TextCells();
  return {
    stored: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    add(record) {
      const value = valueAt(record, path) ?? null;
      return cells.add(value === null ? null : cellText(value));
    },
    take: () => cells.take(),
  };
}

/**
 * The cells of a column: booleans and whole numbers are stored as such, with 64 bits because sizes in bytes may be larger
 * than an int; all else is the text that CSV has, so that no digit, zone or letter is lost.
 */
export function cellsOf(column: Column): ColumnCells {
  const { type } = column;
  const name = type.kind === 'scalar' ? type.name : undefined;
  if (name === 'boolean') return valueCells(column, 'BOOLEAN', storedBoolean);
  if (name === 'int' || name === 'short') return valueCells(column, 'INT64', storedWhole);
  return textCells(column);
}
