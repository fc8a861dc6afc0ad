import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fold } from '../../../src/core/text/text.js';

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

  it('gives of Latin letters what it gives of any others: small, without marks', () => {
    const latin = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code));
    const whole = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFC');
    for (const letter of latin) assert.equal(fold(letter), whole(letter), JSON.stringify(letter));
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...latin, '\u0301', 'Σ') }), (text) => {
        assert.equal(fold(text), whole(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('gives the same for a text in each form of Unicode, and for its own result', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.equal(fold(text.normalize('NFD')), fold(text.normalize('NFC')));
        assert.equal(fold(fold(text)), fold(text));
      }),
    );
  });
});
