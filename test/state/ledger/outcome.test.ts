import assert from 'node:assert/strict';
import {
  emptyTally,
  endsBatch,
  kindOfBatch,
  sentEnding,
  tallyWords,
  unsentEnding,
  type Outcome,
} from '../../../src/state/ledger/outcome.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';

const tally = (counts: Partial<Record<Outcome, number>>): Record<Outcome, number> => ({ ...emptyTally(), ...counts });

describe('What becomes of rows', () => {
  it('follows from the kind of the failure', () => {
    const outcome = (kind: RelctlError['kind']): Outcome => sentEnding(new RelctlError(kind, 'x')).outcome;
    assert.equal(outcome('refused'), 'refused');
    assert.equal(outcome('not-found'), 'refused');
    assert.equal(outcome('conflict'), 'conflict');
    assert.equal(outcome('outcome-unknown'), 'unknown');
    assert.equal(outcome('no-answer'), 'failed');
    assert.equal(outcome('profile'), 'not sent');
    assert.ok(endsBatch(new RelctlError('profile', 'x')));
    assert.ok(!endsBatch(new RelctlError('refused', 'x')));
  });

  it('is unknown when a failure does not say that nothing was carried out, once it was sent', () => {
    for (const kind of ['bug', 'local', 'bad-answer', 'partial'] as const) {
      assert.equal(sentEnding(new RelctlError(kind, 'x')).outcome, 'unknown', kind);
      assert.equal(unsentEnding(new RelctlError(kind, 'x')).outcome, 'not sent', kind);
    }
    assert.equal(sentEnding(new RelctlError('interrupted', 'x')).outcome, 'not sent');
    for (const kind of ['refused', 'no-answer', 'outcome-unknown', 'usage'] as const)
      assert.equal(unsentEnding(new RelctlError(kind, 'x')).outcome, 'not sent', kind);
    assert.equal(unsentEnding(new RelctlError('conflict', 'x')).outcome, 'conflict');
  });

  it('keeps number, code and words of the service', () => {
    const error = new RelctlError('refused', 'no', { facts: { number: 7, foreignCode: 'E7' } });
    assert.deepEqual(sentEnding(error), { outcome: 'refused', number: 7, code: 'E7', words: 'no' });
  });

  it('decides the exit code of the batch', () => {
    assert.equal(kindOfBatch(tally({ done: 2, unchanged: 1 })), undefined);
    assert.equal(kindOfBatch(tally({ done: 2, unknown: 1 })), 'outcome-unknown');
    assert.equal(kindOfBatch(tally({ refused: 3 })), 'refused');
    assert.equal(kindOfBatch(tally({ done: 1, refused: 3 })), 'partial');
    assert.equal(kindOfBatch(tally({ unknown: 1, refused: 1 })), 'partial');
    assert.equal(kindOfBatch(tally({ 'not sent': 4 })), 'partial');
  });

  it('is told without what there is none of', () => {
    assert.equal(tallyWords(tally({ done: 3, 'not sent': 1 })), '3 done, 1 not sent');
  });
});
