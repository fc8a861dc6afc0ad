import type { FetchedPage, FetchPage, PagingPlan } from './paging.js';

/** Pages fetched ahead of their use, in order, with a bound. */
export interface Prefetched {
  /** The page with this number; numbers must be asked for one after the other. */
  next(number: number): Promise<FetchedPage>;
  /** Gives up what is under way. */
  stop(): void;
}

/**
 * Fetches pages ahead of their use. The first page is fetched alone: when it fails, nothing else was asked. Behind a page
 * that is shorter than the longest so far, which is most often the last, nothing is fetched ahead.
 */
export function prefetched(fetch: FetchPage, plan: Pick<PagingPlan, 'prefetch' | 'signal' | 'pageSize'>): Prefetched {
  const stopping = new AbortController();
  const signal = AbortSignal.any([plan.signal, stopping.signal]);
  const underWay = new Map<number, Promise<FetchedPage>>();
  let longest = plan.pageSize;
  let isFirst = true;

  const start = (number: number): Promise<FetchedPage> => {
    const known = underWay.get(number);
    if (known !== undefined) return known;
    const page = fetch(number, signal);
    // A page that is never used must not end the process with an unhandled rejection.
    page.catch(() => undefined);
    underWay.set(number, page);
    return page;
  };

  return {
    async next(number) {
      const page = await start(number);
      underWay.delete(number);
      const received = page.records.length;
      const isShort = received < longest;
      longest = isFirst ? received : Math.max(longest, received);
      isFirst = false;
      for (let step = 1; step <= plan.prefetch && !isShort; step += 1) void start(number + step);
      return page;
    },
    stop() {
      stopping.abort();
    },
  };
}
