import type { Sent, Ending, FileFacts, Outcome } from '../state/ledger/outcome.js';
import type { Journal } from './batch/journal.js';
import { type BatchRow, runBatch, type Write } from './batch/batch-run.js';
import type { CallOptions } from '../client/call.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import type { Context } from '../kit/host/context.js';
import { note, noteInTerminal } from '../kit/host/notes.js';
import { openProgressLine, reportEnded } from '../kit/host/progress.js';
import { defined } from '../core/values/value.js';
import { checkMade } from '../lists/record/call.js';
import { ledgerInput } from '../lists/record/recorded.js';
import { writing } from '../lists/record/writing.js';
import type { CheckedRows } from './check.js';
import { openPace, rateOf } from '../kit/session/session.js';
import type { BulkFlags } from './flags.js';
import { type Looking, type RowPlan, type Seen, answeredBy } from './rows/rows-text.js';
import type { OpenBatch } from './batch-files.js';
import { type BulkRun, unplannedRows } from './rows/planned-rows.js';

/**
 * Makes a signal that is aborted some time after another one, for the same reason.
 * @param onBegin called when the other signal comes
 */
export function patientSignal(
  other: AbortSignal,
  ms: number,
  onBegin: () => void,
): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    onBegin();
    timer = setTimeout(() => controller.abort(other.reason), ms);
  };
  if (other.aborted) controller.abort(other.reason);
  else other.addEventListener('abort', begin, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      other.removeEventListener('abort', begin);
    },
  };
}

function endingOf(seen: Seen | undefined): Ending | undefined {
  if (seen === undefined || seen.is === 'as-sent' || seen.is === 'unclear') return undefined;
  const words = seen.is === 'other' ? seen.words : 'the service reported success, but the record did not change';
  return { outcome: 'conflict', code: 'read-back', words };
}

interface WaitingRow {
  readonly row: number;
  readonly sent: Sent;
  /** When the answer had come, in monotonic milliseconds. */
  readonly endedMs: number;
}

/**
 * Compares rows that were done with what the service has, as soon as a reading comes that was requested after them; what is
 * not what was sent becomes a conflict in the journal.
 */
class ReadBack<S> {
  readonly #run: BulkRun<S>;
  readonly #looking: Looking<S>;
  readonly #journal: Journal;
  #waiting: WaitingRow[] = [];
  /** The reading that rows were compared with last: another look at the same shows nothing new. */
  #comparedMs = -Infinity;

  constructor(run: BulkRun<S>, looking: Looking<S>, journal: Journal) {
    this.#run = run;
    this.#looking = looking;
    this.#journal = journal;
  }

  done(row: number, sent: Sent): void {
    this.#waiting.push({ row, sent, endedMs: this.#run.context.clock.nowMs() });
  }

  /** Compares the rows that were done before the last reading was requested. Throws what the journal throws. */
  async compare(): Promise<void> {
    const { planning, context } = this.#run;
    const readMs = this.#looking.readMs?.(planning.shared) ?? -Infinity;
    if (readMs === this.#comparedMs) return;
    this.#comparedMs = readMs;
    const ready = this.#waiting.filter(({ endedMs }) => endedMs <= readMs);
    this.#waiting = this.#waiting.filter(({ endedMs }) => endedMs > readMs);
    for (const { row, sent } of ready) {
      const ends = endingOf(await this.#looking.at(sent, planning.shared));
      const at = context.clock.date().toISOString();
      if (ends !== undefined) this.#journal.append({ row, at, ...defined({ key: sent.key }), ends });
    }
  }

  /** Reads once more, and compares all that waits. What cannot be read is a note: the rows were answered as done. */
  async finish(): Promise<void> {
    const { context, flags, planning } = this.#run;
    try {
      if (!context.signal.aborted && this.#waiting.length > 0) {
        await this.#looking.refresh(planning.shared);
        await this.compare();
      }
    } catch (thrown) {
      const error = RelctlError.from(thrown);
      if (error.kind === 'local') throw error;
      await note(context, flags, `relctl could not read the rows back: ${error.message}`);
    }
    const { length } = this.#waiting;
    if (length > 0) await note(context, flags, `${length} rows succeeded, and relctl did not read them back`);
  }
}

/** How long answers that are under way are waited for when the run is interrupted, in milliseconds. */
const patienceMs = 20_000;

/** Outcomes of rows that --resume sends: nothing of them was carried out. */
const isOpen = (outcome: Outcome | undefined, retriesUnknown: boolean): boolean =>
  outcome === undefined || outcome === 'not sent' || outcome === 'failed' || (outcome === 'unknown' && retriesUnknown);

/** The rows that are sent, by how they stand. */
export interface OpenRows {
  /** Number of rows to send. */
  readonly count: number;
  isOpen(row: number): boolean;
}

/** Tells of which rows nothing was done. */
export const unsentRows =
  ({ states }: OpenBatch, flags: BulkFlags): OpenRows['isOpen'] =>
  (row) =>
    isOpen(states.of(row), flags['retry-unknown']);

/** The rows that are to be sent: those of which nothing was done, that are not wrong and change something. */
export function selectOpenRows(isUnsent: OpenRows['isOpen'], checked: CheckedRows): OpenRows {
  const isOpenRow = (row: number): boolean => !checked.wrong.has(row) && isUnsent(row);
  let count = -checked.unchanged;
  for (let row = 0; row < checked.rows; row += 1) if (isOpenRow(row)) count += 1;
  return { count, isOpen: isOpenRow };
}

interface SendRow extends BatchRow {
  readonly plan: RowPlan;
}

async function* rowsToSend<S>(
  { planning }: BulkRun<S>,
  open: OpenRows,
  { states }: Pick<Journal, 'states'>,
): AsyncGenerator<SendRow> {
  for await (const { row, plan: planned } of unplannedRows({ ...planning, isChecked: true })) {
    if (!open.isOpen(row)) continue;
    const { plan } = await planned();
    if (plan !== undefined) yield { row, key: plan.key, plan, isDoubtful: states.of(row) === 'unknown' };
  }
}

const factsOf = ({ size, sha256 }: Partial<FileFacts> = {}): FileFacts | undefined =>
  size === undefined || sha256 === undefined ? undefined : { size, sha256 };

const sentOf = <S>(
  { text }: BulkRun<S>,
  { key, input, before, foundBy: searchInput, file, listed }: RowPlan,
): Sent => ({
  operation: text.operation.name,
  input: ledgerInput(text.operation, input),
  key,
  ...defined({ before, foundBy: searchInput, file: factsOf(file), listed }),
});

type Sending = Pick<CallOptions, 'signal' | 'connection'>;

function writeOf<S>(run: BulkRun<S>, plan: RowPlan, sending: Sending): Write {
  const { context, session, text } = run;
  const { input, content, title } = plan;
  const { operation } = text;
  return {
    sends: sentOf(run, plan),
    send: async (sent) => {
      try {
        const reply = await writing({ context }, { operation, input }, async () => {
          const answer = await session.client.callUntyped(operation, input, {
            ...sending,
            sent,
            ...defined({ content }),
          });
          checkMade(answer, { operation, what: title }, session.profile.name);
          return answer;
        });
        return answeredBy(operation, reply.result);
      } catch (thrown) {
        const ending = endingByFile(RelctlError.from(thrown), plan);
        if (ending === undefined) throw thrown;
        return ending;
      }
    },
  };
}

/** How a row ends whose file could not be read to its end: its request was cut short, so that nothing was carried out. */
function endingByFile({ facts, message, reportedCode }: RelctlError, { file }: RowPlan): Ending | undefined {
  if (file === undefined || facts.path !== file.path) return undefined;
  return { outcome: 'failed', words: message, ...defined({ code: reportedCode }) };
}

async function prepare<S>(run: BulkRun<S>, { plan }: SendRow, sending: Sending): Promise<Write | Ending> {
  const { lister, text } = run;
  const { again } = text;
  if (plan.changes.length === 0) return { outcome: 'unchanged' };
  if (plan.ends !== undefined) return plan.ends;
  const now = again === undefined ? plan : await again(plan, run.planning.shared);
  if ('outcome' in now) return now;
  const listed = (await lister?.read(now.input))?.map(({ hash }) => hash);
  return writeOf(run, { ...now, ...defined({ listed }) }, sending);
}

function isEnoughFor({ 'max-errors': most }: BulkFlags, { rows }: CheckedRows): (failed: number) => boolean {
  if (most === undefined) return () => false;
  const count = most.isShare ? (most.count * rows) / 100 : most.count;
  return (failed) => failed > count;
}

function reportRetryTime(context: Context, flags: BulkRun<unknown>['flags']): void {
  const words = `relctl sends no more rows; it waits for the answers in flight, ${patienceMs / 1000} s at most`;
  void noteInTerminal(context, flags, `${words}. A second Ctrl-C exits immediately, and those rows stay unknown`);
}

/**
 * Sends the rows of a batch. Returns what ended it before its last row, if something did; a journal that cannot be written,
 * and rows that cannot be read, do so too. Never throws.
 * @param journal it records what is sent and how it ends; this closes it
 */
export async function sendRows<S>(
  run: BulkRun<S>,
  checked: CheckedRows,
  { journal, open }: { readonly journal: Journal; readonly open: OpenRows },
): Promise<RelctlError | undefined> {
  const { context, flags } = run;
  const { nowMs } = context.clock;
  const line = openProgressLine(context, flags);
  const patience = patientSignal(context.signal, patienceMs, () => reportRetryTime(context, flags));
  const date = (): string => context.clock.date().toISOString();
  const { looking } = run.text;
  const back = looking?.readMs === undefined ? undefined : new ReadBack(run, looking, journal);
  const report = reportEnded(line, open.count);
  // What becomes of a row can be looked up: so nothing is lost when a service closes a connection that is kept.
  const connection = back === undefined ? 'fresh' : 'busy';
  const sending = { signal: patience.signal, connection } as const;
  try {
    const stopped = await runBatch({
      rows: rowsToSend(run, open, journal),
      prepare: async (row) => {
        const made = await prepare(run, row, sending);
        // To look at the record again the list may have been read, which shows earlier rows as well.
        await back?.compare();
        return made;
      },
      journal,
      pace: openPace(context, flags, rateOf(run.session)),
      concurrency: flags.concurrency ?? 1,
      isAhead: back !== undefined,
      isEnough: isEnoughFor(flags, checked),
      signal: context.signal,
      nowMs,
      date,
      onEnd: ({ row }, { outcome }, sends) => {
        report();
        if (outcome === 'done' && sends !== undefined) back?.done(row, sends);
      },
    });
    await back?.finish();
    return stopped;
  } catch (thrown) {
    return RelctlError.from(thrown);
  } finally {
    patience.end();
    await line.end();
    // A journal that failed has said so already.
    await journal.close().catch(() => undefined);
  }
}
