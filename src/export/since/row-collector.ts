import type { OpenOverflow, OverflowFile } from '../../client/ids/overflow-guids.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { isGuid } from '../../lexical/values/guid.js';
import { bytesOfId, compareIds, idBytes, inPieces, mergedRows, rowBytes, viewOf } from './row-bytes.js';
import type { OtherRows } from './rows.js';

/** Rows that are sorted in memory, 2 MiB of them. */
const usualRunRows = 65_536;

/** How many rows of a run are read at once: all runs are read at the same time. */
const readRows = 256;

/** Sorted rows of GUIDs, each Id once. */
interface Run {
  rows(): Generator<Buffer, undefined>;
}

function* rowsIn(bytes: Buffer): Generator<Buffer, undefined> {
  for (let at = 0; at < bytes.length; at += rowBytes) yield bytes.subarray(at, at + rowBytes);
}

/** A run in a file, from a byte on. */
function runInFile(file: OverflowFile, from: number, length: number): Run {
  return {
    *rows(): Generator<Buffer, undefined> {
      const buffer = Buffer.alloc(readRows * rowBytes);
      for (let at = 0; at < length; at += buffer.length) {
        const piece = buffer.subarray(0, Math.min(buffer.length, length - at));
        file.read(piece, from + at);
        yield* rowsIn(piece);
      }
    },
  };
}

/** Sorted runs of rows as one sequence; of an Id that is in several, the row of the last of them. */
function mergedRuns(runs: readonly Run[]): Generator<Buffer, undefined> {
  const [first] = runs;
  if (first === undefined) return rowsIn(Buffer.alloc(0));
  if (runs.length === 1) return first.rows();
  const middle = runs.length >>> 1;
  return mergedRows(mergedRuns(runs.slice(0, middle)), mergedRuns(runs.slice(middle)));
}

/** How many rows stay in memory. */
interface RowCollectorOptions {
  /** Opens a file for sorted runs; without it, or when writing it fails, all rows stay in memory. */
  readonly openOverflow?: OpenOverflow | undefined;
  /** Rows of a run. */
  readonly runRows?: number;
}

/** Collects rows, in runs that are sorted when they are full. Of an Id that is added twice the last digest is kept. */
export class RowCollector {
  readonly #openOverflow: OpenOverflow | undefined;
  readonly #runRows: number;
  /** The rows since the last full run, in the order in which they came. */
  #last: Buffer | undefined;
  #count = 0;
  readonly #runs: Run[] = [];
  #file: OverflowFile | undefined;
  #fileBytes = 0;
  readonly #others = new Map<string, string>();

  constructor({ openOverflow, runRows = usualRunRows }: RowCollectorOptions = {}) {
    this.#openOverflow = openOverflow;
    this.#runRows = runRows;
  }

  /** Adds a row. */
  add(id: string, digest: Uint8Array): void {
    if (!isGuid(id)) {
      this.#others.set(id, viewOf(digest).toString('base64'));
      return;
    }
    if (this.#count === this.#runRows) this.#endRun();
    this.#last ??= Buffer.alloc(this.#runRows * rowBytes);
    const at = this.#count * rowBytes;
    this.#last.set(bytesOfId(id), at);
    this.#last.set(digest, at + idBytes);
    this.#count += 1;
  }

  #endRun(): void {
    const sorted = Buffer.concat([...inPieces(this.#lastRows())]);
    this.#runs.push(this.#kept(sorted) ?? { rows: () => rowsIn(sorted) });
    this.#count = 0;
  }

  /** Writes a run to the file; undefined when there is none, or it cannot be written. */
  #kept(sorted: Buffer): Run | undefined {
    if (this.#openOverflow === undefined) return undefined;
    try {
      this.#file ??= this.#openOverflow();
      this.#file.write(sorted, this.#fileBytes);
    } catch (thrown) {
      if (thrown instanceof RelctlError && thrown.kind === 'local') return undefined;
      throw thrown;
    }
    const run = runInFile(this.#file, this.#fileBytes, sorted.length);
    this.#fileBytes += sorted.length;
    return run;
  }

  /** The rows since the last full run by their number, in the order of their Ids; those of one Id in the order they came. */
  #inOrder(rows: Buffer): Uint32Array {
    const starts = Uint32Array.from({ length: this.#count }, (_, row) => rows.readUInt32BE(row * rowBytes));
    const order = Uint32Array.from({ length: this.#count }, (_, row) => row);
    return order.sort((left, right) => {
      // Most Ids differ in their first word, which takes no call to compare.
      const byStart = (starts[left] ?? 0) - (starts[right] ?? 0);
      if (byStart !== 0) return byStart;
      const [a, b] = [left * rowBytes, right * rowBytes];
      return rows.compare(rows, b, b + idBytes, a, a + idBytes) || left - right;
    });
  }

  *#lastRows(): Generator<Buffer, undefined> {
    const rows = this.#last;
    if (rows === undefined) return;
    let before: Buffer | undefined;
    for (const row of this.#inOrder(rows)) {
      const now = rows.subarray(row * rowBytes, (row + 1) * rowBytes);
      // Of rows with the same Id the last one is kept.
      if (before !== undefined && compareIds(before, now) !== 0) yield before;
      before = now;
    }
    if (before !== undefined) yield before;
  }

  /**
   * Id and digest of the rows, sorted, one at a time; each is valid until the next one, and none when another row is added.
   * Throws `local` when the file cannot be read.
   */
  sorted(): Generator<Buffer, undefined> {
    return mergedRuns([...this.#runs, { rows: () => this.#lastRows() }]);
  }

  /** Rows whose Id is no GUID. */
  get others(): OtherRows {
    return [...this.#others];
  }
}
