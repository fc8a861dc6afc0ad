import { signalExitCodes, type Kind } from '../../core/errors/kinds.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

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
   * Does a write. A second signal that comes before its outcome is known, or has been reported as unknown, ends the process
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

const usual = { growthFactor: 2, growingPercent: 0 };

/** How V8 collects: `youngBytes` is the room of young objects at which it stops growing. */
type Setting = typeof usual & { readonly youngBytes?: number };

/**
 * How early V8 collects garbage. `early` is for lists: young objects have the room that they had at the first page, and old
 * ones may become by a tenth more than was left of them. `soon` is for work that makes much that lives for a moment only:
 * young objects get more room when they need it. `calls` is for many small calls: what a call needs lives until it was answered,
 * and in the room of a first page would be taken for something that stays, four times as often as in some more. Rows stand beside
 * what is kept for all of them, such as a list of products: to look through that after each tenth more takes much time.
 */
export type Collection = 'early' | 'soon' | 'calls';

const settings: Readonly<Record<Collection, Setting>> = {
  early: { growthFactor: 1, growingPercent: 10 },
  soon: { growthFactor: 2, growingPercent: 10 },
  calls: { growthFactor: 2, growingPercent: 50, youngBytes: 8 * 1024 * 1024 },
};

let isSet = false;

const setGrowth = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

function set({ growthFactor, growingPercent }: Setting): void {
  setGrowth(growthFactor);
  setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
}

const bytesOfYoungSpace = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? Infinity;

/** Lets the room of young objects grow no more once it is so large. It is looked at after each collection, when it may grow. */
function stopGrowingAt(bytes: number): void {
  const collections = new PerformanceObserver(() => {
    if (bytesOfYoungSpace() < bytes) return;
    collections.disconnect();
    setGrowth(1);
  });
  collections.observe({ entryTypes: ['gc'] });
}

/**
 * Sets how V8 collects garbage from here on. What a long list keeps is little, but its pages, and the bytes
 * that came, live long enough to be taken for something that stays: left alone, the heap grows to several times its content
 * before V8 looks again. A version of V8 that does not know these settings only needs more memory.
 */
export function collectGarbage(when: Collection = 'early'): void {
  if (isSet) return;
  isSet = true;
  const setting = settings[when];
  set(setting);
  if (setting.youngBytes !== undefined) stopGrowingAt(setting.youngBytes);
  // V8 takes the code that scripts/start.cjs keeps at the end for the same settings only.
  process.prependOnceListener('exit', () => set(usual));
}
