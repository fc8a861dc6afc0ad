import { BitSet } from '../../../core/values/bit-set.js';
import type { TableFile } from './read-table.js';
import type { TableFields, TableRow } from './packed-tables.js';
import { RowTable } from './row-table.js';
import { Side, type Piece } from './side.js';

/** One difference between two files of records. */
export interface Difference {
  readonly change: 'column-removed' | 'column-added' | 'added' | 'changed' | 'removed';
  /** Value of the key column; null for a column that only one file has. */
  readonly key: string | null;
  /** The column that changed; null for a whole record. */
  readonly field: string | null;
  /** Values in the first and the second file; undefined where there is none. */
  readonly old?: string | undefined;
  readonly new?: string | undefined;
  /** The values of the record that are shown, as the plan names them; undefined for a column. */
  readonly shown?: readonly (string | null)[] | undefined;
  /** Line of the record in the second file, or in the first when it was removed; null for a column. */
  readonly line: number | null;
}

/** The result of a comparison: numbers of records, and of columns that only one file has. */
export interface DiffClaim {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly same: number;
  readonly columns: number;
  /** Records with a key that an earlier record of the file has: those of one key are compared in their order. */
  readonly repeats: readonly [left: Repeats, right: Repeats];
}

/** Records of a file whose key came before. */
export interface Repeats {
  readonly count: number;
  readonly first?: { readonly key: string; readonly line: number };
}

/** Two files to compare. */
export interface DiffPlan {
  readonly left: TableFile;
  readonly right: TableFile;
  /** Column that identifies a record. */
  readonly key: string;
  /** Columns of each record that are shown beside its differences. */
  readonly shown?: readonly string[];
  /** How many bytes of changed records are in memory at once, until their old values are read from the first file. */
  readonly held?: number;
}

const usualHeld = 16 * 1024 * 1024;

/** What a record takes in memory besides its content, in bytes, about. */
const heldBesides = 250;

interface Held {
  readonly kind: 'added' | 'changed';
  readonly key: string;
  readonly line: number;
  /** Its place in the table of rows. */
  readonly place: number;
  /** Its values that are shown, as JSON. */
  readonly shown: Buffer;
  /** Its fields, as JSON; empty for one that is new. Bytes, because a cell is a part of a large text and keeps all of it. */
  readonly fields: Buffer;
}

const noFields = Buffer.alloc(0);

/** A text that does not keep the larger one in memory that it is a part of. */
const copyOf = (text: string): string => Buffer.from(text).toString();

function columnDifferences(left: readonly string[] | undefined, right: readonly string[] | undefined): Difference[] {
  if (left === undefined || right === undefined) return [];
  const only = (names: readonly string[], others: readonly string[], change: Difference['change']): Difference[] => {
    const known = new Set(others);
    return names.filter((name) => !known.has(name)).map((field) => ({ change, key: null, field, line: null }));
  };
  return [...only(left, right, 'column-removed'), ...only(right, left, 'column-added')];
}

const byName = ({ names, values }: TableFields): ReadonlyMap<string, string> =>
  new Map(names.map((name, at) => [name, values[at] ?? '']));

const parseShow = (bytes: Buffer): Difference['shown'] => JSON.parse(bytes.toString()) as (string | null)[];

function fieldDifferences({ key, line, shown: show }: Held, before: TableFields, after: TableFields): Difference[] {
  const [olds, nows] = [byName(before), byName(after)];
  return [...new Set([...before.names, ...after.names])].flatMap((field) => {
    const [old, now] = [olds.get(field), nows.get(field)];
    if (old === now) return [];
    return [
      {
        change: 'changed' as const,
        key,
        field,
        old: old === undefined ? old : copyOf(old),
        new: now,
        line,
        shown: parseShow(show),
      },
    ];
  });
}

/** The pieces of a file round and round: undefined stands for its end, after which its beginning follows. */
async function* rounds(side: Side): AsyncGenerator<Piece | undefined, undefined> {
  for (;;) {
    yield* side.pieces();
    yield undefined;
  }
}

/** All names of the values of two files, those of the first before others. Throws `usage`. */
export async function namesIn({ left, right, key }: DiffPlan): Promise<readonly string[]> {
  const [before, after] = [await new Side(left, key).readNames(), await new Side(right, key).readNames()];
  return [...new Set([...before, ...after])];
}

/**
 * Compares two files. It needs memory for 43 bytes a record, and for some changed records at once: for these, the first file
 * is read on from where it was left, which is once in all when both files have the same order.
 */
export class Comparison {
  readonly #plan: DiffPlan;
  readonly #left: Side;
  readonly #right: Side;
  readonly #again: ReturnType<typeof rounds>;
  /** How many records of each file have the key of the row at a place, where they are several. */
  readonly #times: readonly [left: Map<number, number>, right: Map<number, number>] = [new Map(), new Map()];
  readonly #repeats: [left: Repeats, right: Repeats] = [{ count: 0 }, { count: 0 }];
  /** The rows of the first file, each at the place that it has there, then those that only the second file has. */
  readonly #rows = new RowTable();
  /** How many rows the first file has, and which of them the second has too. */
  #ofLeft = 0;
  #met = new BitSet();
  #counts = { added: 0, changed: 0, removed: 0, columns: 0 };
  #same = 0;

  constructor(plan: DiffPlan) {
    this.#plan = plan;
    this.#left = new Side(plan.left, plan.key);
    this.#right = new Side(plan.right, plan.key);
    this.#again = rounds(this.#left);
  }

  get claim(): DiffClaim {
    return { ...this.#counts, same: this.#same, repeats: this.#repeats };
  }

  /**
   * The differences, some at a time: columns, then records of the second file in their order, then removed records. Throws
   * `usage` for a file that cannot be read to its end, or that changes meanwhile.
   */
  async *differences(): AsyncGenerator<readonly Difference[]> {
    try {
      const columns = await this.#readColumns();
      this.#counts.columns = columns.length;
      yield columns;
      await this.#readOldSide();
      this.#ofLeft = this.#rows.size;
      this.#met = new BitSet(this.#ofLeft);
      yield* this.#againstRight();
      if (this.#met.size < this.#ofLeft) yield* this.#removed();
    } finally {
      await this.#again.return(undefined);
    }
  }

  /** Reads both headers: records are compared in the columns that both files have. */
  async #readColumns(): Promise<readonly Difference[]> {
    const [left, right] = [await this.#left.readColumns(), await this.#right.readColumns()];
    if (left !== undefined && right !== undefined) {
      const shared = left.filter((name) => right.includes(name));
      for (const side of [this.#left, this.#right]) side.compareIn(shared);
    }
    return columnDifferences(left, right);
  }

  async #readOldSide(): Promise<void> {
    for await (const { rows } of this.#left.pieces()) {
      for (const row of rows) {
        const [key, content] = [this.#left.keyOf(row), this.#left.contentOf(row)];
        if (this.#rows.add({ key, content })) continue;
        this.#rows.add({ key, nth: this.#repeated(0, key, row.line), content });
      }
    }
  }

  /** Counts a record whose key came before in the same file; gives which of those with the key it is, from 2. */
  #repeated(file: 0 | 1, key: string, line: number): number {
    const { count, first = { key: copyOf(key), line } } = this.#repeats[file];
    this.#repeats[file] = { count: count + 1, first };
    const [position, times] = [this.#rows.find(key) ?? 0, this.#times[file]];
    const nth = (times.get(position) ?? 1) + 1;
    times.set(position, nth);
    return nth;
  }

  async *#againstRight(): AsyncGenerator<readonly Difference[]> {
    const { held: most = usualHeld } = this.#plan;
    let held: Held[] = [];
    let bytes = 0;
    for await (const { rows } of this.#right.pieces()) {
      for (const row of rows) {
        const differing = this.#differing(row);
        if (differing === undefined) continue;
        held.push(differing);
        bytes += differing.fields.length + differing.shown.length + heldBesides;
        if (bytes < most) continue;
        yield* this.#report(held);
        [held, bytes] = [[], 0];
      }
    }
    yield* this.#report(held);
  }

  #shownColumns(side: Side, row: TableRow): readonly (string | null)[] {
    return side.shownOf(row, this.#plan.shown ?? []);
  }

  #positionOf(row: { readonly key: string; readonly content: string; readonly line: number }) {
    const { key, line } = row;
    const met = this.#met;
    const first = this.#rows.find(key);
    const isFirst = first === undefined || (first < this.#ofLeft && met.add(first));
    const nth = isFirst ? 1 : this.#repeated(1, key, line);
    const position = isFirst ? first : this.#rows.find(key, nth);
    if (position === undefined) {
      this.#rows.add({ ...row, nth });
      return { place: this.#rows.size - 1, isNew: true };
    }
    met.add(position);
    return { place: position, isNew: false };
  }

  #differing(row: TableRow): Held | undefined {
    const { line } = row;
    const [key, content] = [this.#right.keyOf(row), this.#right.contentOf(row)];
    const held = (): Pick<Held, 'key' | 'line' | 'shown'> => ({
      key: copyOf(key),
      line,
      shown: Buffer.from(JSON.stringify(this.#shownColumns(this.#right, row))),
    });
    const { place: position, isNew } = this.#positionOf({ key, content, line });
    if (isNew) return { ...held(), kind: 'added', place: position, fields: noFields };
    if (this.#rows.hasContent(position, content)) {
      this.#same += 1;
      return undefined;
    }
    const { names, values } = this.#right.fieldsOf(row);
    const fields = Buffer.from(JSON.stringify({ names, values } satisfies TableFields));
    return { ...held(), kind: 'changed', place: position, fields };
  }

  /** The differences of these records of the second file, in their order. */
  async *#report(held: readonly Held[]): AsyncGenerator<readonly Difference[]> {
    const changes = await this.#changes(held.filter(({ kind }) => kind === 'changed'));
    for (const each of held) {
      this.#counts[each.kind] += 1;
      if (each.kind === 'added')
        yield [{ change: 'added', key: each.key, field: null, line: each.line, shown: parseShow(each.shown) }];
      else yield changes.get(each.place) ?? [];
    }
  }

  /** The differences of changed records, by their places: the first file is read on until all of them were met. */
  async #changes(changed: readonly Held[]): Promise<ReadonlyMap<number, readonly Difference[]>> {
    const byPosition = new Map(changed.map((each) => [each.place, each]));
    const byRow = new Map<number, readonly Difference[]>();
    let ends = 0;
    while (byRow.size < byPosition.size) {
      const { value: piece } = await this.#again.next();
      if (piece === undefined) {
        ends += 1;
        // It was begun in the middle: what was not met until its second end is not there.
        if (ends === 2) throw this.#left.changed();
        continue;
      }
      for (const [at, row] of piece.rows.entries()) {
        const after = byPosition.get(piece.first + at);
        if (after === undefined) continue;
        this.#checkRow(row, after.place);
        const fields = JSON.parse(after.fields.toString()) as TableFields;
        byRow.set(after.place, fieldDifferences(after, this.#left.fieldsOf(row), fields));
      }
    }
    return byRow;
  }

  /** Throws `usage` when a record of the first file is not the one that was read before. */
  #checkRow(row: TableRow, position: number): void {
    if (!this.#rows.hasContent(position, this.#left.contentOf(row))) throw this.#left.changed();
  }

  async *#removed(): AsyncGenerator<readonly Difference[]> {
    let count = 0;
    for await (const { first, rows } of this.#left.pieces()) {
      const gone: Difference[] = [];
      for (const [at, row] of rows.entries()) {
        const position = first + at;
        if (position >= this.#ofLeft || this.#met.has(position)) continue;
        this.#checkRow(row, position);
        const showValues = this.#shownColumns(this.#left, row);
        gone.push({ change: 'removed', key: this.#left.keyOf(row), field: null, line: row.line, shown: showValues });
      }
      count = first + rows.length;
      this.#counts.removed += gone.length;
      yield gone;
    }
    if (count < this.#ofLeft) throw this.#left.changed();
  }
}
