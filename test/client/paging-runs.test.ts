import assert from 'node:assert/strict';
import { rowsAnswered, type ListAnswer } from '../../src/client/list-answer.js';
import { readPages, type Claim, type Page } from '../../src/client/pages.js';
import type { FetchPage, PagingPlan, RowKey } from '../../src/client/paging.js';
import { RelctlError } from '../../src/errors/relctl-error.js';
import { IdDigest, untilAgreed } from '../../src/export/consistent.js';
import type { RecordValue } from '../../src/soap/values/values.js';
import { lots } from '../support/lots.js';

const quirks = [
  'none',
  'page number ignored',
  'last page repeated',
  'shuffles rows',
  'order by page',
  'leaves a list out',
  'gives an empty list amid the others',
] as const;
type Quirk = (typeof quirks)[number];

/** A row, and what it holds now. */
interface Row {
  readonly id: string;
  revision: number;
}

/** A service whose rows come, go, move and change while they are read. */
class Restless {
  readonly firstPage: 0 | 1;
  readonly pageSize: number;
  readonly quirk: Quirk;
  /** Rows that were there from the first call to the last. */
  readonly lasting = new Set<string>();
  deleted = 0;
  calls = 0;
  /** The page in whose place something else came, once that was so. */
  failedAt = Number.POSITIVE_INFINITY;
  readonly #draw: (below: number) => number;
  readonly #cap: number;
  /** Pages begin where the size that was asked for says, not the size that the service gives. */
  readonly #countsAsked: boolean;
  readonly #failingPage: number;
  readonly #restlessness: number;
  readonly #mayDelete: boolean;
  #rows: Row[];
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
    this.#rows = Array.from({ length: draw(90) }, () => this.#newRow());
    for (const { id } of this.#rows) this.lasting.add(id);
    this.#countsAsked = draw(2) === 0;
    this.#failingPage = this.firstPage + draw(6);
  }

  #newRow(): Row {
    this.#made += 1;
    return { id: `id-${this.#made}`, revision: 0 };
  }

  #insert(): void {
    this.#rows.splice(this.#draw(this.#rows.length + 1), 0, this.#newRow());
  }

  #delete(): void {
    const [gone] = this.#rows.splice(this.#draw(Math.max(1, this.#rows.length)), 1);
    if (gone === undefined) return;
    this.lasting.delete(gone.id);
    this.deleted += 1;
  }

  #move(): void {
    const [moved] = this.#rows.splice(this.#draw(Math.max(1, this.#rows.length)), 1);
    if (moved === undefined) return;
    this.#rows.splice(this.#draw(this.#rows.length + 1), 0, moved);
    // A row often moves because it changed.
    if (this.#draw(2) === 0) moved.revision += 1;
  }

  #stir(): void {
    while (this.#draw(100) < this.#restlessness) {
      const kind = this.#draw(this.#mayDelete ? 3 : 2);
      if (kind === 0 && this.#made < 400) this.#insert();
      else if (kind === 2) this.#delete();
      else this.#move();
    }
  }

  #order(pageNumber: number): Row[] {
    if (this.quirk === 'shuffles rows') {
      const drawn = this.#rows.map((row) => ({ row, by: this.#draw(1_000_000) }));
      return drawn.sort((left, right) => left.by - right.by).map(({ row }) => row);
    }
    // A query without a unique order: each page has an order of its own, the same one each time.
    if (this.quirk === 'order by page' && pageNumber % 2 === 0) return [...this.#rows].reverse();
    return this.#rows;
  }

  #page(pageNumber: number, asked: number): Row[] {
    const most = Math.min(asked, this.#cap);
    const step = this.#countsAsked ? asked : most;
    const lastPage = Math.max(0, Math.ceil(this.#rows.length / step) - 1);
    const wanted = this.quirk === 'page number ignored' ? 0 : pageNumber - this.firstPage;
    const index = this.quirk === 'last page repeated' ? Math.min(wanted, lastPage) : wanted;
    return this.#order(pageNumber).slice(index * step, index * step + most);
  }

  /** True when rows follow behind a page: a list that is cut at its very end cannot be told from a whole one. */
  #goesOn(pageNumber: number, asked: number): boolean {
    return this.#page(pageNumber, asked).length > 0 && this.#page(pageNumber + 1, asked).length > 0;
  }

  #answer(pageNumber: number, asked: number): ListAnswer {
    const isFailing = pageNumber === this.#failingPage;
    if (isFailing && this.quirk === 'leaves a list out') {
      this.failedAt = pageNumber;
      return { ...rowsAnswered([]), state: 'absent' };
    }
    if (isFailing && this.quirk === 'gives an empty list amid the others' && this.#goesOn(pageNumber, asked)) {
      this.failedAt = pageNumber;
      return rowsAnswered([]);
    }
    return rowsAnswered(this.#page(pageNumber, asked).map(({ id, revision }): RecordValue => ({ Id: id, revision })));
  }

  readonly fetch: FetchPage = (pageNumber, _signal, asked) => {
    this.calls += 1;
    if (this.calls > 5000) return Promise.reject(new Error('the walk has no end'));
    if (this.calls > 1) this.#stir();
    return Promise.resolve({ ...this.#answer(pageNumber, asked), attempts: 1 });
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
  /** Ids with what the rows held. */
  readonly contents: readonly string[];
  readonly claim: Claim;
}

async function walked(service: Restless, prefetch: number): Promise<Walked> {
  const rows: RecordValue[] = [];
  const pages = readPages(service.fetch, planFor(service, prefetch));
  for (let step = await pages.next(); ; step = await pages.next()) {
    if (step.done === true) {
      return {
        ids: rows.map((row) => idOf(row) ?? ''),
        contents: rows.map((row) => JSON.stringify(row)),
        claim: step.value,
      };
    }
    rows.push(...step.value.records);
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

/** An answer without its list, and rows behind a page that had none: the list did not end where it seemed to. */
const noEnd = new Set(['bad-answer list-absent', 'partial list-absent', 'partial rows-behind-end']);

describe('Ten thousand walks through lists whose rows come, go and move', () => {
  it('end, never write a row twice, and lose none unsaid but for those that a deletion hid', async () => {
    const seen = { ended: 0, refused: 0, cut: 0, lost: 0, hidden: 0, changed: 0 };
    for (let seed = 1; seed <= runs; seed += 1) {
      const service = new Restless(seed);
      const result = await outcome(walked(service, seed % 4));
      if (typeof result === 'string') {
        assert.ok(endless.has(result) || noEnd.has(result), `seed ${seed}: ${result}`);
        seen[noEnd.has(result) ? 'cut' : 'refused'] += 1;
        continue;
      }
      const { ids, contents, claim } = result;
      // The page behind the end was looked at; further ones may have been asked for ahead.
      const isUnseen = service.failedAt > service.firstPage + claim.pages;
      assert.ok(isUnseen, `seed ${seed}: ${service.quirk}, and yet it ended well`);
      const lost = lostOf(service, ids);
      assert.equal(new Set(contents).size, contents.length, `seed ${seed}: a row came twice as it was`);
      assert.equal(new Set(ids).size, ids.length - claim.changed, `seed ${seed}: a row came twice unsaid`);
      assert.equal(claim.rows, ids.length, `seed ${seed}: the claim counts other rows`);
      // Each row that the list lost stands against one that came twice, or one that was deleted after it was read.
      assert.ok(
        lost <= claim.duplicates + claim.changed + service.deleted,
        `seed ${seed}: ${lost} rows lost, ${claim.duplicates + claim.changed} said`,
      );
      seen.ended += 1;
      seen.lost += lost > 0 ? 1 : 0;
      seen.hidden += lost > claim.duplicates + claim.changed ? 1 : 0;
      seen.changed += claim.changed > 0 ? 1 : 0;
    }
    const isTried = seen.ended > runs / 2 && seen.refused > 100 && seen.cut > 300 && seen.changed > 500;
    assert.ok(isTried && seen.lost > 500 && seen.hidden > 0, JSON.stringify(seen));
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
        const isKnown = endless.has(result) || noEnd.has(result) || result === 'partial inconsistent';
        assert.ok(isKnown, `seed ${seed}: ${result}`);
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
    return (page) => Promise.resolve({ ...rowsAnswered(all.slice((page - 1) * size, page * size)), attempts: 1 });
  };
  const plan = (changes: Partial<PagingPlan>): PagingPlan => ({
    firstPage: 1,
    pageSize: 10,
    prefetch: 0,
    idOf,
    signal: new AbortController().signal,
    ...changes,
  });

  /** So many pages, and what a journal would know behind them. */
  async function interrupted(
    fetch: FetchPage,
    changes: Partial<PagingPlan>,
    count = 1,
  ): Promise<NonNullable<PagingPlan['resume']>> {
    const pages = readPages(fetch, plan(changes));
    const known: RowKey[] = [];
    let last: Page | undefined;
    for (let read = 0; read < count; read += 1) {
      const step = await pages.next();
      if (step.done === true) return assert.fail('no page');
      last = step.value;
      const { ids, contents } = last.keys ?? assert.fail('no keys');
      known.push(...ids.map((id, at) => ({ id, left: contents[at * 2] ?? 0, right: contents[at * 2 + 1] ?? 0 })));
    }
    const { number, signature, duplicates, retries, pageSize = 10 } = last ?? assert.fail('no page');
    const sums = { pages: count, rows: known.length, duplicates, changed: 0, retries };
    const ends = { firstId: known[0]?.id, lastId: known.at(-1)?.id };
    return { lastPage: number, pageSize, signature, ...sums, ...ends, keys: known };
  }

  async function goneOn(fetch: FetchPage, changes: Partial<PagingPlan>): Promise<Walked> {
    const resume = await interrupted(fetch, changes);
    const ids = [...resume.keys].map(({ id }) => id);
    const pages = readPages(fetch, plan({ ...changes, resume }));
    for (let step = await pages.next(); ; step = await pages.next()) {
      if (step.done === true) return { ids, contents: ids, claim: step.value };
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
    const inserted: FetchPage = async (page, signal, size) => {
      const { records } = await before(page, signal, size);
      return { ...rowsAnswered(page === 1 ? [{ Id: 'new' }, ...records.slice(0, 9)] : records), attempts: 1 };
    };
    const resume = await interrupted(before, {});
    const ids = [...resume.keys].map(({ id }) => id);
    const pages = readPages(inserted, plan({ resume }));
    let step = await pages.next();
    for (; step.done !== true; step = await pages.next())
      ids.push(...step.value.records.map((each) => idOf(each) ?? ''));
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.includes('new'));
    assert.deepEqual([step.value.shifted, step.value.duplicates], [true, 9]);
  });

  it('reads past all pages from before it when as many rows came in front meanwhile', async () => {
    const resume = await interrupted(list(80, 10), {}, 6);
    const all = Array.from({ length: 140 }, (_, at): RecordValue => ({ Id: at < 60 ? `new-${at}` : `id-${at - 60}` }));
    const longer: FetchPage = (page) =>
      Promise.resolve({ ...rowsAnswered(all.slice((page - 1) * 10, page * 10)), attempts: 1 });
    const ids: string[] = [];
    const pages = readPages(longer, plan({ resume }));
    let step = await pages.next();
    for (; step.done !== true; step = await pages.next())
      ids.push(...step.value.records.map((each) => idOf(each) ?? ''));
    assert.deepEqual([step.value.shifted, ids.includes('id-79'), new Set(ids).size], [true, true, ids.length]);
    // Without an end it has none here either.
    const endless: FetchPage = () => longer(8, new AbortController().signal, 10);
    const walk = async (): Promise<void> => {
      for await (const page of readPages(endless, plan({ resume }))) assert.ok(page);
    };
    await assert.rejects(walk(), { kind: 'bad-answer' });
  });
});
