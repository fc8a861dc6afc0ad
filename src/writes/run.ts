import { hash, randomUUID } from 'node:crypto';
import type { BatchHead } from './batch/journal.js';
import { consent } from '../kit/consent.js';
import { forMessage } from '../core/text/text.js';
import { changeWords, checkDryRunFlags } from '../lists/record/dry-run.js';
import { serviceOf } from '../kit/session/session.js';
import { RelctlError, usage } from '../core/errors/relctl-error.js';
import { defined } from '../core/values/value.js';
import { note } from '../kit/host/notes.js';
import { openProgressLine, reportChecked, reportEnded } from '../kit/host/progress.js';
import { type CheckedRows, checkRows, failOfMistakes, reportMistakes, reportTwins } from './check.js';
import type { BulkFlags } from './flags.js';
import { openPlanning, reportSkipped } from './planning.js';
import type { Reading } from './rows/read-row.js';
import { beginBatch, finishBatch, openSummary } from './finish.js';
import type { BatchInput, SendQuestion, RowsText } from './rows/rows-text.js';
import { filesOf, openBatch, type OpenBatch } from './batch-files.js';
import { type BulkRun, type PlannedRow, plannedRows } from './rows/planned-rows.js';
import { showRequest, showRows } from './dry-run.js';
import { lookingByList, type Settled, settleRows, listerOf } from './reconcile.js';
import { openRows, type OpenRows, sendRows, unsentRows } from './send.js';

/** What decides what the rows mean, as one text; of what the command line says for all rows a hash, for it may be long. */
function readingText({ columns, targets, decimal, nullAs, constants }: Reading, flags: BulkFlags): string {
  // What finds a record says nothing of what is written.
  const names = targets.map((target) => (target.kind === 'ignored' || target.kind === 'finds' ? null : target.name));
  const { sheet, delimiter, 'input-format': form } = flags;
  const said = hash('sha256', JSON.stringify(constants));
  return JSON.stringify({ columns, targets: names, constants: said, decimal, nullAs, sheet, delimiter, form });
}

function headOf<S>({ session, planning, context, text, flags }: BulkRun<S>): BatchHead {
  const { profile } = session;
  const { input, reading } = planning;
  return {
    batch: randomUUID(),
    startedAt: context.clock.date().toISOString(),
    operation: text.operation.name,
    input: input.name,
    sha256: input.sha256,
    reading: readingText(reading, flags),
    profile: profile.name,
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
  const what = (text.asks ?? recordsQuestion(text))({ count, bytes, input: planning.input.name });
  const needsYes = count === 1 ? '1 row is to be sent' : `${count} rows are to be sent`;
  const isUndoable = text.back !== undefined && first.every(({ plan }) => plan?.before !== undefined);
  const more = count - first.length;
  const shows = [...first.map(rowLine), ...(more > 0 ? [`  and ${more} more`] : [])];
  const isKept = session.profile.values.ledger?.value === true;
  await consent(context, session, { what, flags, needsYes, count, isUndoable: isUndoable && isKept, shows });
}

function settledWords({ looked, unclear }: Settled): string {
  if (looked === 0) return 'no row was unknown';
  const words = `${looked - unclear} unknown rows were settled`;
  return unclear === 0 ? words : `${words}; of ${unclear} more nobody can say what became of them`;
}

async function settle<S>(run: BulkRun<S>, { kept, states }: OpenBatch): Promise<void> {
  const { text, planning, context, flags, lister, files } = run;
  const nowMs = (): number => context.clock.date().getTime();
  const looking = text.looking ?? (lister && lookingByList<S>(lister, { journal: files.journal, states, nowMs }));
  if (looking === undefined || kept === undefined) throw new RelctlError('bug', 'there is nothing to settle');
  const date = (): string => context.clock.date().toISOString();
  const { signal } = context;
  const rows = plannedRows(planning);
  const line = openProgressLine(context, flags);
  const onRow = (count: number): (() => void) => reportEnded(line, count);
  const settling = { looking, shared: planning.shared, states, rows, date, signal, onRow };
  const settled = await settleRows(kept, settling).finally(() => line.end());
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
  const open = openRows(isUnsent, checked);
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

const notSettled = ({ operation }: Pick<RowsText<unknown>, 'operation'>): RelctlError =>
  usage('--settle', `the profile names no operation that reads what ${operation.name} adds`, {
    advice: 'Where the service has one, import it and name it by --set settleBy=… of `relctl profile edit`.',
  });

function checkDryRun({ flags }: BatchInput): void {
  const goesOn = (['resume', 'retry-unknown', 'settle'] as const).find((name) => flags[name] === true);
  const shows = flags['dry-run'] ? '--dry-run' : '--envelope';
  if ((flags['dry-run'] || flags.envelope) && goesOn !== undefined)
    throw usage(`--${goesOn}`, `--${goesOn} goes on with a batch; ${shows} shows what a new one would do`);
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
