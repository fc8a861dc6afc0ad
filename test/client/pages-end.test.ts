import assert from 'node:assert/strict';
import type { RecordValue } from '../../src/core/values/value.js';
import { recordOfRow } from '../../src/client/rows/row.js';
import type { ListAnswer } from '../../src/client/list-answer.js';
import { rowsAnswered } from '../support/soap/answered-rows.js';
import { readPages } from '../../src/client/pages.js';
import type { Claim, FetchedPage, FetchPage, Page, PagingPlan } from '../../src/client/paging.js';
import { RelctlError } from '../../src/core/errors/relctl-error.js';

const idOf = ({ Id }: RecordValue): string | undefined => (typeof Id === 'string' && Id !== '' ? Id : undefined);
const calibrate = 'relctl profile test there --calibrate';
const plan = (changes: Partial<PagingPlan> = {}): PagingPlan => ({
  firstPage: 1,
  pageSize: 10,
  prefetch: 2,
  idOf,
  remedyFor: () => calibrate,
  signal: new AbortController().signal,
  ...changes,
});
const row = (n: number): RecordValue => ({ Id: `id-${n}`, Name: `row ${n}` });
const rows = (count: number, from = 0): RecordValue[] => Array.from({ length: count }, (_, index) => row(from + index));

const none = (state: ListAnswer['state'], beside: readonly string[] = []): ListAnswer => ({
  ...rowsAnswered([]),
  state,
  beside,
});

/** What a page is, or how it fails. */
type Scripted = ListAnswer | RelctlError;

/** A service that answers page by page, in the order of their numbers, and with empty lists behind them. */
const scripted =
  (...pages: readonly Scripted[]): FetchPage =>
  async (number): Promise<FetchedPage> => {
    const page = pages[number - 1] ?? none('empty');
    if (page instanceof RelctlError) throw page;
    return { ...page, attempts: 1 };
  };

async function read(
  fetch: FetchPage,
  changes: Partial<PagingPlan> = {},
): Promise<{ rows: RecordValue[]; claim: Claim }> {
  const all: RecordValue[] = [];
  const pages: AsyncGenerator<Page, Claim> = readPages(fetch, plan(changes));
  for (let step = await pages.next(); ; step = await pages.next()) {
    if (step.done === true) return { rows: all, claim: step.value };
    all.push(...step.value.records.map(recordOfRow));
  }
}

const failure = (fetch: FetchPage, changes: Partial<PagingPlan> = {}): Promise<RelctlError> =>
  read(fetch, changes).then(
    ({ rows: all }) => assert.fail(`it ended well, with ${all.length} rows`),
    (thrown: unknown) => RelctlError.from(thrown),
  );

const full = rowsAnswered(rows(10));

describe('A list', () => {
  for (const [what, answer, words] of [
    ['without its element', none('absent'), 'no <Rows>: that is not a list'],
    ['with an error in its place', none('absent', ['Error']), 'no <Rows>, but <Error>: that is not a list'],
    ['that is text', none('other'), 'text instead of records'],
    [
      'with a nil record',
      { ...none('other'), nilItem: 2 },
      '<Rows> whose item 2 is nil: relctl cannot print it as a row',
    ],
    ['without rows beside an error', none('empty', ['Error']), 'an empty <Rows>, and beside it <Error>'],
    ['that is nil beside text', none('nil', ['#text']), 'a nil <Rows>, and beside it text'],
  ] as const) {
    it(`${what} ends no list: exit 7 before the first row, 8 behind it, and it is said what came`, async () => {
      const first = await failure(scripted(answer));
      assert.deepEqual([first.exitCode, first.facts.page, first.message.includes(words)], [7, 1, true], first.message);
      const later = await failure(scripted(full, answer));
      assert.deepEqual([later.exitCode, later.facts.page, later.message.includes(words)], [8, 2, true], later.message);
      const only = await failure(scripted(answer), { onlyPage: 1 });
      assert.deepEqual([only.exitCode, only.message.includes(words)], [7, true]);
    });
  }

  it('without its element says how to find out whether that is its end, unless something stands there', async () => {
    assert.equal((await failure(scripted(none('absent')))).hint, calibrate);
    assert.equal((await failure(scripted(full, none('absent')))).hint, calibrate);
    assert.equal((await failure(scripted(none('absent', ['Error'])))).hint, undefined);
  });

  it('ends where it is left out when that is known of the service, and nowhere else', async () => {
    const absent = none('absent');
    const known = { listEnd: 'absent' } as const;
    assert.equal((await read(scripted(full, absent, absent), known)).rows.length, 10);
    assert.equal((await read(scripted(absent, absent), known)).rows.length, 0);
    assert.equal((await read(scripted(full), known)).rows.length, 10);
    assert.equal((await failure(scripted(full, none('absent', ['Error']), absent), known)).exitCode, 8);
    assert.equal((await failure(scripted(full, none('other'), absent), known)).exitCode, 8);
  });

  it('ends at a page that is nil', async () => {
    assert.equal((await read(scripted(full, none('nil'), none('nil')))).rows.length, 10);
  });

  it('may have a member beside its end that pages with rows have too', async () => {
    const withCount = { ...full, beside: ['TotalCount'] };
    const end = none('empty', ['TotalCount']);
    assert.equal((await read(scripted(withCount, end, end))).rows.length, 10);
    assert.equal((await failure(scripted(withCount, none('empty', ['TotalCount', 'Error'])))).exitCode, 8);
  });

  describe('whose end is looked behind', () => {
    it('is refused when there are rows', async () => {
      for (const state of ['empty', 'nil'] as const) {
        const error = await failure(scripted(full, none(state), rowsAnswered(rows(4, 10))));
        assert.equal(error.message, 'page 2 has no records, but page 3 after it has 4: the list did not end there');
        assert.deepEqual([error.exitCode, error.facts.page], [8, 3]);
      }
      const first = await failure(scripted(none('empty'), full));
      assert.deepEqual([first.exitCode, first.hint], [8, calibrate]);
    });

    it('is refused when what is there fails or is no list: 8 behind rows, 7 before the first', async () => {
      const refused = new RelctlError('refused', 'no such page');
      const silent = new RelctlError('no-answer', 'no answer');
      for (const behind of [refused, silent, none('absent'), none('other'), none('empty', ['Error'])]) {
        const later = await failure(scripted(full, none('empty'), behind));
        assert.equal(later.exitCode, 8, later.message);
        assert.match(later.message, /^page 2 has no records, but page 3 after it does not confirm/);
        assert.equal((await failure(scripted(none('empty'), behind))).exitCode, 7);
      }
    });

    it('passes on what says nothing of the service', async () => {
      const interrupted = new RelctlError('interrupted', 'stopped');
      assert.equal((await failure(scripted(full, none('empty'), interrupted))).kind, 'interrupted');
    });

    it('is asked for with the page before, and no page more', async () => {
      const asked: number[] = [];
      const fetch: FetchPage = async (number) => {
        asked.push(number);
        return { ...(number === 1 ? rowsAnswered(rows(3)) : none('empty')), attempts: 1 };
      };
      await read(fetch, { prefetch: 4 });
      assert.deepEqual(asked, [1, 2, 3]);
    });
  });
});

describe('A service that caps its pages', () => {
  for (const rule of ['its own size', 'the size that was asked for'] as const) {
    for (const prefetch of [0, 3, 15]) {
      it(`gives every row when it counts from ${rule}, with ${prefetch} pages ahead`, async () => {
        const all = rows(500);
        const asked: number[][] = [];
        const fetch: FetchPage = async (number, _signal, size) => {
          asked.push([number, size]);
          const most = Math.min(size, 40);
          const start = (number - 1) * (rule === 'its own size' ? most : size);
          return { ...rowsAnswered(all.slice(start, start + most)), attempts: 1 };
        };
        const { rows: read_, claim } = await read(fetch, { pageSize: 100, prefetch });
        assert.deepEqual(read_, all);
        assert.deepEqual([claim.rows, claim.duplicates], [500, 0]);
        assert.deepEqual(asked.slice(0, 2), [
          [1, 100],
          [2, 40],
        ]);
        assert.ok(asked.slice(1).every(([, size]) => size === 40));
      });
    }
  }
});

describe('Rows of one Id', () => {
  it('on a page are rows when they hold other things, and nothing is said of them', async () => {
    const entries = [row(1), { Id: 'id-1', Name: 'second number' }, { Id: 'ID-1', Name: 'third' }, row(1)];
    const { rows: read_, claim } = await read(scripted(rowsAnswered(entries)));
    assert.deepEqual(read_, entries.slice(0, 3));
    assert.deepEqual([claim.rows, claim.duplicates, claim.changed], [3, 1, 0]);
  });

  it('on another page are written when they hold other things, and counted; else they are dropped', async () => {
    const later = [row(1), { Id: 'id-2', Name: 'changed' }, row(10)];
    const { rows: read_, claim } = await read(scripted(full, rowsAnswered(later)));
    assert.deepEqual(read_, [...rows(10), { Id: 'id-2', Name: 'changed' }, row(10)]);
    assert.deepEqual([claim.rows, claim.duplicates, claim.changed], [12, 1, 1]);
  });

  it('in great number do not end the list before its end, and do not go on for ever either', async () => {
    const entries = (page: number): RecordValue[] =>
      Array.from({ length: 10 }, (_, index) => ({ Id: 'id-1', Name: `${page}-${index}` }));
    const eight = Array.from({ length: 8 }, (_, page) => rowsAnswered(entries(page)));
    assert.equal((await read(scripted(...eight))).rows.length, 80);
    const endless: FetchPage = async (number) => ({ ...rowsAnswered(entries(number)), attempts: 1 });
    assert.equal((await failure(endless)).facts.code, 'page-stale');
  });

  it('that is none are rows, each of them', async () => {
    const nameless = [{ Id: '' }, { Id: '' }, { Id: '', Name: 'a' }];
    assert.deepEqual((await read(scripted(rowsAnswered(nameless)))).rows, nameless);
  });

  it('without an Id at all are not taken for others, but a page of them that comes again and again is', async () => {
    const fetch: FetchPage = async () => ({ ...rowsAnswered([{ Name: 'a' }, { Name: 'b' }]), attempts: 1 });
    assert.equal((await failure(fetch)).facts.code, 'page-repeated');
  });
});
