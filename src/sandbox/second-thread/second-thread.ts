import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { findOperation } from '../../contract/service.js';
import type { ResponseText, WholeResponse } from '../../soap/wire/response.js';
import type { DatasetParameters } from '../dataset/making.js';
import { outlinePageOf } from '../store/outline.js';
import type { Order, Said } from './messages.js';

/** A thread beside that of the server, which writes long answers while many requests wait. */
export interface SecondThread {
  /**
   * Writes an answer, if it is a long page of rows in outline and others wait. Resolves to undefined where the caller is to
   * write it: for any other answer, when nobody waits or the thread has enough to do, and when it fails.
   */
  write(text: ResponseText): Promise<WholeResponse | undefined>;
  /** Ends the thread for now, if it runs: it takes memory. What it was writing is the caller's to write. */
  end(): void;
  /** Ends it for good. */
  close(): void;
}

/** The thread is started when so many requests wait: for fewer, it takes longer to start than they take. */
const startAt = 8;

/** Answers that it has to write: one, and the next, so that it does not wait for the first thread in between. */
const mostOrders = 2;

/** Handing a shorter page over saves nothing. */
const leastRows = 100;

/** It ends when it had nothing to do for so long. */
const idleMs = 5_000;

/** An answer takes 1 MiB for each 1,000 relations, and little beside it. */
const memory = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8, stackSizeMb: 2 } as const;

/** Where scripts/bundle.ts puts thread.ts; the name is only known there. */
declare const THREAD_FILE: string | undefined;

/** The program of the thread that runs the source: a thread of Node 20 does not take over how TypeScript is loaded. */
const sourceProgram = (): string => {
  const [file, from] = [new URL('thread.ts', import.meta.url).href, import.meta.url].map((url) => JSON.stringify(url));
  return `import('tsx/esm/api').then(({ tsImport }) => tsImport(${file}, ${from}))`;
};

/** Undefined when the system allows no more threads. */
function started(dataset: DatasetParameters): Worker | undefined {
  // Of the environment it needs nothing, and there may be secrets in it.
  const options = { workerData: dataset, env: {}, execArgv: [], resourceLimits: memory };
  try {
    return typeof THREAD_FILE === 'string'
      ? new Worker(fileURLToPath(new URL(THREAD_FILE, import.meta.url)), options)
      : new Worker(sourceProgram(), { ...options, eval: true });
  } catch {
    return undefined;
  }
}

/** The answer as an order; undefined unless it has one list, a long page of rows in outline. */
function orderOf({ operation, result, ...text }: ResponseText, id: number): Order | undefined {
  // A fault may have made another contract of it, which has the same name.
  if (findOperation(operation.name) !== operation) return undefined;
  const lists = Object.entries(result).filter(([, value]) => Array.isArray(value));
  const [[member, list] = ['']] = lists;
  const page = lists.length === 1 ? outlinePageOf(list) : undefined;
  if (page === undefined || page.rows < leastRows) return undefined;
  const rest = Object.entries(result).filter(([name]) => name !== member);
  return { ...text, id, operation: operation.name, result: Object.fromEntries(rest), list: { member, page } };
}

/**
 * The second thread of a sandbox, which starts when it is needed.
 * @param waiting how many requests wait to be begun; 0 also while the memory of the thread is needed elsewhere
 */
export function openSecondThread(dataset: DatasetParameters, waiting: () => number): SecondThread {
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
  const start = (): void => {
    worker = started(dataset)?.on('message', hear).on('error', close).on('exit', close);
    worker?.unref();
    isOver = worker === undefined;
  };
  return {
    write: (text) => {
      if (waiting() === 0 || orders.size >= mostOrders) return Promise.resolve(undefined);
      const order = orderOf(text, last + 1);
      if (order === undefined) return Promise.resolve(undefined);
      if (worker === undefined && !isOver && waiting() >= startAt) start();
      if (worker === undefined || !isReady) return Promise.resolve(undefined);
      last = order.id;
      clearTimeout(idle);
      worker.ref();
      worker.postMessage(order);
      return new Promise((resolve) => orders.set(order.id, resolve));
    },
    end,
    close,
  };
}
