import { RelctlError } from '../../core/errors/relctl-error.js';
import { defined } from '../../core/values/value.js';
import {
  type Sent,
  endsBatch,
  endsPreparing,
  sentEnding,
  unsentEnding,
  type Ending,
  type Outcome,
} from '../../state/ledger/outcome.js';
import type { Journal } from './journal.js';
import { isBusy, Slots, type Pace } from '../../client/pace.js';
import { setImmediate } from 'node:timers/promises';

class Leaving {
  readonly #open = new Set<Promise<void>>();

  /**
   * Sends a request; gives and throws what that does.
   * @param send calls what it gets when the request has left; one that ends has left as well
   */
  async watch<T>(send: (sent: () => void) => Promise<T>): Promise<T> {
    let tell: () => void = () => undefined;
    const leaving = new Promise<void>((resolve) => (tell = resolve));
    this.#open.add(leaving);
    const release = (): void => {
      this.#open.delete(leaving);
      tell();
    };
    try {
      return await send(release);
    } finally {
      release();
    }
  }

  /** Returns when those have left whose turn has come. */
  async done(): Promise<void> {
    // Those that wait for nothing any more begin within this turn of the loop.
    await setImmediate();
    await Promise.all(this.#open);
  }
}

/** A row of a batch. */
export interface BatchRow {
  /** Its number, from 0. */
  readonly row: number;
  /** What it writes to: rows with the same key are sent one after the other, in their order. */
  readonly key: string;
  /** It was sent before, and it is not known whether that was carried out. */
  readonly isDoubtful?: boolean;
}

/** What the service answered, as the ending of a row that is done. */
export type Answered = Omit<Ending, 'outcome'>;

/** A write that is ready to be sent. */
export interface Write {
  /** What the journal keeps of it before it is sent. */
  readonly sends: Sent;
  /** Sends it, and calls `sent` once it is on its way; gives an end without an answer. Throws what the call throws. */
  readonly send: (sent: () => void) => Promise<Answered | Ending>;
}

/** Writes of many rows. */
export interface Batch<R extends BatchRow> {
  readonly rows: AsyncIterable<R>;
  /**
   * Makes the write of a row, just before it is sent, by the state of its record then; or says how the row ends without
   * one. What it throws is the ending of the row, or ends the batch.
   */
  readonly prepare: (row: R) => Promise<Write | Ending>;
  readonly journal: Pick<Journal, 'append' | 'durable'>;
  readonly pace: Pace;
  readonly concurrency: number;
  /**
   * The journal records rows ahead of their turn, as many as are under way at most: no row waits for the disk, and one
   * sync is for all of them. After a kill or a loss of power they are unknown, though they were not sent: for rows that can be
   * settled.
   */
  readonly isAhead: boolean;
  /** True when so many rows have failed that the rest is not sent. */
  readonly isEnough: (failed: number, ended: number) => boolean;
  readonly signal: AbortSignal;
  /** Monotonic milliseconds, and the time of day as ISO text. */
  readonly nowMs: () => number;
  readonly date: () => string;
  /** Called when a row has ended and the journal has its ending; `sends` is the request of the row, if it had one. */
  readonly onEnd: (row: R, ending: Ending, sends?: Sent) => void;
}

const mostSilent = 5;

const mostTurns = 5;

/** The ending of a row that the journal recorded ahead of its turn, where the batch stopped before that turn. */
const overtaken: Ending = { outcome: 'not sent', words: 'the batch stopped before this row' };

/** The ending of a row; `unknown` where its last request failed, and an earlier one may still have been carried out. */
function inDoubt({ isDoubtful }: BatchRow, ending: Ending): Ending {
  const { outcome, words = '' } = ending;
  if (isDoubtful !== true || !endsWithout.has(outcome)) return ending;
  return {
    ...ending,
    outcome: 'unknown',
    words: `${words}; relctl does not know whether the service carried out the earlier request`,
  };
}

const endsWithout: ReadonlySet<Outcome> = new Set(['refused', 'failed', 'not sent']);

const isFailure = ({ outcome }: Ending): boolean => outcome !== 'done' && outcome !== 'unchanged';

const isWrite = (made: Write | Ending): made is Write => 'send' in made;

class BatchRun<R extends BatchRow> {
  readonly #batch: Batch<R>;
  /** The last row of each key that is under way. */
  readonly #busy = new Map<string, Promise<void>>();
  /** Those that are under way; others, which the journal has recorded, wait for their turn. */
  readonly #slots: Slots;
  readonly #leaving = new Leaving();
  /** Rows that the journal was told of since it was last asked for a sync. */
  #told = 0;
  #stop: RelctlError | undefined;
  #failed = 0;
  #ended = 0;
  #silent = 0;

  constructor(batch: Batch<R>) {
    this.#batch = batch;
    this.#slots = new Slots(batch.concurrency);
  }

  async run(): Promise<RelctlError | undefined> {
    const { concurrency, isAhead, signal } = this.#batch;
    const rows = this.#batch.rows[Symbol.asyncIterator]();
    const stopWaiting = (): void => this.#slots.open();
    signal.addEventListener('abort', stopWaiting);
    const work = async (): Promise<void> => {
      while (!this.#isOver()) {
        // The next row is read and prepared while the service works on those before it, not while these wait to be sent.
        if (isAhead) await this.#leaving.done();
        const step = await rows.next();
        if (step.done === true) return;
        await this.#inTurn(step.value);
      }
    };
    const workers = Array.from({ length: isAhead ? 2 * concurrency : concurrency }, work);
    const ended = await Promise.allSettled(workers);
    signal.removeEventListener('abort', stopWaiting);
    await rows.return?.();
    for (const each of ended) if (each.status === 'rejected') throw RelctlError.from(each.reason);
    return this.#stop;
  }

  #isOver(): boolean {
    const { signal } = this.#batch;
    if (signal.aborted) this.#stop ??= RelctlError.from(signal.reason);
    return this.#stop !== undefined;
  }

  /** Waits for the row before of the same key, then works on this one. */
  async #inTurn(row: R): Promise<void> {
    const before = this.#busy.get(row.key);
    const mine = before === undefined ? this.#one(row) : before.then(() => this.#one(row));
    // A failure is thrown to the worker; those that wait for the key see that the batch is over.
    const settled = mine.catch(() => undefined);
    this.#busy.set(row.key, settled);
    try {
      await mine;
    } catch (thrown) {
      this.#stop ??= RelctlError.from(thrown);
      throw thrown;
    } finally {
      if (this.#busy.get(row.key) === settled) this.#busy.delete(row.key);
    }
  }

  async #one(row: R): Promise<void> {
    if (this.#isOver()) return;
    let made: Write | Ending;
    try {
      made = await this.#batch.prepare(row);
    } catch (thrown) {
      const error = RelctlError.from(thrown);
      // Nothing is to be said of the row: its turn comes when the batch goes on.
      if (endsPreparing(error)) this.#stop ??= error;
      else this.#fail(row, error, unsentEnding(error));
      return;
    }
    if (isWrite(made)) await this.#report(row, made);
    else this.#end(row, made);
  }

  async #report(row: R, write: Write): Promise<void> {
    const { journal, pace, signal, date } = this.#batch;
    try {
      await pace.turn(signal);
    } catch (thrown) {
      this.#stop ??= RelctlError.from(thrown);
    }
    if (this.#isOver()) return;
    const offset = journal.append({ row: row.row, at: date(), sends: write.sends });
    this.#syncAhead(offset);
    await this.#slots.run(async () => {
      await journal.durable(offset);
      if (this.#isOver()) this.#endUnsent(row);
      else await this.#send(row, write);
    });
  }

  /** Asks for a sync when as many rows wait for it as are under way, so that the disk is done when their turn comes. */
  #syncAhead(offset: number): void {
    this.#told += 1;
    if (this.#told < this.#batch.concurrency) return;
    this.#told = 0;
    // It is waited for, and its failure told, when their turn comes.
    this.#batch.journal.durable(offset).catch(() => undefined);
  }

  #endUnsent(row: R): void {
    const { journal, date } = this.#batch;
    journal.append({ row: row.row, at: date(), key: row.key, ends: inDoubt(row, overtaken) });
  }

  async #send(row: R, { sends, send }: Write): Promise<void> {
    const of = defined({ file: sends.file });
    for (let turn = 1; ; turn += 1) {
      const came = await this.#answerTo(sends, send);
      if (!(came instanceof RelctlError)) {
        this.#end(row, { outcome: 'done', ...of, ...came }, sends);
        return;
      }
      if (turn < mostTurns && (await this.#mayAgain(came))) continue;
      this.#fail(row, came, { ...of, ...sentEnding(came) });
      return;
    }
  }

  async #answerTo({ operation }: Sent, send: Write['send']): Promise<Answered | RelctlError> {
    const { pace, nowMs } = this.#batch;
    const started = nowMs();
    try {
      const answered = await this.#leaving.watch(send);
      pace.answered({ operation, elapsedMs: nowMs() - started });
      return answered;
    } catch (thrown) {
      const error = RelctlError.from(thrown);
      if (isBusy(error)) pace.refused(error, started);
      return error;
    }
  }

  /** True when the service refused the row because of too many requests, and it is time to send it again. */
  async #mayAgain(error: RelctlError): Promise<boolean> {
    if (error.kind !== 'no-answer' || !isBusy(error)) return false;
    try {
      await this.#batch.pace.turn(this.#batch.signal);
      return !this.#isOver();
    } catch {
      return false;
    }
  }

  #fail(row: R, error: RelctlError, ending: Ending): void {
    const isSilent = error.kind === 'no-answer' || error.kind === 'outcome-unknown';
    this.#silent = isSilent ? this.#silent + 1 : 0;
    if (endsBatch(error)) this.#stop ??= error;
    this.#end(row, ending);
    if (this.#silent < mostSilent) return;
    const { message, facts, kind } = error;
    this.#stop ??= new RelctlError(kind, `the service does not answer; relctl sends no more: ${message}`, { facts });
  }

  #end(row: R, ended: Ending, sends?: Sent): void {
    const { journal, date, onEnd, isEnough } = this.#batch;
    const ending = inDoubt(row, ended);
    journal.append({ row: row.row, at: date(), key: row.key, ends: ending });
    this.#ended += 1;
    if (ending.outcome === 'done') this.#silent = 0;
    if (isFailure(ending)) this.#failed += 1;
    onEnd(row, ending, sends);
    if (!isFailure(ending) || !isEnough(this.#failed, this.#ended)) return;
    const words = `${this.#failed} of ${this.#ended} rows failed; relctl sends no more`;
    this.#stop ??= new RelctlError('partial', words, { facts: { code: 'max-errors' } });
  }
}

/**
 * Sends the rows of a batch: each is on the disk in the journal before it is sent, is marked there when it was answered, and is
 * never sent twice. An ending waits for the sync of later rows, so that a loss of power may leave the last rows unknown.
 * Returns the failure that ended the batch before its last row, if there was one. Throws `local` when the journal cannot be
 * written, once what is under way has ended, and what reading the rows throws.
 */
export function runBatch<R extends BatchRow>(batch: Batch<R>): Promise<RelctlError | undefined> {
  return new BatchRun(batch).run();
}
