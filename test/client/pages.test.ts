import assert from 'node:assert/strict';
import { recordOfRow } from '../../src/client/rows/row.js';
import fc from 'fast-check';
import type { RecordValue } from '../../src/core/values/value.js';
import { rowsAnswered } from '../support/soap/answered-rows.js';
import { readPages, type Claim, type Page } from '../../src/client/pages.js';
import type { FetchedPage, FetchPage, PagingPlan } from '../../src/client/paging.js';
import type { Kind } from '../../src/core/errors/kinds.js';
import { RelctlError } from '../../src/core/errors/relctl-error.js';

const rows = (count: number): RecordValue[] => Array.from({ length: count }, (_, index) => ({ Id: `id-${index}` }));
const idOf = (record: RecordValue): string | undefined => (typeof record['Id'] === 'string' ? record['Id'] : undefined);
const pageOf = (records: readonly RecordValue[]): FetchedPage => ({ ...rowsAnswered(records), attempts: 1 });
const plan = (changes: Partial<PagingPlan> = {}): PagingPlan => ({
  firstPage: 1,
  pageSize: 10,
  prefetch: 2,
  idOf,
  signal: new AbortController().signal,
  ...changes,
});

/** A list that is cut into pages, and the numbers of the pages that were asked for. */
function listOf(
  all: readonly RecordValue[],
  { pageSize = 10, firstPage = 1, cap = 1000 } = {},
): { fetch: FetchPage; asked: number[] } {
  const asked: number[] = [];
  const size = Math.min(pageSize, cap);
  const fetch: FetchPage = async (number) => {
    asked.push(number);
    const start = (number - firstPage) * size;
    return pageOf(all.slice(start, start + size));
  };
  return { fetch, asked };
}

async function collect(pages: AsyncGenerator<Page, Claim>): Promise<{ ids: unknown[]; claim: Claim }> {
  const ids: unknown[] = [];
  for (;;) {
    const step = await pages.next();
    if (step.done === true) return { ids, claim: step.value };
    ids.push(...step.value.records.map((row) => recordOfRow(row)['Id']));
  }
}

describe('A walk through a paged list', () => {
  it('gives every row exactly once, whatever the size, the cap, the first page and the prefetch', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(120),
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 1, max: 25 }),
        fc.nat(1),
        fc.nat(4),
        async (count, pageSize, cap, firstPage, prefetch) => {
          const all = rows(count);
          const { fetch } = listOf(all, { pageSize, firstPage, cap });
          const { ids, claim } = await collect(readPages(fetch, plan({ pageSize, firstPage, prefetch })));
          assert.deepEqual(
            ids,
            all.map((record) => record['Id']),
          );
          assert.deepEqual(
            { rows: claim.rows, duplicates: claim.duplicates, ended: claim.ended, more: claim.more },
            { rows: count, duplicates: 0, ended: 'empty page', more: false },
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('does not take a short page for the end', async () => {
    const sizes = [10, 3, 10, 0];
    let next = 0;
    const fetch: FetchPage = async (number) => {
      const size = sizes[number - 1] ?? 0;
      const records = Array.from({ length: size }, () => ({ Id: `id-${next++}` }));
      return pageOf(records);
    };
    const { ids } = await collect(readPages(fetch, plan({ prefetch: 0 })));
    assert.equal(ids.length, 23);
  });

  it('writes a row that moved to a later page once, and counts it', async () => {
    const pages = [[{ Id: 'a' }, { Id: 'b' }], [{ Id: 'b' }, { Id: 'c' }], []];
    const fetch: FetchPage = async (number) => pageOf(pages[number - 1] ?? []);
    const { ids, claim } = await collect(readPages(fetch, plan({ pageSize: 2 })));
    assert.deepEqual(ids, ['a', 'b', 'c']);
    assert.equal(claim.duplicates, 1);
  });

  it('refuses a service that ignores pageNumber, after a look at some pages more', async () => {
    let calls = 0;
    const fetch: FetchPage = async () => {
      calls += 1;
      return pageOf(rows(5));
    };
    await assert.rejects(collect(readPages(fetch, plan({ prefetch: 0, pageSize: 5 }))), (error: RelctlError) => {
      assert.equal(error.kind, 'bad-answer');
      assert.match(error.message, /^pages 2 to 5 have exactly the records of page 1: this service ignores pageNumber/);
      assert.deepEqual([error.facts.code, error.facts.page, calls], ['page-repeated', 5, 5]);
      return true;
    });
  });

  it('is not stopped by exactly one page of new rows that came in front while it was read', async () => {
    for (const times of [1, 2, 3]) {
      let all = rows(50);
      let came = 0;
      const fetch: FetchPage = async (number) => {
        if (number > 1 && number <= 1 + times) {
          came += 1;
          all = [...Array.from({ length: 10 }, (_, index) => ({ Id: `new-${came}-${index}` })), ...all];
        }
        return pageOf(all.slice((number - 1) * 10, number * 10));
      };
      const { ids, claim } = await collect(readPages(fetch, plan({ prefetch: 0 })));
      assert.deepEqual(
        ids,
        rows(50).map(({ Id }) => Id),
        `${times} times`,
      );
      assert.equal(claim.duplicates, times * 10);
    }
  });

  it('reads past three full pages without a new row and gives up at the fourth', async () => {
    const known = rows(4);
    // The same rows in another order each time: no page equals an earlier one.
    const turned = (by: number): RecordValue[] => [...known.slice(by), ...known.slice(0, by)];
    const withRevival: FetchPage = async (number) =>
      pageOf(number <= 4 ? turned(number - 1) : number === 5 ? [{ Id: 'new' }] : []);
    assert.equal((await collect(readPages(withRevival, plan({ pageSize: 4 })))).ids.length, 5);
    const five = rows(5);
    const endless: FetchPage = async (number) => pageOf([...five.slice(number - 1), ...five.slice(0, number - 1)]);
    await assert.rejects(collect(readPages(endless, plan({ pageSize: 5 }))), { kind: 'bad-answer' });
  });

  it('stops at the limit and knows whether more exist', async () => {
    for (const [count, limit, more] of [
      [30, 5, true],
      [30, 10, true],
      [30, 30, false],
      [5, 30, false],
    ] as const) {
      const { fetch } = listOf(rows(count));
      const { ids, claim } = await collect(readPages(fetch, plan({ limit })));
      assert.equal(ids.length, Math.min(count, limit));
      assert.equal(claim.more, more, `${count} rows, limit ${limit}`);
    }
  });

  it('asks for one page only when told so', async () => {
    const { fetch, asked } = listOf(rows(30));
    const { ids, claim } = await collect(readPages(fetch, plan({ onlyPage: 2 })));
    assert.deepEqual(asked, [2]);
    assert.equal(ids[0], 'id-10');
    assert.equal(claim.ended, 'only page');
  });

  it('asks for no page beyond the prefetch depth once the reader has gone', async () => {
    const { fetch, asked } = listOf(rows(1000));
    for await (const page of readPages(fetch, plan({ prefetch: 2 }))) if (page.number === 3) break;
    assert.ok(Math.max(...asked) <= 5, `asked for ${asked.join(', ')}`);
  });

  it('says how far it got when a later page cannot be had, and keeps the cause', async () => {
    const { fetch } = listOf(rows(30));
    const failing: FetchPage = async (number, signal, size) => {
      if (number === 3)
        throw new RelctlError('no-answer', 'connection refused', { facts: { code: 'connect-refused' } });
      return fetch(number, signal, size);
    };
    await assert.rejects(collect(readPages(failing, plan())), (error: RelctlError) => {
      assert.equal(error.kind, 'partial');
      assert.equal(error.message, 'stopped short at page 3 after 20 rows: connection refused');
      assert.equal(error.facts.code, 'connect-refused');
      return true;
    });
  });

  describe('from a page that is only taken for the first', () => {
    const unknown = plan({ looksBefore: true });
    const clamped =
      (fetch: FetchPage): FetchPage =>
      (number, signal, size) =>
        fetch(Math.max(number, 1), signal, size);

    it('is refused when the page before has rows of its own, also when no other page has any', async () => {
      for (const count of [1, 10, 25]) {
        const { fetch } = listOf(rows(count), { firstPage: 0 });
        await assert.rejects(collect(readPages(fetch, unknown)), {
          kind: 'bad-answer',
          message: 'page 0 has records that are on no later page: this service numbers pages from 0',
          facts: { code: 'first-page', page: 0 },
        });
      }
    });

    it('ends well when the page before is empty, cannot be had, or is the first page again', async () => {
      const { fetch, asked } = listOf(rows(25));
      const failing =
        (kind: Kind): FetchPage =>
        async (number, signal, size) => {
          if (number === 0) throw new RelctlError(kind, 'no such page');
          return fetch(number, signal, size);
        };
      for (const answers of [fetch, clamped(fetch), failing('refused'), failing('no-answer'), failing('bad-answer')]) {
        assert.equal((await collect(readPages(answers, unknown))).ids.length, 25);
      }
      assert.ok(asked.includes(0));
    });

    it('is not confused by a row that came to the first page meanwhile', async () => {
      const { fetch } = listOf(rows(25));
      const { fetch: later } = listOf([{ Id: 'new' }, ...rows(25)]);
      let isLater = false;
      const growing: FetchPage = async (number, signal, size) => {
        if (number === 0) isLater = true;
        return (isLater ? later : fetch)(Math.max(number, 1), signal, size);
      };
      assert.equal((await collect(readPages(growing, unknown))).ids.length, 25);
    });

    it('is not confused by rows that change places all the time, but by no more than half of the page', async () => {
      const { fetch } = listOf(rows(25));
      const restless =
        (strangers: number): FetchPage =>
        async (number, signal, size) => {
          const page = await fetch(Math.max(number, 1), signal, size);
          if (number > 0) return page;
          const others = Array.from({ length: strangers }, (_, index) => ({ Id: `other-${index}` }));
          return pageOf([...page.records.slice(strangers).map(recordOfRow), ...others]);
        };
      assert.equal((await collect(readPages(restless(4), unknown))).ids.length, 25);
      await assert.rejects(collect(readPages(restless(5), unknown)), { facts: { code: 'first-page', page: 0 } });
    });

    it('is given up with the rest at a signal', async () => {
      const { fetch } = listOf(rows(25));
      const controller = new AbortController();
      const { signal } = controller;
      const stopped: FetchPage = async (number, call, size) => {
        if (number === 0) controller.abort(new RelctlError('interrupted', 'stopped'));
        call.signal.throwIfAborted();
        return fetch(number, call, size);
      };
      await assert.rejects(collect(readPages(stopped, plan({ looksBefore: true, signal }))), { kind: 'interrupted' });
    });

    it('asks for no page before when the list was cut, or is known to begin there', async () => {
      for (const changes of [{ looksBefore: true, limit: 5 }, { looksBefore: true, onlyPage: 1 }, {}]) {
        const { fetch, asked } = listOf(rows(25));
        await collect(readPages(fetch, plan(changes)));
        assert.ok(!asked.includes(0));
      }
    });
  });

  it('passes the failure of the first page on as it is', async () => {
    const failing: FetchPage = async () => {
      throw new RelctlError('no-answer', 'connection refused');
    };
    await assert.rejects(collect(readPages(failing, plan())), { kind: 'no-answer', facts: { page: 1 } });
  });
});
