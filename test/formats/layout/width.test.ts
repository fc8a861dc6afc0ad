import assert from 'node:assert/strict';
import fc from 'fast-check';
import Table from 'cli-table3';
import {
  displayWidth,
  isCountedAlike,
  isPlain,
  pad,
  truncate,
  wrapWords,
  wrapped,
} from '../../../src/formats/layout/width.js';
import { anyText } from '../../support/output/print.js';

describe('displayWidth', () => {
  const widths: readonly (readonly [text: string, width: number, what: string])[] = [
    ['', 0, 'nothing'],
    ['relation', 8, 'ASCII'],
    ['Zoë Łódź', 8, 'accented Latin'],
    ['e\u0301', 1, 'a letter with a combining accent'],
    ['\u0301', 0, 'a combining accent alone'],
    ['e' + '\u0301'.repeat(200), 1, 'a letter under two hundred accents'],
    ['日本語', 6, 'Chinese characters'],
    ['한글', 4, 'Hangul'],
    ['\u1112\u1161\u11ab', 2, 'Hangul in parts'],
    ['ｶﾅ', 2, 'half-width kana'],
    ['＝Ａ', 4, 'full-width forms'],
    ['𠮷', 2, 'a character beyond the basic plane'],
    ['😀', 2, 'an emoji'],
    ['👍🏽', 2, 'an emoji with a skin tone'],
    ['🇳🇱', 2, 'a flag'],
    ['☎️', 2, 'a sign that asks to be an emoji'],
    ['☎', 1, 'the same sign as text'],
    ['שלום', 4, 'Hebrew'],
    ['سَلام', 4, 'Arabic with a vowel sign'],
    ['\u0600١', 2, 'an Arabic number sign'],
    ['␛⏎→…', 4, 'the glyphs that stand for controls'],
  ];
  for (const [text, width, what] of widths) {
    it(`is ${width} for ${what}`, () => assert.equal(displayWidth(text), width));
  }
});

describe('isPlain', () => {
  it('is true only where every measure agrees', () => {
    assert.deepEqual(['Zoë 1', 'a\u00adb', '日', 'e\u0301', '😀', '\u001b'].map(isPlain), [
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('isCountedAlike', () => {
  /** A text of a column of cli-table3. */
  const laidOut = (text: string, width: number): string => {
    const table = new Table({ colWidths: [width + 2], style: { head: [], border: [] } });
    table.push([text]);
    return table.toString().split('\n')[1]?.slice(2, -2) ?? '';
  };
  const ours = (text: string, width: number): string => pad(truncate(text, width), width);

  it('is true only for characters that cli-table3 counts and cuts as a terminal shows them', () => {
    const wrong = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
      .filter(isCountedAlike)
      .filter((each) => each !== ' ')
      .filter(
        (each) =>
          laidOut(`${each}b`, 4) !== ours(`${each}b`, 4) || laidOut(each.repeat(3), 2) !== ours(each.repeat(3), 2),
      );
    assert.deepEqual(wrong, []);
  });

  const counted: Readonly<Record<string, string>> = {
    'a vowel sign of Arabic': 'ل\u064e',
    'Hangul in parts': '\u1112\u1161\u11ab',
    'a joiner': 'a\u200db',
  };
  for (const [what, text] of Object.entries(counted)) {
    it(`is false for ${what}, which cli-table3 counts wrongly`, () => {
      assert.equal(isCountedAlike(text), false);
      assert.notEqual(laidOut(text, 6), ours(text, 6));
    });
  }

  it('is false for characters of two places, which cli-table3 cuts in two', () => {
    for (const text of ['😀😀😀', '𠮷𠮷𠮷']) {
      assert.equal(isCountedAlike(text), false);
      assert.match(laidOut(text, 4), /[\ud800-\udbff](?![\udc00-\udfff])/);
    }
  });
});

describe('truncate', () => {
  it('marks what it cuts, and cuts nothing that fits', () => {
    assert.equal(truncate('relation', 8), 'relation');
    assert.equal(truncate('relation', 7), 'relati…');
    assert.equal(truncate('relation', 1), '…');
    assert.equal(truncate('relation', 0), '');
  });

  it('never cuts within a character as people see it', () => {
    assert.equal(truncate('日本語', 5), '日本…');
    assert.equal(truncate('日本語', 4), '日…');
    assert.equal(truncate('🇳🇱🇳🇱🇳🇱', 4), '🇳🇱…');
    assert.equal(truncate('e\u0301e\u0301e\u0301', 2), 'e\u0301…');
  });

  it('fits any text into any width', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, width) => {
        const cut = truncate(text, width);
        assert.ok(displayWidth(cut) <= width);
        assert.ok(cut === text || text.startsWith(cut.slice(0, -1)));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('pad', () => {
  it('fills up to the width that is seen', () => {
    assert.equal(pad('日本', 6), '日本  ');
    assert.equal(pad('e\u0301', 3), 'e\u0301  ');
    assert.equal(pad('relation', 3), 'relation');
  });
});

describe('wrapWords', () => {
  it('breaks between words, and indents all lines but the first', () => {
    assert.deepEqual(wrapWords('one two three four', 9, '  '), ['one two', '  three', '  four']);
  });

  it('fills a line to its last column', () => {
    assert.deepEqual(wrapWords('one two three', 7, ''), ['one two', 'three']);
  });

  it('keeps what stands in backticks whole, however long, with what touches it', () => {
    assert.deepEqual(wrapWords('Choose with `relctl profile use`, then go on', 20, '  '), [
      'Choose with',
      '  `relctl profile use`,',
      '  then go on',
    ]);
  });

  it('keeps a backtick without its fellow, and loses no word', () => {
    assert.deepEqual(wrapWords('a ` b', 3, '').join(' ').replaceAll(' ', ''), 'a`b');
  });
});

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
