import assert from 'node:assert/strict';
import { assumptions } from '../scripts/docs/assumptions.js';

describe('The assumptions of the sandbox', () => {
  it('decide each topic once, and give a decision and a reason in whole sentences', () => {
    assert.equal(new Set(assumptions.map(({ topic }) => topic)).size, assumptions.length);
    for (const { topic, decision, why } of assumptions) {
      assert.match(decision, /\.$/, topic);
      assert.match(why, /\.$/, topic);
    }
  });
});
