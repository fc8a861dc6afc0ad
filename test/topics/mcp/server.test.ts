import assert from 'node:assert/strict';
import { Queue } from '../../../src/topics/mcp/server.js';
import { valuesOf } from '../../support/thrown.js';

describe('A queue', () => {
  it('runs so many tasks at once, in their order, also behind one that fails', async () => {
    const queue = new Queue(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const tasks = [0, 1, 2, 3].map((at) =>
      queue.run(() => {
        begun.push(at);
        return new Promise<number>((resolve, reject) => {
          ends[at] = () => (at === 1 ? reject(new Error('failed')) : resolve(at));
        });
      }),
    );
    const settled = Promise.allSettled(tasks);
    let isIdle = false;
    const idle = queue.idle().then(() => (isIdle = true));
    assert.deepEqual(begun, [0, 1]);
    ends[1]?.();
    await assert.rejects(tasks[1] ?? assert.fail());
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(begun, [0, 1, 2]);
    ends[0]?.();
    ends[2]?.();
    await Promise.all([tasks[0], tasks[2]]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([begun, isIdle], [[0, 1, 2, 3], false]);
    ends[3]?.();
    await idle;
    assert.deepEqual(valuesOf(await settled, 'status'), ['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    await queue.idle();
  });
});
