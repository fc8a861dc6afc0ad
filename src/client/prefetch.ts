import { setMaxListeners } from 'node:events';
import type { FetchedPage, FetchPage } from './paging.js';

/** How pages are asked for. */
interface Asking {
  /** Rows to ask for on a page. */
  readonly size: number;
  /** Pages to request ahead, after the one that is asked for. */
  readonly ahead: number;
}

/** Pages that are requested ahead of their use, in order. */
export interface Prefetched {
  /**
   * The page with this number; numbers must be asked for in order. A page that was requested ahead has the size of that
   * request, so nothing may be requested ahead before the page size is final. Throws what the fetch throws.
   */
  next(number: number, asking: Asking): Promise<FetchedPage>;
  /** Aborts all requests that are not answered yet. */
  stop(): void;
}

/** Makes such pages of a function that fetches one. */
export function prefetched(fetch: FetchPage, given: AbortSignal): Prefetched {
  const stopping = new AbortController();
  const signal = AbortSignal.any([given, stopping.signal]);
  // Each open request adds several listeners.
  setMaxListeners(0, signal);
  const underWay = new Map<number, Promise<FetchedPage>>();

  const start = (number: number, size: number): Promise<FetchedPage> => {
    const known = underWay.get(number);
    if (known !== undefined) return known;
    const page = fetch(number, signal, size);
    // A page that is never used must not end the process with an unhandled rejection.
    page.catch(() => undefined);
    underWay.set(number, page);
    return page;
  };

  return {
    async next(number, { size, ahead }) {
      const page = start(number, size);
      for (let step = 1; step <= ahead; step += 1) void start(number + step, size);
      underWay.delete(number);
      return page;
    },
    stop() {
      stopping.abort();
    },
  };
}
