import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sheetName } from '../../../../src/formats/writers/workbook/parts.js';

describe('The name of a sheet', () => {
  for (const [list, name] of [
    ['relation list', 'relation list'],
    ['a/b\\c?d*e[f]g:h', 'a b c d e f g h'],
    ["'quoted'", 'quoted'],
    ['History', 'records'],
    ['', 'records'],
    ['RelationGetActivitiesModified_V2', 'RelationGetActivitiesModified_V'],
    [`${'x'.repeat(30)}\u{1f600}`, 'x'.repeat(30)],
  ] as const) {
    it(`is '${name}' for '${list}'`, () => assert.equal(sheetName(list), name));
  }

  it('has the number of a further sheet behind it, within the same length', () => {
    assert.equal(sheetName('relation list', 2), 'relation list (2)');
    assert.equal(sheetName('x'.repeat(40), 12), `${'x'.repeat(26)} (12)`);
  });

  it('is one that spreadsheets take, whatever the list is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), fc.integer({ min: 1, max: 9999 }), (list, number) => {
        const name = sheetName(list, number);
        assert.match(name, /^(?!')[^\\/?*[\]:\u0000-\u001f]{1,31}(?<!')$/);
        assert.doesNotMatch(name, /\p{Surrogate}/u);
      }),
    );
  });
});
