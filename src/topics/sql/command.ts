import { usage } from '../../core/errors/relctl-error.js';
import { readBounded } from '../../state/input-file.js';
import type { Context } from '../../kit/host/context.js';
import { inputName, streamInput } from '../../kit/host/environment.js';
import { tablesWith } from '../../mirror/sources.js';
import {
  mirrorTables,
  idColumnOf,
  isInteger,
  numberColumn,
  tableNamed,
  type MirrorColumn,
  type MirrorTable,
} from '../../mirror/tables.js';
import type { QueryText } from '../../formats/query/tokens.js';
import { withGuids, refuseLetters } from '../../mirror/sql/comparisons.js';
import { parametersFor } from '../../mirror/sql/messages.js';
import { statementOf } from '../../mirror/sql/statement.js';
import { filledBySyncs, neverRead, oldestSync, reportAge, reportPartialTables } from '../../names/mirror/open.js';
import {
  namesOwnTables,
  tablesIn,
  noteNilMembers,
  freshMirror,
  openableMirror,
  type SqlFlags,
  runQuery,
  guidColumns,
  numbersAsText,
} from './ask.js';
import { printRecords } from '../../kit/output/open-output.js';
import { inRole, recordWithoutPresence, req } from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import { noteInTerminal } from '../../kit/host/notes.js';
import type { FieldView } from '../../mirror/fields/views.js';
import type { RecordValue } from '../../core/values/value.js';

const ColumnLine = recordWithoutPresence('MirrorColumn', 'A column of a table of the mirror.', {
  Table: req(string, 'Name of the table.'),
  Column: inRole('name', req(string, 'Its name.')),
  Type: req(
    string,
    'Type of the contract; instant: a time in UTC that sorts as text; number: for comparisons in SQLite.',
  ),
  Stored: req(string, 'Type in the database: TEXT, INTEGER or REAL.'),
  Holds: inRole('words', req(string, 'Description.')),
});

const ownLine = (table: string, [column, type, holds]: readonly [string, string, string]): RecordValue => ({
  Table: table,
  Column: column,
  Type: type,
  Stored: type === 'int' || type === 'short' ? 'INTEGER' : 'TEXT',
  Holds: holds,
});

const columnLines = (table: string, columns: readonly MirrorColumn[]): readonly RecordValue[] =>
  columns.flatMap((column) => {
    const { name, type, path, field } = column;
    const line = {
      Table: table,
      Column: name,
      Type: type,
      Stored: isInteger(column) ? 'INTEGER' : 'TEXT',
      Holds: type === 'instant' ? `The same time in UTC, which sorts: ${path.join('.')}.` : field.doc,
    };
    const number = numberColumn(column, columns);
    if (number === undefined) return [line];
    const words = `The same as a number, for comparisons, sorting and sums: ${path.join('.')}.`;
    return [line, { Table: table, Column: number.name, Type: 'number', Stored: number.stored, Holds: words }];
  });

const recordColumns: readonly (readonly [string, string, string])[] = [
  ['_record', 'json', 'The record as JSON, as the list command prints it: nil, absent and empty differ here.'],
  ['_first_seen', 'instant', 'Start of the sync that added it.'],
  ['_changed_at', 'instant', 'Start of the last sync that changed it.'],
];

function linesOf(table: MirrorTable): readonly RecordValue[] {
  const { name, columns, lists } = table;
  return [
    ...columnLines(name, columns),
    ...recordColumns.map((each) => ownLine(name, each)),
    ...lists.flatMap((list) => [
      ownLine(list.name, ['_owner', idColumnOf(table).type, `${table.idColumn} of the record in ${name}.`]),
      ownLine(list.name, ['_position', 'int', 'Position in the list, from 0.']),
      ...columnLines(list.name, list.columns),
    ]),
  ];
}

function linesOfView({ name, table, first, columns }: FieldView): readonly RecordValue[] {
  const own = tableNamed(table).columns;
  return [
    ...first.flatMap((title) =>
      own.filter((column) => column.name === title).flatMap((column) => columnLines(name, [column])),
    ),
    ...columns.map(({ title, id }) => ownLine(name, [title, 'string', `Value of the field ${id}.`])),
  ];
}

/**
 * Prints the columns of the tables that something fills, with their types and what they hold. Throws `not-found` without a
 * mirror, `usage` for flags that are for a statement, `local` and `profile`.
 */
async function showColumns(context: Context, flags: SqlFlags): Promise<void> {
  const ofStatement = (['param', 'timeout', 'limit'] as const).find((name) => flags[name] !== undefined);
  if (ofStatement !== undefined)
    throw usage('QUERY', `QUERY is missing: the statement that --${ofStatement} is for; - reads it from stdin`);
  const { sources, views } = openableMirror(context, flags);
  const filled = new Set(sources.map(({ table }) => table));
  const tables = tablesWith(sources).filter(({ name }) => filled.has(name));
  const request = { flags, record: ColumnLine, shape: 'list', table: ['Table', 'Column', 'Type', 'Holds'] } as const;
  await printRecords(context, request, () => [...tables.flatMap(linesOf), ...views.flatMap(linesOfView)]);
  await noteInTerminal(context, flags, 'to query: relctl sql "SELECT DisplayName, ImportKey FROM relations LIMIT 5"');
}

/** Bytes of a statement: no letter takes more than four. */
const mostBytes = 4 * 1024 * 1024;

async function readQuery(context: Context, source: string): Promise<QueryText> {
  const path = inputName(source);
  const bytes = await readBounded(streamInput(context, source), mostBytes);
  if (bytes === undefined) throw usage('--file', `${path} is larger than 4 MiB`);
  try {
    return { path, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    throw usage('--file', `${path} is not UTF-8 text`);
  }
}

async function readStatement(
  context: Context,
  query: string | undefined,
  file: string | undefined,
): Promise<QueryText | undefined> {
  if (query !== undefined && file !== undefined) {
    throw usage('--file', 'the statement is set twice: as QUERY and with --file', { advice: 'Omit one of them.' });
  }
  if (query !== undefined && query !== '-') return { path: 'QUERY', text: query };
  const source = query ?? file;
  return source === undefined ? undefined : readQuery(context, source);
}

async function printFile(context: Context, flags: SqlFlags): Promise<void> {
  const { file } = await freshMirror(context, flags, ({ sources }) => tablesWith(sources));
  await context.streams.out.write(`${file}\n`);
}

/** Carries out `sql`. Throws `usage`, `not-found` where there is no mirror, and what the asking throws. */
export async function runSql(context: Context, query: string | undefined, flags: SqlFlags): Promise<void> {
  if (flags['print-file']) return printFile(context, flags);
  const queryText = await readStatement(context, query, flags.file);
  if (queryText === undefined) return showColumns(context, flags);
  // What is wrong with the statement needs no mirror to be said.
  const statement = statementOf(queryText);
  const values = parametersFor(statement, flags.param ?? []);
  const isOfOwn = namesOwnTables(statement);
  const usual = [...mirrorTables.values()];
  if (!isOfOwn) {
    refuseLetters(statement, numbersAsText(usual));
    withGuids(statement, values, guidColumns(usual));
  }
  const mirror = await freshMirror(context, flags, (holding) => tablesIn(statement, holding));
  const { sources } = mirror;
  const tables = tablesIn(statement, mirror);
  const unfilled = tables.find((table) => filledBySyncs(sources, table) === 'none');
  // Its rows are not those of the service.
  if (unfilled !== undefined) throw neverRead(sources, unfilled.name);
  if (isOfOwn) refuseLetters(statement, numbersAsText(tables));
  const parameters = withGuids(statement, values, guidColumns(tablesWith(sources)));
  const reads = await runQuery(context, flags, { mirror, statement, parameters });
  await noteNilMembers(context, flags, { ...mirror, reads });
  await reportPartialTables(context, flags, { sources, tables });
  const names = tables.map(({ name }) => name);
  await reportAge(context, flags, oldestSync(sources, names));
}
