import assert from 'node:assert/strict';
import type { RecordValue } from '../../src/core/values/value.js';
import { mayBeTooLarge, type FetchPage, type PagingPlan } from '../../src/client/paging.js';
import { rowsAnswered } from '../support/soap/answered-rows.js';
import { readPages } from '../../src/client/pages.js';
import type { Kind } from '../../src/core/errors/kinds.js';
import { RelctlError, type ErrorFacts } from '../../src/core/errors/relctl-error.js';

const rows = (count: number): RecordValue[] => Array.from({ length: count }, (_, index) => ({ Id: `id-${index}` }));
const slow = new RelctlError('no-answer', 'no answer within 120 s', { facts: { code: 'timeout-first-byte' } });

/** A service that answers as it is told when it is asked for more than ten rows. */
function service(
  count: number,
  tooMany: () => readonly RecordValue[],
): {
  readonly asked: (readonly [page: number, size: number, isTrial: boolean])[];
  readonly plan: PagingPlan;
  readonly fetch: FetchPage;
  readonly settled: unknown[];
} {
  const asked: (readonly [number, number, boolean])[] = [];
  const settled: unknown[] = [];
  const fetchBy =
    (isTrial: boolean): FetchPage =>
    async (page, _signal, size) => {
      asked.push([page, size, isTrial]);
      const found = size > 10 ? tooMany() : rows(count).slice((page - 1) * size, page * size);
      return { ...rowsAnswered(found), attempts: 1 };
    };
  const plan: PagingPlan = {
    firstPage: 1,
    pageSize: 100,
    prefetch: 0,
    idOf: ({ Id }) => (typeof Id === 'string' ? Id : undefined),
    signal: new AbortController().signal,
    trial: { smallerSize: 10, fetch: fetchBy(true), settled: (...how) => void settled.push(how) },
  };
  return { asked, plan, fetch: fetchBy(false), settled };
}

async function countOf(pages: ReturnType<typeof readPages>): Promise<number> {
  let count = 0;
  for await (const { records } of pages) count += records.length;
  return count;
}

const failing = (error: RelctlError) => (): never => {
  throw error;
};

describe('A first page that may be too large', () => {
  it('is asked for again by the smaller size when it fails, is no list or has no rows, and all other pages too', async () => {
    const refused = new RelctlError('refused', 'at most 500 rows');
    for (const [tooMany, words] of [
      [failing(refused), 'at most 500 rows'],
      [failing(slow), 'no answer within 120 s'],
      [() => [], 'no row came'],
    ] as const) {
      const { asked, plan, fetch, settled } = service(25, tooMany);
      assert.equal(await countOf(readPages(fetch, plan)), 25);
      assert.deepEqual(settled, [[10, words]]);
      assert.deepEqual(asked, [[1, 100, true], ...[1, 2, 3, 4, 5].map((page) => [page, 10, false])]);
    }
  });

  it('settles the size when it comes, also shorter than asked for', async () => {
    const { asked, plan, fetch, settled } = service(7, () => rows(7));
    assert.equal(await countOf(readPages(fetch, plan)), 7);
    assert.deepEqual(settled, [[100, undefined]]);
    assert.deepEqual(asked.slice(0, 2), [
      [1, 100, true],
      [2, 7, false],
    ]);
  });

  it('settles nothing when the list is empty by both sizes', async () => {
    const { asked, plan, fetch, settled } = service(0, () => []);
    assert.equal(await countOf(readPages(fetch, plan)), 0);
    assert.deepEqual([settled, asked.length], [[], 3]);
  });

  it('is the failure of the smaller one when both fail, and its own when that has another reason', async () => {
    const { plan, asked } = service(25, failing(slow));
    const down: FetchPage = failing(new RelctlError('refused', 'out of order'));
    await assert.rejects(countOf(readPages(down, plan)), {
      kind: 'refused',
      message: 'out of order',
      facts: { page: 1 },
    });
    const away = service(25, failing(new RelctlError('no-answer', 'away', { facts: { code: 'connect-refused' } })));
    await assert.rejects(countOf(readPages(away.fetch, away.plan)), { message: 'away' });
    assert.deepEqual([asked.length, away.asked.length], [1, 1]);
  });

  it('is not tried by a walk that goes on, nor for one page alone', async () => {
    const { plan, fetch, asked } = service(25, failing(slow));
    const totals = { pages: 1, rows: 10, duplicates: 0, changed: 0, retries: 0, firstId: undefined, lastId: undefined };
    const resume = { ...totals, lastPage: 1, pageSize: 10, signature: '', shifted: false, keys: [] };
    await countOf(readPages(fetch, { ...plan, resume }));
    await countOf(readPages(fetch, { ...plan, pageSize: 10, onlyPage: 2 }));
    assert.ok(asked.every(([, size, isTrial]) => size === 10 && !isTrial));
  });

  const cases: readonly (readonly [Kind, ErrorFacts, boolean])[] = [
    ['refused', {}, true],
    ['refused', { code: 'unknown-action' }, false],
    ['bad-answer', { code: 'truncated' }, true],
    ['no-answer', { code: 'timeout-whole' }, true],
    ['no-answer', { code: 'timeout-idle' }, true],
    ['no-answer', { code: 'timeout-connect', unsent: true }, false],
    ['no-answer', { code: 'reset' }, true],
    ['no-answer', { code: 'reset', unsent: true }, false],
    ['no-answer', { code: 'dns', unsent: true }, false],
    ...[408, 413, 500, 502, 504].map((httpStatus) => ['no-answer', { httpStatus }, true] as const),
    ...[301, 404, 429, 503].map((httpStatus) => ['no-answer', { httpStatus }, false] as const),
    ['profile', { httpStatus: 401 }, false],
    ['interrupted', {}, false],
    ['partial', { code: 'deadline' }, false],
    ['bug', {}, false],
  ];
  for (const [kind, facts, isSo] of cases) {
    it(`may ${isSo ? '' : 'not '}be why the call ended in ${kind} ${JSON.stringify(facts)}`, () => {
      assert.equal(mayBeTooLarge(new RelctlError(kind, 'said so', { facts })), isSo);
    });
  }
});
