import assert from 'node:assert/strict';
import { stepTeller } from '../../../src/topics/sandbox/make.js';

describe('The making of data', () => {
  it('tells the share and the time left of each step, measured since that step began', () => {
    let now = 0;
    const withShare = stepTeller(() => now);
    const at = (ms: number, said: string): string => {
      now = ms;
      return withShare(said);
    };
    assert.equal(at(1000, 'relations 10 of 100'), 'relations 10 of 100 (10 %)');
    assert.equal(at(4000, 'relations 40 of 100'), 'relations 40 of 100 (40 %, 6s left)');
    assert.equal(at(5000, 'lines and parties of activities 1 of 9'), 'lines and parties of activities 1 of 9 (11 %)');
    assert.equal(
      at(7000, 'lines and parties of activities 5 of 9'),
      'lines and parties of activities 5 of 9 (55 %, 2s left)',
    );
    assert.equal(at(8000, 'something else'), 'something else');
  });
});
