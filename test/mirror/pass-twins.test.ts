import assert from 'node:assert/strict';
import { rowsAnswered } from '../support/soap/answered-rows.js';
import type { FetchPage } from '../../src/client/paging.js';
import type { SyncCounts } from '../../src/mirror/sources.js';
import type { RecordValue } from '../../src/core/values/value.js';
import { MirrorFiles, listedOn, nextTime, nobody, one, runOn } from '../support/mirror/files.js';

describe('Records of a mirror that an Id does not tell apart', () => {
  const mirrors = new MirrorFiles();
  after(() => mirrors.remove());

  interface Reading {
    readonly firstPage?: number;
    /** Number of calls after which the run is killed. */
    readonly calls?: number;
  }

  function pagesOf(records: readonly RecordValue[], { firstPage = 1, calls = Infinity }: Reading): FetchPage {
    let called = 0;
    return (number, _call, size) => {
      called += 1;
      if (called > calls) return Promise.reject(new Error('killed'));
      const from = (number - firstPage) * size;
      return Promise.resolve({ ...rowsAnswered(from < 0 ? [] : records.slice(from, from + size)), attempts: 1 });
    };
  }

  const sync = (place: string, records: readonly RecordValue[], how: Reading = {}): Promise<SyncCounts> =>
    runOn(mirrors, place, { ...how, reading: () => pagesOf(records, how), end: (pass) => pass.swap(nextTime()) });

  const listed = (place: string): readonly RecordValue[] => listedOn(mirrors, place);

  const states: Readonly<Record<string, readonly (readonly RecordValue[])[]>> = {
    'an Id comes twice on a page': [
      [one(1, 'a'), one(2, 'b')],
      [one(1, 'a'), one(1, 'c'), one(2, 'b')],
      [one(1, 'd'), one(1, 'a'), one(2, 'b')],
      [one(1, 'd'), one(1, 'e'), one(2, 'b')],
      [one(1, 'f'), one(1, 'g'), one(2, 'b')],
      [one(1, 'g'), one(2, 'b')],
    ],
    'records without an Id come': [
      [one(1, 'a'), nobody('x')],
      [one(1, 'a'), nobody('y'), nobody('z')],
      [one(1, 'a'), nobody('x'), nobody('y'), nobody('z')],
      [one(1, 'b'), nobody('x'), nobody('y'), nobody('z'), nobody('v')],
      [one(1, 'b'), nobody('y'), nobody('z'), nobody('w')],
    ],
    'equal records without an Id come': [
      [one(1, 'a'), nobody('x'), nobody('x')],
      [one(1, 'b'), nobody('x'), nobody('x')],
      [one(1, 'b'), nobody('x'), nobody('x'), one(2, 'c'), nobody('x')],
      [one(1, 'b'), nobody('x'), one(2, 'd'), nobody('x')],
    ],
  };

  for (const [name, lists] of Object.entries(states)) {
    it(`are all there when ${name}`, async () => {
      const place = mirrors.place();
      for (const [at, records] of lists.entries()) {
        const { rows } = await sync(place, records);
        assert.deepEqual(listed(place), records, `sync ${at + 1}`);
        assert.equal(rows, records.length);
        const again = await sync(place, records);
        assert.deepEqual(again, { rows: records.length, added: 0, changed: 0, gone: 0 });
      }
    });
  }

  it('are not there when they came and went while the list was read', async () => {
    const place = mirrors.place();
    const before = [one(1, 'a'), one(2, 'b'), one(3, 'c'), one(4, 'd')];
    await sync(place, before);
    await assert.rejects(sync(place, [one(9, 'x'), ...before], { calls: 1 }));
    assert.deepEqual(await sync(place, before), { rows: 4, added: 0, changed: 0, gone: 0 });
    assert.deepEqual(listed(place), before);
  });

  it('are changed, not gone, when their Id comes in another case of letters', async () => {
    const place = mirrors.place();
    const lower = { Id: 'abcdefab-0000-4000-8000-00000000000a', DisplayName: 'a' };
    const upper = { ...lower, Id: lower.Id.toUpperCase() };
    await sync(place, [lower, one(1, 'b')]);
    assert.deepEqual(await sync(place, [upper, one(1, 'b')]), { rows: 2, added: 0, changed: 1, gone: 0 });
    assert.deepEqual(listed(place), [upper, one(1, 'b')]);
    assert.deepEqual(await sync(place, [lower, one(1, 'c')]), { rows: 2, added: 0, changed: 2, gone: 0 });
  });

  it('come once when the page is read again behind which a sync was interrupted', async () => {
    const place = mirrors.place();
    const before = [one(1, 'a'), nobody('x'), one(2, 'b'), one(3, 'c')];
    await assert.rejects(sync(place, before, { calls: 1 }));
    const now = [one(1, 'z'), nobody('x'), one(2, 'b'), one(3, 'c')];
    await sync(place, now);
    assert.deepEqual(listed(place), now);
  });

  it('come once when the page behind which a sync was interrupted was the same as before', async () => {
    const place = mirrors.place();
    const records = [one(1, 'a'), nobody('x'), nobody('x'), one(2, 'b'), one(3, 'c')];
    await sync(place, records);
    await assert.rejects(sync(place, records, { calls: 1 }));
    assert.deepEqual(await sync(place, records), { rows: 5, added: 0, changed: 0, gone: 0 });
    await assert.rejects(sync(place, records, { calls: 1 }));
    const now = [one(1, 'z'), ...records.slice(1)];
    assert.deepEqual(await sync(place, now), { rows: 5, added: 0, changed: 1, gone: 0 });
    assert.deepEqual(listed(place), now);
  });

  it('come once when the first page has another number than in the sync before', async () => {
    const place = mirrors.place();
    const records = [1, 2, 3, 4, 5, 6, 7].map((number) => one(number, `name ${number}`));
    await sync(place, records, { firstPage: 0 });
    await sync(place, records, { firstPage: 1 });
    assert.deepEqual(listed(place), records);
    await sync(place, records, { firstPage: 0 });
    assert.deepEqual(listed(place), records);
  });
});
