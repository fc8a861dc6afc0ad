import assert from 'node:assert/strict';
import fc from 'fast-check';
import { contentDigest, textDigest } from '../../../src/lists/changes-since/digest.js';
import { noRows, RowIndex } from '../../../src/lists/changes-since/snapshot-rows.js';
import { indexOf, packedRows, rowsOfTexts } from './rows-of-texts.js';

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
        const model = new Map<string, string>();
        const nameOf = (id: string): string => (/^[\da-f-]{36}$/i.test(id) ? id.toLowerCase() : id);
        for (const [id, text] of added) model.set(nameOf(id), textDigest(text).toString('hex'));
        const index = indexOf(rowsOfTexts(added));
        assert.equal(index.size, model.size);
        for (const id of [...sought, ...added.map(([each]) => each)]) {
          const found = index.find(id);
          const digest = found === undefined ? undefined : Buffer.from(found.digest).toString('hex');
          assert.equal(digest, model.get(nameOf(id)));
          if (found !== undefined) assert.equal(index.idAt(found.place), nameOf(id));
        }
        const places = [...index.places()].map((place) => index.idAt(place));
        assert.deepEqual([places.length, new Set(places)], [model.size, new Set(model.keys())]);
      }),
    );
  });

  it('take 32 bytes a GUID and are found whatever the case of its letters', () => {
    const idOf = (at: number): string => `ABCDEF00-0000-4000-8000-${String(at).padStart(12, '0')}`;
    const rows = rowsOfTexts(Array.from({ length: 3000 }, (_, at) => [idOf(at), ''] as const));
    assert.deepEqual([packedRows(rows).length, rows.others.length], [96_000, 0]);
    assert.ok(indexOf(rows).find('abcdef00-0000-4000-8000-000000002999') !== undefined);
    assert.equal(new RowIndex(noRows).find('abcdef00-0000-4000-8000-000000002999'), undefined);
  });

  it('count once each, the last that came, more of them than memory and one piece take', () => {
    const idOf = (at: number): string => `${String((at * 7919) % 70_001).padStart(8, '0')}-0000-4000-8000-000000000000`;
    const texts = (count: number, text: string): (readonly [string, string])[] =>
      Array.from({ length: count }, (_, at) => [idOf(at), text] as const);
    const index = indexOf(rowsOfTexts([...texts(70_001, 'old'), ...texts(40_000, 'new')]));
    assert.deepEqual([index.size, [...index.places()].length], [70_001, 70_001]);
    for (const [at, text] of [
      [0, 'new'],
      [39_999, 'new'],
      [40_000, 'old'],
      [70_000, 'old'],
    ] as const) {
      assert.ok(textDigest(text).equals(index.find(idOf(at))?.digest ?? Buffer.alloc(0)), String(at));
    }
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
