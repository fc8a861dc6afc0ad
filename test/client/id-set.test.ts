import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createIdSet } from '../../src/client/id-set.js';

describe('A set of Ids', () => {
  it('tells new from known exactly as a Set of lower-case text does', () => {
    const id = fc.oneof(fc.uuid(), fc.constant('00000000-0000-0000-0000-000000000000'), fc.string({ maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(id, { maxLength: 400 }), (ids) => {
        const set = createIdSet();
        const model = new Set<string>();
        for (const each of [...ids, ...ids]) {
          const key = each.length === 36 ? each.toLowerCase() : each;
          assert.equal(set.add(each), !model.has(key));
          model.add(key);
        }
        assert.equal(set.size, model.size);
      }),
    );
  });

  it('takes a GUID in upper case for the same as in lower case', () => {
    const set = createIdSet();
    assert.equal(set.add('6F9619FF-8B86-D011-B42D-00C04FC964FF'), true);
    assert.equal(set.add('6f9619ff-8b86-d011-b42d-00c04fc964ff'), false);
  });

  it('keeps 50,000 GUIDs apart while it grows', () => {
    const set = createIdSet();
    const guid = (n: number): string => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
    for (let n = 1; n <= 50_000; n += 1) assert.equal(set.add(guid(n)), true);
    for (let n = 1; n <= 50_000; n += 1) assert.equal(set.add(guid(n)), false);
    assert.equal(set.size, 50_000);
  });
});
