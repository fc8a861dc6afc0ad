import type { Field, Fields, RecordType, Role, Type } from '../contract/build.js';
import { defined } from '../plain/defined.js';
import { pastedGuid } from '../lexical/values/guid.js';
import { inAnyCase, nearest } from '../lexical/nearest.js';
import { anyType } from '../contract/scalars.js';
import { isTooDeep } from '../contract/walk.js';
import { moreTitle } from './beyond.js';
import { allOthers, columnWords, typedWord } from './column-words.js';
import { perhaps, usage } from '../errors/usage.js';

/** A column: known before the first row. */
export interface Column {
  /** The header: the dotted path, `Settings.WorkflowId`, unless another title was asked for. */
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

function columnsOf({ fields }: RecordType, above: readonly string[], holders: readonly RecordType[]): Column[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = [...above, name];
    const { type, beyond } = field;
    // What only the WSDL of a service has is one column, as what a service was seen to send.
    const isWhole = type.kind !== 'record' || beyond === true || isTooDeep(type, holders);
    return isWhole ? [columnAt(path, field)] : columnsOf(type, path, [...holders, type]);
  });
}

const moreColumn: Column = { title: moreTitle, path: [moreTitle], type: anyType };

/** True for a type with a record in it whose inside the document does not show: it may come in another shape. */
const mayDiffer = ({ fields }: RecordType): boolean =>
  Object.values(fields).some(({ type, assumed }) => type.kind === 'record' && assumed === 'type');

/**
 * All columns of a record type: nested records flattened with dots, a list in one column of compact JSON, as a record within
 * one of its own type is; and `_more` where a record may come in a shape that no other column can hold.
 */
export function allColumns(record: RecordType): readonly Column[] {
  const own = columnsOf(record, [], [record]);
  return mayDiffer(record) ? [...own, moreColumn] : own;
}

/** The name of a member as the record has it: typed in any case of letters, or a GUID in any form. */
const memberNamed = (fields: Fields, typed: string): string | undefined =>
  inAnyCase(typed, Object.keys(fields)) ?? inAnyCase(pastedGuid(typed) ?? typed, Object.keys(fields));

/** The field with a name as somebody typed it, and the name as the record has it. */
function fieldNamed(fields: Fields, typed: string): readonly [name: string, field: Field] | undefined {
  const name = memberNamed(fields, typed);
  const field = name === undefined ? undefined : fields[name];
  return name === undefined || field === undefined ? undefined : [name, field];
}

/** The column of a title, by the names of the record; undefined when it has none. A member may have a dot in its name. */
function columnNamed(record: RecordType, title: string, above: readonly string[] = []): Column | undefined {
  const whole = fieldNamed(record.fields, title);
  if (whole !== undefined) return columnAt([...above, whole[0]], whole[1]);
  const [start = '', ...rest] = title.split('.');
  const [first = '', field] = rest.length === 0 ? [] : (fieldNamed(record.fields, start) ?? []);
  return field?.type.kind === 'record' ? columnNamed(field.type, rest.join('.'), [...above, first]) : undefined;
}

/** True for a record type with a column of this name. */
export const hasColumn = (record: RecordType, title: string): boolean => columnNamed(record, title) !== undefined;

/** How to get at what the service sends beyond the contract. */
const wayBeyond =
  `; what the service sends beyond the contract is in ${moreTitle}, and has a column by its name ` +
  'once `relctl profile test --calibrate` has seen it';

/** How columns are looked for. */
interface Search {
  /** Members beyond the contract that can be named; undefined for records that are not the service's. */
  readonly seen?: readonly string[] | undefined;
  /** The flag that names them. */
  readonly flag?: string;
}

/**
 * The column of a name in any case of letters; undefined where the record has none.
 * @param seen members beyond the contract that can be named
 */
export function findColumn(record: RecordType, title: string, seen: Search['seen']): Column | undefined {
  const own = columnNamed(record, title);
  if (own !== undefined) return own;
  if (title.toLowerCase() === moreTitle && (seen !== undefined || mayDiffer(record))) return moreColumn;
  const beyondName = inAnyCase(title, seen ?? []);
  return beyondName === undefined ? undefined : { title: beyondName, path: beyondName.split('.'), type: anyType };
}

function column(record: RecordType, title: string, { seen, flag = '--columns' }: Search): Column {
  const own = findColumn(record, title, seen);
  if (own !== undefined) return own;
  const known = allColumns(record).map((each) => each.title);
  const suggestion = nearest(title, [...known, ...(seen ?? [])]);
  const beyond = seen === undefined ? '' : wayBeyond;
  throw usage(
    flag,
    `there is no column '${title}'; the columns are ${known.join(', ')}${beyond}`,
    perhaps(title, suggestion),
  );
}

/**
 * The columns with these names in any case of letters, in this order, as the record names them; a nested record in one
 * column of compact JSON. Throws `usage` for one that the record does not have, with the nearest that it has.
 */
export const columnsNamed = (record: RecordType, names: readonly string[], search: Search = {}): readonly Column[] =>
  names.map((name) => column(record, name, search));

/** The name of a column, whatever its title is. */
export const columnName = ({ path }: Column): string => path.join('.');

/** A column as --columns names it. */
export const asTyped = (column: Column): string =>
  typedWord({ name: columnName(column), ...(column.title === columnName(column) ? {} : { title: column.title }) });

function repeated(texts: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return texts.find((text) => seen.has(text) || !seen.add(text));
}

function refuseTwice(columns: readonly Column[]): void {
  const title = repeated(columns.map((each) => each.title));
  if (title === undefined) return;
  const names = columns.filter((each) => each.title === title).map(columnName);
  const isSame = names.every((name) => name === title);
  throw usage('--columns', isSame ? `the column ${title} is named twice` : `two columns are called '${title}'`, {
    advice: `A column can have another title: --columns 'Other=${names.at(-1) ?? ''}'`,
  });
}

/**
 * The columns that the text of --columns says, in this order: `Id`, `Nr=Id` for one under another title, `*` for all that
 * are not named beside it. Throws `usage` for one that the record does not have, and for two with one title.
 * @param seen members beyond the contract that can be named; undefined for records that are not the service's
 */
export function chosenColumns(record: RecordType, text: string, seen?: readonly string[]): readonly Column[] {
  const words = columnWords(text, (name) => findColumn(record, name, seen) !== undefined);
  if (words.length === 0) throw usage('--columns', '--columns names no column');
  const named = words.map(({ name, title }): Column | undefined =>
    name === allOthers ? undefined : { ...column(record, name, { seen }), ...defined({ title }) },
  );
  if (named.filter((each) => each === undefined).length > 1) throw usage('--columns', '* is named twice');
  const taken = new Set(named.flatMap((each) => (each === undefined ? [] : [columnName(each)])));
  const columns = named.flatMap((each) => each ?? allColumns(record).filter((other) => !taken.has(columnName(other))));
  refuseTwice(columns);
  return columns;
}
