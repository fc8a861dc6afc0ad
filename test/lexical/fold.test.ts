import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fold } from '../../src/lexical/fold.js';

describe('fold', () => {
  for (const [text, folded] of [
    ['Joëlle', 'joelle'],
    ['JOE\u0308LLE', 'joelle'],
    ['Ångström', 'angstrom'],
    ['VEEN', 'veen'],
    ['Straße', 'straße'],
    ['İstanbul', 'istanbul'],
    ['', ''],
    ['東京', '東京'],
  ] as const)
    it(`makes ${JSON.stringify(folded)} of ${JSON.stringify(text)}`, () => assert.equal(fold(text), folded));

  it('gives the same for a text in each form of Unicode, and for its own result', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.equal(fold(text.normalize('NFD')), fold(text.normalize('NFC')));
        assert.equal(fold(fold(text)), fold(text));
      }),
    );
  });
});
