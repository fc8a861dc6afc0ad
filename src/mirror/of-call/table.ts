import { list, operation, opt, recordWithoutPresence, type Fields, type RecordType } from '../../contract/build.js';
import { isTooDeep, recordWithin } from '../../contract/walk.js';
import { namesOf } from '../schema.js';
import { laidOut, type MirrorTable, type MirrorColumn } from '../tables.js';
import { snake } from '../../contract/lists.js';

/** What the names of tables of operations begin with: no table that each mirror has, no view and no word of SQL does. */
export const callPrefix = 'call_';

/** Bytes of the longest name of a table, of a list table, and of a column: other databases cut names off behind 63. */
const most = { table: 40, list: 52, column: 63 };

/** Names of columns that are the mirror's own, or those of a database that it is published to. */
const reserved: readonly string[] = [
  ...['_seq', '_source', '_record', '_hash', '_first_seen', '_changed_at', '_gone_at', '_owner', '_position'],
  ...['ctid', 'tableoid', 'xmin', 'xmax', 'cmin', 'cmax'],
];

function fitted(text: string, mostBytes: number): string {
  if (Buffer.byteLength(text) <= mostBytes) return text;
  const letters = Array.from(text);
  let bytes = 0;
  const end = letters.findIndex((letter) => (bytes += Buffer.byteLength(letter)) > mostBytes);
  return letters.slice(0, end).join('').trim();
}

function takeName(name: string, used: Set<string>, mostBytes: number): string {
  let free = fitted(name, mostBytes);
  for (let count = 2; used.has(free.toLowerCase()); count += 1) {
    const end = `_${count}`;
    free = `${fitted(name, mostBytes - end.length)}${end}`;
  }
  used.add(free.toLowerCase());
  return free;
}

const word = (text: string): string => snake(text).replace(/[^a-z0-9_]/g, '_');

function listNamesOf(table: string, paths: readonly (readonly string[])[]): readonly string[] {
  const used = new Set([table]);
  return paths.map((path) => {
    // A list of services is often called so within a record that has nothing else.
    const telling = path.length > 1 ? path.filter((name) => name !== 'Items') : path;
    return takeName([table, ...telling.map(word)].join('_'), used, most.list);
  });
}

/** The name of the table of a list of an operation, by the names of both; with a number behind it where that is not free. */
export function tableNameOf(
  { operation, list }: { readonly operation: string; readonly list: readonly string[] },
  isFree: (name: string) => boolean,
): string {
  const refused = new Set<string>();
  for (;;) {
    const name = takeName(`${callPrefix}${word(operation)}_${word(list.at(-1) ?? '')}`, refused, most.table);
    if (isFree(name)) return name;
  }
}

const ownName = /^[a-z][a-z0-9_]*$/;

/** The name of a table for a name that a person chose, with or without what all begin with; undefined for one that is none. */
export function tableNameFor(text: string): string | undefined {
  const name = text.startsWith(callPrefix) ? text.slice(callPrefix.length) : text;
  const table = `${callPrefix}${name}`;
  return ownName.test(name) && table.length <= most.table ? table : undefined;
}

/** What SQLite makes for a table has these names: the table and its lists, and their indexes. */
export const namesNeeded = (table: MirrorTable): readonly string[] =>
  namesOf(table).flatMap((each) => ['', '_by_id', '_without_id'].map((end) => `${each}${end}`));

function namedColumns(columns: readonly MirrorColumn[]): readonly MirrorColumn[] {
  const used = new Set(reserved);
  return columns.map((column) => ({ ...column, name: takeName(column.name, used, most.column) }));
}

/** A list of an operation, and what tells how it is read. */
export interface CalledList {
  readonly operation: string;
  /** Names of the members that lead to the list in the answer, outermost first. */
  readonly list: readonly string[];
  /** Names that lead to the member of a record that identifies it. */
  readonly key: readonly string[];
  readonly pageParam?: string;
  readonly sizeParam?: string;
  /** It was said when the list was added that the operation only reads. */
  readonly isRead?: true;
}

/** A table of a mirror that a list of an operation fills; the mirror keeps what it is made of. */
export interface CallTable extends MirrorTable {
  readonly call: CalledList;
}

/** Most values of a record that a table has columns for, those of its lists with them: databases have limits. */
export const mostValues = 400;

function countValues(record: RecordType, most: number, above: readonly RecordType[] = []): number {
  const within = [...above, record];
  let count = 0;
  for (const { type } of Object.values(record.fields)) {
    const held = recordWithin(type);
    if (held === undefined) count += 1;
    else if (!isTooDeep(held, within)) count += countValues(held, most - count, within);
    if (count > most) return count;
  }
  // A record without values takes time too.
  return Math.max(count, 1);
}

/** True for a record that has too many values for a table. */
export const isTooWide = (record: RecordType): boolean => countValues(record, mostValues) > mostValues;

function answerWith([name = '', ...within]: readonly string[], record: RecordType): Fields {
  const type = within.length === 0 ? list(record) : recordWithoutPresence(name, '', answerWith(within, record));
  return { [name]: opt(type, '') };
}

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((name, at) => name === right[at]);

/**
 * The table of a list of an operation, by the types of its records: the same for the same record. Its operation has no
 * parameters, and no more of the answer than the list: it can be read where nothing is known of the operation.
 * @param record not too wide; it has the key
 */
export function callTable(name: string, call: CalledList, record: RecordType): CallTable {
  const laid = laidOut(record);
  const columns = namedColumns(laid.columns);
  const names = listNamesOf(
    name,
    laid.lists.map(({ path }) => path),
  );
  const key = columns.find(({ path, type }) => type !== 'instant' && isSame(path, call.key));
  return {
    name,
    call,
    holds: `${call.list.join('.')} of ${call.operation}`,
    operation: operation({
      name: call.operation,
      doc: '',
      access: 'read',
      parameters: {},
      result: answerWith(call.list, record),
      source: 'imported',
    }),
    shows: call.list.at(-1) ?? '',
    record,
    identity: 'id',
    idColumn: key?.name ?? '',
    columns,
    lists: laid.lists.map(({ path, columns: own }, at) => ({
      name: names[at] ?? '',
      path,
      columns: namedColumns(own),
    })),
  };
}

const shapeOf = ({ name, type, path }: MirrorTable['columns'][number]): string => JSON.stringify([name, type, path]);

const columnsOf = ({ name, columns, lists }: MirrorTable): ReadonlyMap<string, string> =>
  new Map(
    [{ name, columns }, ...lists].flatMap((each) =>
      each.columns.map((column) => [`${each.name}.${column.name}`, shapeOf(column)] as const),
    ),
  );

/** What differs between the columns of a table as the mirror has it and as it would be made now, in words; none where nothing does. */
export function differencesOf(stored: CallTable, now: CallTable): readonly string[] {
  const [before, after] = [columnsOf(stored), columnsOf(now)];
  const bare = (name: string): string =>
    name.startsWith(`${stored.name}.`) ? name.slice(stored.name.length + 1) : name;
  const gone = [...before.keys()].filter((name) => !after.has(name));
  const added = [...after.keys()].filter((name) => !before.has(name));
  const changed = [...before].filter(([name, shape]) => after.has(name) && after.get(name) !== shape);
  return [
    ...gone.map((name) => `${bare(name)} is gone`),
    ...added.map((name) => `${bare(name)} is new`),
    ...changed.map(([name]) => `${bare(name)} has another type`),
  ];
}
