import type { RelctlError } from '../errors/relctl-error.js';
import { escapeForTerminal } from '../output/escape.js';
import { truncate } from '../output/width.js';
import type { Context } from './context.js';
import { seconds } from './progress.js';

type Watched = Pick<Context, 'streams' | 'errorShape' | 'onClose'>;

/** The flags that say whether a wait is shown. */
export interface WaitingFlags {
  readonly progress?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

/** Waits that are shorter are over before somebody wonders. */
const leastMs = 1000;

const nothing = (): Promise<void> => Promise.resolve();

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
  { streams: { err, out }, errorShape, onClose }: Watched,
  flags: WaitingFlags,
  { reason, ms }: { readonly reason: string; readonly ms: number },
): () => Promise<void> {
  const isShared = out.isPipe && flags.progress !== true;
  if (ms < leastMs || err.pass === undefined || flags.quiet === true || errorShape === 'json' || isShared)
    return nothing;
  let left = Math.ceil(ms / 1000);
  const draw = (): void => {
    const line = escapeForTerminal(`waiting ${seconds(left * 1000)} ${reason}`);
    left = Math.max(0, left - 1);
    void err.pass?.(truncate(line, (err.width ?? 80) - 1));
  };
  draw();
  const timer = setInterval(draw, 1000).unref();
  let isOver = false;
  const over = async (): Promise<void> => {
    clearInterval(timer);
    if (!isOver) await err.pass?.('');
    isOver = true;
  };
  onClose(over);
  return over;
}
