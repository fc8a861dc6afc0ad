import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { WholeResponse } from '../../soap/wire/response.js';
import type { Order, Said, Setting } from './messages.js';

/** A page takes 1 MiB for each 1,000 relations, and little beside it; one of long texts takes what it needs. */
const memory = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8, stackSizeMb: 2 } as const;

/** It ends when it had nothing to do for so long. */
const idleMs = 5_000;

/** Where scripts/bundle.ts puts thread.ts; the name is only known there. */
declare const THREAD_FILE: string | undefined;

/** The program of the thread that runs the source: a thread of Node 20 does not take over how TypeScript is loaded. */
const sourceProgram = (): string => {
  const [file, from] = [new URL('thread.ts', import.meta.url).href, import.meta.url].map((url) => JSON.stringify(url));
  return `import('tsx/esm/api').then(({ tsImport }) => tsImport(${file}, ${from}))`;
};

/** Undefined when the system allows no more threads. */
function started(setting: Setting): Worker | undefined {
  // Of the environment it needs nothing, and there may be secrets in it.
  const options = { workerData: setting, env: {}, execArgv: [], resourceLimits: memory };
  try {
    return typeof THREAD_FILE === 'string'
      ? new Worker(fileURLToPath(new URL(THREAD_FILE, import.meta.url)), options)
      : new Worker(sourceProgram(), { ...options, eval: true });
  } catch {
    return undefined;
  }
}

/** The thread, which is started and ended, and the orders that it has. */
export interface OrderedThread {
  /** Starts it, unless it runs. False when it does not run after that: it has failed before, or was closed. */
  readonly start: () => boolean;
  /** True when it has started, and takes orders at once. */
  readonly isReady: () => boolean;
  /** How many orders it has. */
  readonly orders: () => number;
  /** Gives it an order, while it runs. Resolves to undefined for one that it cannot answer, or when it ends before. */
  readonly give: (order: Omit<Order, 'id'>) => Promise<WholeResponse | undefined>;
  /** Ends it for now. */
  readonly end: () => void;
  /** Ends it for good. */
  readonly close: () => void;
}

/** A thread that does not run yet. */
export function orderedThread(setting: Setting): OrderedThread {
  const orders = new Map<number, (whole: WholeResponse | undefined) => void>();
  let worker: Worker | undefined;
  let isReady = false;
  /** It failed, or is closed: no other is started. */
  let isOver = false;
  let last = 0;
  let idle: NodeJS.Timeout | undefined;

  const end = (): void => {
    clearTimeout(idle);
    // Its end is no failure.
    worker?.removeAllListeners().on('error', () => undefined);
    void worker?.terminate();
    worker = undefined;
    isReady = false;
    for (const done of orders.values()) done(undefined);
    orders.clear();
  };
  const close = (): void => {
    isOver = true;
    end();
  };
  const rest = (): void => {
    worker?.unref();
    clearTimeout(idle);
    idle = setTimeout(end, idleMs).unref();
  };
  const hear = (said: Said): void => {
    if ('ready' in said) {
      isReady = true;
    } else {
      orders.get(said.id)?.(said.whole);
      orders.delete(said.id);
    }
    if (orders.size === 0) rest();
  };
  return {
    start: () => {
      if (isOver || worker !== undefined) return worker !== undefined;
      worker = started(setting)?.on('message', hear).on('error', close).on('messageerror', close).on('exit', close);
      worker?.unref();
      isOver = worker === undefined;
      return !isOver;
    },
    isReady: () => isReady,
    orders: () => orders.size,
    give: (order) => {
      last += 1;
      clearTimeout(idle);
      worker?.ref();
      worker?.postMessage({ ...order, id: last } satisfies Order);
      return new Promise((resolve) => orders.set(last, resolve));
    },
    end,
    close,
  };
}
