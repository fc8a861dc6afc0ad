import { openOutput, askingOf } from '../../kit/output/open-output.js';
import type { OutputRequest, RecordOutput } from '../../kit/output/record-output.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { note } from '../../kit/host/notes.js';
import { showSlow } from '../../kit/host/progress.js';
import type { RecordValue } from '../../core/values/value.js';
import type { Reads, Parameters } from '../../mirror/sql/messages.js';
import { openReading, type Reading, answerRecords } from '../../mirror/sql/reading.js';
import type { Statement } from '../../mirror/sql/statement.js';
import type { Answer, AnswerColumn } from '../../state/sqlite/open.js';
import type { ReadableMirror, SqlFlags } from './mirror.js';
import { opt, type Field } from '../../contract/build.js';
import { int, string } from '../../contract/scalars.js';
import { tablesWith, type Source } from '../../mirror/sources.js';
import { idColumnOf, type MirrorColumn, type MirrorTable } from '../../mirror/tables.js';

/** The columns of some tables and of the lists in them, by the names of the tables that hold all rows. */
const columnsIn = (
  tables: Iterable<MirrorTable>,
): readonly (readonly [table: string, columns: readonly MirrorColumn[]])[] =>
  [...tables].flatMap(({ name, columns, lists }) => [
    [`all_${name}`, columns] as const,
    ...lists.map((list) => [`all_${list.name}`, list.columns] as const),
  ]);

/** What a column of the mirror holds, as the contract has it: booleans are numbers there. */
function fieldOf({ type, field }: MirrorColumn): Field {
  if (type === 'boolean') return opt(int, '');
  return type === 'instant' ? opt(string, '') : field;
}

function fieldOfColumn(sources: readonly Pick<Source, 'own'>[]): (column: AnswerColumn) => Field | undefined {
  const byTable = new Map(columnsIn(tablesWith(sources)));
  return ({ table, column }) => {
    const match = byTable.get(table ?? '')?.find(({ name }) => name === column);
    return match && fieldOf(match);
  };
}

/** Names of columns, in small letters, of these types in every one of some tables that has them. */
function namesOf(tables: Iterable<MirrorTable>, types: readonly MirrorColumn['type'][]): readonly string[] {
  const all = columnsIn(tables).flatMap(([, columns]) => columns);
  const others = new Set(all.filter(({ type }) => !types.includes(type)).map(({ name }) => name));
  return all.flatMap(({ name }) => (others.has(name) ? [] : [name.toLowerCase()]));
}

/** Names of columns, in small letters, that hold numbers as text in every one of some tables that has them. */
export const numbersAsText = (tables: Iterable<MirrorTable>): ReadonlySet<string> =>
  new Set(namesOf(tables, ['decimal', 'long']));

/** The same of columns that hold GUIDs; the items of lists have that of their owner. */
export const guidColumns = (tables: readonly MirrorTable[]): ReadonlySet<string> => {
  const areOwners = tables.every((table) => table.lists.length === 0 || idColumnOf(table).type === 'guid');
  return new Set([...namesOf(tables, ['guid']), ...(areOwners ? ['_owner'] : [])]);
};

type Rows = readonly (readonly Answer[])[];

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

interface StartedAnswer {
  readonly first: Rows;
  readonly others: AsyncIterator<Rows>;
}

async function begin(context: Context, flags: SqlFlags, reading: Reading): Promise<StartedAnswer> {
  const over = showSlow(context, flags, 'the mirror; Ctrl-C stops the query');
  const others = reading.rows[Symbol.asyncIterator]();
  const step = await others.next().finally(over);
  return { first: step.done === true ? [] : step.value, others };
}

async function writeAll(
  { first, others }: StartedAnswer,
  recordOf: (row: Rows[number]) => RecordValue,
  output: { readonly to: RecordOutput; readonly keeps: (record: RecordValue) => boolean; readonly limit: number },
): Promise<boolean> {
  const { to, keeps } = output;
  let remaining = output.limit;
  for (let rows = first; rows.length > 0;) {
    const selected = rows.map(recordOf).filter(keeps);
    await to.write(selected.slice(0, remaining));
    if (selected.length > remaining) return true;
    remaining -= selected.length;
    const step = await others.next();
    rows = step.done === true ? [] : step.value;
  }
  return false;
}

interface SqlQuestion {
  readonly mirror: ReadableMirror;
  readonly statement: Statement;
  readonly parameters: Parameters;
}

/** Asks a mirror, prints what it answers, and gives what was read for it. Throws `usage`, `local`, `no-answer` at --timeout, and what the output throws. */
export async function ask(
  context: Context,
  flags: SqlFlags,
  { mirror, statement, parameters }: SqlQuestion,
): Promise<Reads> {
  const { path, text } = statement;
  const order = { file: mirror.file, statement: { path, text }, parameters };
  const reading = await openReading(order, stopSignal(context, flags.timeout));
  context.onClose(() => reading.close());
  const answer = await begin(context, flags, reading);
  const records = answerRecords(reading.columns, answer.first, { fieldOf: fieldOfColumn(mirror.sources), path });
  const { sort, limit } = flags;
  const request: OutputRequest = {
    flags,
    record: records.type,
    shape: 'list',
    isFiltered: true,
    // What --sort puts in order is cut behind it.
    ...(sort === undefined ? {} : { limit }),
  };
  const asking = await askingOf({ context, session: undefined }, { ...request, isFiltered: false });
  const output = await openOutput(context, undefined, request);
  const isCut = await writeAll(answer, (row) => records.of(row), {
    to: output,
    keeps: asking?.keeps ?? (() => true),
    limit: sort === undefined ? (limit ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY,
  });
  await output.finish();
  if (isCut) await note(context, flags, 'stopped at --limit: more rows exist');
  return reading.reads;
}
