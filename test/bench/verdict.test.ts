import assert from 'node:assert/strict';
import type { Goal } from '../../bench/goals.js';
import type { Measured } from '../../bench/section.js';
import { judge, refusals, type Outcome } from '../../bench/verdict.js';
import type { Cost } from '../../bench/child.js';
import { combine, median, medianOf, quotient, show } from '../../bench/figures.js';
import { inTurns, Turns, type Candidate } from '../../bench/turns.js';

const goal = (figure: string, comparison: Goal['comparison'], bound = 2): Goal => ({
  section: 'lists',
  figure,
  what: figure,
  comparison,
  bound,
  unit: 'x',
});

const measured = (figures: Measured['figures']): ReadonlyMap<string, Outcome> =>
  new Map([['lists', { words: '', tables: [], notes: [], figures }]]);

const verdictOf = (comparison: Goal['comparison'], value: number): string | undefined =>
  judge([goal('time', comparison)], measured({ time: { value, runs: 9 } }))[0]?.verdict;

describe('The verdict on a goal', () => {
  it('is by the figure as it was measured, and the bound itself is within', () => {
    assert.equal(verdictOf('at most', 2), 'met');
    assert.equal(verdictOf('at most', 2.0001), 'missed');
    assert.equal(verdictOf('at least', 2), 'met');
    assert.equal(verdictOf('at least', 1.9999), 'missed');
  });

  it('is none without a figure, and says why', () => {
    const why = (outcomes: ReadonlyMap<string, Outcome>): unknown => judge([goal('time', 'at most')], outcomes);
    const unmeasured = (text: string) => [
      { goal: goal('time', 'at most'), found: { why: text }, verdict: 'not measured' },
    ];
    assert.deepEqual(why(new Map()), unmeasured('section lists was not run'));
    assert.deepEqual(why(new Map([['lists', { failed: 'no port' }]])), unmeasured('section lists failed: no port'));
    assert.deepEqual(why(measured({})), unmeasured('section lists has no figure time'));
    const part: Outcome = { words: '', tables: [], figures: {}, notes: ['php: gone', 'failed: no disk'] };
    assert.deepEqual(why(new Map([['lists', part]])), unmeasured('failed: no disk'));
    assert.deepEqual(why(measured({ time: { why: 'zeep is not here' } })), unmeasured('zeep is not here'));
    assert.deepEqual(why(measured({ time: { value: Number.NaN, runs: 9 } })), unmeasured('the figure is not a number'));
  });

  it('lets a check fail that is missed, or not measured unless that is allowed', () => {
    const goals = [goal('met', 'at most'), goal('missed', 'at most'), goal('unknown', 'at most')];
    const verdicts = judge(goals, measured({ met: { value: 1, runs: 9 }, missed: { value: 3, runs: 9 } }));
    const refused = (mayBeUnmeasured: boolean): readonly string[] =>
      refusals(verdicts, mayBeUnmeasured).map((each) => each.goal.figure);
    assert.deepEqual(refused(false), ['missed', 'unknown']);
    assert.deepEqual(refused(true), ['missed']);
  });
});

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
