import type { RelctlError } from '../../core/errors/relctl-error.js';
import { escapeForTerminal } from '../../formats/escape.js';
import { truncate } from '../../formats/layout/width.js';
import type { Context } from './context.js';
import { seconds } from './progress.js';
import { takeLock } from '../../state/locks/lock.js';

type Watched = Pick<Context, 'streams' | 'errorShape' | 'onClose'>;

/** The flags that say whether a wait is shown. */
export interface WaitingFlags {
  readonly quiet?: boolean | undefined;
}

const leastShownMs = 1000;

const slowAfterMs = 2000;

/** Waits with a reason that are shown: they say more than that something is slow. */
let reasons = 0;

const nothing = (): Promise<void> => Promise.resolve();

function isHidden({ streams: { err, out }, errorShape }: Watched, flags: WaitingFlags): boolean {
  return err.pass === undefined || flags.quiet === true || errorShape === 'json' || out.isPipe;
}

function drawEachSecond(
  { streams: { err }, onClose }: Watched,
  text: () => string | undefined,
  begin: number,
): () => Promise<void> {
  let isShown = false;
  const draw = (): void => {
    const line = text();
    if (line === undefined) return;
    isShown = true;
    void err.pass?.(truncate(escapeForTerminal(line), (err.width ?? 80) - 1));
  };
  if (begin === 0) draw();
  const timer = setInterval(draw, 1000).unref();
  const over = async (): Promise<void> => {
    clearInterval(timer);
    if (isShown) await err.pass?.('');
    isShown = false;
  };
  onClose(over);
  return over;
}

/** Why a call waits before it is repeated after an error, in words. */
export function reasonToWait({ message, facts: { httpStatus, retryAfterSeconds } }: RelctlError): string {
  const reason = retryAfterSeconds === undefined ? 'before the call is repeated' : 'as the service asks';
  return `${reason} (${httpStatus === undefined ? message : `HTTP ${httpStatus}`})`;
}

/**
 * Shows in a terminal why nothing happens, and how long it takes at most, until what it gives is called. Nothing is shown
 * with --quiet, beside JSON, and where the reader of stdout may use the terminal as well, as a pager does.
 */
export function showWait(
  watched: Watched,
  flags: WaitingFlags,
  { reason, ms }: { readonly reason: string; readonly ms: number },
): () => Promise<void> {
  if (ms < leastShownMs || isHidden(watched, flags)) return nothing;
  let left = Math.ceil(ms / 1000) + 1;
  reasons += 1;
  const over = drawEachSecond(
    watched,
    () => {
      left = Math.max(0, left - 1);
      return `waiting ${seconds(left * 1000)} ${reason}`;
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
export function showSlow(
  watched: Watched & Pick<Context, 'clock'>,
  flags: WaitingFlags,
  what: string,
): () => Promise<void> {
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
