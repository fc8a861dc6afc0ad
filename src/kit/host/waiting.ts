import type { RelctlError } from '../../core/errors/relctl-error.js';
import { escapeForTerminal } from '../../formats/escape.js';
import { truncate } from '../../formats/layout/width.js';
import type { Context } from './context.js';
import { seconds } from './progress.js';

type Watched = Pick<Context, 'streams' | 'errorShape' | 'onClose'>;

/** The flags that say whether a wait is shown. */
export interface WaitingFlags {
  readonly quiet?: boolean | undefined;
}

/** Waits that are shorter are over before somebody wonders. */
const leastMs = 1000;

/** What is slow is told of after so long. */
const slowMs = 2000;

/** Waits with a reason that are shown: they say more than that something is slow. */
let reasons = 0;

const nothing = (): Promise<void> => Promise.resolve();

/** True where nobody looks, or where the reader of stdout may use the terminal as well, as a pager does. */
function isHidden({ streams: { err, out }, errorShape }: Watched, flags: WaitingFlags): boolean {
  return err.pass === undefined || flags.quiet === true || errorShape === 'json' || out.isPipe;
}

/** Draws a line at once or later, and each second from then on, until what it gives is called. */
function drawn(
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
  if (ms < leastMs || isHidden(watched, flags)) return nothing;
  let left = Math.ceil(ms / 1000) + 1;
  reasons += 1;
  const over = drawn(
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
  return drawn(
    watched,
    () => {
      const elapsed = watched.clock.nowMs() - started;
      return elapsed < slowMs || reasons > 0 ? undefined : `waiting for ${what}, ${seconds(elapsed)}`;
    },
    slowMs,
  );
}
