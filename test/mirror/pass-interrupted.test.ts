import assert from 'node:assert/strict';
import { rowsAnswered } from '../support/soap/answered-rows.js';
import type { FetchPage } from '../../src/client/paging.js';
import type { SyncCounts } from '../../src/mirror/sources.js';
import type { Pass } from '../../src/mirror/pass.js';
import type { RecordValue } from '../../src/core/values/value.js';
import { MirrorFiles, listedOn, nextTime, nobody, one, runOn } from '../support/mirror/files.js';

type List = readonly RecordValue[];

const [a, b, c] = [one(1, 'a'), one(2, 'b'), one(3, 'c')] as const;
const [d, e, f] = [one(4, 'd'), one(5, 'e'), one(6, 'f')] as const;
const passing = one(9, 'passing');

describe('Syncs of a mirror whose list changes while it is read', () => {
  const mirrors = new MirrorFiles();
  after(() => mirrors.remove());

  /** A run whose list is another one at each call, and stays as it is at the last; without one the run is killed. */
  function run<T>(place: string, lists: readonly (List | undefined)[], end: (pass: Pass) => Promise<T>): Promise<T> {
    const left = [...lists];
    const fetch: FetchPage = (number, _call, size) => {
      const [list] = left.length > 1 ? left.splice(0, 1) : left;
      if (list === undefined) return Promise.reject(new Error('killed'));
      return Promise.resolve({ ...rowsAnswered(list.slice((number - 1) * size, number * size)), attempts: 1 });
    };
    return runOn(mirrors, place, { reading: () => fetch, end });
  }

  const sync = (place: string, ...lists: readonly (List | undefined)[]): Promise<SyncCounts> =>
    run(place, lists, (pass) => pass.swap(nextTime()));

  /** A run that is killed at the call behind these. */
  const killed = (place: string, ...lists: readonly List[]): Promise<void> =>
    assert.rejects(sync(place, ...lists, undefined), /killed/);

  const listed = (place: string): List => listedOn(mirrors, place);

  it('show no row that left before its page was read again, and before another run was killed', async () => {
    const place = mirrors.place();
    await killed(place, [passing]);
    // It sees that the page is another one, and is killed before it reads all again.
    await killed(place, [a]);
    assert.deepEqual(await sync(place, [a]), { rows: 1, added: 1, changed: 0, gone: 0 });
    assert.deepEqual(listed(place), [a]);
  });

  it('show what changed on pages before, though another run was killed behind one that is as it was', async () => {
    const place = mirrors.place();
    const first = [a, b, c, d, e, f, one(7, 'g')];
    await killed(place, first, first);
    const now = [one(8, 'x'), b, c, one(11, 'k'), one(12, 'l'), one(13, 'm'), one(7, 'g')];
    // It sees that the second page is another one, with none of its rows, and is killed behind the third.
    await killed(place, now, now);
    assert.deepEqual(await sync(place, now), { rows: 7, added: 7, changed: 0, gone: 0 });
    assert.deepEqual(listed(place), now);
  });

  it('show no row of an earlier run when records moved in each of the readings before', async () => {
    const place = mirrors.place();
    // A row that comes on two pages: records moved. What one reading needs is the two pages, the end and the page behind.
    const first = [a, b, c];
    const moved = [passing, a, b, c];
    const reading = [first, moved, moved, moved];
    await killed(place, ...reading, ...reading, moved, moved);
    await sync(place, [a, b, c]);
    assert.deepEqual(listed(place), [a, b, c]);
  });

  it('keep a row that one of the readings showed when records moved in all of them', async () => {
    const place = mirrors.place();
    const first = [a, b, c];
    const reading = [first, ...Array.from({ length: 3 }, () => [d, ...first])];
    await sync(place, [passing, b, c], ...reading.slice(1), ...reading, ...reading);
    const names = mirrors.ask(place, 'SELECT "DisplayName" FROM "relations" ORDER BY 1');
    assert.deepEqual(names.flat(), ['a', 'b', 'c', 'passing']);
  });

  it('leave gone what came again and went while the list was read', async () => {
    const place = mirrors.place();
    await sync(place, [a, b]);
    await sync(place, [b]);
    await killed(place, [a, b]);
    assert.deepEqual(await sync(place, [b]), { rows: 1, added: 0, changed: 0, gone: 0 });
    assert.deepEqual(listed(place), [b]);
  });

  it('take no row for gone that one of two readings showed, though both were killed', async () => {
    const place = mirrors.place();
    await sync(place, [a, b, c, d]);
    await killed(place, [one(11, 'k'), one(12, 'l'), one(13, 'm'), d]);
    // The first page is as it was in the sync before. It is killed when it is to read all again.
    await killed(place, ...Array.from({ length: 4 }, () => [a, b, c, d]));
    assert.deepEqual(await sync(place, [b, c, d]), { rows: 4, added: 0, changed: 0, gone: 0 });
    assert.deepEqual(await sync(place, [b, c, d]), { rows: 3, added: 0, changed: 0, gone: 1 });
    assert.deepEqual(listed(place), [b, c, d]);
  });

  it('tell the same when they are killed between the last reading and its end', async () => {
    const place = mirrors.place();
    await sync(place, [a, b, c, d]);
    await killed(place, [passing, b, c, d]);
    const ended = await run(place, [[b, c, d]], (pass) => Promise.resolve(pass.rowsAfter));
    assert.equal(ended, 3);
    assert.deepEqual(await sync(place, [b, c, d]), { rows: 3, added: 0, changed: 0, gone: 1 });
    assert.deepEqual(listed(place), [b, c, d]);
  });

  it('show a row as it is when it changed and changed back between two readings', async () => {
    const place = mirrors.place();
    const before = [a, b, c, d];
    await sync(place, before);
    const other = [one(1, 'other'), b, c];
    // A missing row makes it read the list again.
    const difference = await sync(place, other, other, other, before);
    assert.deepEqual(difference, { rows: 4, added: 0, changed: 0, gone: 0 });
    assert.deepEqual(listed(place), before);
  });

  it('show each of two equal records without an Id when a page before has one of them now', async () => {
    const place = mirrors.place();
    await sync(place, [a, b, c, nobody('x'), d, e]);
    const now = [a, b, nobody('x'), nobody('x'), d, e];
    assert.deepEqual(await sync(place, now), { rows: 6, added: 1, changed: 0, gone: 1 });
    assert.deepEqual(listed(place), now);
  });

  it('show a record once that the service gives on two pages', async () => {
    const place = mirrors.place();
    await sync(place, [a, b, f, c, d, e]);
    const twice = [a, b, c, c, d, e];
    assert.deepEqual(await sync(place, twice), { rows: 5, added: 0, changed: 0, gone: 1 });
    assert.deepEqual(listed(place), [a, b, c, d, e]);
    // The second page is as it was, and has a record that it did not bring before.
    const now = [a, b, f, c, d, e];
    assert.deepEqual(await sync(place, now), { rows: 6, added: 1, changed: 0, gone: 0 });
    assert.deepEqual(listed(place), now);
  });
});
