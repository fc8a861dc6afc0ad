import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RowTable } from '../../../../src/lists/export/diff/row-table.js';
import { isGuid } from '../../../../src/core/text/scalars.js';

const guids = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.boolean()).map(([at, isUpper]) => {
  const text = `abcdef00-0000-4000-8000-${String(at).padStart(12, '0')}`;
  return isUpper ? text.toUpperCase() : text;
});
const keys = fc.oneof(guids, fc.constantFrom('', '1', 'x', 'X', 'é', '\ud800', '\ud801', '00000000'));

describe('A table of rows', () => {
  it('keeps the first row of each key, as a map does', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, fc.constantFrom('a', 'b', 'c'))), (rows) => {
        const [table, model] = [new RowTable(), new Map<string, string>()];
        for (const [key, content] of rows) {
          const name = isGuid(key) ? key.toLowerCase() : key;
          assert.equal(table.add({ key, content }), !model.has(name));
          if (!model.has(name)) model.set(name, content);
        }
        assert.equal(table.size, model.size);
        for (const [place, [name, content]] of [...model].entries()) {
          assert.equal(table.find(name), place);
          for (const other of ['a', 'b', 'c']) assert.equal(table.hasContent(place, other), other === content);
        }
        assert.equal(table.find('another'), undefined);
      }),
    ));

  it('keeps several rows of a key by their number, a GUID in any case of letters', () => {
    const table = new RowTable();
    const guid = 'abcdef00-0000-4000-8000-000000000001';
    for (const key of [guid, '1', '["1",2]']) assert.ok(table.add({ key, content: 'a' }));
    for (const key of [guid, '1']) assert.ok(table.add({ key, nth: 2, content: 'b' }));
    assert.ok(!table.add({ key: guid.toUpperCase(), nth: 2, content: 'c' }));
    assert.deepEqual([table.find(guid.toUpperCase()), table.find(guid.toUpperCase(), 2)], [0, 3]);
    assert.deepEqual(
      [table.find('1'), table.find('1', 2), table.find('1', 3), table.find('["1",2]')],
      [1, 4, undefined, 2],
    );
  });

  it('finds all of many rows, those of its first block too', () => {
    const table = new RowTable();
    const count = 140_000;
    const keyOf = (at: number): string => `00000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}`;
    for (let at = 0; at < count; at += 1) table.add({ key: keyOf(at), content: `${at % 7}` });
    for (let at = 0; at < count; at += 1) {
      if (table.find(keyOf(at)) !== at) assert.fail(`row ${at}`);
    }
    assert.equal(table.find(keyOf(count)), undefined);
    assert.deepEqual([table.hasContent(70_000, '0'), table.hasContent(70_000, '1')], [true, false]);
  });
});
