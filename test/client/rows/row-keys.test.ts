import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pageKeysOf } from '../../../src/client/rows/row.js';
import { IdSet } from '../../../src/client/ids/id-set.js';
import { idWords, keysOfIds } from '../page-keys.js';

const zeros = '00000000-0000-0000-0000-000000000000';
const ids = fc.array(
  fc.option(
    fc.oneof(
      fc.uuid(),
      fc.uuid().map((id) => id.toUpperCase()),
      fc.string({ maxLength: 3, unit: 'binary' }),
      fc.constantFrom(
        zeros,
        '\ud800',
        '\udfff',
        '{0f8fad5b-d9cb-469f-a165-70867728950e}',
        'x'.repeat(36),
        'x'.repeat(300),
      ),
    ),
    { nil: undefined },
  ),
);

/** Records with these Ids, and contents that tell them apart. */
const pageOf = (some: readonly (string | undefined)[]) => ({
  records: some.map((Id) => (Id === undefined ? {} : { Id })),
  contents: Uint32Array.from(some.flatMap((_, at) => [at, at + 1000])),
});
const idOf = ({ Id }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof Id === 'string' ? Id : undefined;

describe('The keys of a page', () => {
  it('are those of its records that have an Id, in their order: GUIDs, and hashes of others, each with its content', () => {
    fc.assert(
      fc.property(ids, (some) => {
        const { records, contents } = pageOf(some);
        const places = some.flatMap((id, at) => (id === undefined ? [] : [at]));
        const expected = keysOfIds(
          places.map((at) => some[at] ?? ''),
          (_, index) => [places[index] ?? 0, (places[index] ?? 0) + 1000],
        );
        assert.deepEqual(pageKeysOf(records, contents, idOf), expected);
      }),
    );
  });

  it('are what a set knows the Ids by', () => {
    fc.assert(
      fc.property(ids, ids, (some, more) => {
        const set = new IdSet();
        const { records, contents } = pageOf(some);
        const { ids: keys } = pageKeysOf(records, contents, idOf);
        for (let at = 0; at < keys.length; at += 4) set.take(keys, at, { words: contents, at: 0 });
        const known = new Set(some.flatMap((id) => (id === undefined ? [] : [idWords(id).join()])));
        for (const id of [...some, ...more]) {
          if (id === undefined) continue;
          assert.equal(set.add(id), !known.has(idWords(id).join()), id);
          known.add(idWords(id).join());
        }
        set.close();
      }),
    );
  });
});
