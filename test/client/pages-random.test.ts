import assert from 'node:assert/strict';
import type { RecordValue } from '../../src/core/values/value.js';
import { rowsAnswered } from '../support/soap/answered-rows.js';
import { recordOfRow, rowId, type PageKeys } from '../../src/client/rows/row.js';
import { readPages, type Page } from '../../src/client/pages.js';
import type { FetchPage, PagingPlan, WalkState } from '../../src/client/paging.js';
import { agreeOnRestlessLists, idOf, walkRestlessLists, type Walked } from '../support/restless-lists.js';

// Ten thousand of each: test/long/paging-runs.test.ts.
describe('Some walks through lists whose rows come, go and move', () => {
  it('end, never write a row twice, and lose none unsaid but for those that a deletion hid', () =>
    walkRestlessLists(500));

  it('lose none at all, or end with a refusal, when passes are repeated until two agree', () =>
    agreeOnRestlessLists(500));
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
  ): Promise<WalkState & { readonly ids: readonly string[] }> {
    const pages = readPages(fetch, plan(changes));
    const keys: PageKeys[] = [];
    const known: string[] = [];
    let last: Page | undefined;
    for (let read = 0; read < count; read += 1) {
      const step = await pages.next();
      if (step.done === true) return assert.fail('no page');
      last = step.value;
      keys.push(last.keys ?? assert.fail('no keys'));
      known.push(...last.records.map((row) => rowId(row, idOf) ?? ''));
    }
    const { number, signature, duplicates, retries, pageSize = 10 } = last ?? assert.fail('no page');
    const sums = { pages: count, rows: known.length, duplicates, changed: 0, retries };
    const ends = { firstId: known[0], lastId: known.at(-1) };
    return { lastPage: number, pageSize, signature, shifted: false, ...sums, ...ends, keys, ids: known };
  }

  async function goneOn(fetch: FetchPage, changes: Partial<PagingPlan>): Promise<Walked> {
    const resume = await interrupted(fetch, changes);
    const ids = [...resume.ids];
    const pages = readPages(fetch, plan({ ...changes, resume }));
    for (let step = await pages.next(); ; step = await pages.next()) {
      if (step.done === true) return { ids, contents: ids, claim: step.value };
      ids.push(...step.value.records.map((row) => rowId(row, idOf) ?? ''));
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
      const records = (await before(page, signal, size)).records.map(recordOfRow);
      return { ...rowsAnswered(page === 1 ? [{ Id: 'new' }, ...records.slice(0, 9)] : records), attempts: 1 };
    };
    const resume = await interrupted(before, {});
    const ids = [...resume.ids];
    const pages = readPages(inserted, plan({ resume }));
    let step = await pages.next();
    for (; step.done !== true; step = await pages.next())
      ids.push(...step.value.records.map((row) => rowId(row, idOf) ?? ''));
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.includes('new'));
    assert.deepEqual([step.value.shifted, step.value.duplicates], [true, 9]);
  });

  it('says so too when a run before it found that, and its own page is the same', async () => {
    const resume = await interrupted(list(25, 10), {});
    for (const shifted of [true, false]) {
      const pages = readPages(list(25, 10), plan({ resume: { ...resume, shifted } }));
      let step = await pages.next();
      while (step.done !== true) step = await pages.next();
      assert.equal(step.value.shifted, shifted);
    }
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
      ids.push(...step.value.records.map((row) => rowId(row, idOf) ?? ''));
    assert.deepEqual([step.value.shifted, ids.includes('id-79'), new Set(ids).size], [true, true, ids.length]);
    // Without an end it has none here either.
    const endless: FetchPage = () => longer(8, { signal: new AbortController().signal }, 10);
    const walk = async (): Promise<void> => {
      for await (const page of readPages(endless, plan({ resume }))) assert.ok(page);
    };
    await assert.rejects(walk(), { kind: 'bad-answer' });
  });
});
