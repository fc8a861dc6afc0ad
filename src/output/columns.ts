import type { Fields, RecordType, Type } from '../contract/build.js';
import { RelctlError } from '../errors/relctl-error.js';
import { nearest } from '../lexical/nearest.js';

/** A column: known before the first row. */
export interface Column {
  /** Dotted path, which is also the header: `Settings.WorkflowId`. */
  readonly title: string;
  readonly path: readonly string[];
  readonly type: Type;
}

function columnsOf(fields: Fields, above: readonly string[]): Column[] {
  return Object.entries(fields).flatMap(([name, { type }]) => {
    const path = [...above, name];
    return type.kind === 'record' ? columnsOf(type.fields, path) : [{ title: path.join('.'), path, type }];
  });
}

/** All columns of a record type: nested records flattened with dots, a list in one column of compact JSON. */
export function allColumns(record: RecordType): readonly Column[] {
  return columnsOf(record.fields, []);
}

function fieldAt(record: RecordType, path: readonly string[]): Type | undefined {
  let type: Type = record;
  for (const name of path) {
    if (type.kind !== 'record') return undefined;
    const field: Fields[string] | undefined = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
    if (field === undefined) return undefined;
    type = field.type;
  }
  return type;
}

function column(record: RecordType, title: string): Column {
  const path = title.split('.');
  const type = fieldAt(record, path);
  if (type !== undefined) return { title, path, type };
  const known = allColumns(record).map((each) => each.title);
  const suggestion = nearest(title, known);
  throw new RelctlError('usage', `${record.name} has no column '${title}'; it has ${known.join(', ')}`, {
    facts: { path: '--columns' },
    ...(suggestion === undefined ? {} : { hint: `--columns ${suggestion}` }),
  });
}

/**
 * The columns with these titles, in this order; a nested record in one column of compact JSON. Throws `usage` for one
 * that the record does not have, with the nearest that it has.
 */
export function chosenColumns(record: RecordType, titles: readonly string[]): readonly Column[] {
  const wanted = titles.map((title) => title.trim()).filter((title) => title !== '');
  if (wanted.length === 0) {
    throw new RelctlError('usage', '--columns names no column', { facts: { path: '--columns' } });
  }
  return wanted.map((title) => column(record, title));
}
