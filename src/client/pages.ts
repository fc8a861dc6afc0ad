import { badAnswer, RelctlError } from '../core/errors/relctl-error.js';
import {
  prefetched,
  type Prefetched,
  firstPage,
  type Arrived,
  type Claim,
  type FetchedPage,
  type FetchPage,
  type Page,
  type PagingPlan,
  type Trial,
  type WalkState,
} from './paging.js';
import { noList, describeAnswer } from './list-answer.js';
import { Walk } from './walk.js';
import { contentTextOf, rowId } from './rows/row.js';

type Fetch = (page: number, signal: AbortSignal) => Promise<FetchedPage>;

function countsEarlier(page: number, remedy: string | undefined): RelctlError {
  return new RelctlError(
    'bad-answer',
    `page ${page} has records that are on no later page: this service numbers pages from ${page}`,
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
    page.records.map((row) => rowId(row, idOf) ?? contentTextOf(row));
  const [ids, firstIds] = [idsOf(before), idsOf(first)];
  if (JSON.stringify(ids) === JSON.stringify(firstIds)) return;
  // Where rows change places all the time, two calls for one page differ in some of them.
  const ofFirst = new Set(firstIds);
  const shared = ids.filter((id) => ofFirst.has(id)).length;
  if (Math.min(known, shared) * 2 > records.length) return;
  const earlier = firstPage - 1;
  throw countsEarlier(earlier, remedyFor?.({ setting: 'firstPage', value: earlier }));
}

export type { Claim, Page } from './paging.js';

/** Page numbers are of type int: a list with more pages has no end. */
const lastNumber = 2 ** 31 - 1;

/** True for failures of the service, false for those of the user, the machine or relctl. */
const isOfService = ({ kind }: RelctlError): boolean =>
  kind === 'no-answer' || kind === 'bad-answer' || kind === 'refused' || kind === 'not-found';

const runAgain = 'The output so far is not the whole list.';

function stoppedShort(thrown: unknown, page: number, rows: number): RelctlError {
  const error = RelctlError.from(thrown).with({ page });
  if (rows === 0 || !isOfService(error)) return error;
  return error.but({
    kind: 'partial',
    message: `stopped short at page ${page} after ${rows} rows: ${error.message}`,
    advice: error.advice ?? runAgain,
    data: undefined,
  });
}

function noEnd(page: number): RelctlError {
  return badAnswer('page-stale', `the list continues after page ${page}, which has the highest possible number`, {
    page,
  });
}

/**
 * True for a page without rows that may be the end of the list. Throws `bad-answer` for what is no list: an answer with an
 * error instead of the list does not end it (interface document, "What the service does", rule 4).
 */
function isEnd(fetched: FetchedPage, walk: Walk, { listEnd, remedyFor }: PagingPlan): boolean {
  const { state } = fetched;
  if (state === 'there') return false;
  if (state === 'other') throw noList(fetched);
  const isUsual = walk.isUsual(fetched);
  // Without unknown members, this may be how the service ends its lists.
  if (state === 'absent' && (listEnd !== 'absent' || !isUsual)) {
    throw noList(fetched, isUsual ? remedyFor?.({ setting: 'listEnd', value: 'absent' }) : undefined);
  }
  if (isUsual) return true;
  throw badAnswer('no-list', `the answer has ${describeAnswer(fetched)}, unlike all pages with records`);
}

async function* onePage(
  fetch: FetchPage,
  walk: Walk,
  plan: PagingPlan & { onlyPage: number },
): AsyncGenerator<Page, Claim> {
  const fetched = await fetch(plan.onlyPage, { signal: plan.signal }, plan.pageSize);
  isEnd(fetched, walk, plan);
  const { resume } = plan;
  if (resume !== undefined && walk.isSeam(fetched, resume)) {
    const more = walk.holdsMore(fetched);
    return walk.claim(more ? 'limit' : 'only page', more);
  }
  const { page, left: remaining } = walk.count(walk.take(plan.onlyPage, fetched));
  yield page;
  return walk.claim(remaining > 0 ? 'limit' : 'only page', remaining > 0);
}

interface Arrival extends Arrived {
  readonly number: number;
  readonly resume: WalkState | undefined;
}

/** What follows from a page: a page, the claim of the end, both or neither. Throws `bad-answer`, as Walk.take. */
function stepOf(
  walk: Walk,
  { number, fetched, resume, isLast }: Arrival,
): { readonly page?: Page; readonly claim?: Claim } {
  if (number === resume?.lastPage && walk.isSeam(fetched, resume)) {
    return walk.isFull && walk.holdsMore(fetched) ? { claim: walk.claim('limit', true) } : {};
  }
  const contents = walk.take(number, fetched);
  if (isLast) return { claim: walk.claim('empty page', false) };
  if (walk.isFull && contents.page.records.length > 0) return { claim: walk.claim('limit', true) };
  const { page, left: remaining } = walk.count(contents);
  return remaining > 0 ? { page, claim: walk.claim('limit', true) } : { page };
}

interface Look {
  readonly source: Prefetched;
  readonly walk: Walk;
  readonly plan: PagingPlan;
  readonly end: number;
}

function uncertainEnd(thrown: unknown, { end, walk }: Look, number: number): RelctlError {
  const error = RelctlError.from(thrown).with({ page: number });
  if (!isOfService(error)) return error;
  return error.but({
    kind: walk.rows > 0 ? 'partial' : 'bad-answer',
    message: `page ${end} has no records, but page ${number} after it does not confirm that the list ended: ${error.message}`,
    data: undefined,
  });
}

/** Reads a page behind the end: a failing service may give an empty one between. Throws `partial`, `bad-answer`. */
async function refuseRowsAfterEnd(look: Look, number: number, read: () => Promise<FetchedPage>): Promise<void> {
  const { walk, plan, end } = look;
  let isBorneOut: boolean;
  let nextPage: FetchedPage;
  try {
    nextPage = await read();
    isBorneOut = isEnd(nextPage, walk, plan);
  } catch (thrown) {
    throw uncertainEnd(thrown, look, number);
  }
  if (isBorneOut) return;
  // No rows on the first page and rows on the second: most likely the second is the first of the service.
  const isFirst = end === plan.firstPage && number === end + 1;
  const remedy = isFirst ? plan.remedyFor?.({ setting: 'firstPage', value: number }) : undefined;
  throw new RelctlError(
    'partial',
    `page ${end} has no records, but page ${number} after it has ${nextPage.records.length}: the list did not end there`,
    {
      facts: { code: 'rows-behind-end', page: number },
      advice: runAgain,
      hint: remedy,
    },
  );
}

async function endWell(fetch: FetchPage, look: Look): Promise<void> {
  const { plan, walk, source, end } = look;
  const next = end + 1;
  await refuseRowsAfterEnd(look, next, () => source.next(next, { size: walk.pageSize, ahead: 0 }));
  // Several pages without rows may stand amid a list.
  const last = plan.firstPage + Math.ceil((plan.rowsBefore ?? 0) / walk.pageSize) - 1;
  if (last > next) await refuseRowsAfterEnd(look, last, () => fetch(last, { signal: plan.signal }, walk.pageSize));
  if (plan.looksBefore !== true) return;
  const earlier = (number: number, signal: AbortSignal): Promise<FetchedPage> =>
    fetch(number, { signal }, walk.pageSize);
  // Records without an Id are compared with those of the first page.
  await refuseEarlierPage(earlier, plan, (row) => rowId(row, plan.idOf) !== undefined && walk.knows(row));
}

async function* allPages(fetch: FetchPage, walk: Walk, plan: PagingPlan): AsyncGenerator<Page, Claim> {
  const source = prefetched(fetch, plan.signal, Math.max(1, plan.prefetch));
  const { resume } = plan;
  // The first page is requested alone: it decides the page size, and when it fails, nothing else was requested.
  let ahead = 0;
  try {
    for (let number = resume?.lastPage ?? plan.firstPage; ; number += 1) {
      if (number > lastNumber) throw stoppedShort(noEnd(number - 1), number - 1, walk.rows);
      const { fetched, isLast } = await arrived(number, ahead);
      const isShort = number === plan.firstPage && walk.settleSize(fetched.records.length);
      // Usually the end and the page after it are all that is left to read then.
      ahead = isShort ? Math.min(1, plan.prefetch) : plan.prefetch;
      const { page, claim } = stepOf(walk, { number, fetched, resume, isLast });
      if (page !== undefined) yield page;
      if (claim === undefined) continue;
      if (claim.ended === 'empty page') await endWell(fetch, { source, walk, plan, end: number });
      return claim;
    }
  } finally {
    source.stop();
  }

  async function arrived(number: number, count: number): Promise<Arrived> {
    const { trial } = plan;
    const isTrial = trial !== undefined && number === plan.firstPage && resume === undefined;
    try {
      return isTrial ? await startPages(trial) : await next(number, count);
    } catch (thrown) {
      throw stoppedShort(thrown, number, walk.rows);
    }
  }

  async function next(number: number, count: number): Promise<Arrived> {
    return looked(await source.next(number, { size: walk.pageSize, ahead: count }));
  }

  function looked(fetched: FetchedPage): Arrived {
    return { fetched, isLast: isEnd(fetched, walk, plan) };
  }

  async function startPages({ smallerSize, fetch: fetchLarger, settled }: Trial): Promise<Arrived> {
    const { refusal, ...first } = await firstPage({
      larger: async () => looked(await fetchLarger(plan.firstPage, { signal: plan.signal }, walk.pageSize)),
      smaller() {
        walk.askFor(smallerSize);
        return next(plan.firstPage, 0);
      },
    });
    if (refusal !== undefined || !first.isLast) await settled(walk.pageSize, refusal);
    return first;
  }
}

/**
 * Reads a paged list to its end, which is a page with an empty list and another one after it. A short page is not the end,
 * because services limit the page size. Pages come in order; `plan.prefetch` calls for later ones are kept under way, and
 * ending the iteration aborts them. Throws `bad-answer` when an answer holds no list or the service ignores pageNumber,
 * `partial` when that happens after rows, a later page cannot be read, or there are rows after the end, and what the calls
 * throw.
 */
export async function* readPages(fetch: FetchPage, plan: PagingPlan): AsyncGenerator<Page, Claim> {
  const walk = new Walk(plan);
  const { onlyPage } = plan;
  try {
    if (onlyPage === undefined) return yield* allPages(fetch, walk, plan);
    return yield* onePage(fetch, walk, { ...plan, onlyPage });
  } finally {
    walk.close();
  }
}
