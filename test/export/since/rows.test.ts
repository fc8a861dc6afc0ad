import assert from 'node:assert/strict';
import fc from 'fast-check';
import { contentDigest, textDigest } from '../../../src/export/since/digest.js';
import { areRows, inPieces, mergedRows } from '../../../src/export/since/row-bytes.js';
import { RowCollector } from '../../../src/export/since/row-collector.js';
import { isSame, noRows, RowIndex } from '../../../src/export/since/rows.js';
import { packedRows, rowsInMemory, rowsOf } from '../../support/export/rows.js';

const ids = fc.oneof(
  fc.uuid(),
  // Ids that share their beginning, as those of a sequence do.
  fc.integer({ min: 0, max: 300 }).map((at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`),
  fc.string({ maxLength: 3 }),
);

describe('Rows that are kept', () => {
  it('are found by Id, with the last digest that was added, and no others are', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(ids, fc.string())), fc.array(ids), (added, sought) => {
        const collector = new RowCollector();
        const model = new Map<string, string>();
        const nameOf = (id: string): string => (/^[\da-f-]{36}$/i.test(id) ? id.toLowerCase() : id);
        for (const [id, text] of added) {
          collector.add(id, textDigest(text));
          model.set(nameOf(id), textDigest(text).toString('hex'));
        }
        const index = new RowIndex(rowsOf(collector));
        assert.equal(index.size, model.size);
        assert.ok(areRows(packedRows(collector)));
        for (const id of [...sought, ...added.map(([each]) => each)]) {
          const found = index.find(id);
          const digest = found === undefined ? undefined : Buffer.from(found.digest).toString('hex');
          assert.equal(digest, model.get(nameOf(id)));
          if (found !== undefined) assert.equal(index.idAt(found.place), nameOf(id));
        }
        const places = Array.from({ length: index.size }, (_, place) => index.idAt(place));
        assert.deepEqual(new Set(places), new Set(model.keys()));
      }),
    );
  });

  it('take 32 bytes a GUID and are found whatever the case of its letters', () => {
    const collector = new RowCollector();
    for (let at = 0; at < 3000; at += 1)
      collector.add(`ABCDEF00-0000-4000-8000-${String(at).padStart(12, '0')}`, textDigest(''));
    assert.deepEqual([packedRows(collector).length, collector.others.length], [96_000, 0]);
    assert.ok(new RowIndex(rowsOf(collector)).find('abcdef00-0000-4000-8000-000000002999') !== undefined);
    assert.equal(new RowIndex(noRows).find('abcdef00-0000-4000-8000-000000002999'), undefined);
  });

  it('are in order and each once in pieces, more of them than one run or piece takes', () => {
    const collector = new RowCollector();
    const idOf = (at: number): string => `${String((at * 7919) % 70_001).padStart(8, '0')}-0000-4000-8000-000000000000`;
    for (let at = 0; at < 70_001; at += 1) collector.add(idOf(at), textDigest('old'));
    for (let at = 0; at < 40_000; at += 1) collector.add(idOf(at), textDigest('new'));
    const packed = Buffer.concat([...inPieces(collector.sorted())]);
    assert.deepEqual([packed.length, areRows(packed)], [70_001 * 32, true]);
    const index = new RowIndex(rowsInMemory(packed));
    for (const [at, text] of [
      [0, 'new'],
      [39_999, 'new'],
      [40_000, 'old'],
      [70_000, 'old'],
    ] as const) {
      assert.ok(isSame(index.find(idOf(at))?.digest ?? Buffer.alloc(0), textDigest(text)), String(at));
    }
  });

  it('of an index and collected ones are one sequence in ascending order', () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.uuid(), fc.constantFrom('kept', 'gone', 'new')), { selector: ([id]) => id }),
        (all) => {
          const [prior, now, model] = [new RowCollector(), new RowCollector(), new RowCollector()];
          const gone = new Set<string>();
          for (const [id, fate] of all) {
            const digest = textDigest(fate);
            (fate === 'new' ? now : prior).add(id, digest);
            if (fate === 'gone') gone.add(id);
            else model.add(id, digest);
          }
          const index = new RowIndex(rowsOf(prior));
          const isKept = (place: number): boolean => !gone.has(index.idAt(place));
          const pieces = inPieces(mergedRows(index.rows(isKept), now.sorted()));
          assert.deepEqual(Buffer.concat([...pieces]), packedRows(model));
        },
      ),
    ));

  it('are known by whole rows in ascending order', () => {
    assert.ok(areRows(Buffer.alloc(0)));
    assert.ok(!areRows(Buffer.alloc(31)));
    assert.ok(!areRows(Buffer.alloc(64)));
    const ascending = Buffer.alloc(64);
    ascending[32] = 1;
    assert.ok(areRows(ascending));
    assert.ok(areRows(ascending.subarray(32), ascending.subarray(0, 32)));
    assert.ok(!areRows(ascending.subarray(32), ascending.subarray(32)), 'as the row before');
    assert.ok(!areRows(ascending.subarray(0, 32), ascending.subarray(32)), 'before the row before');
  });
});

describe('The digest of a record', () => {
  it('does not mind the order of members, and minds everything else', () => {
    const same = (left: object, right: object): boolean =>
      contentDigest(left as never).equals(contentDigest(right as never));
    assert.ok(same({ a: 1, b: { c: '2', d: null } }, { b: { d: null, c: '2' }, a: 1 }));
    assert.ok(same({ list: [{ a: '1', b: '2' }] }, { list: [{ b: '2', a: '1' }] }));
    assert.ok(!same({ a: '1' }, { a: 1 }));
    assert.ok(!same({ a: null }, {}));
    assert.ok(!same({ a: null }, { a: '' }));
    assert.ok(!same({ a: ['1', '2'] }, { a: ['2', '1'] }));
    assert.ok(!same({ a: {} }, { a: [] }));
  });
});
