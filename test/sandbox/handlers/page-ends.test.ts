import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PvActivityData } from '../../../src/contract/records/activity.js';
import { seqsOfPage } from '../../../src/sandbox/handlers/page-ends.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { openStore, type Store } from '../../../src/sandbox/store/open.js';
import type { PageRequest } from '../../../src/sandbox/store/pages.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

describe('A page behind the end of another', () => {
  let sandbox: Sandbox;
  /** How many rows each reading of a page passed over. */
  let passed: number[];
  let watched: Store;
  before(async () => {
    sandbox = await temporarySandbox(1500);
  });
  after(() => sandbox.close());
  beforeEach(() => {
    passed = [];
    watched = {
      ...sandbox.store,
      statement: (sql) => {
        const statement = sandbox.store.statement(sql);
        const first: typeof statement.first = (...values) => {
          if (sql.includes('OFFSET')) passed.push(Number(values.at(-1)));
          return statement.first(...values);
        };
        return { ...statement, first };
      },
    };
  });

  const third = { where: '"PvActivityData".seq % ? = 0', values: [3] };
  const read = (page: PageRequest, { store = watched, list = third } = {}): readonly number[] =>
    seqsOfPage(store, PvActivityData, { ...list, page });

  /** All seqs that there are of a list: each third, or as many as it says. */
  const allOf = (each = 3): readonly number[] =>
    sandbox.store
      .statement('SELECT seq FROM "PvActivityData" ORDER BY seq')
      .all()
      .map(([seq]) => Number(seq))
      .filter((seq) => seq % each === 0);
  const expected = (all: readonly number[], { pageNumber, pageSize }: PageRequest): readonly number[] =>
    all.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);

  it('is the same as by itself, whatever pages were read before', () => {
    const all = allOf();
    const page = fc.record({ pageNumber: fc.integer({ min: 1, max: 40 }), pageSize: fc.integer({ min: 1, max: 70 }) });
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 30 }), (pages) => {
        for (const each of pages) assert.deepEqual(read(each), expected(all, each));
      }),
      { numRuns: 100 },
    );
  });

  it('passes over the rows behind the nearest end before it', () => {
    for (const pageNumber of [5, 6, 7, 10, 2, 3, 12, 3]) read({ pageNumber, pageSize: 20 });
    assert.deepEqual(passed, [80, 0, 0, 40, 20, 0, 20, 0]);
    // From the end of the third page of 20.
    read({ pageNumber: 8, pageSize: 9 });
    assert.equal(passed.at(-1), 3);
  });

  it('is behind the end of a page that was not full, and of one beyond all', () => {
    const all = allOf();
    const last = Math.ceil(all.length / 40);
    assert.deepEqual(read({ pageNumber: last, pageSize: 40 }), all.slice((last - 1) * 40));
    for (const pageNumber of [last + 1, last + 2, 2 ** 51]) assert.deepEqual(read({ pageNumber, pageSize: 40 }), []);
    assert.deepEqual(read({ pageNumber: all.length, pageSize: 1 }), all.slice(-1));
    assert.deepEqual(read({ pageNumber: all.length + 1, pageSize: 1 }), []);
  });

  it('is of the list with its condition and values', () => {
    for (const each of [2, 3, 5]) {
      const list = { ...third, values: [each] };
      for (const pageNumber of [1, 2, 3]) {
        const page = { pageNumber, pageSize: 11 };
        assert.deepEqual(read(page, { store: watched, list }), expected(allOf(each), page));
      }
    }
    // The same values, and a condition that is true or the other.
    const either = { where: '"PvActivityData".seq % ? > 0 OR FALSE', values: [2] };
    const page = { pageNumber: 2, pageSize: 11 };
    const odd = allOf(1).filter((seq) => seq % 2 > 0);
    assert.deepEqual(read(page, { store: watched, list: either }), expected(odd, page));
    assert.deepEqual(read({ ...page, pageNumber: 3 }, { store: watched, list: either }), odd.slice(22, 33));
  });

  it('is read from the beginning when a row has changed, by whichever connection', () => {
    const other = openStore(sandbox.file);
    try {
      for (const store of [sandbox.store, other]) {
        const page = { pageNumber: 3, pageSize: 50 };
        read({ pageNumber: 2, pageSize: 50 });
        const [first = 0] = allOf();
        store.execute(`DELETE FROM "PvActivityData" WHERE seq = ${first}`);
        assert.deepEqual(read(page), expected(allOf(), page));
        assert.equal(passed.at(-1), 100);
      }
    } finally {
      other.close();
    }
  });

  it('is found by one of the ends that are kept, which are no more than some', () => {
    const list = { ...third, values: [1] };
    const all = allOf(1);
    assert.ok(all.length > 1100);
    const readOne = (pageNumber: number): void =>
      assert.deepEqual(read({ pageNumber, pageSize: 1 }, { store: watched, list }), [all[pageNumber - 1]]);
    for (let pageNumber = 1; pageNumber <= 1100; pageNumber += 1) {
      readOne(pageNumber);
      assert.equal(passed.at(-1), 0, 'the last end stays');
    }
    for (const pageNumber of [700, 701, 5, 6, 1099]) readOne(pageNumber);
    for (const rows of passed.slice(-5)) assert.ok(rows <= 1, 'every second one stays');
    assert.ok(passed.slice(-5).includes(1), 'others go');
  });

  it('keeps the ends of others, however often it is read', () => {
    for (const pageNumber of [1, 2]) read({ pageNumber, pageSize: 2 });
    for (let times = 0; times < 1100; times += 1) read({ pageNumber: 3, pageSize: 2 });
    assert.deepEqual([...new Set(passed)], [0]);
  });
});
