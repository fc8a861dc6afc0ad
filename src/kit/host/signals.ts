import { signalExitCodes, type Kind } from '../../core/errors/kinds.js';
import { RelctlError } from '../../core/errors/relctl-error.js';

type EndingSignal = keyof typeof signalExitCodes;

const words: Record<EndingSignal, string> = {
  SIGINT: 'interrupted by Ctrl-C',
  SIGTERM: 'ended by SIGTERM',
  SIGHUP: 'ended because the terminal was closed',
};

/** Watches for the signals that end a run. */
export interface SignalWatch {
  /** Aborted with an `interrupted` error at the first signal. */
  readonly signal: AbortSignal;
  /** Does what a first signal does without one having come; false when the work is stopping already. */
  ask(signal: EndingSignal): boolean;
  received(): EndingSignal | undefined;
  /**
   * Does a write. A second signal that comes before its outcome is known, or has been told to be unknown, ends the process
   * with the exit code of `outcome-unknown`.
   */
  readonly guardWrite: <T>(write: () => Promise<T>) => Promise<T>;
  /** True while a write is under way, and once the outcome of one is unknown. */
  isWriting(): boolean;
  /** Stops watching, so that the signal raised again ends the process the way the shell expects. */
  stop(): void;
}

/**
 * Starts watching. The first signal asks the work to stop; a second one ends the process at once.
 * @param endAtOnce ends the process with the exit code of a kind
 */
export function watchSignals(endAtOnce: (kind: Kind) => void): SignalWatch {
  const controller = new AbortController();
  let writes = 0;
  let received: EndingSignal | undefined;
  const ask = (signal: EndingSignal): boolean => {
    if (controller.signal.aborted) return false;
    const facts = { foreignCode: signal, exitCode: signalExitCodes[signal] };
    controller.abort(new RelctlError('interrupted', words[signal], { facts }));
    return true;
  };
  const listeners = Object.keys(signalExitCodes).map((name) => {
    const signal = name as EndingSignal;
    const listener = (): void => {
      if (received !== undefined) {
        stop();
        if (writes > 0) endAtOnce('outcome-unknown');
        process.kill(process.pid, signal);
        return;
      }
      received = signal;
      ask(signal);
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  const stop = (): void => {
    for (const { signal, listener } of listeners) process.off(signal, listener);
  };
  return {
    signal: controller.signal,
    ask,
    received: () => received,
    isWriting: () => writes > 0,
    async guardWrite(write) {
      writes += 1;
      try {
        const done = await write();
        writes -= 1;
        return done;
      } catch (thrown) {
        if (!(thrown instanceof RelctlError) || thrown.kind !== 'outcome-unknown') writes -= 1;
        throw thrown;
      }
    },
    stop,
  };
}
