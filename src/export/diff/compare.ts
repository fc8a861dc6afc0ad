import { createIdSet } from '../../client/id-set.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { guidOfDigits, isGuid } from '../../lexical/guid.js';
import { textDigest } from '../since/digest.js';
import { isSame, RowCollector, RowIndex, RowMarks, type RememberedRows } from '../since/rows.js';
import { readTable, type TableFile, type TableRow } from './read-table.js';
import { usage } from '../../errors/usage.js';

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
  /** Records with a key that an earlier record has: they are not compared. */
  readonly repeats: readonly [left: Repeats, right: Repeats];
}

/** Records of a file whose key came before. */
export interface Repeats {
  readonly count: number;
  /** The first of them: its key and line. */
  readonly first?: { readonly key: string; readonly line: number };
}

/** Two files to compare. */
export interface DiffPlan {
  readonly left: TableFile;
  readonly right: TableFile;
  /** Column that identifies a record. */
  readonly key: string;
  /** How many differing records are in memory at once; for each batch with a changed one the first file is read again. */
  readonly batch?: number;
}

const usualBatch = 20_000;

/** A record of the second file that is new or changed. */
interface Held {
  readonly kind: 'added' | 'changed';
  readonly key: string;
  readonly row: TableRow;
}

/** The id by which the index finds a key: a GUID as it is, the hash of any other key. */
const digestId = (key: string): string => (isGuid(key) ? key : guidOfDigits(textDigest(key).toString('hex')));

/** A key as it is printed: without the quotation marks of JSON. */
function plainKey(text: string): string {
  if (!text.startsWith('"')) return text;
  // A value from a JSON file is JSON text; a CSV key that begins with a quotation mark need not be.
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

class Side {
  readonly #table: TableFile;
  readonly #key: string;
  columns: readonly string[] | undefined;

  constructor(table: TableFile, key: string) {
    this.#table = table;
    this.#key = key;
  }

  /** The records with their keys. Throws `usage` for a record without a key. */
  async *rows(): AsyncGenerator<{ readonly key: string; readonly row: TableRow }> {
    for await (const part of readTable(this.#table)) {
      if (part.kind === 'columns') this.#takeColumns(part.names);
      else yield { key: this.#keyOf(part.row), row: part.row };
    }
  }

  #takeColumns(names: readonly string[]): void {
    this.columns = names;
    if (names.includes(this.#key)) return;
    throw usage('--key', `${this.#table.file} has no column ${this.#key}; it has ${names.join(', ')}`);
  }

  #keyOf(row: TableRow): string {
    const text = row.fields.get(this.#key);
    const key = text === undefined ? undefined : this.columns === undefined ? plainKey(text) : text;
    if (key !== undefined && key !== '' && text !== 'null') return key;
    throw new RelctlError('usage', `${this.#table.file}, line ${row.line}: a record without ${this.#key}`, {
      facts: { path: '--key', code: 'line' },
    });
  }
}

/** Hash of the values in the columns that both files have; the order of columns does not matter. */
function digestOf({ fields }: TableRow, shared: readonly string[] | undefined): Buffer {
  const names = shared ?? [...fields.keys()].sort();
  return textDigest(JSON.stringify(names.map((name) => [name, fields.get(name) ?? null])));
}

function columnDifferences(left: readonly string[] | undefined, right: readonly string[] | undefined): Difference[] {
  if (left === undefined || right === undefined) return [];
  const only = (names: readonly string[], others: readonly string[], change: Difference['change']): Difference[] => {
    const known = new Set(others);
    return names.filter((name) => !known.has(name)).map((field) => ({ change, key: null, field, line: null }));
  };
  return [...only(left, right, 'column-removed'), ...only(right, left, 'column-added')];
}

/** The fields in which two records differ. */
function fieldDifferences(
  key: string,
  { before, after, shared }: { before: TableRow; after: TableRow; shared: readonly string[] | undefined },
): Difference[] {
  const names = shared ?? [...new Set([...before.fields.keys(), ...after.fields.keys()])];
  return names.flatMap((field) => {
    const [old, now] = [before.fields.get(field), after.fields.get(field)];
    return old === now ? [] : [{ change: 'changed' as const, key, field, old, new: now, line: after.line }];
  });
}

/** Compares two files. It needs memory for 32 bytes a record, and for one batch of differing records. */
export class Comparison {
  readonly #plan: DiffPlan;
  readonly #left: Side;
  readonly #right: Side;
  readonly #repeats: [left: Repeats, right: Repeats] = [{ count: 0 }, { count: 0 }];
  #shared: readonly string[] | undefined;
  #counts = { added: 0, changed: 0, removed: 0, columns: 0 };
  #same = 0;

  constructor(plan: DiffPlan) {
    this.#plan = plan;
    this.#left = new Side(plan.left, plan.key);
    this.#right = new Side(plan.right, plan.key);
  }

  /** The result, once all differences were read. */
  get claim(): DiffClaim {
    return { ...this.#counts, same: this.#same, repeats: this.#repeats };
  }

  /** The differences: columns, then records of the second file in their order, then removed records. */
  async *differences(): AsyncGenerator<Difference> {
    const columns = await this.#readColumns();
    this.#counts.columns = columns.length;
    yield* columns;
    const index = new RowIndex(await this.#readLeft());
    const met = new RowMarks(index.size);
    yield* this.#againstRight(index, met);
    if (met.count < index.size) yield* this.#removed(index, met);
  }

  /** Reads both headers: records are compared in the columns that both files have. */
  async #readColumns(): Promise<readonly Difference[]> {
    for (const side of [this.#left, this.#right]) await side.rows().next();
    const [left, right] = [this.#left.columns, this.#right.columns];
    if (left !== undefined && right !== undefined) this.#shared = left.filter((name) => right.includes(name));
    return columnDifferences(left, right);
  }

  async #readLeft(): Promise<RememberedRows> {
    const rows = new RowCollector();
    for await (const { key, row } of this.#firsts(this.#left, 0)) {
      rows.add(digestId(key), digestOf(row, this.#shared));
    }
    return rows.rows();
  }

  /** The records of a file without those whose key came before. */
  async *#firsts(side: Side, at: 0 | 1): AsyncGenerator<{ readonly key: string; readonly row: TableRow }> {
    const keys = createIdSet();
    for await (const found of side.rows()) {
      if (keys.add(digestId(found.key))) yield found;
      else {
        const { count, first = { key: found.key, line: found.row.line } } = this.#repeats[at];
        this.#repeats[at] = { count: count + 1, first };
      }
    }
  }

  async *#againstRight(index: RowIndex, met: RowMarks): AsyncGenerator<Difference> {
    const { batch = usualBatch } = this.#plan;
    let held: Held[] = [];
    for await (const { key, row } of this.#firsts(this.#right, 1)) {
      const found = index.find(digestId(key));
      if (found === undefined) held.push({ kind: 'added', key, row });
      else if (met.add(found.place) && !isSame(found.digest, digestOf(row, this.#shared))) {
        held.push({ kind: 'changed', key, row });
      } else this.#same += 1;
      if (held.length < batch) continue;
      yield* this.#told(held);
      held = [];
    }
    yield* this.#told(held);
  }

  /** The differences of these records of the second file, in their order. */
  async *#told(held: readonly Held[]): AsyncGenerator<Difference> {
    const changed = held.filter(({ kind }) => kind === 'changed');
    const changes = changed.length === 0 ? undefined : await this.#changes(changed);
    for (const { kind, key, row } of held) {
      this.#counts[kind] += 1;
      if (kind === 'added') yield { change: 'added', key, field: null, line: row.line };
      else yield* changes?.get(digestId(key)) ?? [];
    }
  }

  /** The differences of changed records, by the ids of their keys: the first file is read again for the old values. */
  async #changes(changed: readonly Held[]): Promise<ReadonlyMap<string, readonly Difference[]>> {
    const wanted = new Map(changed.map(({ key, row }) => [digestId(key), row]));
    const found = new Map<string, readonly Difference[]>();
    for await (const { key, row } of this.#left.rows()) {
      const id = digestId(key);
      const after = wanted.get(id);
      // Of records with the same key only the first is compared.
      if (after === undefined || found.has(id)) continue;
      found.set(id, fieldDifferences(key, { before: row, after, shared: this.#shared }));
      if (found.size === wanted.size) break;
    }
    return found;
  }

  async *#removed(index: RowIndex, met: RowMarks): AsyncGenerator<Difference> {
    for await (const { key, row } of this.#left.rows()) {
      const found = index.find(digestId(key));
      // Of removed records with the same key only the first is reported.
      if (found === undefined || !met.add(found.place)) continue;
      this.#counts.removed += 1;
      yield { change: 'removed', key, field: null, line: row.line };
    }
  }
}
