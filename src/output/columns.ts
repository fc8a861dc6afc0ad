import type { Field, Fields, RecordType, Role, Type } from '../contract/build.js';
import { defined } from '../plain/defined.js';
import { nearest } from '../lexical/nearest.js';
import { anyType } from '../contract/scalars.js';
import { moreTitle } from './beyond.js';
import { usage } from '../errors/usage.js';

/** A column: known before the first row. */
export interface Column {
  /** Dotted path, which is also the header: `Settings.WorkflowId`. */
  readonly title: string;
  readonly path: readonly string[];
  readonly type: Type;
  /** What its texts are for people, where the type does not say it. */
  readonly role?: Role;
}

const numericTypes: ReadonlySet<string> = new Set(['int', 'short', 'long', 'decimal']);

/** True for a column of numbers. */
export const isNumeric = ({ type }: Column): boolean => type.kind === 'scalar' && numericTypes.has(type.name);

const columnAt = (path: readonly string[], { type, role }: Field): Column => ({
  title: path.join('.'),
  path,
  type,
  ...defined({ role }),
});

function columnsOf(fields: Fields, above: readonly string[]): Column[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = [...above, name];
    return field.type.kind === 'record' ? columnsOf(field.type.fields, path) : [columnAt(path, field)];
  });
}

const moreColumn: Column = { title: moreTitle, path: [moreTitle], type: anyType };

/** True for a type with a record in it whose inside the document does not show: it may come in another shape. */
const mayDiffer = ({ fields }: RecordType): boolean =>
  Object.values(fields).some(({ type, assumed }) => type.kind === 'record' && assumed === 'type');

/**
 * All columns of a record type: nested records flattened with dots, a list in one column of compact JSON; and `_more` where
 * a record may come in a shape that no other column can hold.
 */
export function allColumns(record: RecordType): readonly Column[] {
  const own = columnsOf(record.fields, []);
  return mayDiffer(record) ? [...own, moreColumn] : own;
}

function fieldAt(record: RecordType, path: readonly string[]): Field | undefined {
  let [type, field]: [Type, Field | undefined] = [record, undefined];
  for (const name of path) {
    if (type.kind !== 'record') return undefined;
    field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
    if (field === undefined) return undefined;
    type = field.type;
  }
  return field;
}

/** How to get at what the service sends beyond the contract. */
const wayBeyond =
  `; what the service sends beyond the contract is in ${moreTitle}, and has a column by its name ` +
  'once relctl profile test NAME --calibrate has seen it';

function column(record: RecordType, title: string, seen: readonly string[] | undefined): Column {
  const path = title.split('.');
  const field = fieldAt(record, path);
  if (field !== undefined) return columnAt(path, field);
  if (title === moreTitle && (seen !== undefined || mayDiffer(record))) return moreColumn;
  if (seen?.includes(title) === true) return { title, path, type: anyType };
  const known = allColumns(record).map((each) => each.title);
  const suggestion = nearest(title, [...known, ...(seen ?? [])]);
  const beyond = seen === undefined ? '' : wayBeyond;
  throw usage(
    '--columns',
    `${record.name} has no column '${title}'; it has ${known.join(', ')}${beyond}`,
    suggestion === undefined ? undefined : `--columns ${suggestion}`,
  );
}

/**
 * The columns with these titles, in this order; a nested record in one column of compact JSON. Throws `usage` for one
 * that the record does not have, with the nearest that it has.
 * @param seen members beyond the contract that can be named; undefined for records that are not the service's
 */
export function chosenColumns(
  record: RecordType,
  titles: readonly string[],
  seen?: readonly string[],
): readonly Column[] {
  const wanted = titles.map((title) => title.trim()).filter((title) => title !== '');
  if (wanted.length === 0) {
    throw usage('--columns', '--columns names no column');
  }
  return wanted.map((title) => column(record, title, seen));
}
