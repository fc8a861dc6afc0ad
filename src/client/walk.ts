import { createHash } from 'node:crypto';
import { badAnswer, RelctlError } from '../core/errors/relctl-error.js';
import { contentWords } from '../core/values/content-hash.js';
import { IdSet, type Known } from './ids/id-set.js';
import { guidWords } from './ids/guid-table.js';
import { contentsOf, idWordsOf, pageKeysOf, rowId, writeContent, writeIdOf, type Row } from './rows/row.js';
import {
  endsOf,
  noTotals,
  type Claim,
  type Ending,
  type FetchedPage,
  type Page,
  type PagingPlan,
  type WalkState,
  type WalkTotals,
} from './paging.js';

/** Pages in a row without a new record after which the list counts as endless: fewer may come from rows that move. */
const mostStalePages = 3;

/** Pages in a row with only known Ids and other contents after which the list counts as endless. */
const mostRenewedPages = 100;

/** SHA-256 of hashes. */
export const signatureOf = (contents: Uint32Array): string =>
  createHash('sha256')
    .update(new Uint8Array(contents.buffer, contents.byteOffset, contents.byteLength))
    .digest('base64');

interface PageContents {
  readonly contents: Uint32Array;
  readonly page: Page;
}

interface Sorted {
  readonly kept: readonly number[];
  /** Number of rows without an Id, or with an Id that no earlier page had. */
  readonly fresh: number;
  /** Number of rows that an earlier page had with other contents. */
  readonly changed: number;
}

function ignoresPageNumber(earlier: number, [from, to]: readonly [number, number]): RelctlError {
  return new RelctlError(
    'bad-answer',
    `pages ${from} to ${to} have exactly the records of page ${earlier}: this service ignores pageNumber, so relctl cannot find the end`,
    {
      facts: { code: 'page-repeated', page: to },
      advice: 'Read such a list as one page that has everything.',
      hint: '--page 1 --page-size 100000',
    },
  );
}

function neverEnds(page: number, pages: number): RelctlError {
  return badAnswer('page-stale', `${pages} pages in a row had no new record: the list has no end`, { page });
}

/** The state of reading a paged list, from page to page. */
export class Walk {
  readonly #plan: PagingPlan;
  readonly #ids: IdSet;
  readonly #id = new Uint32Array(guidWords);
  readonly #signatures = new Map<string, number>();
  /** Unknown members of results with rows: the result of a page without rows may have them too. */
  readonly #beside = new Set<string>();
  /** Number of pages in a row without a new record, and how many of them equal the same earlier page. */
  #stale = 0;
  #repeats: { readonly of: number | undefined; readonly count: number } = { of: undefined, count: 0 };
  #renewed = 0;
  #pageSize: number;
  #totals: WalkTotals = noTotals;
  #shifted = false;

  constructor(plan: PagingPlan) {
    this.#plan = plan;
    this.#pageSize = plan.pageSize;
    this.#ids = new IdSet({ openOverflow: plan.openOverflow });
    if (plan.resume !== undefined) this.#resume(plan.resume);
  }

  #resume(state: WalkState): void {
    for (const { ids, contents } of state.keys)
      for (let at = 0; at < ids.length; at += guidWords)
        this.#ids.take(ids, at, { words: contents, at: (at / guidWords) * contentWords });
    this.#signatures.set(state.signature, state.lastPage);
    this.#pageSize = state.pageSize;
    this.#shifted = state.shifted;
    const { pages, rows, duplicates, changed, retries, firstId, lastId } = state;
    this.#totals = { pages, rows, duplicates, changed, retries, firstId, lastId };
  }

  get pageSize(): number {
    return this.#pageSize;
  }

  /** Sets the page size before the first page is taken. */
  askFor(pageSize: number): void {
    this.#pageSize = pageSize;
  }

  /**
   * Takes the page size from the first page, when it is smaller. With that size a service gives the same rows whether it
   * counts pages by the size of the request or by its own. True when it is smaller.
   */
  settleSize(received: number): boolean {
    const isShort = received > 0 && received < this.#pageSize;
    if (isShort) this.#pageSize = received;
    return isShort;
  }

  /** True when the page that an earlier run ended with has not changed. */
  isSeam({ records, beside }: FetchedPage, { signature }: WalkState): boolean {
    const isSame = signatureOf(contentsOf(records)) === signature;
    if (!isSame) this.#shifted = true;
    if (isSame) for (const name of beside) this.#beside.add(name);
    return isSame;
  }

  /** True when the result has no unknown member but those that results with rows had too. */
  isUsual({ beside }: FetchedPage): boolean {
    return beside.every((name) => this.#beside.has(name));
  }

  /** True for a record whose Id was seen, or that has none. Adds the Id. */
  knows(record: Row): boolean {
    const content = new Uint32Array(contentWords);
    writeContent(record, content, 0);
    return this.#take(record, { words: content, at: 0 }) !== 'new';
  }

  /** True when a page that is not taken again has a record that the limit left out. */
  holdsMore({ records }: FetchedPage): boolean {
    return !records.every((record) => this.knows(record));
  }

  /** Takes a page; gives what it has that earlier pages did not have. Throws `bad-answer` when the list has no end. */
  take(number: number, fetched: FetchedPage): PageContents {
    const { records, attempts } = fetched;
    const contents = contentsOf(records);
    const signature = records.length === 0 ? '' : signatureOf(contents);
    const earlier = records.length === 0 ? undefined : this.#signatures.get(signature);
    const sorted = this.#sort(records, contents, earlier !== undefined);
    const totals = this.#totals;
    this.#totals = {
      ...totals,
      pages: totals.pages + 1,
      retries: totals.retries + attempts - 1,
      duplicates: totals.duplicates + records.length - sorted.kept.length,
      changed: totals.changed + sorted.changed,
    };
    if (records.length > 0) {
      this.#refuseEndless(number, { earlier, sorted });
      if (earlier === undefined) this.#signatures.set(signature, number);
      for (const name of fetched.beside) this.#beside.add(name);
    }
    return this.#acceptPage(fetched, { number, signature, sorted, contents });
  }

  #acceptPage(
    { records, attempts }: FetchedPage,
    of: {
      readonly number: number;
      readonly signature: string;
      readonly sorted: Sorted;
      readonly contents: Uint32Array;
    },
  ): PageContents {
    const { number, signature, sorted, contents } = of;
    const { kept: selected, changed } = sorted;
    const isAll = selected.length === records.length;
    const page = {
      number,
      records: isAll ? records : rowsAt(records, selected),
      duplicates: records.length - selected.length,
      changed,
      signature,
      retries: attempts - 1,
      pageSize: this.#pageSize,
    };
    return { contents: isAll ? contents : pickedContents(contents, selected), page };
  }

  /** @param isRepeat the page equals an earlier one, so that its rows without an Id are repeats too */
  #sort(records: readonly Row[], contents: Uint32Array, isRepeat: boolean): Sorted {
    const selected: number[] = [];
    let [fresh, changed] = [0, 0];
    const others: number[] = [];
    const ids = idWordsOf(records);
    const content = { words: contents, at: 0 };
    // By index: an iterator would make an object for each row.
    for (let index = 0; index < records.length; index += 1) {
      const record = records[index];
      if (record === undefined) break;
      content.at = index * contentWords;
      const known = ids === undefined ? this.#take(record, content) : this.#ids.take(ids, index * guidWords, content);
      if (known === 'same' || (known === undefined && isRepeat)) continue;
      selected.push(index);
      if (known === 'other') others.push(index);
      else fresh += 1;
    }
    if (others.length > 0) changed = this.#countChanged(records, others);
    return { kept: selected, fresh, changed };
  }

  /** What was known of a record with a content, which is known from now on; undefined for one without an Id. */
  #take(record: Row, content: { readonly words: Uint32Array; readonly at: number }): Known | undefined {
    const hasId = writeIdOf(record, this.#plan.idOf, this.#id);
    return hasId ? this.#ids.take(this.#id, 0, content) : undefined;
  }

  /** How many rows with an Id seen with other contents have none of that Id before them on their page. */
  #countChanged(records: readonly Row[], others: readonly number[]): number {
    const first = new Map<string, number>();
    for (const [index, record] of records.entries()) {
      const id = rowId(record, this.#plan.idOf)?.toLowerCase();
      if (id !== undefined && !first.has(id)) first.set(id, index);
    }
    const firsts = new Set(first.values());
    return others.filter((index) => firsts.has(index)).length;
  }

  /** When rows were added at the front since an interruption, all pages before it may come once more. */
  get #mayFollowAgain(): number {
    return this.#shifted ? (this.#plan.resume?.pages ?? 0) : 0;
  }

  #refuseEndless(
    number: number,
    { earlier, sorted: { kept: selected, fresh } }: { readonly earlier: number | undefined; readonly sorted: Sorted },
  ): void {
    const isSame = earlier === this.#repeats.of;
    this.#stale = selected.length > 0 ? 0 : this.#stale + 1;
    this.#renewed = selected.length > 0 && fresh === 0 ? this.#renewed + 1 : 0;
    this.#repeats = { of: earlier, count: earlier === undefined ? 0 : isSame ? this.#repeats.count + 1 : 1 };
    const before = this.#mayFollowAgain;
    if (this.#renewed > mostRenewedPages + before) throw neverEnds(number, this.#renewed);
    if (this.#stale <= mostStalePages + before) return;
    // A page of new rows at the front also repeats one page: only the next pages show whether the list has an end.
    const { of, count } = this.#repeats;
    if (of !== undefined && count === this.#stale) throw ignoresPageNumber(of, [number - count + 1, number]);
    throw neverEnds(number, this.#stale);
  }

  /** Cuts a page to what the limit still allows and counts its rows. */
  count({ page, contents }: PageContents): { readonly page: Page; readonly left: number } {
    const totals = this.#totals;
    const room = (this.#plan.limit ?? Number.POSITIVE_INFINITY) - totals.rows;
    const records = page.records.length > room ? page.records.slice(0, room) : page.records;
    const keys = pageKeysOf(records, contents, this.#plan.idOf);
    const { firstId, lastId } = endsOf(records, this.#plan.idOf);
    this.#totals = {
      ...totals,
      rows: totals.rows + records.length,
      firstId: totals.firstId ?? firstId,
      lastId: lastId ?? totals.lastId,
    };
    return { page: { ...page, records, keys }, left: page.records.length - records.length };
  }

  close(): void {
    this.#ids.close();
  }

  get isFull(): boolean {
    return this.#plan.limit !== undefined && this.rows >= this.#plan.limit;
  }

  get rows(): number {
    return this.#totals.rows;
  }

  claim(ended: Ending, more: boolean): Claim {
    return { ...this.#totals, ended, shifted: this.#shifted, more };
  }
}

function rowsAt(records: readonly Row[], indexes: readonly number[]): readonly Row[] {
  const indexSet = new Set(indexes);
  return records.filter((_, index) => indexSet.has(index));
}

function pickedContents(contents: Uint32Array, indexes: readonly number[]): Uint32Array {
  const picked = new Uint32Array(indexes.length * contentWords);
  for (const [position, index] of indexes.entries()) {
    const at = index * contentWords;
    picked[position * contentWords] = contents[at] ?? 0;
    picked[position * contentWords + 1] = contents[at + 1] ?? 0;
  }
  return picked;
}
