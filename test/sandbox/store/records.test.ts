import assert from 'node:assert/strict';
import { PvActivityData } from '../../../src/contract/records/activity.js';
import { PvRelationData } from '../../../src/contract/records/relation.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { countersOf } from '../../../src/sandbox/store/records.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

describe('Records of the sandbox', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await temporarySandbox(1200);
  });
  after(() => sandbox.close());

  it('have the same counters alone as among others, in any order', () => {
    for (const record of [PvRelationData, PvActivityData]) {
      const seqs = Array.from({ length: 250 }, (_, at) => 1 + at * 3);
      const counters = countersOf(sandbox.store, record, seqs);
      for (const at of [...seqs.keys(), 249, 0, 130]) {
        const alone = countersOf(sandbox.store, record, [seqs[at] ?? 0]);
        assert.deepEqual(counters(at), alone(0));
        assert.ok(counters(at).length > 0);
      }
    }
  });

  it('that are not there have no counters', () => {
    const counters = countersOf(sandbox.store, PvRelationData, [1, 5000]);
    assert.ok(counters(0).length > 0);
    assert.throws(() => counters(1), { kind: 'bug' });
  });
});
