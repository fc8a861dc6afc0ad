import { widthOfLines, type Sink } from '../../formats/streams.js';
import { truncate } from '../../formats/layout/width.js';
import type { Context } from './context.js';
import type { RelctlError } from '../../core/errors/relctl-error.js';
import { escapeForTerminal } from '../../formats/escape.js';
import { takeLock } from '../../state/locks/lock.js';

const rate = (rows: number, elapsed: number): string => `${((rows * 1000) / elapsed).toFixed(1)} rows/s`;

/** Tells how many rows were checked; how many there are is known at the end only. Call it for each. */
export function reportChecked(line: ProgressLine): () => void {
  let rows = 0;
  return () => {
    rows += 1;
    line.report((elapsed) => `${rows} rows checked, ${rate(rows, elapsed)}, ${seconds(elapsed)}`);
  };
}

/** Tells how many rows of some have ended, how many do in a second, and how long the rest takes. Call it for each. */
export function reportEnded(line: ProgressLine, count: number): () => void {
  let ended = 0;
  return () => {
    ended += 1;
    line.report((elapsed) => {
      const share = shareOf({ done: ended, before: 0, of: count }, elapsed);
      return `${ended} of ${count} rows${share}, ${rate(ended, elapsed)}`;
    });
  };
}

/** Tells on stderr how far a list is. */
export interface Progress {
  page(rows: number): void;
  /** What an earlier run wrote: the count goes on from there. */
  kept(before: { readonly rows: number; readonly pages: number }): void;
  /** One of the records that were asked for is done. */
  item(): void;
  /** Wipes the line. */
  end(): Promise<void>;
}

/** How much is to come, where it is known before: rows, or records that are asked for one by one. */
export interface Total {
  readonly rows?: number | undefined;
  readonly items?: number | undefined;
}

const lineEveryMs = 300;
const plainEveryMs = 10_000;

/** A time in words: 7s, 2m05s. */
export function seconds(ms: number): string {
  const whole = Math.floor(ms / 1000);
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, '0')}s`;
}

type Watched = Pick<Context, 'streams' | 'clock' | 'errorShape' | 'onClose'>;

interface ProgressFlags {
  readonly progress?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

/** A line on stderr that says how far something is; it is written now and then, however often it is told. */
export interface ProgressLine {
  /** Says it, when it is time to; the text is asked for then only, with the milliseconds since the beginning. */
  report(text: (elapsedMs: number) => string): void;
  /** Wipes the line. */
  end(): Promise<void>;
}

/** A line that a terminal does not wrap: what is wrapped cannot be wiped. */
function fitted(line: string, sink: Sink): string {
  const width = widthOfLines(sink);
  return width === undefined ? line : truncate(line, width - 1);
}

/** A line that says nothing unless somebody looks, or asked with the setting progress. */
export function openProgressLine(context: Watched, flags: ProgressFlags): ProgressLine {
  const { err } = context.streams;
  const isEnabled =
    flags.quiet !== true && (flags.progress === true || err.pass !== undefined) && context.errorShape === 'text';
  if (!isEnabled) return { report: () => undefined, end: () => Promise.resolve() };
  const started = context.clock.nowMs();
  let [reportedAt, isVisible] = [started, false];
  const end = async (): Promise<void> => {
    if (isVisible) await err.pass?.('');
    isVisible = false;
  };
  // Work whose reader goes away, or that fails, never comes to its end.
  context.onClose(end);
  return {
    report(text) {
      const now = context.clock.nowMs();
      if (now - reportedAt < (err.pass ? lineEveryMs : plainEveryMs)) return;
      reportedAt = now;
      isVisible = err.pass !== undefined;
      const line = fitted(text(Math.max(1, now - started)), err);
      void (err.pass?.(line) ?? err.write(`${line}\n`));
    },
    end,
  };
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** How much is done of a total, and how long the rest takes when it goes on as since the beginning; empty without a total. */
export function shareOf(
  { done, before, of }: { done: number; before: number; of: number | undefined },
  elapsed: number,
): string {
  if (of === undefined || of <= 0 || done > of) return '';
  const made = done - before;
  const remaining = made > 0 && done < of ? `, ${seconds((elapsed * (of - done)) / made)} left` : '';
  return ` (${Math.floor((done * 100) / of)} %${remaining})`;
}

/** The progress of a list: a line that says nothing unless somebody looks, or asked with the setting progress. */
export function openProgress(context: Watched, flags: ProgressFlags, total: Total = {}): Progress {
  const line = openProgressLine(context, flags);
  let [rows, pages, items, resumedRows] = [0, 0, 0, 0];
  const text = (elapsed: number): string => {
    const of = total.rows;
    const all = of === undefined || rows > of ? '' : ` of ${of}`;
    const parts = [
      ...(total.items === undefined
        ? []
        : [`${items} of ${total.items}${shareOf({ done: items, before: 0, of: total.items }, elapsed)}`]),
      `${counted(rows, 'row').replace(' ', `${all} `)}${shareOf({ done: rows, before: resumedRows, of }, elapsed)}`,
      counted(pages, 'page'),
      `${Math.round(((rows - resumedRows) * 1000) / elapsed)} rows/s`,
      seconds(elapsed),
    ];
    return parts.join(', ');
  };
  return {
    page(more) {
      rows += more;
      pages += 1;
      line.report(text);
    },
    kept(before) {
      rows += before.rows;
      pages += before.pages;
      resumedRows += before.rows;
    },
    item() {
      items += 1;
      line.report(text);
    },
    end: () => line.end(),
  };
}

type Waiting = Omit<Watched, 'clock'>;

interface WaitingFlags {
  readonly quiet?: boolean | undefined;
}

const minimumMs = 1000;

const slowAfterMs = 2000;

/** Waits with a reason that are shown: they say more than that something is slow. */
let reasons = 0;

const nothing = (): Promise<void> => Promise.resolve();

function isHidden({ streams: { err, out }, errorShape }: Waiting, flags: WaitingFlags): boolean {
  return err.pass === undefined || flags.quiet === true || errorShape === 'json' || out.isPipe;
}

function drawEachSecond(
  { streams: { err }, onClose }: Waiting,
  text: () => string | undefined,
  begin: number,
): () => Promise<void> {
  let isVisible = false;
  const draw = (): void => {
    const line = text();
    if (line === undefined) return;
    isVisible = true;
    void err.pass?.(truncate(escapeForTerminal(line), (err.width ?? 80) - 1));
  };
  if (begin === 0) draw();
  const timer = setInterval(draw, 1000).unref();
  const over = async (): Promise<void> => {
    clearInterval(timer);
    if (isVisible) await err.pass?.('');
    isVisible = false;
  };
  onClose(over);
  return over;
}

/** Why a call waits before it is repeated after an error, in words. */
export function reasonToWait({ message, facts: { httpStatus, retryAfterSeconds } }: RelctlError): string {
  const reason = retryAfterSeconds === undefined ? 'before relctl retries the call' : 'as the service asks';
  return `${reason} (${httpStatus === undefined ? message : `HTTP ${httpStatus}`})`;
}

/**
 * Shows in a terminal why nothing happens, and how long it takes at most, until what it gives is called. Nothing is shown
 * with --quiet, beside JSON, and where the reader of stdout may use the terminal as well, as a pager does.
 */
export function showWait(
  watched: Waiting,
  flags: WaitingFlags,
  { reason, ms }: { readonly reason: string; readonly ms: number },
): () => Promise<void> {
  if (ms < minimumMs || isHidden(watched, flags)) return nothing;
  let remaining = Math.ceil(ms / 1000) + 1;
  reasons += 1;
  const over = drawEachSecond(
    watched,
    () => {
      remaining = Math.max(0, remaining - 1);
      return `waiting ${seconds(remaining * 1000)} ${reason}`;
    },
    0,
  );
  let isOver = false;
  return () => {
    if (!isOver) reasons -= 1;
    isOver = true;
    return over();
  };
}

/** Shows in a terminal that something takes long, and how long it took so far, until what it gives is called. */
export function showSlow(watched: Watched, flags: WaitingFlags, what: string): () => Promise<void> {
  if (isHidden(watched, flags)) return nothing;
  const started = watched.clock.nowMs();
  return drawEachSecond(
    watched,
    () => {
      const elapsed = watched.clock.nowMs() - started;
      return elapsed < slowAfterMs || reasons > 0 ? undefined : `waiting for ${what}, ${seconds(elapsed)}`;
    },
    slowAfterMs,
  );
}

/** The flags of a command that locks something. */
export type LockFlags = WaitingFlags & { readonly 'lock-wait'?: number | undefined };

/** Locks something until the command ends. Throws `locked` and `local`. */
export async function lockUntilClose(
  context: Context,
  flags: LockFlags,
  { lock, what }: { readonly lock: string; readonly what: string },
): Promise<void> {
  const { signal } = context;
  const patienceMs = flags['lock-wait'] ?? 0;
  context.onClose(await takeLock(lock, { patienceMs, what, signal, onWait: (wait) => showWait(context, flags, wait) }));
}
