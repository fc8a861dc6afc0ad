import { gzipSync } from 'node:zlib';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { scalarOf } from '../../../contract/walk.js';
import { usage, RelctlError } from '../../../core/errors/relctl-error.js';
import { valueAt, defined, type RecordValue, type Value } from '../../../core/values/value.js';
import { type Column, cellText } from '../../columns.js';
import type { FormatContext, Writer } from '../format.js';

const firstBytes = 64 * 1024;

/** Characters up to which room for the longest form in UTF-8 is cheaper than counting its bytes. */
const shortText = 1024;

/** Texts of a column as UTF-8 in one buffer: strings would be copied one by one, and keep their answer alive. */
class TextCells {
  #bytes = Buffer.allocUnsafeSlow(firstBytes);
  #at = 0;
  /** Where each text ends; -1 where there is none. */
  #ends: number[] = [];

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

type Stored = boolean | bigint | Uint8Array | null;

interface ColumnCells {
  readonly stored:
    { readonly type: 'BOOLEAN' | 'INT64' } | { readonly type: 'BYTE_ARRAY'; readonly converted_type: 'UTF8' };
  add(record: RecordValue): number;
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
      if (stored === undefined) throw new RelctlError('bug', `the value of ${title} does not match its type`);
      cells.push(stored);
      return bytesOfValue;
    },
    take() {
      const batch = cells;
      cells = [];
      return batch;
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
function cellsOf(column: Column): ColumnCells {
  const name = scalarOf(column.type);
  if (name === 'boolean') return valueCells(column, 'BOOLEAN', storedBoolean);
  if (name === 'int' || name === 'short') return valueCells(column, 'INT64', storedWhole);
  return textCells(column);
}

/** Where a row group ends: at so many rows, or when its values take so many bytes. */
export interface RowGroupBounds {
  readonly rows: number;
  readonly bytes: number;
}

const usualBounds: RowGroupBounds = { rows: 10_000, bytes: 4 * 1024 * 1024 };

/** What a cell costs besides its value: in a wide table most are empty. */
const bytesOfCell = 4;

/** The least and the greatest value of a column in a row group are kept until the end; longer ones are left out. */
const longestBound = 1024;

const isLong = (bound: unknown): boolean => bound instanceof Uint8Array && bound.length > longestBound;

const copied = <B>(bound: B): B | Uint8Array => (bound instanceof Uint8Array ? Uint8Array.from(bound) : bound);

class ParquetFile implements Writer<Uint8Array> {
  readonly #columns: readonly (ColumnCells & { readonly name: string })[];
  readonly #bounds: RowGroupBounds;
  readonly #bytes = new ByteWriter();
  readonly #file: ParquetWriter;
  #rows = 0;
  #size = 0;

  constructor(columns: readonly Column[], bounds: RowGroupBounds) {
    this.#columns = columns.map((column) => ({ ...cellsOf(column), name: column.title }));
    this.#bounds = bounds;
    this.#file = new ParquetWriter({
      writer: this.#bytes,
      schema: [
        { name: 'root', num_children: columns.length },
        ...this.#columns.map(({ name, stored }) => ({ name, ...stored, repetition_type: 'OPTIONAL' as const })),
      ],
      codec: 'GZIP',
      compressors: { GZIP: (bytes) => gzipSync(bytes, { level: 1 }) },
      createdBy: 'relctl',
    });
  }

  begin(): Uint8Array {
    return this.#takeBytes();
  }

  records(batch: readonly RecordValue[]): Uint8Array {
    const pieces: Uint8Array[] = [];
    for (const record of batch) {
      for (const column of this.#columns) this.#size += column.add(record) + bytesOfCell;
      this.#rows += 1;
      if (this.#rows >= this.#bounds.rows || this.#size >= this.#bounds.bytes) pieces.push(this.#writeGroup());
    }
    return Buffer.concat(pieces);
  }

  end(): Uint8Array {
    const last = this.#rows > 0 ? this.#writeGroup() : new Uint8Array();
    // With a writer of bytes in memory nothing is waited for.
    void this.#file.finish();
    return Buffer.concat([last, this.#takeBytes()]);
  }

  #writeGroup(): Uint8Array {
    const columnData = this.#columns.map((column) => {
      let data: ReturnType<ColumnCells['take']> | undefined;
      return {
        name: column.name,
        // Made when it is asked for, so that not all columns are there twice at once.
        get data() {
          return (data ??= column.take());
        },
      };
    });
    void this.#file.write({ columnData, rowGroupSize: this.#rows });
    this.#updateBounds();
    this.#rows = 0;
    this.#size = 0;
    return this.#takeBytes();
  }

  /** What is kept of a row group until the end must not keep all of its bytes. */
  #updateBounds(): void {
    for (const { meta_data: facts } of this.#file.row_groups.at(-1)?.columns ?? []) {
      if (facts?.statistics === undefined) continue;
      const { min_value: least, max_value: greatest, ...others } = facts.statistics;
      const bounds = isLong(least) || isLong(greatest) ? {} : { min_value: copied(least), max_value: copied(greatest) };
      facts.statistics = { ...others, ...defined(bounds) };
    }
  }

  #takeBytes(): Uint8Array {
    const bytes = Uint8Array.from(this.#bytes.getBytes());
    this.#bytes.index = 0;
    return bytes;
  }
}

function checkColumns(columns: readonly Column[]): void {
  if (columns.length === 0) throw usage('--output', 'a Parquet file needs columns, and there are none', '-o json');
  const seen = new Map<string, string>();
  for (const { title } of columns) {
    const name = title.toLowerCase();
    const other = seen.get(name);
    if (other !== undefined) {
      throw usage('--columns', `two columns of a Parquet file would be called ${title} and ${other}`, {
        advice: 'Programs that read Parquet ignore the case of column names.',
      });
    }
    seen.set(name, title);
  }
}

/**
 * Opens a Parquet file that is written as it streams, in row groups. Throws `usage` when there are no columns, or two of one
 * name.
 * @param bounds where row groups end, for a test of that
 */
export function openParquet({ columns }: FormatContext, bounds: RowGroupBounds = usualBounds): Writer<Uint8Array> {
  checkColumns(columns);
  return new ParquetFile(columns, bounds);
}
