import { pagesOf } from '../../lists/paging.js';
import { recordOfRow } from '../../client/rows/row.js';
import { listIn } from '../../client/list-answer.js';
import { readPages, type Page } from '../../client/pages.js';
import type { Claim, FetchPage } from '../../client/paging.js';
import type { BatchContext } from '../../writes/rows/rows-text.js';
import { operations } from '../../contract/service.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { fieldItems } from '../../lists/fields/included.js';
import { isRecord, type RecordValue } from '../../core/values/value.js';

const operation = operations.ActivitySearchByField;

const shows = 'Activities';

/** Searches that are kept: rows that stand together are often found by the same one. */
const mostSearches = 8;

/** Values of fields by the ids of the fields in lower case; a field without a value is left out. */
export type ActivityValues = ReadonlyMap<string, string>;

/** An activity as a search gave it. */
export interface ReadActivity {
  /** When the page with it was asked for, in monotonic milliseconds. */
  readonly readMs: number;
  readonly values: ActivityValues;
}

const lower = (text: unknown): string => (typeof text === 'string' ? text.toLowerCase() : '');

type IsNeeded = (field: string) => boolean;

function valuesOf(activity: RecordValue, isNeeded: IsNeeded): ActivityValues {
  if (!isRecord(activity['FieldValues']))
    throw new RelctlError('bad-answer', `${operation.name} finds the activity, but does not return its field values`, {
      facts: { operation: operation.name, code: 'no-field-values' },
      advice: 'relctl cannot read activities of this service: omit --entity-type.',
    });
  const items = fieldItems(activity).filter(isRecord);
  const known = items.flatMap(({ Id, Value }) => (typeof Value === 'string' ? [[lower(Id), Value] as const] : []));
  return new Map(known.filter(([id]) => isNeeded(id)));
}

/** One search, read page by page as far as it takes to find what is looked for. */
class Search {
  readonly #pages: AsyncGenerator<Page, Claim>;
  readonly #requestedMs = new Map<number, number>();
  readonly #activities = new Map<string, ReadActivity>();
  readonly #isNeeded: IsNeeded;
  /** One reads at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  #failure: RelctlError | undefined;

  constructor({ context, session }: BatchContext, input: RecordValue, isNeeded: IsNeeded) {
    this.#isNeeded = isNeeded;
    const fetch: FetchPage = async (pageNumber, { signal, received }, pageSize) => {
      this.#requestedMs.set(pageNumber, context.clock.nowMs());
      const sent = { ...input, pageNumber, pageSize, includeFields: true, includeCounters: false };
      const reply = await session.client.callUntyped(operation, sent, { signal, ...(received && { received }) });
      return { ...listIn(operation, reply.result, shows), attempts: reply.attempts };
    };
    const idOf = ({ Id }: RecordValue): string | undefined => (typeof Id === 'string' ? Id : undefined);
    this.#pages = readPages(fetch, { ...pagesOf(session), prefetch: 0, idOf, signal: context.signal });
  }

  /** The activity of an id in lower case; undefined when the search does not find it. Throws what calls throw. */
  find(id: string): Promise<ReadActivity | undefined> {
    const activity = this.#turn.then(() => this.#read(id));
    this.#turn = activity.catch(() => undefined);
    return activity;
  }

  async #read(id: string): Promise<ReadActivity | undefined> {
    while (!this.#activities.has(id)) {
      if (this.#failure !== undefined) throw this.#failure;
      try {
        if (!(await this.#readPage())) return undefined;
      } catch (thrown) {
        // A reading that failed does not end as if it had come to its end.
        this.#failure = RelctlError.from(thrown);
        throw this.#failure;
      }
    }
    return this.#activities.get(id);
  }

  async #readPage(): Promise<boolean> {
    const { done, value: page } = await this.#pages.next();
    if (done === true) return false;
    const readMs = this.#requestedMs.get(page.number) ?? -Infinity;
    for (const record of page.records.map(recordOfRow))
      this.#activities.set(lower(record['Id']), { readMs, values: valuesOf(record, this.#isNeeded) });
    return true;
  }
}

/** Activities as searches find them: by fields, or among all of their kind. */
export class ActivityReader {
  readonly #batchContext: BatchContext;
  /** True for the id of a field, in lower case, whose value is asked for. */
  readonly isNeeded: IsNeeded;
  readonly #searches = new Map<string, Search>();
  readonly #first = new Map<string, ReadActivity>();

  constructor(batchContext: BatchContext, isNeeded: IsNeeded) {
    this.#batchContext = batchContext;
    this.isNeeded = isNeeded;
  }

  /**
   * The activity as it was found first: rows are planned by that, whenever they are, so that what was shown is what is
   * compared. Undefined when the search does not find it. Throws what calls throw.
   */
  async first(search: RecordValue, id: string): Promise<ReadActivity | undefined> {
    const key = id.toLowerCase();
    const known = this.#first.get(key) ?? (await this.#search(search).find(key));
    if (known !== undefined) this.#first.set(key, known);
    return known;
  }

  /** The activity by a reading of at most this age; undefined when it is not found. Throws what calls throw. */
  async fresh(search: RecordValue, id: string, mostMs: number): Promise<ReadActivity | undefined> {
    const leastMs = this.#batchContext.context.clock.nowMs() - mostMs;
    const key = id.toLowerCase();
    const one = this.#search(search);
    const known = await one.find(key).catch(() => undefined);
    if (known !== undefined && known.readMs >= leastMs) return known;
    // Those that still read the old one go on with it.
    const mark = JSON.stringify(search);
    if (this.#searches.get(mark) === one) this.#searches.delete(mark);
    return this.#search(search).find(key);
  }

  forget(): void {
    this.#searches.clear();
    this.#first.clear();
  }

  #search(search: RecordValue): Search {
    const mark = JSON.stringify(search);
    const known = this.#searches.get(mark) ?? new Search(this.#batchContext, search, this.isNeeded);
    // The one that was used last stands last.
    this.#searches.delete(mark);
    this.#searches.set(mark, known);
    const [oldest] = this.#searches.keys();
    if (this.#searches.size > mostSearches && oldest !== undefined) this.#searches.delete(oldest);
    return known;
  }
}
