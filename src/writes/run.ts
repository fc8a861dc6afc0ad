import { hash, randomUUID } from 'node:crypto';
import type { BatchHead } from './batch/journal.js';
import { consent } from '../kit/consent.js';
import { forMessage } from '../core/text/text.js';
import { changeWords, checkDryRunFlags } from '../lists/record/dry-run.js';
import { openSession, serviceOf } from '../kit/session/session.js';
import { RelctlError, usage } from '../core/errors/relctl-error.js';
import { defined } from '../core/values/value.js';
import { note } from '../kit/host/notes.js';
import { openProgressLine, reportChecked, reportEnded } from '../kit/host/progress.js';
import { type CheckedRows, checkRows, failOfMistakes, reportMistakes, reportTwins } from './check.js';
import type { BulkFlags } from './flags.js';
import { hasSurePoint, heldIn, type CellRules } from './rows/read-row.js';
import { baseColumns, checkFields, type Target, targetsOf, withHeld } from './columns.js';
import { baseTitle } from '../formats/edits/base.js';
import type { InputFile } from '../formats/readers/input.js';
import { openInput } from '../formats/readers/open.js';
import type { CommonFlags } from '../kit/flags/common.js';
import type { Context } from '../kit/host/context.js';
import { streamInput } from '../kit/host/environment.js';
import { beginBatch, finishBatch, openSummary } from './finish.js';
import type { BatchInput, SendQuestion, RowsText } from './rows/rows-text.js';
import { filesOf, openBatch, type OpenBatch } from './batch-files.js';
import { type BulkRun, type PlannedRow, plannedRows } from './rows/planned-rows.js';
import { showRequest, showRows } from './dry-run.js';
import { lookingByList, type Settled, settleRows, listerOf } from './reconcile.js';
import { selectOpenRows, type OpenRows, sendRows, unsentRows } from './send.js';

function headOf<S>({ session, planning, context, text, flags }: BulkRun<S>): BatchHead {
  const { input, reading } = planning;
  const { columns, decimal, nullAs } = reading;
  // What finds a record says nothing of what is written.
  const targets = reading.targets.map((target) =>
    target.kind === 'ignored' || target.kind === 'finds' ? null : target.name,
  );
  // Of what the command line says for all rows a hash: it may be long.
  const constants = hash('sha256', JSON.stringify(reading.constants));
  const { sheet, delimiter, 'input-format': form } = flags;
  return {
    batch: randomUUID(),
    startedAt: context.clock.date().toISOString(),
    operation: text.operation.name,
    input: input.name,
    sha256: input.sha256,
    reading: JSON.stringify({ columns, targets, constants, decimal, nullAs, sheet, delimiter, form }),
    profile: session.profile.name,
    ...serviceOf(session),
  };
}

async function checkedRows<S>(run: BulkRun<S>, isUnsent: OpenRows['isOpen']): Promise<CheckedRows> {
  const { context, flags, planning, undoes } = run;
  const line = openProgressLine(context, flags);
  const isSkipped = flags['skip-invalid'] || flags['settle'] === true || undoes !== undefined;
  const isOver = (row: number): boolean => !isUnsent(row);
  const onRow = reportChecked(line);
  const checked = await checkRows(run, { isOver, isSkipped, onRow }).finally(() => line.end());
  await reportSkipped(context, flags, planning.input);
  if (checked.count === 0) return checked;
  if (!isSkipped) return failOfMistakes(context, planning.input.name, checked);
  await reportMistakes(context, planning.input.name, checked);
  return checked;
}

const recordsQuestion =
  ({ does }: Pick<RowsText<unknown>, 'does'>) =>
  ({ count, input }: SendQuestion): string =>
    `${does === 'add' ? 'add' : 'change'} ${count} ${count === 1 ? 'record' : 'records'} by ${input}`;

function rowLine({ line, plan }: PlannedRow): string {
  const { title = '', changes = [], before } = plan ?? {};
  const what = changes.map((change) => changeWords(change, before !== undefined)).join('; ');
  return `  line ${line}: ${forMessage([title, what].filter((words) => words !== '').join(': '), mostOfRow)}`;
}

const mostOfRow = 300;

async function agreed<S>(run: BulkRun<S>, { count }: OpenRows, { bytes, first }: CheckedRows): Promise<void> {
  const { context, session, flags, text, planning } = run;
  if (count <= 0) return;
  const what = (text.files?.asks ?? recordsQuestion(text))({ count, bytes, input: planning.input.name });
  const needsYes = count === 1 ? '1 row to send' : `${count} rows to send`;
  const isUndoable = text.back !== undefined && first.every(({ plan }) => plan?.before !== undefined);
  const more = count - first.length;
  const shows = [...first.map(rowLine), ...(more > 0 ? [`  and ${more} more`] : [])];
  const hasLedger = session.profile.values.ledger?.value === true;
  await consent(context, session, { what, flags, needsYes, count, isUndoable: isUndoable && hasLedger, shows });
}

function settledWords({ looked, unclear }: Settled): string {
  if (looked === 0) return 'there are no unknown rows';
  const words = `${looked - unclear} unknown rows settled`;
  return unclear === 0 ? words : `${words}; the outcome of ${unclear} more cannot be determined`;
}

async function settle<S>(run: BulkRun<S>, { previous, states }: OpenBatch): Promise<void> {
  const { text, planning, context, flags, lister, files } = run;
  const nowMs = (): number => context.clock.date().getTime();
  const looking = text.looking ?? (lister && lookingByList<S>(lister, { journal: files.journal, states, nowMs }));
  if (looking === undefined || previous === undefined) throw new RelctlError('bug', 'nothing to settle');
  const date = (): string => context.clock.date().toISOString();
  const { signal } = context;
  const rows = plannedRows(planning);
  const line = openProgressLine(context, flags);
  const onRow = (count: number): (() => void) => reportEnded(line, count);
  const settling = { looking, shared: planning.shared, states, rows, date, signal, onRow };
  const settled = await settleRows(previous, settling).finally(() => line.end());
  await note(context, flags, settledWords(settled));
}

async function writeRows<S>(bulkRun: BulkRun<S>): Promise<void> {
  const batch = await openBatch(bulkRun, bulkRun.files, headOf(bulkRun));
  const isUnsent = unsentRows(batch, bulkRun.flags);
  const isOver = (row: number): boolean => bulkRun.flags['settle'] === true || !isUnsent(row);
  const run = { ...bulkRun, planning: { ...bulkRun.planning, isOver } };
  const checked = await checkedRows(run, isUnsent);
  run.context.signal.throwIfAborted();
  const { states } = batch;
  if (run.flags['settle'] === true) {
    await settle(run, batch);
    return finishBatch(run, checked, { states, summary: await openSummary(run) });
  }
  const open = selectOpenRows(isUnsent, checked);
  const summary = await openSummary(run);
  await reportTwins(run, checked);
  await agreed(run, open, checked);
  // The journal comes first: where it cannot be made there is nothing that the ledger could tell of.
  const journal = batch.open();
  const entry =
    open.count > 0
      ? await beginBatch(run, checked.rows, batch).catch(async (thrown: unknown) => {
          await journal.close();
          throw thrown;
        })
      : undefined;
  const stopped = await sendRows(run, checked, { journal, open });
  await finishBatch(run, checked, { states, stopped, summary, entry });
}

/**
 * Writes rows: all are checked before the first is sent; a journal beside the results says of each row what became of it, also
 * when the run is killed. With --dry-run they are shown, with --envelope the request of one. Throws `usage` for mistakes, of which nothing was sent, and `partial`,
 * or the kind that all rows have in common, when some were not done.
 */
export async function runRows<S>(run: BulkRun<S>): Promise<void> {
  const { flags } = run;
  checkDryRunFlags(flags);
  await (flags.envelope ? showRequest(run) : flags['dry-run'] ? showRows(run) : writeRows(run));
}

async function openFile(context: Context, flags: BulkFlags): Promise<InputFile> {
  const input = await openInput({
    file: flags.file ?? '-',
    form: flags['input-format'],
    delimiter: flags.delimiter,
    sheet: flags.sheet,
    stream: (file) => streamInput(context, file),
  });
  context.onClose(() => input.close());
  return input;
}

/** Says how many rows had no value, of the reading that ended last. */
async function reportSkipped(context: Context, flags: CommonFlags, { name, skipped }: InputFile): Promise<void> {
  if (skipped === 0) return;
  const rows = skipped === 1 ? '1 row without any value was' : `${skipped} rows without any value were`;
  await note(context, flags, `${name}: ${rows} left out`);
}

function constantsOf({ args, flags, places: parameters }: BatchInput): Readonly<Record<string, unknown>> {
  // The file of rows is a flag of the same name as the argument of `activity attach`.
  const all: Readonly<Record<string, unknown>> = { ...flags, file: undefined, ...args };
  return Object.fromEntries(
    [...parameters.keys()].flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
  );
}

/** Throws `usage` for a file without `_base` of records that are written whole. */
function checkBase(
  targets: readonly Target[],
  file: string,
  { text, hasBase }: { readonly text: Pick<RowsText<unknown>, 'base'>; readonly hasBase: boolean },
): void {
  if (!hasBase || text.base !== 'needed' || targets.some(({ kind }) => kind === 'base')) return;
  throw usage(
    '--file',
    `${file} has no column ${baseTitle}, and relctl writes whole records: it cannot know which cells were edited`,
    {
      advice:
        'Export it with --for-edit: see `relctl help writes`. --no-base writes its cells without checking whether the records changed.',
      hint: '--no-base',
    },
  );
}

/** Throws `usage` where an empty text is to make values empty, and an empty cell says nothing: the flag would do nothing. */
function checkNullAs(nullAs: string | undefined, targets: readonly Target[]): void {
  if (nullAs !== '' || targets.some(({ kind }) => kind === 'base')) return;
  throw usage(
    '--null-as',
    `an empty cell does not change a value: without the column ${baseTitle} relctl cannot know that it was emptied, so --null-as needs a text`,
    '--null-as NULL',
  );
}

const hasDecimalPoint = ({ point, columns }: InputFile): boolean =>
  point === 'decimal' || (point === 'decimal-as-exported' && columns.includes(baseTitle));

async function pointedColumns(input: InputFile, targets: readonly Target[]): Promise<ReadonlySet<number>> {
  const unsure = new Set([...targets.keys()].filter((at) => heldIn(targets[at]) === 'decimal'));
  const pointed = new Set<number>();
  if (unsure.size === 0) return pointed;
  for await (const { cells } of input.rows()) {
    for (const at of unsure) {
      const cell = cells[at];
      if (typeof cell !== 'string' || !hasSurePoint(cell)) continue;
      unsure.delete(at);
      pointed.add(at);
    }
    if (unsure.size === 0) break;
  }
  return pointed;
}

async function decimalsOf(
  flags: Pick<BulkFlags, 'decimal'>,
  input: InputFile,
  targets: readonly Target[],
): Promise<Pick<CellRules, 'decimal' | 'pointed'>> {
  const decimal = flags.decimal ?? (hasDecimalPoint(input) ? 'point' : 'doubtful');
  return decimal === 'doubtful' ? { decimal, pointed: await pointedColumns(input, targets) } : { decimal };
}

/**
 * Opens the rows of a file, and reads once what they need. Throws `usage` for a file that cannot be read and for columns that
 * stand for nothing; `profile`, and what calls throw.
 */
async function openPlanning<S>(
  batchInput: BatchInput,
  text: RowsText<S>,
): Promise<Pick<BulkRun<S>, 'session' | 'planning'>> {
  const { context, flags, places: parameters } = batchInput;
  const input = text.input?.(batchInput) ?? (await openFile(context, flags));
  const hasBase = text.base !== undefined && flags['no-base'] !== true;
  const known = { ...text, places: parameters, hasFields: text.fields !== undefined, hasBase };
  const named = targetsOf(input, known, flags);
  checkBase(named, input.name, { text, hasBase });
  const nullAs = flags['null-as'];
  checkNullAs(nullAs, named);
  for (const said of input.said) await note(context, flags, said);
  const session = await openSession(context, flags);
  const fieldTitles = named.flatMap((target) => (target.kind === 'field' ? [target.name] : []));
  const shared = await text.open({ context, session, flags, fieldTitles });
  const finder = text.fields?.(shared);
  if (finder !== undefined) checkFields(named, known, finder);
  const targets = finder === undefined ? named : withHeld(named, finder);
  const constants = constantsOf(batchInput);
  const { columns, name: file } = input;
  const fieldIdOf = (title: string): string => finder?.idOf(title) ?? title;
  const base = baseColumns({ file, columns, targets, fieldIdOf, argument: text.record.argument, constants });
  const reading: CellRules = {
    columns,
    targets,
    places: parameters,
    nullAs,
    ...(await decimalsOf(flags, input, targets)),
    constants,
    base,
    allowed: session.connection.allowedValues,
  };
  return { session, planning: { input, reading, text, shared } };
}

const notSettled = ({ operation }: Pick<RowsText<unknown>, 'operation'>): RelctlError =>
  usage('--settle', `the profile has no operation that reads what ${operation.name} adds`, {
    advice: 'If the service has one, import it and set it with `relctl profile edit NAME --set settleBy=…`.',
  });

function checkDryRun({ flags }: BatchInput): void {
  const goesOn = (['resume', 'retry-unknown', 'settle'] as const).find((name) => flags[name] === true);
  const shows = flags['dry-run'] ? '--dry-run' : '--envelope';
  if ((flags['dry-run'] || flags.envelope) && goesOn !== undefined)
    throw usage(`--${goesOn}`, `--${goesOn} continues a batch; ${shows} shows what a new one would do`);
}

/** Writes the rows of a file. Throws `usage` for what cannot be read, and what `runRows` throws. */
export async function runBulk<S>(batchInput: BatchInput, text: RowsText<S>): Promise<void> {
  checkDryRun(batchInput);
  batchInput.context.collectGarbage('calls');
  const files = filesOf(batchInput);
  const opened = await openPlanning(batchInput, text);
  const lister = listerOf({ context: batchInput.context, session: opened.session }, text);
  if (batchInput.flags['settle'] === true && (text.looking ?? lister) === undefined) throw notSettled(text);
  await runRows({ ...batchInput, ...opened, text, files, ...defined({ lister }) });
}
