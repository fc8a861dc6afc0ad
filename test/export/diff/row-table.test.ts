import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RowTable } from '../../../src/export/diff/row-table.js';
import { isGuid } from '../../../src/lexical/values/guid.js';

const guids = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.boolean()).map(([at, isUpper]) => {
  const text = `abcdef00-0000-4000-8000-${String(at).padStart(12, '0')}`;
  return isUpper ? text.toUpperCase() : text;
});
const keys = fc.oneof(guids, fc.constantFrom('', '1', 'x', 'X', 'é', '\ud800', '\ud801', '00000000'));

describe('A table of rows', () => {
  it('keeps the first row of each key, as a map does', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, fc.constantFrom('a', 'b', 'c'))), (rows) => {
        const [table, model] = [new RowTable(), new Map<string, readonly [content: string, record: number]>()];
        for (const [record, [key, content]] of rows.entries()) {
          const name = isGuid(key) ? key.toLowerCase() : key;
          assert.equal(table.add({ key, content, record }), !model.has(name));
          if (!model.has(name)) model.set(name, [content, record]);
        }
        assert.equal(table.size, model.size);
        for (const [place, [name, [content, record]]] of [...model].entries()) {
          assert.equal(table.find(name), place);
          assert.equal(table.recordOf(place), record);
          for (const other of ['a', 'b', 'c']) assert.equal(table.hasContent(place, other), other === content);
        }
        assert.equal(table.find('another'), undefined);
      }),
    ));

  it('finds all of many rows, those of its first block too', () => {
    const table = new RowTable();
    const count = 140_000;
    const keyOf = (at: number): string => `00000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}`;
    for (let at = 0; at < count; at += 1) table.add({ key: keyOf(at), content: `${at % 7}`, record: at * 2 });
    for (let at = 0; at < count; at += 1) {
      if (table.find(keyOf(at)) !== at || table.recordOf(at) !== at * 2) assert.fail(`row ${at}`);
    }
    assert.equal(table.find(keyOf(count)), undefined);
    assert.deepEqual([table.hasContent(70_000, '0'), table.hasContent(70_000, '1')], [true, false]);
  });
});
