import { RelctlError } from '../errors/relctl-error.js';
import type { FetchedPage, PagingPlan } from './paging.js';
import { contentTextOf } from './rows/rendered.js';

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
  if (before === undefined) return;
  const { records } = before;
  const known = records.filter(isKnown).length;
  if (known === records.length) return;
  // Most services answer an earlier number with their first page, and a new record may just have been added to it.
  const first = await fetch(firstPage, signal);
  const idsOf = (page: FetchedPage): readonly string[] =>
    page.records.map((record) => idOf(record) ?? contentTextOf(record));
  const [ids, firstIds] = [idsOf(before), idsOf(first)];
  if (JSON.stringify(ids) === JSON.stringify(firstIds)) return;
  // Where rows change places all the time, two calls for one page differ in some of them.
  const ofFirst = new Set(firstIds);
  const shared = ids.filter((id) => ofFirst.has(id)).length;
  if (Math.min(known, shared) * 2 > records.length) return;
  const earlier = firstPage - 1;
  throw countsEarlier(earlier, remedyFor?.({ setting: 'firstPage', value: earlier }));
}
