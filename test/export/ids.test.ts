import assert from 'node:assert/strict';
import fc from 'fast-check';
import { packIds, unpackIds } from '../../src/export/ids.js';

const others = fc.string().filter((text) => !/^[0-9a-f-]{36}$/i.test(text));

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
          assert.deepEqual([...unpackIds(packIds(ids))], wanted);
        },
      ),
    );
  });

  it('take 16 bytes a GUID', () => {
    const ids = Array.from({ length: 3 }, (_, index) => `00000000-0000-0000-0000-00000000000${index}`);
    assert.equal(Buffer.from(packIds(ids).guids, 'base64').length, 48);
    assert.deepEqual(packIds([]), { guids: '', others: [] });
  });

  it('that only look like a GUID stay as they are', () => {
    for (const id of ['{0f8fad5b-d9cb-469f-a165-70867728950e}', '0f8fad5bd9cb469fa16570867728950e', '0f8fad5b-d9cb']) {
      assert.deepEqual(packIds([id]), { guids: '', others: [id] });
    }
  });
});
