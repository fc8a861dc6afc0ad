import assert from 'node:assert/strict';
import { Slots } from '../../src/client/pace.js';

/** A task that goes on until it is told to end. */
function openTask(): { readonly run: () => Promise<void>; readonly end: () => void } {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { run: () => ended, end: () => end() };
}

describe('Slots', () => {
  it('are taken by so many at once, and by others in the order in which they came', async () => {
    const slots = new Slots(2);
    const went: string[] = [];
    const begin = (name: string, run: () => Promise<void>): Promise<void> => {
      went.push(name);
      return run();
    };
    const tasks = ['a', 'b', 'c', 'd'].map((name) => {
      const task = openTask();
      return { end: task.end, ended: slots.run(() => begin(name, task.run)) };
    });
    assert.deepEqual(went, ['a', 'b']);
    tasks[1]?.end();
    await tasks[1]?.ended;
    assert.deepEqual(went, ['a', 'b', 'c']);
    for (const { end } of tasks) end();
    await Promise.all(tasks.map(({ ended }) => ended));
    assert.deepEqual(went, ['a', 'b', 'c', 'd']);
    const { run, end } = openTask();
    const both = ['e', 'f'].map((name) => slots.run(() => begin(name, run)));
    assert.deepEqual(went.slice(4), ['e', 'f']);
    end();
    await Promise.all(both);
  });

  it('keep nobody waiting once they are open', async () => {
    const slots = new Slots(1);
    const { run, end } = openTask();
    const first = slots.run(run);
    const waiting = [slots.run(() => Promise.resolve()), slots.run(() => Promise.resolve())];
    slots.open();
    await Promise.all([...waiting, slots.run(() => Promise.resolve()), slots.run(() => Promise.resolve())]);
    end();
    await first;
  });
});
