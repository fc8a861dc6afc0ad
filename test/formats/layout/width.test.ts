import assert from 'node:assert/strict';
import fc from 'fast-check';
import Table from 'cli-table3';
import { displayWidth, isCountedAlike, isPlain, pad, truncate } from '../../../src/formats/layout/width.js';
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
