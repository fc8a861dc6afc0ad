import type { ConnectionFlags } from '../../cli/flags/connection.js';
import type { MirrorFlags } from '../../cli/flags/mirror.js';
import type { OutputFlags } from '../../cli/flags/output.js';
import { printRecords } from '../../cli/output/open-output.js';
import { inRole, opt, recordWithoutPresence, req, type Field, type RecordType } from '../../contract/build.js';
import { dateTime, int, string } from '../../contract/scalars.js';
import { perhaps, usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';
import { seconds } from '../../host/progress.js';
import { nearest } from '../../lexical/nearest.js';
import type { FieldView } from '../../mirror/fields/plan.js';
import type { MirrorReader } from '../../mirror/reader.js';
import { tablesWith, type SourceState } from '../../mirror/store.js';
import { idColumnOf, isInteger, tableNamed, type MirrorColumn, type MirrorTable } from '../../mirror/tables.js';
import type { RecordValue } from '../../plain/value.js';
import { ageOf, oldestSync, tellAge } from '../../cli/mirror/age.js';
import { openReader } from '../../cli/mirror/open.js';
import { queryOf } from './queries.js';

/** What `mirror tables` prints. */
export const TableLine = recordWithoutPresence('MirrorTable', 'A table of the mirror, as SQL sees it.', {
  Table: inRole('name', req(string, 'Its name.')),
  Rows: opt(int, 'Rows that are there; none where there is no mirror.'),
  Holds: inRole('words', req(string, 'What its rows are.')),
  Sources: opt(string, 'What fills it, with commas between; none where nothing does.'),
  Operation: req(string, 'The operation of the service whose records they are.'),
  Query: inRole('words', req(string, 'A query to begin with.')),
  SyncedAt: opt(dateTime, 'When the oldest of what fills it was synced; none before that.'),
  Age: opt(string, 'How long ago that is.'),
});

/** What `mirror tables NAME` prints. */
export const ColumnLine = recordWithoutPresence('MirrorColumn', 'A column of a table of the mirror.', {
  Table: req(string, 'Name of the table.'),
  Column: inRole('name', req(string, 'Its name.')),
  Type: req(string, 'Type of the contract, or instant: a time in UTC that sorts as text.'),
  Kept: req(string, 'Type in the database: TEXT or INTEGER.'),
  Holds: inRole('words', req(string, 'What it holds.')),
});

type TablesFlags = Pick<ConnectionFlags, 'profile'> & MirrorFlags & OutputFlags;

/** A table of records, or of the items of a list within them. */
interface Shown {
  readonly name: string;
  readonly table: MirrorTable;
  readonly holds: string;
  readonly lines: readonly RecordValue[];
}

/** What the contract says of the member at a path. */
function docAt(record: RecordType, path: readonly string[]): string {
  let fields: Readonly<Record<string, Field>> = record.fields;
  let doc = '';
  for (const name of path) {
    const field = fields[name];
    doc = field?.doc ?? doc;
    const type = field?.type.kind === 'list' ? field.type.item : field?.type;
    fields = type?.kind === 'record' ? type.fields : {};
  }
  return doc;
}

const integers: ReadonlySet<string> = new Set(['int', 'short']);

const own = (table: string, [column, type, holds]: readonly [string, string, string]): RecordValue => ({
  Table: table,
  Column: column,
  Type: type,
  Kept: integers.has(type) ? 'INTEGER' : 'TEXT',
  Holds: holds,
});

const columnLine = (table: string, column: MirrorColumn, holds: string): RecordValue => ({
  Table: table,
  Column: column.name,
  Type: column.type,
  Kept: isInteger(column) ? 'INTEGER' : 'TEXT',
  Holds: column.type === 'instant' ? `The same time in UTC, which sorts: ${column.path.join('.')}.` : holds,
});

const recordColumns: readonly (readonly [string, string, string])[] = [
  ['_record', 'json', 'The record as JSON, as its list prints it: nil, absent and empty differ here.'],
  ['_first_seen', 'instant', 'When the sync began that brought it.'],
  ['_changed_at', 'instant', 'When the sync began that found its content changed last.'],
];

function shownOf(table: MirrorTable): readonly Shown[] {
  const { name, record, columns, lists, holds } = table;
  const doc = (column: MirrorColumn): string =>
    column.parameter === undefined
      ? docAt(record, column.path)
      : (table.operation.parameters[column.parameter]?.doc ?? '');
  const whole: Shown = {
    name,
    table,
    holds,
    lines: [
      ...columns.map((column) => columnLine(name, column, doc(column))),
      ...recordColumns.map((each) => own(name, each)),
    ],
  };
  const ofLists = lists.map((list): Shown => ({
    name: list.name,
    table,
    holds: `${list.path.join('.')} of ${name}, an item a row`,
    lines: [
      own(list.name, ['_owner', idColumnOf(table).type, `${table.idColumn} of the record in ${name}.`]),
      own(list.name, ['_position', 'int', 'Place in the list, from 0.']),
      ...list.columns.map((column) => columnLine(list.name, column, docAt(record, [...list.path, ...column.path]))),
    ],
  }));
  return [whole, ...ofLists];
}

/** A view of one entity type, with a column a field. */
function shownView({ name, table: from, entityTypeId, first, columns }: FieldView): Shown {
  const table = tableNamed(from);
  const ofRecord = first
    .flatMap((title) => table.columns.filter((column) => column.name === title))
    .map((column) => columnLine(name, column, docAt(table.record, column.path)));
  const ofFields = columns.map(({ title, id }) => own(name, [title, 'string', `Value of the field ${id}.`]));
  return {
    name,
    table,
    holds: `${from} of the entity type ${entityTypeId}, a column a field`,
    lines: [...ofRecord, ...ofFields],
  };
}

const shownTables = async (
  reader: MirrorReader | undefined,
  sources: readonly SourceState[],
): Promise<readonly Shown[]> => [
  ...tablesWith(sources).flatMap(shownOf),
  ...((await reader?.fieldViews()) ?? []).map(shownView),
];

/** What is known of tables from a mirror, where there is one. */
interface Known {
  readonly rows: (name: string) => number | null;
  readonly sources: (table: string) => string | null;
  readonly syncedAt: (table: string) => string | null;
}

async function knownOf(
  reader: MirrorReader | undefined,
  { sources, shown }: { readonly sources: readonly SourceState[]; readonly shown: readonly Shown[] },
): Promise<Known> {
  const rows = new Map<string, number>();
  for (const { name } of shown) if (reader !== undefined) rows.set(name, await reader.rows(name));
  return {
    rows: (name) => rows.get(name) ?? null,
    sources: (table) => {
      const names = sources.filter((source) => source.table === table).map(({ name }) => name);
      return names.length === 0 ? null : names.join(', ');
    },
    syncedAt: (table) => oldestSync(sources, [table]) ?? null,
  };
}

const lineOf = (
  { name, table, holds }: Shown,
  { rows, sources, syncedAt }: Known,
  age: (time: string) => string,
): RecordValue => {
  const at = syncedAt(table.name);
  return {
    Table: name,
    Rows: rows(name),
    Holds: holds,
    Sources: sources(table.name),
    Operation: table.operation.name,
    Query: queryOf(name, table),
    SyncedAt: at,
    Age: at === null ? null : age(at),
  };
};

function oneNamed(name: string, all: readonly Shown[]): Shown {
  const found = all.find((each) => each.name === name);
  if (found !== undefined) return found;
  throw usage('NAME', `the mirror has no table '${name}'`, {
    hint: 'relctl mirror tables',
    ...perhaps(
      name,
      nearest(
        name,
        all.map((each) => each.name),
      ),
    ),
  });
}

/**
 * Prints the tables of the mirror, or the columns of one. Without a mirror it says what tables there will be. Throws `usage`
 * for an unknown name, `local` and `profile`.
 */
export async function showTables(context: Context, name: string | undefined, flags: TablesFlags): Promise<void> {
  const reader = openReader(context, flags, undefined);
  const sources = (await reader?.sources()) ?? [];
  const all = await shownTables(reader, sources);
  const one = name === undefined ? undefined : oneNamed(name, all);
  const known = await knownOf(reader, { sources, shown: one === undefined ? all : [one] });
  if (one === undefined) {
    const request = {
      flags,
      record: TableLine,
      shape: 'list',
      table: ['Table', 'Rows', 'Age', 'Holds', 'Sources'],
    } as const;
    const age = (time: string): string => seconds(ageOf(context, time));
    return printRecords(context, request, () => all.map((each) => lineOf(each, known, age)));
  }
  const request = { flags, record: ColumnLine, shape: 'list', table: ['Column', 'Type', 'Holds'] } as const;
  await printRecords(context, request, () => one.lines);
  if (!context.streams.err.isTerminal) return;
  const rows = known.rows(one.name);
  const filled = known.sources(one.table.name) ?? 'nothing yet: see relctl mirror add --help';
  await note(context, flags, `${rows === null ? 'no mirror' : `${rows} rows`}, filled by ${filled}`);
  await tellAge(context, flags, known.syncedAt(one.table.name) ?? undefined);
  await note(context, flags, `relctl sql "${queryOf(one.name, one.table).replaceAll('"', '\\"')}"`);
}
