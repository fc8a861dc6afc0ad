import assert from 'node:assert/strict';
import fc from 'fast-check';
import { displayWidth } from '../../../src/output/layout/width.js';
import { wrapped } from '../../../src/output/layout/wrap.js';

const lines = (text: string, width: number): readonly string[] => [...wrapped(text, width)];

describe('A wrapped line', () => {
  it('is broken at blanks, of which only those at a break are lost', () => {
    assert.deepEqual(lines('one two  three four', 10), ['one two', 'three four']);
    assert.deepEqual(lines('  one  two', 20), ['  one  two']);
    assert.deepEqual(lines('', 20), ['']);
    assert.deepEqual(lines('one ', 20), ['one']);
  });

  it('is broken within a word that is wider than a line, never within a character as people see it', () => {
    assert.deepEqual(lines('abcdefghij', 4), ['abcd', 'efgh', 'ij']);
    assert.deepEqual(lines('日本語日本', 5), ['日本', '語日', '本']);
    assert.deepEqual(lines('🇳🇱🇳🇱🇳🇱', 4), ['🇳🇱🇳🇱', '🇳🇱']);
    assert.deepEqual(lines('e\u0301e\u0301e\u0301', 2), ['e\u0301e\u0301', 'e\u0301']);
    assert.deepEqual(lines('a bcdefgh i', 4), ['a', 'bcde', 'fgh', 'i']);
  });

  it('fits, and has all but blanks in their order, whatever the characters', () => {
    const unit = fc.constantFrom('a', 'b', ' ', 'é', 'e\u0301', '日', '👍🏽', '-');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 80 }), fc.integer({ min: 2, max: 40 }), (text, width) => {
        const all = lines(text, width);
        for (const line of all) assert.ok(displayWidth(line) <= width);
        assert.equal(all.join('').replaceAll(' ', ''), text.replaceAll(' ', ''));
      }),
      { numRuns: 1000 },
    );
  });
});
