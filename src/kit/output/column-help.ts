import { type RelctlError, usage } from '../../core/errors/relctl-error.js';
import {
  inRole,
  opt,
  recordWithoutPresence,
  req,
  type Operation,
  type RecordType,
  type Type,
} from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import { itemRecord, memberAt, typeName } from '../../contract/walk.js';
import type { Context } from '../host/context.js';
import { allColumns } from '../../formats/columns.js';
import { formatNames, type FormatName } from '../../formats/writers/index.js';
import { exploded, listPaths } from '../../formats/list-members.js';
import { defined } from '../../core/values/value.js';
import { knownOperations } from '../operations/described.js';
import type { OutputFlags } from '../flags/common.js';
import { listNamed } from '../operations/list.js';
import { printRecords } from './open-output.js';
import { printedRecords, type Known, wholeResult, type LoadedCommand } from './printed-records.js';

const ColumnLine = recordWithoutPresence('ColumnLine', 'A column that a command can show.', {
  Column: inRole('key', req(string, 'Name of the column for --columns.')),
  Type: inRole('key', req(string, 'Its type.')),
  With: inRole('key', opt(string, 'The flag or the operation that it requires.')),
  Meaning: inRole('words', req(string, 'Description.')),
});

type Line = Readonly<Record<'Column' | 'Type' | 'Meaning', string> & { With?: string }>;

function lineOf(record: RecordType, path: readonly string[], type: Type): Line {
  return { Column: path.join('.'), Type: typeName(type), Meaning: memberAt(record.fields, path)?.doc ?? '' };
}

const ownLines = (record: RecordType): readonly Line[] =>
  allColumns(record).map(({ path, type }) => lineOf(record, path, type));

const columnsOfItems = (record: RecordType): readonly Line[] =>
  listPaths(record).flatMap((path) => {
    const list = path.join('.');
    const rows = ownLines(exploded(record, path).type);
    return rows
      .filter(({ Column }) => Column.startsWith(`${list}.`))
      .map((line) => ({ ...line, With: `--explode ${list}` }));
  });

const columnsAddedByFlags: Readonly<Record<string, Line>> = {
  ids: { Column: '_relationId', Type: 'guid', With: '--ids', Meaning: 'The Id that relctl requested.' },
  'changes-since': {
    Column: '_change',
    Type: 'string',
    With: '--changes-since',
    Meaning: 'new, changed or gone since the previous run.',
  },
  'include-fields': {
    Column: 'Field.NAME',
    Type: 'string',
    With: '--include-fields',
    Meaning: 'The value of a field, by its name, label or Id.',
  },
  'include-counters': {
    Column: 'Counter.NAME',
    Type: 'int',
    With: '--include-counters',
    Meaning: 'The number on a tab page, by its name.',
  },
};

/** A command whose columns are asked for, with what stands on its line. */
export interface ColumnHelpCommand {
  readonly loaded: LoadedCommand;
  readonly args: Readonly<Record<string, unknown>>;
  readonly flags: OutputFlags & { readonly profile?: string | undefined; readonly list?: string | undefined };
}

function namedOperation({ args }: ColumnHelpCommand, known: Known): Operation | undefined {
  const { operation: name } = args;
  if (typeof name !== 'string') return undefined;
  const operation = known(name);
  if (operation !== undefined) return operation;
  throw usage(
    'OPERATION',
    `the contract has no operation '${name}', so its columns are not known`,
    'relctl operations',
  );
}

const recordOfCall = (operation: Operation, { flags: { list } }: ColumnHelpCommand): RecordType =>
  list === undefined ? wholeResult(operation) : itemRecord(listNamed(operation, list).type);

const undecided = ({ loaded }: ColumnHelpCommand): RelctlError =>
  Object.hasOwn(loaded.args, 'operation')
    ? usage('OPERATION', 'OPERATION is missing: it determines the columns')
    : usage('--columns', 'the columns depend on the statement', {
        advice: 'Query one row to see them.',
        hint: "relctl sql 'SELECT * FROM relations' --limit 1",
      });

function linesOf(command: ColumnHelpCommand, known: Known): readonly Line[] {
  const { loaded } = command;
  const named = namedOperation(command, known);
  const records = named === undefined ? printedRecords(loaded, known) : [{ type: recordOfCall(named, command) }];
  if (records.length === 0) throw undecided(command);
  // The flags of lists of `call` are for --list.
  const isWhole = named !== undefined && command.flags.list === undefined;
  const has = (flag: string): boolean => !isWhole && Object.hasOwn(loaded.flags, flag);
  const lines = [
    ...records.flatMap(({ type, operation }) =>
      ownLines(type).map((line) => ({ ...line, ...defined({ With: operation }) })),
    ),
    ...(has('explode') ? records.flatMap(({ type }) => columnsOfItems(type)) : []),
    ...Object.keys(columnsAddedByFlags).flatMap((flag) => (has(flag) ? (columnsAddedByFlags[flag] ?? []) : [])),
  ];
  // A column of several records is there once, as that of the usual one.
  const columns = lines.map(({ Column }) => Column);
  return lines.filter(({ Column }, at) => columns.indexOf(Column) === at);
}

const isFormat = (output: unknown): output is FormatName => formatNames.some((name) => name === output);

/** Prints the columns that a command can show, and does nothing else. Throws `usage` for an output file. */
export async function printColumns(context: Context, columnHelpCommand: ColumnHelpCommand): Promise<void> {
  const { output, json, quiet, 'no-header': noHeader, ...flags } = columnHelpCommand.flags;
  if (flags['output-file'] !== undefined)
    throw usage('--output-file', '--columns help lists columns, and --output-file is for records', {
      advice: 'Omit --output-file.',
    });
  const own = { json, 'no-header': noHeader, quiet, 'no-input': true, force: false, count: false };
  const chosen: OutputFlags = { ...own, ...(isFormat(output) ? { output } : {}) } as OutputFlags;
  const request = { flags: chosen, record: ColumnLine, shape: 'list', isOnce: false } as const;
  const { find } = knownOperations(context, columnHelpCommand.flags.profile);
  await printRecords(context, { ...request, table: Object.keys(ColumnLine.fields) }, () =>
    linesOf(columnHelpCommand, find).map(({ Column, Type, With, Meaning }) => ({
      Column,
      Type,
      ...defined({ With }),
      Meaning,
    })),
  );
}
