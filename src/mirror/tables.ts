import { listedRecord, memberAt } from '../contract/walk.js';
import { opt, type Field, type Operation, type RecordType, type ScalarName } from '../contract/build.js';
import { operations } from '../contract/service.js';
import { string } from '../contract/scalars.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import { valueAt, jsonOf, isRecord, type RecordValue, type Value } from '../core/values/value.js';
import { instantKey } from '../core/text/time/datetime.js';
import { cellOf, type Cell, columnType, layout, type Column } from '../contract/columns.js';
import { listTableName, serviceLists, type ServiceList } from '../contract/lists.js';

/** What tells the records of a table apart. */
export type Identity =
  /** Their Id: a record with the same Id and another content was changed. */
  | 'id'
  /** Id and content: several records may have the same Id, as a relation with several numbers in a telephone book. */
  | 'content';

/** A column of a table of the mirror. */
export interface MirrorColumn {
  readonly name: string;
  /** Type of the contract; `instant` stands beside a dateTime, and sorts by time. */
  readonly type: ScalarName | 'enumeration' | 'instant';
  /** Path of the member; that of the dateTime for an instant. A parameter of the call has none. */
  readonly path: readonly string[];
  /** Name of the parameter of the call, for a column that says what the record belongs to. */
  readonly parameter?: string;
  /** What the contract says of its values; of an item of a list that is no record, what it says of the list. */
  readonly field: Field;
}

/** The table of a list within the records of a table. */
export interface MirrorList {
  readonly name: string;
  readonly path: readonly string[];
  readonly columns: readonly MirrorColumn[];
}

/** A table of the mirror: records of one kind. */
export interface MirrorTable {
  readonly name: string;
  readonly holds: string;
  /** The operation that fills it, and the member of its result that holds the records. */
  readonly operation: Operation;
  readonly shows: string;
  readonly record: RecordType;
  readonly identity: Identity;
  readonly idColumn: string;
  readonly columns: readonly MirrorColumn[];
  readonly lists: readonly MirrorList[];
}

function columnsOf(
  columns: readonly Column[],
  fieldAt: (path: readonly string[]) => Field | undefined,
): readonly MirrorColumn[] {
  return columns.flatMap(({ name, type, path }) => {
    if (type === 'extra') return [];
    const column: MirrorColumn = { name, type, path, field: fieldAt(path) ?? opt(string, '') };
    return type === 'dateTime' ? [column, { ...column, name: `${name}_instant`, type: 'instant' }] : [column];
  });
}

/** The columns of a record as a mirror keeps them, and the lists within it. */
export function laidOut(record: RecordType): {
  readonly columns: readonly MirrorColumn[];
  readonly lists: readonly Pick<MirrorList, 'path' | 'columns'>[];
} {
  const { columns, lists } = layout(record, { table: '', isPart: () => true, reference: () => [], sql: () => '' });
  return {
    columns: columnsOf(columns, (path) => memberAt(record.fields, path)),
    lists: lists.map(({ path, columns }) => {
      const list = memberAt(record.fields, path);
      const item = listedRecord(list?.type);
      return {
        path,
        columns: columnsOf(columns, (within) =>
          item === undefined ? opt(string, list?.doc ?? '') : memberAt(item.fields, within),
        ),
      };
    }),
  };
}

function tableOf(name: string, list: ServiceList): MirrorTable {
  const { holds, identity = 'id', idColumn = 'Id', parameters = {}, lists = {} } = list;
  const operation: Operation = operations[list.operation];
  const shows = Object.keys(operation.result).find((member) => listedRecord(operation.result[member]?.type)) ?? '';
  const record = listedRecord(operation.result[shows]?.type);
  if (record === undefined) throw new RelctlError('bug', `${operation.name} has no list of records`);
  const laid = laidOut(record);
  const ofParameters = Object.entries(parameters).map(([parameter, column]): MirrorColumn => {
    const field = operation.parameters[parameter] ?? opt(string, '');
    return { name: column, type: columnType(field.type), path: [], parameter, field };
  });
  return {
    name,
    holds,
    operation,
    shows,
    record,
    identity,
    idColumn,
    columns: [...ofParameters, ...laid.columns],
    lists: laid.lists.map(({ path, columns }) => ({
      name: lists[path.join('.')] ?? listTableName(name, path),
      path,
      columns,
    })),
  };
}

/** The tables of the mirror by name, in the order in which they are filled. */
export const mirrorTables: ReadonlyMap<string, MirrorTable> = new Map(
  serviceLists.map(([name, list]) => [name, tableOf(name, list)]),
);

/** A table of the mirror. Throws RelctlError `bug` for a name that is none. */
export function tableNamed(name: string): MirrorTable {
  const table = mirrorTables.get(name);
  if (table === undefined) throw new RelctlError('bug', `the mirror has no table ${name}`);
  return table;
}

/** The column that identifies the records of a table. */
export const idColumnOf = ({ columns, idColumn }: MirrorTable): MirrorColumn =>
  columns.find(({ name }) => name === idColumn) ?? {
    name: idColumn,
    type: 'guid',
    path: [idColumn],
    field: opt(string, ''),
  };

/** Returns the text that identifies a record: of its Id, or of another member that is one value; undefined without. */
export function idOfRecord(table: MirrorTable): (record: RecordValue) => string | undefined {
  const { path } = idColumnOf(table);
  return (record) => {
    const id = valueAt(record, path);
    if (typeof id === 'number') return String(id);
    return typeof id === 'string' && id !== '' ? id : undefined;
  };
}

/** Gives the text under which an Id is known: case does not count in GUIDs. */
export function idKeyOf(table: MirrorTable): (id: string) => string {
  return idColumnOf(table).type === 'guid' ? (id) => id.toLowerCase() : (id) => id;
}

/**
 * The condition in SQL for a row whose record has no Id; an empty text is none.
 * @param prefix of the column, such as `t.`
 */
export function isWithoutId(table: MirrorTable, prefix = ''): string {
  const { name, type } = idColumnOf(table);
  const column = `${prefix}"${name}"`;
  return type === 'string' ? `coalesce(${column}, '') = ''` : `${column} IS NULL`;
}

const integers: ReadonlySet<string> = new Set(['int', 'short', 'boolean']);

/** True for a column that SQLite keeps as an integer: int, short and boolean, which is 0 or 1. */
export const isInteger = ({ type }: MirrorColumn): boolean => integers.has(type);

/** True for a column of GUIDs. */
export const isGuidColumn = ({ type }: MirrorColumn): boolean => type === 'guid';

/** True for a column that holds the Id of another record of the mirror. */
export const isJoin = (column: MirrorColumn): boolean =>
  isGuidColumn(column) && /(?:Relation|Relationship|Mark)Id$/.test(column.name);

/** Conditions for a text that is a number as XML writes decimals: of another one SQLite would take what it begins with. */
const isNumberText = (cell: string): string =>
  ['*[^0-9.+-]*', '?*[+-]*', '*.*.*'].map((form) => `${cell} NOT GLOB '${form}'`).join(' AND ') +
  ` AND ${cell} GLOB '*[0-9]*'`;

const [least, most] = ['-9223372036854775808', '9223372036854775807'];

/** The numbers that stand beside what is kept as text: what SQLite makes of a cell; NULL for a text that is none. */
const numbers: Readonly<
  Partial<Record<MirrorColumn['type'], readonly [stored: string, sql: (cell: string) => string]>>
> = {
  decimal: ['REAL', (cell) => `CAST(CASE WHEN ${isNumberText(cell)} THEN ${cell} END AS REAL)`],
  // A larger one would become the largest.
  long: [
    'INTEGER',
    (cell) =>
      `CAST(CASE WHEN ${isNumberText(cell)} AND (CAST(${cell} AS INTEGER) NOT IN (${least}, ${most}) OR ${cell} IN ('${least}', '${most}')) THEN ${cell} END AS INTEGER)`,
  ],
};

/** A column that tables and views have behind one whose numbers are kept as text. */
interface NumberColumn {
  readonly name: string;
  readonly stored: string;
  readonly sql: string;
}

/** That column; undefined for another one, and where one of the record has its name. */
export function numberColumn({ name, type }: MirrorColumn, beside: readonly MirrorColumn[]): NumberColumn | undefined {
  const own = `${name}_number`;
  const [stored, sql] = numbers[type] ?? [];
  if (stored === undefined || sql === undefined) return undefined;
  const isUsed = beside.some((each) => each.name.toLowerCase() === own.toLowerCase());
  return isUsed ? undefined : { name: own, stored, sql: sql(`"${name}"`) };
}

/** Parameters of the call that a record came from. */
export type Parameters = Readonly<Record<string, string>>;

const cellFor = ({ type }: MirrorColumn, value: Value | undefined): Cell => {
  const cell = cellOf(value);
  return type === 'instant' && cell !== null ? (instantKey(String(cell)) ?? null) : cell;
};

/** The cells of a record, in the order of the columns. */
export const cellsOf = (columns: readonly MirrorColumn[], record: RecordValue, parameters: Parameters): Cell[] =>
  columns.map((column) =>
    column.parameter === undefined
      ? cellFor(column, valueAt(record, column.path))
      : (parameters[column.parameter] ?? null),
  );

/** The cells of an item of a list, which may be a scalar. */
export const itemCells = (columns: readonly MirrorColumn[], item: Value): Cell[] =>
  columns.map((column) => cellFor(column, isRecord(item) ? valueAt(item, column.path) : item));

/** The error for what no sync writes: somebody else made or changed the mirror. */
export const damaged = (what: string): RelctlError =>
  new RelctlError('local', `the mirror has ${what}: another program created or changed it`, {
    facts: { code: 'damaged' },
    advice: 'Remove the mirror, and sync a new one.',
  });

/** What a text of a mirror says in JSON. Throws `local` where it is none. */
export function jsonIn(text: string): unknown {
  const value = jsonOf(text);
  if (value === undefined) throw damaged('a text that is not JSON where relctl writes JSON');
  return value;
}
