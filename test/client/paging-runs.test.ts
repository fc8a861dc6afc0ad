import assert from 'node:assert/strict';
import { readPages, type Claim } from '../../src/client/pages.js';
import type { FetchPage, PagingPlan } from '../../src/client/paging.js';
import { RelctlError } from '../../src/errors/relctl-error.js';
import { IdDigest, untilAgreed } from '../../src/export/consistent.js';
import type { RecordValue } from '../../src/soap/values.js';
import { lots } from '../support/export-lane.js';

const quirks = ['none', 'page number ignored', 'last page repeated', 'shuffles rows', 'order by page'] as const;
type Quirk = (typeof quirks)[number];

/** A service whose rows come, go and move while they are read. */
class Restless {
  readonly firstPage: 0 | 1;
  readonly pageSize: number;
  readonly quirk: Quirk;
  /** Rows that were there from the first call to the last. */
  readonly lasting = new Set<string>();
  deleted = 0;
  calls = 0;
  readonly #draw: (below: number) => number;
  readonly #cap: number;
  readonly #restlessness: number;
  readonly #mayDelete: boolean;
  #rows: string[];
  #made = 0;

  constructor(seed: number) {
    const draw = lots(seed);
    this.#draw = draw;
    this.firstPage = draw(2) === 0 ? 0 : 1;
    this.pageSize = 1 + draw(12);
    this.#cap = 1 + draw(16);
    this.quirk = draw(3) > 0 ? 'none' : (quirks[draw(quirks.length)] ?? 'none');
    this.#restlessness = draw(4) * 15;
    this.#mayDelete = draw(2) === 0;
    this.#rows = Array.from({ length: draw(90) }, () => this.#newId());
    for (const id of this.#rows) this.lasting.add(id);
  }

  #newId(): string {
    this.#made += 1;
    return `id-${this.#made}`;
  }

  #insert(): void {
    this.#rows.splice(this.#draw(this.#rows.length + 1), 0, this.#newId());
  }

  #delete(): void {
    const [gone] = this.#rows.splice(this.#draw(Math.max(1, this.#rows.length)), 1);
    if (gone === undefined) return;
    this.lasting.delete(gone);
    this.deleted += 1;
  }

  #move(): void {
    const [moved] = this.#rows.splice(this.#draw(Math.max(1, this.#rows.length)), 1);
    if (moved !== undefined) this.#rows.splice(this.#draw(this.#rows.length + 1), 0, moved);
  }

  #stir(): void {
    while (this.#draw(100) < this.#restlessness) {
      const kind = this.#draw(this.#mayDelete ? 3 : 2);
      if (kind === 0 && this.#made < 400) this.#insert();
      else if (kind === 2) this.#delete();
      else this.#move();
    }
  }

  #order(pageNumber: number): string[] {
    if (this.quirk === 'shuffles rows') {
      const drawn = this.#rows.map((id) => ({ id, by: this.#draw(1_000_000) }));
      return drawn.sort((left, right) => left.by - right.by).map(({ id }) => id);
    }
    // A query without a unique order: each page has an order of its own, the same one each time.
    if (this.quirk === 'order by page' && pageNumber % 2 === 0) return [...this.#rows].reverse();
    return this.#rows;
  }

  #page(pageNumber: number): string[] {
    const size = Math.min(this.pageSize, this.#cap);
    const lastPage = Math.max(0, Math.ceil(this.#rows.length / size) - 1);
    const asked = this.quirk === 'page number ignored' ? 0 : pageNumber - this.firstPage;
    const index = this.quirk === 'last page repeated' ? Math.min(asked, lastPage) : asked;
    return this.#order(pageNumber).slice(index * size, (index + 1) * size);
  }

  readonly fetch: FetchPage = (pageNumber) => {
    this.calls += 1;
    if (this.calls > 5000) return Promise.reject(new Error('the walk has no end'));
    if (this.calls > 1) this.#stir();
    const records = this.#page(pageNumber).map((Id): RecordValue => ({ Id }));
    return Promise.resolve({ records, attempts: 1 });
  };
}

const idOf = ({ Id }: RecordValue): string | undefined => (typeof Id === 'string' ? Id : undefined);

const planFor = ({ firstPage, pageSize }: Restless, prefetch: number): PagingPlan => ({
  firstPage,
  pageSize,
  prefetch,
  idOf,
  signal: new AbortController().signal,
});

interface Walked {
  readonly ids: readonly string[];
  readonly claim: Claim;
}

async function walked(service: Restless, prefetch: number): Promise<Walked> {
  const ids: string[] = [];
  const pages = readPages(service.fetch, planFor(service, prefetch));
  for (let step = await pages.next(); ; step = await pages.next()) {
    if (step.done === true) return { ids, claim: step.value };
    ids.push(...step.value.records.map((record) => idOf(record) ?? ''));
  }
}

/** What a walk came to, or the kind and code of its failure. */
async function outcome<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof RelctlError) return `${thrown.kind} ${thrown.facts.code ?? ''}`;
    throw thrown;
  }
}

const lostOf = (service: Restless, ids: readonly string[]): number => {
  const read = new Set(ids);
  return [...service.lasting].filter((id) => !read.has(id)).length;
};

const runs = 10_000;
const endless = new Set([
  'bad-answer page-repeated',
  'bad-answer page-stale',
  'partial page-repeated',
  'partial page-stale',
]);

describe('Ten thousand walks through lists whose rows come, go and move', () => {
  it('end, never write a row twice, and lose none unsaid but for those that a deletion hid', async () => {
    const seen = { ended: 0, refused: 0, lost: 0, hidden: 0 };
    for (let seed = 1; seed <= runs; seed += 1) {
      const service = new Restless(seed);
      const result = await outcome(walked(service, seed % 4));
      if (typeof result === 'string') {
        assert.ok(endless.has(result), `seed ${seed}: ${result}`);
        seen.refused += 1;
        continue;
      }
      const { ids, claim } = result;
      const lost = lostOf(service, ids);
      assert.equal(new Set(ids).size, ids.length, `seed ${seed}: a row came twice`);
      assert.equal(claim.rows, ids.length, `seed ${seed}: the claim counts other rows`);
      // Each row that the list lost stands against one that came twice, or one that was deleted after it was read.
      assert.ok(
        lost <= claim.duplicates + service.deleted,
        `seed ${seed}: ${lost} rows lost, ${claim.duplicates} said`,
      );
      seen.ended += 1;
      seen.lost += lost > 0 ? 1 : 0;
      seen.hidden += lost > claim.duplicates ? 1 : 0;
    }
    assert.ok(seen.ended > runs / 2 && seen.refused > 100 && seen.lost > 500 && seen.hidden > 0, JSON.stringify(seen));
  });

  it('lose none at all, or end with a refusal, when passes are repeated until two agree', async () => {
    const seen = { agreed: 0, gaveUp: 0, refused: 0, changing: 0 };
    for (let seed = 1; seed <= runs; seed += 1) {
      const service = new Restless(seed);
      const pass = async (): Promise<Walked & { readonly digest: string; readonly duplicates: number }> => {
        const done = await walked(service, seed % 4);
        const digest = new IdDigest();
        for (const id of done.ids) digest.add(id);
        return { ...done, digest: digest.text, duplicates: done.claim.duplicates };
      };
      const result = await outcome(untilAgreed(pass, () => undefined));
      if (typeof result === 'string') {
        assert.ok(endless.has(result) || result === 'partial inconsistent', `seed ${seed}: ${result}`);
        seen[result === 'partial inconsistent' ? 'gaveUp' : 'refused'] += 1;
        continue;
      }
      assert.equal(lostOf(service, result.ids), 0, `seed ${seed}: ${service.quirk}, ${result.passes} passes`);
      assert.equal(new Set(result.ids).size, result.ids.length, `seed ${seed}: a row came twice`);
      seen.agreed += 1;
      seen.changing += result.passes > 2 ? 1 : 0;
    }
    assert.ok(
      seen.agreed > 1000 && seen.gaveUp > 1000 && seen.refused > 100 && seen.changing > 100,
      JSON.stringify(seen),
    );
  });
});

describe('A walk that was interrupted', () => {
  const list = (rows: number, size: number): FetchPage => {
    const all = Array.from({ length: rows }, (_, index): RecordValue => ({ Id: `id-${index}` }));
    return (page) => Promise.resolve({ records: all.slice((page - 1) * size, page * size), attempts: 1 });
  };
  const plan = (changes: Partial<PagingPlan>): PagingPlan => ({
    firstPage: 1,
    pageSize: 10,
    prefetch: 0,
    idOf,
    signal: new AbortController().signal,
    ...changes,
  });

  /** The first page, and what a journal would know behind it. */
  async function interrupted(
    fetch: FetchPage,
    changes: Partial<PagingPlan>,
  ): Promise<NonNullable<PagingPlan['resume']>> {
    const pages = readPages(fetch, plan(changes));
    const first = await pages.next();
    if (first.done === true) return assert.fail('no page');
    const { number, records, signature, duplicates, retries } = first.value;
    const ids = records.map((record) => idOf(record) ?? '');
    const [firstId, lastId] = [ids[0], ids.at(-1)];
    return { lastPage: number, signature, pages: 1, rows: ids.length, duplicates, retries, firstId, lastId, ids };
  }

  async function goneOn(fetch: FetchPage, changes: Partial<PagingPlan>): Promise<Walked> {
    const resume = await interrupted(fetch, changes);
    const ids = [...resume.ids];
    const pages = readPages(fetch, plan({ ...changes, resume }));
    for (let step = await pages.next(); ; step = await pages.next()) {
      if (step.done === true) return { ids, claim: step.value };
      ids.push(...step.value.records.map((record) => idOf(record) ?? ''));
    }
  }

  it('knows that more rows exist when the limit cut the page that it had ended with', async () => {
    const { ids, claim } = await goneOn(list(10, 10), { limit: 4 });
    assert.deepEqual([ids.length, claim.rows, claim.more, claim.ended], [4, 4, true, 'limit']);
  });

  it('says that no more exist when the limit was the end', async () => {
    const { claim } = await goneOn(list(10, 10), { limit: 10 });
    assert.deepEqual([claim.rows, claim.more, claim.ended], [10, false, 'empty page']);
  });

  it('goes on with the only page, whole or cut by the limit', async () => {
    const whole = await goneOn(list(30, 10), { onlyPage: 2 });
    assert.deepEqual([whole.ids.length, whole.claim.rows, whole.claim.ended], [10, 10, 'only page']);
    const cut = await goneOn(list(30, 10), { onlyPage: 2, limit: 3 });
    assert.deepEqual([cut.ids.length, cut.claim.more, cut.claim.ended], [3, true, 'limit']);
  });

  it('says that rows moved when the page that it had ended with is another, and writes none twice', async () => {
    const before = list(25, 10);
    const inserted: FetchPage = async (page, signal) => {
      const { records } = await before(page, signal);
      return { records: page === 1 ? [{ Id: 'new' }, ...records.slice(0, 9)] : records, attempts: 1 };
    };
    const resume = await interrupted(before, {});
    const ids = [...resume.ids];
    const pages = readPages(inserted, plan({ resume }));
    let step = await pages.next();
    for (; step.done !== true; step = await pages.next())
      ids.push(...step.value.records.map((each) => idOf(each) ?? ''));
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.includes('new'));
    assert.deepEqual([step.value.shifted, step.value.duplicates], [true, 9]);
  });
});
