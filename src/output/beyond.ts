import { isRecord, type Value, type RecordValue } from '../plain/value.js';
import type { Fields, RecordType } from '../contract/build.js';

/** Title of the column that holds what a record has beyond its type, as JSON. */
export const moreTitle = '_more';

/** How often members beyond the contract were seen, by their dotted names. */
export type Counts = Readonly<Record<string, number>>;

/** The members of a type: with a shape where they are records themselves. */
type Shape = ReadonlyMap<string, Shape | undefined>;

const shapes = new WeakMap<Fields, Shape>();

function shapeOf(fields: Fields): Shape {
  const known = shapes.get(fields);
  if (known !== undefined) return known;
  const shape = new Map<string, Shape | undefined>();
  shapes.set(fields, shape);
  for (const [name, { type }] of Object.entries(fields))
    shape.set(name, type.kind === 'record' ? shapeOf(type.fields) : undefined);
  return shape;
}

type Take = (path: readonly string[], value: Value) => void;

/** Tells each member that no column of the type can hold: unknown ones, and what stands in the place of a record. */
function eachBeyond(record: RecordValue, shape: Shape, take: Take): void {
  for (const name in record) {
    const within = shape.get(name);
    if (within === undefined && shape.has(name)) continue;
    const value = record[name];
    if (value === undefined || (within !== undefined && value === null)) continue;
    if (within !== undefined && isRecord(value))
      eachBeyond(value, within, (path, inner) => take([name, ...path], inner));
    else take([name], value);
  }
}

/** Members of a record beyond its type, with their dotted names. */
export function membersBeyond(
  record: RecordValue,
  { fields }: Pick<RecordType, 'fields'>,
): readonly (readonly [string, Value])[] {
  const found: (readonly [string, Value])[] = [];
  eachBeyond(record, shapeOf(fields), (path, value) => found.push([path.join('.'), value]));
  return found;
}

type Tree = Map<string, Value | Tree>;

const plainOf = (tree: Tree): RecordValue =>
  // fromEntries defines keys, so that a member named `__proto__` is a member.
  Object.fromEntries([...tree].map(([name, value]) => [name, value instanceof Map ? plainOf(value) : value]));

/** What a record has beyond its type, nested as it came; undefined when there is nothing. */
export function moreOf(record: RecordValue, { fields }: Pick<RecordType, 'fields'>): RecordValue | undefined {
  const tree: Tree = new Map();
  eachBeyond(record, shapeOf(fields), (path, value) => {
    let at = tree;
    for (const name of path.slice(0, -1)) {
      const inner = at.get(name);
      const next: Tree = inner instanceof Map ? inner : new Map<string, Value | Tree>();
      at.set(name, next);
      at = next;
    }
    at.set(path.at(-1) ?? '', value);
  });
  return tree.size === 0 ? undefined : plainOf(tree);
}

/** A hostile service could make up a new name for each record. */
const mostNames = 500;

/** Adds counts to a sum of them. Names beyond the first 500 are counted under `…`. */
export function addCounts(sum: Map<string, number>, counts: Iterable<readonly [string, number]>): void {
  for (const [name, count] of counts) {
    const key = sum.has(name) || sum.size < mostNames ? name : '…';
    sum.set(key, (sum.get(key) ?? 0) + count);
  }
}

/** True for a record with a member beyond its type. */
export function hasBeyond(record: RecordValue, { fields }: Pick<RecordType, 'fields'>): boolean {
  let isFound = false;
  eachBeyond(record, shapeOf(fields), () => (isFound = true));
  return isFound;
}

/** Counts the members that records have beyond their type; undefined when they have none. */
export function countBeyond(
  records: readonly RecordValue[],
  { fields }: Pick<RecordType, 'fields'>,
): Counts | undefined {
  const shape = shapeOf(fields);
  const counts = new Map<string, number>();
  for (const record of records) eachBeyond(record, shape, (path) => addCounts(counts, [[path.join('.'), 1]]));
  return counts.size === 0 ? undefined : Object.fromEntries(counts);
}
