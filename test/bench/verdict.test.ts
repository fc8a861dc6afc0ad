import assert from 'node:assert/strict';
import type { Goal } from '../../bench/goals.js';
import type { Measured } from '../../bench/section.js';
import { judge, refusals, type Outcome } from '../../bench/verdict.js';

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
