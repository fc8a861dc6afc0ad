import { opt, type Field, type Fields, type RecordType, type Role, type Type } from '../contract/build.js';
import { anyType } from '../contract/scalars.js';
import { hasValue, defined, isRecord, type RecordValue, type Value } from '../core/values/value.js';
import { pastedGuid } from '../core/text/scalars.js';
import { inAnyCase, nearest } from '../core/text/text.js';
import { isTooDeep, recordOf, scalarOf } from '../contract/walk.js';
import { perhaps, usage, type RelctlError } from '../core/errors/relctl-error.js';

/** A value as the text of one cell: scalars as they are, lists and records as compact JSON, nothing for absent and nil. */
export function cellText(value: Value | undefined): string {
  if (!hasValue(value)) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A column: known before the first row. */
export interface Column {
  /** The header: the dotted path, `Settings.WorkflowId`, unless another title was asked for. */
  readonly title: string;
  readonly path: readonly string[];
  readonly type: Type;
  /** What its texts are for people, where the type does not say it. */
  readonly role?: Role;
}

const numericTypes: ReadonlySet<string | undefined> = new Set(['int', 'short', 'long', 'decimal']);

/** True for a column of numbers. */
export const isNumeric = ({ type }: Column): boolean => numericTypes.has(scalarOf(type));

const columnAt = (path: readonly string[], { type, role }: Field): Column => ({
  title: path.join('.'),
  path,
  type,
  ...defined({ role }),
});

function columnsOf({ fields }: RecordType, above: readonly string[], holders: readonly RecordType[]): Column[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = [...above, name];
    const record = recordOf(field.type);
    // What only the WSDL of a service has is one column.
    const isWhole = record === undefined || field.isExtra === true || isTooDeep(record, holders);
    return isWhole ? [columnAt(path, field)] : columnsOf(record, path, [...holders, record]);
  });
}

/** All columns of a record type: nested records with dots; a list, or a record within its own type, in one column. */
export const allColumns = (record: RecordType): readonly Column[] => columnsOf(record, [], [record]);

const memberNamed = (fields: Fields, typed: string): string | undefined =>
  inAnyCase(typed, Object.keys(fields)) ?? inAnyCase(pastedGuid(typed) ?? typed, Object.keys(fields));

function fieldNamed(fields: Fields, typed: string): readonly [name: string, field: Field] | undefined {
  const name = memberNamed(fields, typed);
  const field = name === undefined ? undefined : fields[name];
  return name === undefined || field === undefined ? undefined : [name, field];
}

/**
 * The column of a name in any case of letters; undefined where the record has none. A member may have a dot in its name.
 * @param above the names of the members that hold the record
 */
export function findColumn(record: RecordType, title: string, above: readonly string[] = []): Column | undefined {
  const whole = fieldNamed(record.fields, title);
  return whole === undefined ? columnBelow(record, title, above) : columnAt([...above, whole[0]], whole[1]);
}

function columnBelow(record: RecordType, title: string, above: readonly string[]): Column | undefined {
  const [start = '', ...rest] = title.split('.');
  const [first = '', field] = rest.length === 0 ? [] : (fieldNamed(record.fields, start) ?? []);
  if (field?.type.kind === 'record') return findColumn(field.type, rest.join('.'), [...above, first]);
  if (field !== undefined) return isAny(field.type) ? columnAt([...above, first, ...rest], unknown) : undefined;
  return mayHave(record, title) ? columnAt([...above, start, ...rest], unknown) : undefined;
}

/** True for a name that a record may have although nothing says it. */
export const mayHave = (record: RecordType, name: string): boolean =>
  record.isOpen === true || isAttribute(record, name);

const isAny = (type: Type): boolean => scalarOf(type) === 'anyType';

/** A member of which nothing says anything. */
const unknown = opt(anyType, 'No description.');

function isAttribute({ fields }: Pick<RecordType, 'fields'>, name: string): boolean {
  const at = name.lastIndexOf('@');
  return at === 0 || (at > 0 && Object.hasOwn(fields, name.slice(0, at)));
}

/** True for a record type with a column of this name. */
export const hasColumn = (record: RecordType, title: string): boolean => findColumn(record, title) !== undefined;

function column(record: RecordType, title: string, flag: string): Column {
  const own = findColumn(record, title);
  if (own !== undefined) return own;
  const known = allColumns(record).map((each) => each.title);
  throw usage(
    flag,
    `there is no column '${title}'; the columns are ${known.join(', ')}`,
    perhaps(title, nearest(title, known)),
  );
}

/**
 * The columns with these names in any case of letters, in this order, as the record names them; a nested record in one
 * column of compact JSON. Throws `usage` for one that the record does not have, with the nearest that it has.
 */
export const columnsNamed = (record: RecordType, names: readonly string[], flag = '--columns'): readonly Column[] =>
  names.map((name) => column(record, name, flag));

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
  throw usage('--columns', isSame ? `the column ${title} is listed twice` : `two columns are called '${title}'`, {
    advice: `A column can have another title: --columns 'Other=${names.at(-1) ?? ''}'`,
  });
}

/**
 * The columns that the text of --columns says, in this order: `Id`, `Nr=Id` for one under another title, `*` for all that
 * are not named beside it. Throws `usage` for one that the record does not have, and for two with one title.
 */
export function chosenColumns(record: RecordType, text: string): readonly Column[] {
  const words = columnWords(text, (name) => hasColumn(record, name));
  if (words.length === 0) throw usage('--columns', '--columns is empty');
  const named = words.map(({ name, title }): Column | undefined =>
    name === allOthers ? undefined : { ...column(record, name, '--columns'), ...defined({ title }) },
  );
  if (named.filter((each) => each === undefined).length > 1) throw usage('--columns', '* is listed twice');
  const used = new Set(named.flatMap((each) => (each === undefined ? [] : [columnName(each)])));
  const columns = named.flatMap((each) => each ?? allColumns(record).filter((other) => !used.has(columnName(other))));
  refuseTwice(columns);
  return columns;
}

const isScalar = (value: Value | undefined): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function labelOf(record: RecordValue): string {
  const names = Object.keys(record).filter((name) => name !== 'Value' && isScalar(record[name]));
  const name = names.includes('Name') ? 'Name' : (names.find((each) => each !== 'Id') ?? names[0]);
  return name === undefined ? '' : cellText(record[name]);
}

function itemText(item: Value): string {
  if (!isRecord(item)) return cellText(item);
  const value = item['Value'];
  if (isScalar(value)) return [labelOf(item), cellText(value)].filter((text) => text !== '').join(': ');
  return cellText(item);
}

/** Characters of a text that people are shown, wherever it goes: to measure one of some megabytes takes minutes. */
const mostCharacters = 1024 * 1024;

/** A text without its end, of which the size is told, where nobody reads so much. */
export const displayText = (text: string): string =>
  text.length <= mostCharacters
    ? text
    : `${text.slice(0, mostCharacters)}… (${text.length.toLocaleString('en-US')} characters; -o json prints all)`;

/**
 * A value as people read it, in parts: the items of a list, those that have a Value as name and value. Everything else is
 * one part, as in other formats.
 */
export function briefParts(value: Value | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(itemText) : [cellText(value)];
}

/** The parts of a value behind each other. */
export const joinedParts = (parts: readonly string[]): string => parts.join('; ');

/** A word of --columns: a column, or all others. */
export interface ColumnWord {
  /** The column as it was typed; `*` for all that are not named beside it. */
  readonly name: string;
  /** Its new title; undefined where it keeps its own. */
  readonly title?: string;
}

/** Stands for all columns that are not listed explicitly. */
export const allOthers = '*';

/** What `--columns` asks for in the place of records: the columns that there are. */
export const helpWord = 'help';

/**
 * A word of --columns: `Id`, `*`, or `Nr=Id` for a column under another title. Throws `usage` for one of which a part is
 * missing, and for a title of all columns.
 * @param isColumn true for a name with `=` in it that a column has
 */
function columnWord(typed: string, isColumn: (name: string) => boolean): ColumnWord {
  const at = typed.indexOf('=');
  if (at === -1 || isColumn(typed)) return { name: typed };
  const [title, name] = [typed.slice(0, at).trim(), typed.slice(at + 1).trim()];
  if (title === '' || name === '') {
    throw usage('--columns', `'${typed}' is not TITLE=COLUMN, which selects a column with a new title`);
  }
  if (name === allOthers) {
    throw usage('--columns', `'${typed}' gives many columns one title; write * alone`);
  }
  return { name, title };
}

/**
 * The words of --columns in their order, empty ones left out. Throws `usage` for a word that is none.
 * @param isColumn true for a name that a column has, whatever is in it
 */
export const columnWords = (text: string, isColumn: (name: string) => boolean = () => false): readonly ColumnWord[] =>
  text
    .split(',')
    .map((typed) => typed.trim())
    .filter((typed) => typed !== '')
    .map((typed) => columnWord(typed, isColumn));

/** The columns that --columns names; undefined without it. Throws as `columnWords` does. */
export const columnNames = (
  text: string | undefined,
  isColumn?: (name: string) => boolean,
): readonly string[] | undefined =>
  text === undefined ? undefined : columnWords(text, isColumn).map(({ name }) => name);

/** A word as it is typed. */
export const typedWord = ({ name, title }: ColumnWord): string => (title === undefined ? name : `${title}=${name}`);

/** The commands of operations that know of a record what its list leaves nil. */
const commands: Readonly<Record<string, string>> = { NotificationsGet: 'relctl notification list' };

const flagOf = (parameter: string): string =>
  `--${parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The member of the records of a list that a column is of, where the service leaves it nil; undefined for another one. */
export const nilMemberOf = ({ fields }: RecordType, { path: [name = ''] }: Pick<Column, 'path'>): string | undefined =>
  Object.hasOwn(fields, name) && fields[name]?.leftNil !== undefined ? name : undefined;

/** Why nothing is asked of such a member, in words. */
export const nilMemberRequested = (member: string): string =>
  `the service leaves ${member} nil in this list, whatever the records have: conditions on it cannot work`;

/** An error about such a member, with what does know it. */
export function withElsewhere(error: RelctlError, { fields }: RecordType, member: string): RelctlError {
  const { parameter, elsewhere, operation = '' } = fields[member]?.leftNil ?? {};
  if (parameter !== undefined) return error.but({ hint: flagOf(parameter) });
  return error.but({ advice: elsewhere, hint: commands[operation] });
}

/** The members of some columns that the service leaves nil. */
export const nilMembersOf = (record: RecordType, columns: readonly Column[]): readonly string[] => [
  ...new Set(columns.flatMap((column) => nilMemberOf(record, column) ?? [])),
];

/** The note about columns of such members. */
export const nilMembersNote = (members: readonly string[]): string =>
  `the service leaves ${members.join(', ')} nil in this list, whatever the records have: such a column is always empty`;
