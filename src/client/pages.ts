import { createHash } from 'node:crypto';
import { RelctlError } from '../errors/relctl-error.js';
import type { RecordValue } from '../soap/values.js';
import { refuseEarlierPage } from './page-before.js';
import { createIdSet, type IdSet } from './id-set.js';
import type { FetchedPage, FetchPage, PagingPlan, WalkState } from './paging.js';
import { prefetched } from './prefetch.js';

/** A page to write out: records seen on an earlier page are left out and counted. */
export interface Page {
  readonly number: number;
  readonly records: readonly RecordValue[];
  readonly duplicates: number;
  /** Stands for the Ids of the page as it came, duplicates included. */
  readonly signature: string;
  /** Attempts beyond the first. */
  readonly retries: number;
}

/** Why a list ended. */
export type Ending = 'empty page' | 'limit' | 'only page';

/** The statement at the end of a list. Without one, a list did not end well. */
export interface Claim {
  readonly pages: number;
  readonly rows: number;
  readonly duplicates: number;
  readonly retries: number;
  readonly firstId: string | undefined;
  readonly lastId: string | undefined;
  readonly ended: Ending;
  /** Rows moved between the page that an earlier run ended with and the same page now. */
  readonly shifted: boolean;
  /** True when the limit cut the list and more rows are known to exist. */
  readonly more: boolean;
}

/** Pages without a new Id that are read past before the list counts as endless: rows may move while one reads. */
const mostStalePages = 3;

function signatureOf(records: readonly RecordValue[], idOf: PagingPlan['idOf']): string {
  const lines = records.map((record) => `${idOf(record) ?? JSON.stringify(record)}\n`);
  return createHash('sha256').update(lines.join('')).digest('base64');
}

/** What a walk remembers from page to page; the only state of this file. */
class Walk {
  readonly #plan: PagingPlan;
  readonly #ids: IdSet;
  readonly #signatures = new Map<string, number>();
  #stale = 0;
  #pages = 0;
  #rows = 0;
  #duplicates = 0;
  #retries = 0;
  #firstId: string | undefined;
  #lastId: string | undefined;

  #shifted = false;

  constructor(plan: PagingPlan) {
    this.#plan = plan;
    this.#ids = createIdSet({ openSpill: plan.openSpill });
    if (plan.resume !== undefined) this.#goOn(plan.resume);
  }

  #goOn(state: WalkState): void {
    for (const id of state.ids) this.#ids.add(id);
    this.#signatures.set(state.signature, state.lastPage);
    this.#pages = state.pages;
    this.#rows = state.rows;
    this.#duplicates = state.duplicates;
    this.#retries = state.retries;
    this.#firstId = state.firstId;
    this.#lastId = state.lastId;
  }

  /** Looks at the page that an earlier run ended with: true when it is as it was. */
  isSeam(fetched: FetchedPage, { signature }: WalkState): boolean {
    const isSame = signatureOf(fetched.records, this.#plan.idOf) === signature;
    this.#shifted = !isSame;
    return isSame;
  }

  /** True for a record that was taken in, or that nothing can be said of. Remembers its Id. */
  knows(record: RecordValue): boolean {
    const id = this.#plan.idOf(record);
    return id === undefined || !this.#ids.add(id);
  }

  /** True when a page that is not taken in again has a record that the limit kept out. */
  holdsMore({ records }: FetchedPage): boolean {
    return !records.every((record) => this.knows(record));
  }

  /** Takes a fetched page in; gives what is new on it. Throws `bad-answer` when the service does not page. */
  take(number: number, fetched: FetchedPage): Page {
    this.#pages += 1;
    this.#retries += fetched.attempts - 1;
    const signature = this.#refuseRepeat(number, fetched.records);
    const { idOf } = this.#plan;
    const records = fetched.records.filter((record) => {
      const id = idOf(record);
      return id === undefined || this.#ids.add(id);
    });
    const duplicates = fetched.records.length - records.length;
    this.#duplicates += duplicates;
    this.#stale = records.length > 0 || fetched.records.length === 0 ? 0 : this.#stale + 1;
    if (this.#stale > mostStalePages) throw neverEnds(number, this.#stale);
    return { number, records, duplicates, signature, retries: fetched.attempts - 1 };
  }

  #refuseRepeat(number: number, records: readonly RecordValue[]): string {
    if (records.length === 0) return '';
    const signature = signatureOf(records, this.#plan.idOf);
    const earlier = this.#signatures.get(signature);
    if (earlier !== undefined) throw ignoresPageNumber(earlier, number);
    this.#signatures.set(signature, number);
    return signature;
  }

  /** Cuts a page to what the limit still allows and counts its rows. */
  count(page: Page): { readonly page: Page; readonly left: number } {
    const room = (this.#plan.limit ?? Number.POSITIVE_INFINITY) - this.#rows;
    const records = page.records.length > room ? page.records.slice(0, room) : page.records;
    this.#rows += records.length;
    const { idOf } = this.#plan;
    const first = records[0];
    const last = records.at(-1);
    if (first !== undefined) this.#firstId ??= idOf(first);
    if (last !== undefined) this.#lastId = idOf(last);
    return { page: { ...page, records }, left: page.records.length - records.length };
  }

  close(): void {
    this.#ids.close();
  }

  get isFull(): boolean {
    return this.#plan.limit !== undefined && this.#rows >= this.#plan.limit;
  }

  get rows(): number {
    return this.#rows;
  }

  claim(ended: Ending, more: boolean): Claim {
    return {
      pages: this.#pages,
      rows: this.#rows,
      duplicates: this.#duplicates,
      retries: this.#retries,
      firstId: this.#firstId,
      lastId: this.#lastId,
      ended,
      shifted: this.#shifted,
      more,
    };
  }
}

function ignoresPageNumber(earlier: number, page: number): RelctlError {
  return new RelctlError(
    'bad-answer',
    `page ${page} holds exactly the records of page ${earlier}: this service ignores pageNumber, so the end cannot be found`,
    {
      facts: { code: 'page-repeated', page },
      hint: 'Read one page that holds everything: --page 1 --page-size 100000.',
    },
  );
}

function neverEnds(page: number, stale: number): RelctlError {
  return new RelctlError('bad-answer', `${stale} pages in a row brought no new record: the list has no end`, {
    facts: { code: 'page-stale', page },
  });
}

function stoppedShort(thrown: unknown, page: number, rows: number): RelctlError {
  const error = RelctlError.from(thrown).with({ page });
  const isPartial = rows > 0 && (error.kind === 'no-answer' || error.kind === 'bad-answer' || error.kind === 'refused');
  if (!isPartial) return error;
  return new RelctlError('partial', `stopped short at page ${page} after ${rows} rows: ${error.message}`, {
    facts: error.facts,
    hint: error.hint ?? 'Run the command again; what was printed so far is not the whole list.',
    cause: error.cause,
  });
}

async function* onePage(
  fetch: FetchPage,
  walk: Walk,
  plan: PagingPlan & { onlyPage: number },
): AsyncGenerator<Page, Claim> {
  const fetched = await fetch(plan.onlyPage, plan.signal);
  const { resume } = plan;
  if (resume !== undefined && walk.isSeam(fetched, resume)) {
    const more = walk.holdsMore(fetched);
    return walk.claim(more ? 'limit' : 'only page', more);
  }
  const { page, left } = walk.count(walk.take(plan.onlyPage, fetched));
  yield page;
  return walk.claim(left > 0 ? 'limit' : 'only page', left > 0);
}

/** A page as it came. */
interface Arrival {
  readonly number: number;
  readonly fetched: FetchedPage;
  readonly resume: WalkState | undefined;
}

/** What a page comes to: something to write, the end of the list, both or neither. Throws what taking it in throws. */
function stepOf(walk: Walk, { number, fetched, resume }: Arrival): { readonly page?: Page; readonly claim?: Claim } {
  if (number === resume?.lastPage && walk.isSeam(fetched, resume)) {
    return walk.isFull && walk.holdsMore(fetched) ? { claim: walk.claim('limit', true) } : {};
  }
  const taken = walk.take(number, fetched);
  if (fetched.records.length === 0) return { claim: walk.claim('empty page', false) };
  if (walk.isFull && taken.records.length > 0) return { claim: walk.claim('limit', true) };
  const { page, left } = walk.count(taken);
  return left > 0 ? { page, claim: walk.claim('limit', true) } : { page };
}

async function* allPages(fetch: FetchPage, walk: Walk, plan: PagingPlan): AsyncGenerator<Page, Claim> {
  const source = prefetched(fetch, plan);
  const { resume } = plan;
  try {
    for (let number = resume?.lastPage ?? plan.firstPage; ; number += 1) {
      const fetched = await source.next(number).catch((thrown: unknown) => {
        throw stoppedShort(thrown, number, walk.rows);
      });
      const { page, claim } = stepOf(walk, { number, fetched, resume });
      if (page !== undefined) yield page;
      if (claim === undefined) continue;
      if (plan.looksBefore === true && claim.ended === 'empty page') {
        await refuseEarlierPage(fetch, plan, (record) => walk.knows(record));
      }
      return claim;
    }
  } finally {
    source.stop();
  }
}

/**
 * Walks a paged list to its end: an empty page. A short page alone is not the end, because services cap the page size.
 * Pages come in order and are fetched ahead up to `plan.prefetch`; ending the iteration stops what is under way.
 * Throws `bad-answer` when pageNumber is ignored, and `partial` when a later page cannot be had.
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
