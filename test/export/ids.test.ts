import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PageKeys, RowKey } from '../../src/client/paging.js';
import { packIds, unpackIds } from '../../src/export/ids.js';
import { idWords, keysOfIds } from '../support/client/page-keys.js';

/** Packs keys, and unpacks them from base64. */
function* through(page: PageKeys): Generator<RowKey> {
  const { guids, hashes, contents } = packIds(page);
  const kept = { guids: guids.toString('base64'), hashes: hashes.toString('base64') };
  yield* unpackIds({ ...kept, contents: contents.toString('base64') });
}

const isGuid = (id: string): boolean => /^[0-9a-f-]{36}$/i.test(id);
const others = fc.string().filter((text) => !isGuid(text));

/** Rows whose contents can be told apart by their Ids. */
const keys = (...ids: readonly string[]): PageKeys => keysOfIds(ids, (id, at) => [at, id.length]);

/** An Id as it comes back: a GUID in small letters, and what stands for any other. */
const backOf = (id: string): object =>
  isGuid(id) ? { id: id.toLowerCase() } : { hash: Uint32Array.from(idWords(id)) };

describe('Packed Ids', () => {
  it('are the same set when they are unpacked: GUIDs in small letters, and what stands for others', () => {
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
          const wanted = [...ids.filter(isGuid), ...ids.filter((id) => !isGuid(id))].map(backOf);
          const unpacked: readonly RowKey[] = [...through(keys(...ids))];
          assert.deepEqual(
            unpacked,
            wanted.map((key, at) => ({ ...key, left: unpacked[at]?.left, right: unpacked[at]?.right })),
          );
          for (const { left, right, ...key } of unpacked) {
            const own = ids[left] ?? assert.fail('a content of no row');
            assert.deepEqual([key, right], [backOf(own), own.length]);
          }
        },
      ),
    );
  });

  it('take 16 bytes for each Id, and 8 for the content', () => {
    const ids = Array.from({ length: 3 }, (_, index) => `00000000-0000-0000-0000-00000000000${index}`);
    const packed = packIds(keys(...ids, 'a', 'b'.repeat(1000)));
    assert.deepEqual([packed.guids.length, packed.hashes.length, packed.contents.length], [48, 32, 40]);
    const nothing = Buffer.alloc(0);
    assert.deepEqual(packIds(keys()), { guids: nothing, hashes: nothing, contents: nothing });
  });
});
