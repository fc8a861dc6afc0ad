import assert from 'node:assert/strict';
import fc from 'fast-check';
import { displayWidth, wrapped } from '../../../src/formats/layout/width.js';

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

  it('is broken behind a slash of a path that is wider than a line, where a part of it fits', () => {
    assert.deepEqual(lines('/home/jan/data/relations-2026.csv.gz', 20), [
      '/home/jan/data/',
      'relations-2026.csv.g',
      'z',
    ]);
    assert.deepEqual(lines('kept in /home/jan/marks.csv', 12), ['kept in', '/home/jan/', 'marks.csv']);
    assert.deepEqual(lines('a//b', 2), ['a/', '/b']);
  });

  it('breaks a long word where one that is read at once would break', () => {
    const unit = fc.constantFrom('a', 'é\u0301', '日', '👍🏽', '🇳🇱', '👩‍👩‍👧', '\u{1d165}', '\u0600', '\u0301');
    const whole = new Intl.Segmenter('en', { granularity: 'grapheme' });
    fc.assert(
      fc.property(
        fc.string({ unit, minLength: 300, maxLength: 700 }),
        fc.integer({ min: 2, max: 9 }),
        (text, width) => {
          const expected: string[] = [];
          for (const { segment } of whole.segment(text)) {
            const longer = `${expected.at(-1) ?? ''}${segment}`;
            if (expected.length > 0 && displayWidth(longer) <= width) expected[expected.length - 1] = longer;
            else expected.push(segment);
          }
          assert.deepEqual(lines(text, width), expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('takes no more time for each letter of a long word than for those of a short one', () => {
    const count = { 日: 60, 'é\u0301': 120, x: 120 };
    for (const [letter, each] of Object.entries(count)) {
      const all = lines(letter.repeat(50_000), 120);
      assert.equal(all.length, Math.ceil(50_000 / each));
      assert.equal(all[0], letter.repeat(each));
    }
    assert.equal(displayWidth('\u0600'.repeat(25_000)), 25_000);
  });

  it('fits, and has all but blanks in their order, whatever the characters', () => {
    const unit = fc.constantFrom('a', 'b', ' ', '/', 'é', 'e\u0301', '日', '👍🏽', '-');
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
