import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';

/** What stops the call of a tool. */
export interface Stop {
  readonly signal: AbortSignal;
  /** Does a write: what would stop it waits until its outcome is known. */
  readonly guardWrite: Context['guardWrite'];
  /** Lets go of time and signals. */
  end(): void;
}

const reasonOf = (signal: AbortSignal): RelctlError =>
  signal.reason instanceof RelctlError
    ? signal.reason
    : new RelctlError('interrupted', 'the client cancelled the call', { facts: { code: 'cancelled' }, hint: '' });

/**
 * Stops a call when one of the signals is aborted, or after a time. A write that is under way is not stopped: its answer says
 * whether it was carried out, and so does the ledger.
 */
export function createStop(signals: readonly AbortSignal[], deadlineMs: number): Stop {
  const controller = new AbortController();
  let open = 0;
  let waiting: RelctlError | undefined;
  const ask = (reason: RelctlError): void => {
    if (open > 0) waiting ??= reason;
    else controller.abort(reason);
  };
  const late = new RelctlError('partial', `stopped short after ${deadlineMs / 1000} s`, {
    facts: { code: 'deadline' },
    advice: 'Ask for less, or start the server with a longer --deadline.',
    hint: '',
  });
  const timer = setTimeout(() => ask(late), deadlineMs);
  const listeners = signals.map((signal) => {
    const listener = (): void => ask(reasonOf(signal));
    if (signal.aborted) listener();
    else signal.addEventListener('abort', listener, { once: true });
    return { signal, listener };
  });
  return {
    signal: controller.signal,
    async guardWrite(write) {
      open += 1;
      try {
        return await write();
      } finally {
        open -= 1;
        if (open === 0 && waiting !== undefined) controller.abort(waiting);
      }
    },
    end() {
      clearTimeout(timer);
      for (const { signal, listener } of listeners) signal.removeEventListener('abort', listener);
    },
  };
}
