import { list, operation, opt, recordWithoutPresence, type Fields, type RecordType } from '../../contract/build.js';
import { isTooDeep } from '../../contract/walk.js';
import { laidOut, type MirrorTable } from '../tables.js';
import { listNamesOf, namedColumns } from './names.js';

/** A list of an operation, and what tells how it is read. */
export interface CalledList {
  readonly operation: string;
  /** Names of the members that lead to the list in the answer, outermost first. */
  readonly list: readonly string[];
  /** Names that lead to the member of a record by which records are told apart. */
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

/** Counts the values of a record, those of its lists with them, up to a number. */
function countValues(record: RecordType, most: number, above: readonly RecordType[] = []): number {
  const within = [...above, record];
  let count = 0;
  for (const { type } of Object.values(record.fields)) {
    const held = type.kind === 'list' ? type.item : type;
    if (held.kind !== 'record') count += 1;
    else if (!isTooDeep(held, within)) count += countValues(held, most - count, within);
    if (count > most) return count;
  }
  // A record without values takes time too.
  return Math.max(count, 1);
}

/** True for a record that has too many values for a table. */
export const isTooWide = (record: RecordType): boolean => countValues(record, mostValues) > mostValues;

/** The members of an answer that has a list of records, and nothing else. */
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

/** The columns of a table and of its lists, each as `COLUMN type`, by the table that has it. */
const columnsOf = ({ name, columns, lists }: MirrorTable): ReadonlyMap<string, string> =>
  new Map(
    [{ name, columns }, ...lists].flatMap((each) =>
      each.columns.map((column) => [`${each.name}.${column.name}`, shapeOf(column)] as const),
    ),
  );

/** What differs between the columns of a table as the mirror has it and as it would be made now, in words; none where nothing does. */
export function differencesOf(kept: CallTable, now: CallTable): readonly string[] {
  const [before, after] = [columnsOf(kept), columnsOf(now)];
  const bare = (name: string): string => (name.startsWith(`${kept.name}.`) ? name.slice(kept.name.length + 1) : name);
  const gone = [...before.keys()].filter((name) => !after.has(name));
  const added = [...after.keys()].filter((name) => !before.has(name));
  const changed = [...before].filter(([name, shape]) => after.has(name) && after.get(name) !== shape);
  return [
    ...gone.map((name) => `${bare(name)} is gone`),
    ...added.map((name) => `${bare(name)} is new`),
    ...changed.map(([name]) => `${bare(name)} has another type`),
  ];
}
