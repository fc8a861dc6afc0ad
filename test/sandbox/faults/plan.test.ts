import assert from 'node:assert/strict';
import { dueByHeader, FaultPlan } from '../../../src/sandbox/faults/plan.js';

const call = (operation: string, page?: number) => ({ operation, page });
const texts = (plan: FaultPlan, operation: string): readonly string[] =>
  plan.takeDue(call(operation)).map(({ text }) => text);

describe('A fault plan', () => {
  it('refuses a line as a whole: none is added when one cannot be read', () => {
    const plan = new FaultPlan(['bom']);
    assert.throws(() => plan.add('bum'), { kind: 'usage' });
    assert.equal(plan.lines().length, 1);
    assert.throws(() => new FaultPlan(['bom', 'bum']), { kind: 'usage' });
  });

  it('counts for each line the calls that it speaks of, and those that it befell', () => {
    const plan = new FaultPlan(['status=503;every=2;operation=RelationGetAll', 'latency=1ms;first=1']);
    const seen = ['RelationGet', 'RelationGetAll', 'RelationGet', 'RelationGetAll', 'RelationGetAll'].map((operation) =>
      texts(plan, operation),
    );
    assert.deepEqual(seen, [['latency=1ms;first=1'], [], [], ['status=503;every=2;operation=RelationGetAll'], []]);
    assert.deepEqual(plan.lines(), [
      { id: 1, spec: 'status=503;every=2;operation=RelationGetAll', calls: 3, befallen: 1 },
      { id: 2, spec: 'latency=1ms;first=1', calls: 5, befallen: 1 },
    ]);
  });

  it('never gives an id again', () => {
    const plan = new FaultPlan(['bom', 'bom']);
    plan.clear();
    assert.equal(plan.add('bom').id, 3);
  });
});

describe('A fault of one request', () => {
  it('takes no schedule but a seed', () => {
    assert.equal(dueByHeader('jitter=5ms;seed=3').effects.length, 1);
    assert.throws(() => dueByHeader('bom;every=2'), {
      kind: 'usage',
      message: 'fault plan: a header applies to its own call: it cannot have every',
    });
  });
});
