import assert from 'node:assert/strict';
import type { Cost } from '../../bench/child.js';
import { combine, median, medianOf, quotient, show } from '../../bench/figures.js';
import { inTurns, Turns, type Candidate } from '../../bench/turns.js';

const cost = (ms: number): Cost => ({ ms, cpuMs: ms * 2, peakMebibytes: 50, diskMegabytes: Number.NaN });

/** A candidate that takes these times, one after the other. */
function taking(...times: readonly number[]): Candidate {
  const left = times.values();
  return async () => cost(left.next().value ?? Number.NaN);
}

describe('A figure of the bench', () => {
  it('is a median, and none where one run has none', () => {
    assert.equal(median([5, 1, 9]), 5);
    assert.deepEqual(medianOf([5, 1, 9]), { value: 5, runs: 3 });
    assert.deepEqual(medianOf([]), { why: 'nothing was run' });
    assert.deepEqual(medianOf([5, Number.NaN]), { why: 'this system does not tell it' });
  });

  it('that is made of others has the fewest of their runs, or is missing as they are', () => {
    const [nine, three] = [
      { value: 6, runs: 9 },
      { value: 2, runs: 3 },
    ];
    assert.deepEqual(quotient(nine, three), { value: 3, runs: 3 });
    assert.deepEqual(combine([nine, { why: 'gone' }], Math.max), { why: 'gone' });
    assert.deepEqual([show(nine, 2), show({ why: 'gone' })], ['6.00', '–']);
  });
});

describe('Candidates that run in turn', () => {
  it('have medians, and ratios of the runs of one round', async () => {
    const turns = await new Turns().run(
      new Map([
        ['old', taking(10, 100, 30)],
        ['new', taking(5, 20, 10)],
      ]),
      3,
    );
    assert.deepEqual(turns.median('old', 'ms'), { value: 30, runs: 3 });
    assert.deepEqual(turns.ratio('old', 'new', 'cpuMs'), { value: 3, runs: 3 });
    assert.deepEqual([turns.spread('old', 2), turns.spread('zeep', 2)], ['0.01 to 0.10', '–']);
    assert.deepEqual(turns.median('old', 'diskMegabytes'), { why: 'this system does not tell it' });
  });

  it('run in the order of the rounds, after one that does not count', async () => {
    const order: string[] = [];
    const told = (name: string): readonly [string, Candidate] => [
      name,
      async () => {
        order.push(name);
        return cost(order.length);
      },
    ];
    const turns = await inTurns(new Turns(), new Map([told('a'), told('b')]), 2);
    assert.deepEqual(order, ['a', 'b', 'a', 'b', 'a', 'b']);
    assert.deepEqual(turns.median('b', 'ms'), { value: 6, runs: 2 });
  });

  it('leave out one that fails, with the figures that it had, and go on with the others', async () => {
    let runs = 0;
    const failing: Candidate = async () => {
      runs += 1;
      if (runs === 2) throw new Error('no port\nat line 7');
      return cost(1);
    };
    const turns = new Turns().without('php', 'is not on this machine');
    await turns.run(
      new Map([
        ['bad', failing],
        ['good', taking(1, 2, 3)],
        ['php', taking(1)],
      ]),
      3,
    );
    assert.equal(runs, 2);
    assert.deepEqual(turns.names, ['good']);
    assert.deepEqual(turns.notes, ['php: is not on this machine', 'bad: failed: no port']);
    assert.deepEqual(turns.ratio('good', 'bad', 'ms'), { why: 'bad: failed: no port' });
    assert.deepEqual(turns.median('zeep', 'ms'), { why: 'zeep: was not run' });
  });
});
