import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PageKeys, RowKey } from '../../src/client/paging.js';
import { packIds, unpackIds } from '../../src/export/ids.js';

/** Packs keys, and unpacks them from base64. */
function* through(page: PageKeys): Generator<RowKey> {
  const { guids, others, contents } = packIds(page);
  yield* unpackIds({ guids: guids.toString('base64'), others, contents: contents.toString('base64') });
}

const others = fc.string().filter((text) => !/^[0-9a-f-]{36}$/i.test(text));

/** Rows whose contents can be told apart by their Ids. */
const keys = (...ids: readonly string[]): PageKeys => ({
  ids,
  contents: Uint32Array.from(ids.flatMap((id, index) => [index, id.length])),
});

describe('Packed Ids', () => {
  it('are the same set when they are unpacked: GUIDs in small letters, others as they are', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.uuid(),
            fc.uuid().map((id) => id.toUpperCase()),
            others,
          ),
        ),
        (ids) => {
          const isGuid = (id: string): boolean => /^[0-9a-f-]{36}$/i.test(id);
          const wanted = [...ids.filter(isGuid).map((id) => id.toLowerCase()), ...ids.filter((id) => !isGuid(id))];
          const unpacked: readonly RowKey[] = [...through(keys(...ids))];
          assert.deepEqual(
            unpacked.map(({ id }) => id),
            wanted,
          );
          for (const { id, left, right } of unpacked) {
            const own = ids[left] ?? assert.fail('a content of no row');
            assert.deepEqual([id, right], [isGuid(own) ? own.toLowerCase() : own, own.length]);
          }
        },
      ),
    );
  });

  it('take 16 bytes a GUID, and 8 for the content', () => {
    const ids = Array.from({ length: 3 }, (_, index) => `00000000-0000-0000-0000-00000000000${index}`);
    assert.equal(packIds(keys(...ids)).guids.length, 48);
    assert.equal(packIds(keys(...ids)).contents.length, 24);
    const nothing = Buffer.alloc(0);
    assert.deepEqual(packIds(keys()), { guids: nothing, others: [], contents: nothing });
  });

  it('are those of any number of rows, also where one behind many is no GUID', () => {
    const guids = Array.from({ length: 300_000 }, (_, at) => `0000c0de-0000-4000-8000-${String(at).padStart(12, '0')}`);
    const contents = new Uint32Array(guids.length * 2).map((_, at) => at);
    const idsOf = (ids: readonly string[]): readonly string[] => [...through({ ids, contents })].map(({ id }) => id);
    assert.deepEqual(packIds({ ids: guids, contents }).others, []);
    assert.ok(idsOf(guids).every((id, at) => id === guids[at]));
    // As long as a GUID.
    const other = 'x'.repeat(36);
    for (const place of [1023, 1024, 299_999]) {
      const packed = packIds({ ids: guids.with(place, other), contents });
      assert.deepEqual(packed.others, [other]);
      assert.equal(packed.guids.length, 16 * 299_999);
    }
  });

  it('that only look like a GUID stay as they are', () => {
    for (const id of ['{0f8fad5b-d9cb-469f-a165-70867728950e}', '0f8fad5bd9cb469fa16570867728950e', '0f8fad5b-d9cb']) {
      assert.deepEqual(packIds(keys(id)).others, [id]);
    }
  });
});
