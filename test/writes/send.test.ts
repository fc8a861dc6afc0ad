import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { patientSignal } from '../../src/writes/send.js';

describe('A patient signal', () => {
  it('comes after the other one, with its reason', async () => {
    const other = new AbortController();
    let begun = 0;
    const patience = patientSignal(other.signal, 20, () => (begun += 1));
    const { signal } = patience;
    other.abort('enough');
    assert.deepEqual([begun, signal.aborted], [1, false]);
    await once(signal, 'abort');
    assert.equal(signal.reason, 'enough');
    patience.end();
  });

  it('does not come when the work has ended before', async () => {
    const other = new AbortController();
    const patience = patientSignal(other.signal, 5, () => undefined);
    other.abort();
    patience.end();
    await pause(20);
    assert.equal(patience.signal.aborted, false);
  });

  it('has come when the other one had', () => {
    assert.equal(patientSignal(AbortSignal.abort('x'), 1000, () => undefined).signal.reason, 'x');
  });
});
