import type { RecordType, Type } from '../../../contract/build.js';
import { string } from '../../../contract/scalars.js';
import { RelctlError } from '../../../core/errors/relctl-error.js';
import { nearest } from '../../../core/text/text.js';
import { allColumns, findColumn, nilMemberRequested, nilMemberOf, withElsewhere } from '../../columns.js';
import { exploded, listPaths } from '../../list-members.js';
import { valueAt, hasValue, type RecordValue, type Value } from '../../../core/values/value.js';
import { mistakeAt, type QueryText, type Part } from '../tokens.js';

/** A value that a condition reads of each record. */
export interface NamedValue {
  readonly type: Type;
  readonly member: string;
  readonly read: (record: RecordValue) => Value | undefined;
}

/** What a condition is asked of. */
export interface Scope {
  readonly type: RecordType;
  /** The zone of times that name none. */
  readonly zone: string;
  /** Columns that records have no member for, such as those of fields. Throws `usage` for one that is not there. */
  readonly made?: ((title: string) => NamedValue | undefined) | undefined;
}

/** A name in a condition, as it was typed. */
export interface TypedName extends Part {
  readonly title: string;
  readonly quote: string | undefined;
  /** A text may be meant in its place. */
  readonly mayBeText: boolean;
}

const sameStart = (title: string, list: string): boolean =>
  `${title}.`.toLowerCase().startsWith(`${list}.`.toLowerCase());

/** The list that a name goes into, which has a value for each of its items. */
const listWithin = (type: RecordType, title: string): string | undefined =>
  listPaths(type)
    .map((path) => path.join('.'))
    .find((list) => sameStart(title, list));

function listMistake(queryText: QueryText, { type }: Scope, name: TypedName): RelctlError | undefined {
  const list = listWithin(type, name.title);
  if (list === undefined) return undefined;
  const rowType = exploded(type, list.split('.')).type;
  const hasName = findColumn(rowType, name.title) !== undefined;
  const error = mistakeAt(queryText, name.start, [`${list} is a list: --explode ${list} makes a row for each item`]);
  return hasName ? error.but({ hint: `--explode ${list}` }) : error;
}

const literal = /^(?:true|false|null|-?\d+(?:\.\d+)?)$/i;

function nearestColumn({ title, quote, mayBeText }: TypedName, known: readonly string[]): string | undefined {
  if (quote === '`' && literal.test(title)) return title;
  const near = nearest(title, known);
  if (near !== undefined) return /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(near) ? near : `"${near}"`;
  return quote === '"' || mayBeText ? `'${title.replaceAll("'", "''")}'` : undefined;
}

function unknownName(query: QueryText, { type }: Scope, name: TypedName): RelctlError {
  const known = allColumns(type).map(({ title }) => title);
  const suggestion = nearestColumn(name, known);
  const isValue = suggestion?.startsWith("'") === true;
  const more = isValue ? 'a text stands in single quotes' : `the columns are ${known.join(', ')}`;
  return mistakeAt(query, name.start, [[`there is no column '${name.title}'`, more], suggestion, name]);
}

function madeAt(query: QueryText, { made }: Scope, name: TypedName): NamedValue | undefined {
  try {
    return made?.(name.title);
  } catch (thrown) {
    const { message, hint, correction } = RelctlError.from(thrown);
    throw mistakeAt(query, name.start, [message, correction?.meant, name, hint]);
  }
}

/**
 * The value that a name means, in any case of letters, as columns are named. Throws `usage` with the place of one that means
 * none, and of one that the service leaves nil.
 */
export function valueNamed(query: QueryText, scope: Scope, name: TypedName): NamedValue {
  const column = findColumn(scope.type, name.title);
  if (column === undefined) {
    const made = madeAt(query, scope, name);
    if (made !== undefined) return made;
    throw listMistake(query, scope, name) ?? unknownName(query, scope, name);
  }
  const { path } = column;
  const nil = nilMemberOf(scope.type, column);
  if (nil !== undefined) throw withElsewhere(mistakeAt(query, name.start, [nilMemberRequested(nil)]), scope.type, nil);
  return { type: column.type, member: path[0] ?? '', read: (record) => valueAt(record, path) };
}

/** A text made of a value that a name means. */
export const textMadeOf = ({ member, read }: NamedValue, make: (text: string) => string): NamedValue => ({
  type: string,
  member,
  read: (record) => {
    const value = read(record);
    return !hasValue(value) || typeof value === 'object' ? null : make(String(value));
  },
});
