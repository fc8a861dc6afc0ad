import assert from 'node:assert/strict';
import { seqsFound } from '../../../src/sandbox/handlers/kept-searches.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { openStore, type Store } from '../../../src/sandbox/store/open.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

describe('A search that is kept', () => {
  let sandbox: Sandbox;
  let looked: number;
  beforeEach(async () => {
    sandbox = await temporarySandbox(3);
    looked = 0;
  });
  afterEach(() => sandbox.close());
  const change = (store: Store): void =>
    store.execute(`INSERT OR REPLACE INTO "Parameter" (name, value) VALUES ('a', random())`);

  /** Finds the numbers up to a last one, and counts how often it looked for one. */
  const upTo = (last: number) =>
    function* (): Generator<number> {
      for (let seq = 1; seq <= last; seq += 1) {
        looked += 1;
        yield seq;
      }
    };
  const page = (pageNumber: number, pageSize = 10, key = 'a', last = 35): readonly number[] =>
    seqsFound(sandbox.store, { key, search: upTo(last), page: { pageNumber, pageSize } });
  const range = (from: number, to: number): readonly number[] =>
    Array.from({ length: to - from + 1 }, (_, at) => from + at);

  it('gives the pages of what it finds, in any order, and looks for each once', () => {
    assert.deepEqual(page(2), range(11, 20));
    assert.equal(looked, 20);
    assert.deepEqual(page(1), range(1, 10));
    assert.deepEqual(page(3, 7), range(15, 21));
    assert.equal(looked, 21);
    assert.deepEqual(page(4), range(31, 35));
    assert.deepEqual(page(5), []);
    assert.deepEqual(page(2 ** 40, 1000), []);
    assert.deepEqual(page(1, 1000), range(1, 35));
    assert.equal(looked, 35 + 35, 'the far page was looked for by itself');
  });

  it('is of one key', () => {
    assert.deepEqual(page(1, 10, 'a', 35), range(1, 10));
    assert.deepEqual(page(1, 10, 'b', 3), range(1, 3));
    assert.deepEqual(page(2, 10, 'a', 35), range(11, 20));
    assert.equal(looked, 23);
  });

  it('begins anew when a row has changed, by whichever connection', () => {
    const other = openStore(sandbox.file);
    try {
      for (const store of [sandbox.store, other]) {
        page(1);
        change(store);
        looked = 0;
        assert.deepEqual(page(1, 10, 'a', 5), range(1, 5));
        assert.equal(looked, 5);
        change(store);
      }
    } finally {
      other.close();
    }
  });

  it('keeps none of a page that is far from the first', () => {
    assert.deepEqual(page(1060, 1000, 'far', 1_059_003), [1_059_001, 1_059_002, 1_059_003]);
    assert.deepEqual(page(1050, 1000, 'far', 1_059_003), range(1_049_001, 1_050_000));
    assert.equal(looked, 1_059_003 + 1_050_000);
  });

  it('is not kept of long texts', () => {
    const key = 'k'.repeat(4096);
    for (const more of ['', 'k']) {
      looked = 0;
      assert.deepEqual(page(1, 10, key + more), range(1, 10));
      assert.deepEqual(page(2, 10, key + more), range(11, 20));
      assert.equal(looked, more === '' ? 20 : 30);
    }
  });

  it('stays while it was used last, however long it is', () => {
    page(1048, 1000, 'long', 1_048_000);
    looked = 0;
    page(1048, 1000, 'long', 1_048_000);
    assert.equal(looked, 0);
  });

  it('begins anew when it failed, so that nothing is left out', () => {
    let fails = true;
    const search = function* (): Generator<number> {
      yield* [1, 2];
      if (fails) throw new Error('down');
      yield 3;
    };
    const all = (): readonly number[] =>
      seqsFound(sandbox.store, { key: 'a', search, page: { pageNumber: 1, pageSize: 10 } });
    assert.throws(all, /down/);
    assert.throws(all, /down/);
    fails = false;
    assert.deepEqual(all(), [1, 2, 3]);
    change(sandbox.store);
    const page = (pageNumber: number, pageSize: number) =>
      seqsFound(sandbox.store, { key: 'a', search, page: { pageNumber, pageSize } });
    assert.deepEqual(page(1, 2), [1, 2]);
    fails = true;
    assert.throws(() => page(2, 2), /down/);
    fails = false;
    assert.deepEqual(page(2, 2), [3]);
  });

  it('goes when there are too many, the one first that was asked for longest ago', () => {
    const keys = range(1, 260).map(String);
    for (const key of keys) {
      page(1, 10, key);
      // This one is asked for again and again.
      page(1, 10, '2');
    }
    looked = 0;
    page(1, 10, '2');
    page(1, 10, '260');
    page(1, 10, '10');
    assert.equal(looked, 0);
    page(1, 10, '1');
    assert.equal(looked, 10);
    page(1, 1000, 'large', 600_000);
    page(700, 1000, 'large', 600_000);
    page(700, 1000, 'other', 600_000);
    looked = 0;
    page(700, 1000, 'other', 600_000);
    assert.equal(looked, 0);
    page(1, 10, 'large', 600_000);
    assert.equal(looked, 10);
  });
});
