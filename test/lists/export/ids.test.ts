import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PageKeys } from '../../../src/client/rows/row.js';
import { packIds, unpackIds } from '../../../src/lists/export/journal.js';
import { keysOfIds } from '../../client/page-keys.js';

/** Packs keys, and unpacks them from base64. */
function through(page: PageKeys): PageKeys {
  const { ids, contents } = packIds(page);
  return unpackIds({ ids: ids.toString('base64'), contents: contents.toString('base64') });
}

/** Rows whose contents can be told apart by their Ids. */
const keys = (...ids: readonly string[]): PageKeys => keysOfIds(ids, (id, at) => [at, id.length]);

describe('Packed Ids', () => {
  it('are the same when they are unpacked, also of a part of a larger piece of memory', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.uuid(), fc.string())), (ids) => {
        const page = keys('a', ...ids);
        assert.deepEqual(through(page), page);
        assert.deepEqual(through({ ids: page.ids.subarray(4), contents: page.contents.subarray(2) }), {
          ids: page.ids.slice(4),
          contents: page.contents.slice(2),
        });
      }),
    );
  });

  it('take 16 bytes for each Id, and 8 for the content', () => {
    const ids = Array.from({ length: 3 }, (_, index) => `00000000-0000-0000-0000-00000000000${index}`);
    const packed = packIds(keys(...ids, 'a', 'b'.repeat(1000)));
    assert.deepEqual([packed.ids.length, packed.contents.length], [80, 40]);
    const nothing = Buffer.alloc(0);
    assert.deepEqual(packIds(keys()), { ids: nothing, contents: nothing });
  });
});
