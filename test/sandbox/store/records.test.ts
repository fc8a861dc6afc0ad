import assert from 'node:assert/strict';
import { PvActivityData } from '../../../src/contract/records/activity.js';
import { PvRelationData } from '../../../src/contract/records/relation.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { countersOf, eachSeq } from '../../../src/sandbox/store/records.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

describe('Records of the sandbox', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await temporarySandbox(1200);
  });
  after(() => sandbox.close());

  /** A store that says how many statements were run. */
  const counting = () => {
    const { store } = sandbox;
    const ran = { statements: 0 };
    const statement: typeof store.statement = (sql) => {
      ran.statements += 1;
      return store.statement(sql);
    };
    return { ran, store: { ...store, statement } };
  };

  for (const [where, values] of [
    ['TRUE', []],
    ['"EntityTypeSeq" <> ?', [11]],
    ['"EntityTypeSeq" = ?', [-1]],
    // As many as are read at once, and one more or less.
    ['"PvActivityData".seq <= ?', [1000]],
    ['"PvActivityData".seq <= ?', [999]],
    ['"PvActivityData".seq <= ?', [1001]],
    ['"PvActivityData".seq <= ?', [2000]],
  ] as const) {
    it(`are met one after the other: ${where} ${values.join()}`, () => {
      const sql = `SELECT seq FROM "PvActivityData" WHERE ${where} ORDER BY seq`;
      const expected = sandbox.store
        .statement(sql)
        .all(...values)
        .flat();
      assert.deepEqual([...eachSeq(sandbox.store, PvActivityData, { where, values })], expected);
    });
  }

  it('are not looked for before they are taken', () => {
    const { ran, store } = counting();
    const seqs = eachSeq(store, PvActivityData, { where: 'TRUE', values: [] });
    assert.equal(ran.statements, 0);
    for (let taken = 1; taken <= 1000; taken += 1) assert.equal(seqs.next().value, taken);
    assert.equal(ran.statements, 1);
    assert.equal(seqs.next().value, 1001);
    assert.equal(ran.statements, 2);
  });

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
