import type { Fields, RecordType } from '../contract/build.js';
import { fieldsOf, recordOf } from '../contract/walk.js';
import { defined, isRecord, type RecordValue, type Value } from '../core/values/value.js';
import { columnName, type Column } from './columns.js';
import type { Format, Piece, Writer } from './writers/format.js';

/** The members of a type: with a shape where they are records themselves. */
type Shape = ReadonlyMap<string, Shape | undefined>;

const shapes = new WeakMap<Fields, Shape>();

function shapeOf(fields: Fields): Shape {
  const known = shapes.get(fields);
  if (known !== undefined) return known;
  const shape = new Map<string, Shape | undefined>();
  shapes.set(fields, shape);
  for (const [name, { type }] of Object.entries(fields)) shape.set(name, recordOf(type) && shapeOf(fieldsOf(type)));
  return shape;
}

type Take = (path: readonly string[], value: Value) => void;

/** Tells each member that no column of the type can hold: unknown ones, and what stands in the place of a record. */
function visitUnknownMembers(record: RecordValue, shape: Shape, take: Take): void {
  for (const name in record) {
    const within = shape.get(name);
    if (within === undefined && shape.has(name)) continue;
    const value = record[name];
    if (value === undefined || (within !== undefined && value === null)) continue;
    if (within !== undefined && isRecord(value))
      visitUnknownMembers(value, within, (path, inner) => take([name, ...path], inner));
    else take([name], value);
  }
}

/** Members of a record beyond its type, with their dotted names. */
export function unknownMembersOf(
  record: RecordValue,
  { fields }: Pick<RecordType, 'fields'>,
): readonly (readonly [string, Value])[] {
  const members: (readonly [string, Value])[] = [];
  visitUnknownMembers(record, shapeOf(fields), (path, value) => members.push([path.join('.'), value]));
  return members;
}

/** True for a record with a member beyond its type. */
export function hasUnknownMembers(record: RecordValue, { fields }: Pick<RecordType, 'fields'>): boolean {
  let hasMore = false;
  visitUnknownMembers(record, shapeOf(fields), () => (hasMore = true));
  return hasMore;
}

/** A hostile service could make up a new name for each record. */
const mostNames = 500;

/**
 * A writer that remembers which members beyond the contract its records had that it does not show, and says so in its note.
 * The very same for a format that shows each record as it came.
 */
export function reportUnknownMembers(
  writer: Writer<Piece>,
  record: Pick<RecordType, 'fields'>,
  {
    layout,
    columns,
    isChosen,
  }: { readonly layout: Format['layout']; readonly columns: readonly Column[]; readonly isChosen: boolean },
): Writer<Piece> {
  if (!isChosen && (layout === 'tree' || layout === 'card')) return writer;
  const titles = columns.map(columnName);
  const hidden = new Set<string>();
  const look = (each: RecordValue): void => {
    for (const [name] of unknownMembersOf(each, record)) {
      const hasColumn = titles.some((title) => name === title || name.startsWith(`${title}.`));
      if (!hasColumn) hidden.add(hidden.size < mostNames ? name : '…');
    }
  };
  const note = (): string | undefined => {
    if (hidden.size === 0) return writer.note?.();
    const unseen =
      `not in the output, because they are not in the contract: ${[...hidden].join(', ')}; ` +
      '-o json prints them, and `relctl operations import` adds columns for them';
    return [writer.note?.(), unseen].filter((words) => words !== undefined).join('; ');
  };
  const { row, placed, layout: cells } = writer;
  return {
    begin: () => writer.begin(),
    records: (batch) => {
      batch.forEach(look);
      return writer.records(batch);
    },
    end: () => writer.end(),
    note,
    ...defined({ row, placed, layout: cells }),
  };
}
