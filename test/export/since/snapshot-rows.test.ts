import assert from 'node:assert/strict';
import fc from 'fast-check';
import { textDigest } from '../../../src/export/since/digest.js';
import { RowCollector } from '../../../src/export/since/row-collector.js';
import { RowIndex } from '../../../src/export/since/rows.js';
import { SnapshotRows } from '../../../src/export/since/snapshot-rows.js';
import { packedRows, rowsOf } from '../../support/export/rows.js';

const ids = fc.oneof(
  fc.integer({ min: 0, max: 6 }).map((at) => `${String((at * 5) % 7).padStart(8, '0')}-0000-4000-8000-000000000000`),
  fc.constantFrom('x', 'y', ''),
);
const lists = fc.array(fc.tuple(ids, fc.constantFrom('a', 'b')), { maxLength: 60 });

describe('The rows of a list beside those of its snapshot', () => {
  it('become a snapshot of the list alone, whatever came twice, changed or is gone', () =>
    fc.assert(
      fc.property(lists, lists, (before, now) => {
        const prior = new RowCollector();
        for (const [id, text] of before) prior.add(id, textDigest(text));
        const known = new Map(before);
        const rows = new SnapshotRows(new RowIndex(rowsOf(prior)));
        const whole = new RowCollector();
        for (const [id, text] of now) {
          const old = known.get(id);
          assert.equal(
            rows.take(id, textDigest(text)),
            old === undefined ? 'new' : old === text ? undefined : 'changed',
          );
          whole.add(id, textDigest(text));
        }
        assert.equal(rows.there.count, [...known.keys()].filter((id) => now.some(([each]) => each === id)).length);
        assert.deepEqual(Buffer.concat([...rows.pieces()]), packedRows(whole));
        assert.deepEqual(new Map(rows.others), new Map(whole.others));
      }),
    ));
});
