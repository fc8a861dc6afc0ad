import { RelctlError } from '../errors/relctl-error.js';
import type { FetchedPage, PagingPlan } from './paging.js';

/** Fetches the page with this number. */
type Fetch = (page: number, signal: AbortSignal) => Promise<FetchedPage>;

function countsEarlier(page: number, remedy: string | undefined): RelctlError {
  return new RelctlError(
    'bad-answer',
    `page ${page} holds records that no later page brought: this service counts pages from ${page}`,
    {
      facts: { code: 'first-page', page },
      hint: remedy,
    },
  );
}

async function pageOrNone(fetch: Fetch, page: number, signal: AbortSignal): Promise<FetchedPage | undefined> {
  try {
    return await fetch(page, signal);
  } catch {
    signal.throwIfAborted();
    // Services fail in many ways for a page that does not exist. The list itself was read to its end.
    return undefined;
  }
}

/**
 * Checks that the list does not begin one page before `firstPage` (interface document, Limits: not documented). Throws
 * `bad-answer` when it does, and what the calls throw.
 * @param isKnown true for a record that a page of the list had
 */
export async function refuseEarlierPage(
  fetch: Fetch,
  { firstPage, idOf, signal, remedyFor }: PagingPlan,
  isKnown: (record: FetchedPage['records'][number]) => boolean,
): Promise<void> {
  const before = await pageOrNone(fetch, firstPage - 1, signal);
  if (before === undefined || before.records.every(isKnown)) return;
  // Most services answer an earlier number with their first page, and a new record may just have been added to it.
  const first = await fetch(firstPage, signal);
  const ids = (page: FetchedPage): string => JSON.stringify(page.records.map((record) => idOf(record) ?? record));
  if (ids(before) === ids(first)) return;
  const earlier = firstPage - 1;
  throw countsEarlier(earlier, remedyFor?.({ setting: 'firstPage', value: earlier }));
}
