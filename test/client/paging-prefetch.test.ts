import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { RecordValue } from '../../src/core/values/value.js';
import { rowsAnswered } from '../support/soap/answered-rows.js';
import { prefetched, type Prefetched, type FetchedPage, type FetchPage } from '../../src/client/paging.js';
import { RelctlError } from '../../src/core/errors/relctl-error.js';

const size = 4;
const rows = (count: number): RecordValue[] => Array.from({ length: count }, (_, index) => ({ Id: `id-${index}` }));

/** Calls that are answered when the test says so. */
function calls(atOnce: number): {
  readonly source: Prefetched;
  /** Numbers of the pages that were asked for and not answered, in order. */
  readonly underWay: () => readonly number[];
  readonly answer: (number: number, count?: number) => Promise<void>;
  /** The answer has come, and is still to be decoded. */
  readonly arrive: (number: number, bytes: number) => void;
  readonly fail: (number: number) => Promise<void>;
} {
  const open = new Map<number, { resolve: (page: FetchedPage) => void; reject: (error: Error) => void }>();
  const arrivals = new Map<number, (bytes: number) => void>();
  const fetch: FetchPage = (number, { received }) => {
    if (received !== undefined) arrivals.set(number, received);
    return new Promise((resolve, reject) => open.set(number, { resolve, reject }));
  };
  const end = async (number: number, how: 'resolve' | 'reject', value: never): Promise<void> => {
    open.get(number)?.[how](value);
    open.delete(number);
    await turn();
  };
  return {
    source: prefetched(fetch, new AbortController().signal, atOnce),
    underWay: () => [...open.keys()],
    arrive: (number, bytes) => arrivals.get(number)?.(bytes),
    answer: (number, count = size) =>
      end(number, 'resolve', { ...rowsAnswered(rows(count)), attempts: 1 } as unknown as never),
    fail: (number) => end(number, 'reject', new RelctlError('no-answer', 'gone') as never),
  };
}

describe('Pages that are requested ahead', () => {
  it('begin where another call ends, in whatever order, and not when the page is taken', async () => {
    const { source, underWay, answer } = calls(3);
    void source.next(1, { size, ahead: 3 });
    assert.deepEqual(underWay(), [1, 2, 3]);
    await answer(1);
    assert.deepEqual(underWay(), [2, 3, 4]);
    void source.next(2, { size, ahead: 3 });
    assert.deepEqual(underWay(), [2, 3, 4]);
    await answer(4);
    assert.deepEqual(underWay(), [2, 3, 5]);
    await answer(2);
    assert.deepEqual(underWay(), [3, 5]);
    void source.next(3, { size, ahead: 3 });
    assert.deepEqual(underWay(), [3, 5, 6]);
  });

  it('begin when a large answer has come, before it is decoded, and once for each', async () => {
    const { source, underWay, arrive, answer } = calls(2);
    void source.next(1, { size, ahead: 4 });
    arrive(1, 64 * 1024 - 1);
    assert.deepEqual(underWay(), [1, 2], 'a small one is decoded at once');
    arrive(1, 64 * 1024);
    assert.deepEqual(underWay(), [1, 2, 3]);
    arrive(1, 64 * 1024);
    await answer(1);
    assert.deepEqual(underWay(), [2, 3], 'its place is taken');
    arrive(3, 64 * 1024);
    assert.deepEqual(underWay(), [2, 3, 4]);
  });

  it('are as many more than what is told as answers wait to be decoded, up to as many as are under way', async () => {
    const { source, underWay, arrive, answer } = calls(2);
    void source.next(1, { size, ahead: 2 });
    for (const number of [1, 2, 3, 4, 5]) arrive(number, 64 * 1024);
    assert.deepEqual(underWay(), [1, 2, 3, 4, 5], 'two more than three');
    for (const number of [1, 2, 3, 4, 5]) await answer(number);
    assert.deepEqual(underWay(), []);
  });

  it('are none beyond what is told, however long the page in use is not given back', async () => {
    const { source, underWay, answer } = calls(2);
    void source.next(1, { size, ahead: 2 });
    for (const number of [1, 2, 3]) await answer(number);
    assert.deepEqual(underWay(), []);
    void source.next(2, { size, ahead: 2 });
    assert.deepEqual(underWay(), [4]);
  });

  it('are none where each page is asked for when it is wanted', async () => {
    const { source, underWay, answer } = calls(1);
    void source.next(1, { size, ahead: 0 });
    await answer(1);
    assert.deepEqual(underWay(), []);
  });

  it('are two behind a short page and one behind a page without rows, until the list goes on', async () => {
    const { source, underWay, answer } = calls(3);
    void source.next(1, { size, ahead: 3 });
    await answer(1, 2);
    assert.deepEqual(underWay(), [2, 3]);
    await answer(2, 0);
    void source.next(2, { size, ahead: 3 });
    assert.deepEqual(underWay(), [3]);
    await answer(3);
    for (const number of [3, 4]) void source.next(number, { size, ahead: 3 });
    assert.deepEqual(underWay(), [4, 5, 6]);
    await answer(4, 2);
    assert.deepEqual(underWay(), [5, 6, 7], 'a short page was not the last one before');
  });

  it('say nothing of a list that is read by another size, however short they were', async () => {
    const { source, underWay, answer } = calls(3);
    void source.next(1, { size: 100, ahead: 0 });
    await answer(1);
    for (const number of [2, 3, 4]) void source.next(number, { size, ahead: 3 });
    assert.deepEqual(underWay(), [2, 3, 4]);
    await answer(2, 2);
    assert.deepEqual(underWay(), [3, 4], 'short for the first time by this size');
  });

  it('are none behind a page that failed, nor after the end', async () => {
    const { source, underWay, answer, fail } = calls(3);
    void source.next(1, { size, ahead: 3 });
    await fail(2);
    await answer(1);
    assert.deepEqual(underWay(), [3]);
    await assert.rejects(source.next(2, { size, ahead: 3 }), { kind: 'no-answer' });
    assert.deepEqual(underWay(), [3]);
    const other = calls(3);
    void other.source.next(1, { size, ahead: 3 });
    other.source.stop();
    await other.answer(1);
    assert.deepEqual(other.underWay(), [2, 3]);
  });
});
