import assert from 'node:assert/strict';
import { atOnce, inSteps, type Work } from '../../src/plain/work.js';

describe('Work in steps', () => {
  const told: string[] = [];
  beforeEach(() => told.splice(0));

  function* counting(steps: number, end: () => string = () => 'done'): Work<string> {
    for (let step = 1; step <= steps; step += 1) {
      told.push(`step ${step}`);
      yield;
    }
    return end();
  }
  const pause = async (): Promise<void> => void told.push('pause');
  const fail = (): never => {
    throw new Error('failed');
  };

  it('is done at once without a pause', () => {
    assert.equal(atOnce(counting(2)), 'done');
    assert.deepEqual(told, ['step 1', 'step 2']);
    assert.throws(() => atOnce(counting(1, fail)), /failed/);
  });

  it('is done with a pause after each step', async () => {
    assert.equal(await inSteps(counting(2), pause), 'done');
    assert.deepEqual(told, ['step 1', 'pause', 'step 2', 'pause']);
  });

  it('has no pause where there are no steps, and throws what it throws', async () => {
    assert.equal(await inSteps(counting(0), pause), 'done');
    await assert.rejects(inSteps(counting(1, fail), pause), /failed/);
    assert.deepEqual(told, ['step 1', 'pause']);
  });
});
