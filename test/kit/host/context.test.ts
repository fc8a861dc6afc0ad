import assert from 'node:assert/strict';
import { closeAll } from '../../../src/kit/host/context.js';

describe('What a command opened', () => {
  it('is closed, the last first, although one of it fails', async () => {
    const closed: string[] = [];
    const closers = [
      () => {
        closed.push('lock');
      },
      () => {
        closed.push('database');
        throw new Error('the disk is full');
      },
      () => Promise.reject(new Error('the first')),
    ];
    await assert.rejects(closeAll(closers), /the first/);
    assert.deepEqual(closed, ['database', 'lock']);
  });
});
