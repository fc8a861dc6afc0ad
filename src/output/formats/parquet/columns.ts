import { RelctlError } from '../../../errors/relctl-error.js';
import type { RecordValue, Value } from '../../../plain/value.js';
import { cellText, valueAt } from '../../cell.js';
import type { Column } from '../../columns.js';

const firstBytes = 64 * 1024;

/** Characters up to which room for the longest form in UTF-8 is cheaper than counting its bytes. */
const shortText = 1024;

/** Texts of a column as UTF-8 in one buffer: strings would be copied one by one, and keep their answer alive. */
class TextCells {
  #bytes = Buffer.allocUnsafeSlow(firstBytes);
  #at = 0;
  /** Where each text ends; -1 where there is none. */
  #ends: number[] = [];

  /** Adds a text, or null. Gives the bytes it takes. */
  add(text: string | null): number {
    if (text === null) {
      this.#ends.push(-1);
      return 0;
    }
    this.#makeRoom(text.length <= shortText ? text.length * 3 : Buffer.byteLength(text));
    const length = this.#bytes.write(text, this.#at);
    this.#at += length;
    this.#ends.push(this.#at);
    return length;
  }

  /** The texts that were added since the last time, and begins anew. They are parts of a buffer that the next `add` writes to. */
  take(): (Uint8Array | null)[] {
    const { buffer } = this.#bytes;
    const ends = this.#ends;
    let from = 0;
    const texts = ends.map((end) => {
      if (end === -1) return null;
      const text = new Uint8Array(buffer, from, end - from);
      from = end;
      return text;
    });
    this.#at = 0;
    this.#ends = [];
    return texts;
  }

  #makeRoom(length: number): void {
    const needed = this.#at + length;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

/** A value as it is stored; null where it is nil or absent. */
type Stored = boolean | bigint | Uint8Array | null;

/** The cells of a column in the row group that is being filled. */
export interface ColumnCells {
  readonly stored:
    { readonly type: 'BOOLEAN' | 'INT64' } | { readonly type: 'BYTE_ARRAY'; readonly converted_type: 'UTF8' };
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
