import { syncOld, noMirror } from '../../names/mirror/open.js';
import { locateMirror, type MirrorLocation } from '../../names/mirror/location.js';
import { type NilMember, opt, type Field } from '../../contract/build.js';
import type { Context } from '../../kit/host/context.js';
import { fieldViewsIn, type FieldView } from '../../mirror/fields/views.js';
import { readMirrorFile } from '../../mirror/open.js';
import { filledMembersByTable, sourcesIn, tablesWith, type SourceState, type Source } from '../../mirror/sources.js';
import { note, type QuietFlag } from '../../kit/host/notes.js';
import { callPrefix } from '../../mirror/of-call/table.js';
import { type MirrorTable, idColumnOf, type MirrorColumn } from '../../mirror/tables.js';
import { namesOf, allRows } from '../../mirror/schema.js';
import { nilMembersNote } from '../../formats/columns.js';
import type { Reads, Parameters } from '../../mirror/sql/messages.js';
import type { Statement } from '../../mirror/sql/statement.js';
import { csvFlags } from '../../kit/flags/csv.js';
import { switchFlag, type Values, repeated } from '../../kit/flags/define.js';
import { maxAgeFlag, mirrorFlags, outputFlags, type CommonFlags } from '../../kit/flags/common.js';
import { durationOption, inputFileOption, pairOption, profileOption, wholeOption } from '../../kit/flags/kinds.js';
import { printUpTo } from '../../kit/output/open-output.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { showSlow } from '../../kit/host/progress.js';
import type { RecordValue } from '../../core/values/value.js';
import { openReading, type QueryAnswer, answerRecords } from '../../mirror/sql/reading.js';
import type { SqlValue, AnswerColumn } from '../../state/sqlite/open.js';
import { int, string } from '../../contract/scalars.js';

/** Flags of `sql`. */
export const sqlFlags = {
  profile: profileOption({ char: 'p', summary: 'Profile of the mirror.', env: 'RELCTL_PROFILE' }),
  ...mirrorFlags,
  ...maxAgeFlag,
  file: inputFileOption({ summary: 'Read the statement from this file; - is stdin.' }),
  param: pairOption({
    ...repeated,
    summary: 'Value of the parameter :NAME; NAME:int=5 for a number. May be repeated.',
    helpValue: 'NAME=VALUE',
  }),
  limit: wholeOption({ least: 1, most: 2 ** 53 - 1 })({ summary: 'Stop after this many rows.', helpGroup: 'OUTPUT' }),
  timeout: durationOption({ summary: 'Time limit for the query.' }),
  'print-file': switchFlag({ summary: 'Print the path of the mirror, for other tools.' }),
  ...outputFlags,
  ...csvFlags,
};

/** Values of those flags. */
export type SqlFlags = Values<typeof sqlFlags> & CommonFlags;

/** What a mirror has tables of. */
export interface Holding {
  readonly sources: readonly SourceState[];
  readonly views: readonly FieldView[];
  /** Members by the table, that records of it did have although the service leaves them nil by the interface document. */
  readonly filled: ReadonlyMap<string, readonly string[]>;
}

/** True for a statement that names a table which only its mirror may have: what its columns are is said there. */
export const namesOwnTables = ({ tokens }: Statement): boolean =>
  tokens.some(({ name }) => [callPrefix, allRows(callPrefix)].some((begin) => name.toLowerCase().startsWith(begin)));

/** The tables of the mirror that a statement names. */
export function tablesIn({ tokens }: Statement, { sources, views }: Holding): readonly MirrorTable[] {
  const words = new Set(tokens.map(({ name }) => name.toLowerCase()));
  const isNamed = (table: MirrorTable): boolean =>
    namesOf(table).some((name) => words.has(name) || words.has(allRows(name))) ||
    views.some((view) => view.table === table.name && words.has(view.name.toLowerCase()));
  return tablesWith(sources).filter(isNamed);
}

function nilMembersOf({ name, operation }: MirrorTable, { sources, filled }: Holding): readonly string[] {
  const inputs = sources.filter(({ table }) => table === name).map(({ input }) => input);
  const isRequested = ({ parameter = '' }: NilMember): boolean => inputs.some((input) => input[parameter] === true);
  return Object.entries(operation.leavesNil ?? {})
    .filter(([member, nilMember]) => !isRequested(nilMember) && filled.get(name)?.includes(member) !== true)
    .map(([member]) => member);
}

function membersRead({ name, columns, lists }: MirrorTable, reads: Reads): ReadonlySet<string> {
  const read = new Set(reads.get(allRows(name)));
  const places = [
    ...columns.filter((column) => read.has(column.name)),
    ...lists.filter((list) => reads.has(allRows(list.name))),
  ];
  return new Set(places.flatMap(({ path: [member = ''] }) => member));
}

/** Says once what a statement reads that the service leaves nil in the lists that fill its tables. */
export async function noteNilMembers(
  context: Context,
  flags: QuietFlag,
  { reads, ...holding }: Holding & { readonly reads: Reads },
): Promise<void> {
  const nil = tablesWith(holding.sources).flatMap((table) => {
    const read = membersRead(table, reads);
    return nilMembersOf(table, holding).filter((member) => read.has(member));
  });
  if (nil.length > 0) await note(context, flags, nilMembersNote([...new Set(nil)]));
}

interface ReadableMirror extends Holding {
  readonly file: string;
}

type MirrorFlags = Pick<SqlFlags, 'profile' | 'mirror'>;

function readHolding(location: MirrorLocation): Holding | undefined {
  const database = readMirrorFile(location);
  if (database === undefined) return undefined;
  try {
    return { sources: sourcesIn(database), views: fieldViewsIn(database), filled: filledMembersByTable(database) };
  } finally {
    database.close();
  }
}

/** The mirror that flags name. Throws `not-found` where there is none yet, `local` and `profile`. */
export function openableMirror(context: Context, flags: MirrorFlags): ReadableMirror {
  const location = locateMirror(context, flags);
  const holding = readHolding(location);
  if (holding === undefined) throw noMirror(location);
  return { file: location.file, ...holding };
}

/**
 * The same, after a sync of what is asked for and older than --max-age. Throws what a sync throws as well.
 * @param tables gives those that are asked for, of a mirror that has these
 */
export async function freshMirror(
  context: Context,
  flags: MirrorFlags & Pick<SqlFlags, 'max-age' | 'quiet'>,
  tables: (holding: Holding) => readonly MirrorTable[],
): Promise<ReadableMirror> {
  const { profile, mirror, quiet, 'max-age': maxAgeMs } = flags;
  if (maxAgeMs !== undefined) {
    const holding = readHolding(locateMirror(context, flags)) ?? { sources: [], views: [], filled: new Map() };
    const names = tables(holding).map(({ name }) => name);
    await syncOld(
      context,
      { profile, quiet, 'max-age': maxAgeMs },
      { sources: holding.sources, tables: names, mirror },
    );
  }
  return openableMirror(context, flags);
}

/** The columns of some tables and of the lists in them, by the names of the tables that hold all rows. */
const columnsIn = (tables: readonly MirrorTable[]): ReadonlyMap<string, readonly MirrorColumn[]> =>
  new Map(tables.flatMap((table) => [table, ...table.lists].map(({ name, columns }) => [allRows(name), columns])));

/** What a column of the mirror holds, as the contract has it: booleans are numbers there. */
function fieldOf({ type, field }: MirrorColumn): Field {
  if (type === 'boolean') return opt(int, '');
  return type === 'instant' ? opt(string, '') : field;
}

function fieldOfColumn(sources: readonly Pick<Source, 'own'>[]): (column: AnswerColumn) => Field | undefined {
  const byTable = columnsIn(tablesWith(sources));
  return ({ table, column }) => {
    const match = byTable.get(table ?? '')?.find(({ name }) => name === column);
    return match && fieldOf(match);
  };
}

/** Names of columns, in small letters, of these types in every one of some tables that has them. */
function columnsOfType(tables: readonly MirrorTable[], types: readonly MirrorColumn['type'][]): readonly string[] {
  const all = [...columnsIn(tables).values()].flat();
  const others = new Set(all.filter(({ type }) => !types.includes(type)).map(({ name }) => name));
  return all.flatMap(({ name }) => (others.has(name) ? [] : [name.toLowerCase()]));
}

/** Names of columns, in small letters, that hold numbers as text in every one of some tables that has them. */
export const numbersAsText = (tables: readonly MirrorTable[]): ReadonlySet<string> =>
  new Set(columnsOfType(tables, ['decimal', 'long']));

/** The same of columns that hold GUIDs; the items of lists have that of their owner. */
export const guidColumns = (tables: readonly MirrorTable[]): ReadonlySet<string> => {
  const areOwners = tables.every((table) => table.lists.length === 0 || idColumnOf(table).type === 'guid');
  return new Set([...columnsOfType(tables, ['guid']), ...(areOwners ? ['_owner'] : [])]);
};

function stopSignal({ signal }: Context, ms: number | undefined): AbortSignal {
  if (ms === undefined) return signal;
  const late = new AbortController();
  const error = new RelctlError('no-answer', `the query exceeded --timeout ${ms / 1000}s`, {
    facts: { path: '--timeout', code: 'timeout-query' },
    advice: 'Set a longer timeout, or query less.',
    hint: `--timeout ${Math.ceil(ms / 1000) * 10}s`,
  });
  setTimeout(() => late.abort(error), ms).unref();
  return AbortSignal.any([signal, late.signal]);
}

async function* recordBatches(
  first: readonly (readonly SqlValue[])[],
  others: QueryAnswer['rows'],
  recordOf: (row: readonly SqlValue[]) => RecordValue,
): AsyncGenerator<readonly RecordValue[], void> {
  yield first.map(recordOf);
  for await (const rows of others) yield rows.map(recordOf);
}

/** Asks a mirror, prints what it answers, and gives what was read for it. Throws `usage`, `local`, `no-answer` at --timeout, and what the output throws. */
export async function runQuery(
  context: Context,
  flags: SqlFlags,
  { mirror, statement, parameters }: { mirror: ReadableMirror; statement: Statement; parameters: Parameters },
): Promise<Reads> {
  const { path, text } = statement;
  const order = { file: mirror.file, statement: { path, text }, parameters };
  const reading = await openReading(order, stopSignal(context, flags.timeout));
  context.onClose(() => reading.close());
  const over = showSlow(context, flags, 'the mirror; Ctrl-C stops the query');
  const { value: first = [] } = await reading.rows.next().finally(over);
  const { type, of } = answerRecords(reading.columns, first, { fieldOf: fieldOfColumn(mirror.sources), path });
  const request = { flags, record: type, shape: 'list', limit: flags.limit } as const;
  await printUpTo(context, request, { batches: recordBatches(first, reading.rows, of), more: 'more rows exist' });
  return reading.reads;
}
