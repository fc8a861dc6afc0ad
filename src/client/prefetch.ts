import { setMaxListeners } from 'node:events';
import type { FetchedPage, FetchPage } from './paging.js';

/** Pages that are requested ahead of their use, in order. */
export interface Prefetched {
  /**
   * The page with this number; numbers must be asked for in order. A page that was requested ahead has the size of that
   * request, so nothing may be requested ahead before the page size is final. Throws what the fetch throws.
   */
  next(number: number, asking: { readonly size: number; readonly ahead: number }): Promise<FetchedPage>;
  /** Aborts all requests that are not answered yet. */
  stop(): void;
}

/** An answer that is decoded at once is not worth a request before it is known whether the list goes on. */
const largeBytes = 64 * 1024;

const unknown = Number.POSITIVE_INFINITY;

/** How many pages behind an answer are worth a request: a page of fewer rows is usually the last one before the end. */
function pagesWorthFetching(rows: number, fewerThan: number): number {
  if (rows === 0) return 1;
  return rows < fewerThan ? 2 : unknown;
}

/**
 * Makes such pages of a function that fetches one. Where a call ends the next one begins, before a large answer is decoded, as
 * long as there are pages to request ahead.
 * @param atOnce most calls under way at once
 */
export function prefetched(fetch: FetchPage, abortSignal: AbortSignal, atOnce: number): Prefetched {
  const stopping = new AbortController();
  const signal = AbortSignal.any([abortSignal, stopping.signal]);
  // Each open request adds several listeners.
  setMaxListeners(0, signal);
  const requested = new Map<number, Promise<FetchedPage>>();
  let inFlight = 0;
  /** Pages whose answers have come and are still to be decoded. */
  const undecoded = new Set<number>();
  /** The page that is asked for, the last one to request ahead, and their size. */
  let [from, to, size] = [0, 0, 0];
  /** Behind which page nothing is worth a request, by the answers so far. */
  let last = unknown;
  let isShortLast = true;

  const request = (number: number): Promise<FetchedPage> => {
    const requestedSize = size;
    const received = (bytes: number): void => {
      if (bytes < largeBytes || undecoded.has(number)) return;
      undecoded.add(number);
      inFlight -= 1;
      requestAhead();
    };
    const ended = (following: number): void => {
      if (!undecoded.delete(number)) inFlight -= 1;
      last = Math.min(last, number + following);
      requestAhead();
    };
    inFlight += 1;
    const page = fetch(number, { signal, received }, requestedSize);
    requested.set(number, page);
    page.then(
      ({ records }) => ended(pagesWorthFetching(records.length, isShortLast ? requestedSize : 0)),
      // A page that is never used must not end the process with an unhandled rejection.
      () => ended(0),
    );
    return page;
  };

  const requestAhead = (): void => {
    // An answer that waits to be decoded keeps no other call back, unless as many wait as may be under way.
    const end = Math.min(to + Math.min(undecoded.size, atOnce), last);
    for (let number = from + 1; number <= end && inFlight < atOnce; number += 1)
      if (!requested.has(number)) void request(number);
  };

  return {
    async next(number, asking) {
      // The list goes on behind a short page, so others may be short as well. An earlier size says nothing of this one.
      if (number > last && asking.size === size) isShortLast = false;
      if (number > last || asking.size !== size) last = unknown;
      [from, to, size] = [number, number + asking.ahead, asking.size];
      const page = requested.get(number) ?? request(number);
      requested.delete(number);
      requestAhead();
      return page;
    },
    stop() {
      last = from;
      stopping.abort();
    },
  };
}
