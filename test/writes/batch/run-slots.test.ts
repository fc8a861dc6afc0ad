import assert from 'node:assert/strict';
import { Slots } from '../../../src/writes/batch/run.js';

describe('Slots', () => {
  it('are taken by so many at once, and by others in the order in which they came', async () => {
    const slots = new Slots(2);
    const went: string[] = [];
    const takes = ['a', 'b', 'c', 'd'].map((name) => slots.take().then(() => went.push(name)));
    await Promise.all(takes.slice(0, 2));
    assert.deepEqual(went, ['a', 'b']);
    slots.give();
    await takes[2];
    assert.deepEqual(went, ['a', 'b', 'c']);
    slots.give();
    await takes[3];
    slots.give();
    slots.give();
    await slots.take();
    await slots.take();
    assert.deepEqual(went, ['a', 'b', 'c', 'd']);
  });

  it('keep nobody waiting once they are open', async () => {
    const slots = new Slots(1);
    await slots.take();
    const waiting = [slots.take(), slots.take()];
    slots.open();
    await Promise.all([...waiting, slots.take(), slots.take()]);
  });
});
