import { setMaxListeners } from 'node:events';
import type { FetchedPage, FetchPage } from './paging.js';

/** How pages are asked for. */
interface Asking {
  /** Rows to ask for on a page. */
  readonly size: number;
  /** Pages to have under way behind the one that is wanted. */
  readonly ahead: number;
}

/** Pages fetched ahead of their use, in order, with a bound. */
export interface Prefetched {
  /**
   * The page with this number; numbers must be asked for one after the other. A page that was fetched ahead is the one of
   * the size asked for then, so nothing may be fetched ahead before the size is settled.
   */
  next(number: number, asking: Asking): Promise<FetchedPage>;
  /** Gives up what is under way. */
  stop(): void;
}

/** Fetches pages ahead of their use. */
export function prefetched(fetch: FetchPage, given: AbortSignal): Prefetched {
  const stopping = new AbortController();
  const signal = AbortSignal.any([given, stopping.signal]);
  // Each page that is under way listens several times.
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
