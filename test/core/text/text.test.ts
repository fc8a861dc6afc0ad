import assert from 'node:assert/strict';
import fc from 'fast-check';
import { forMessage, addressForMessage } from '../../../src/core/text/text.js';

describe('visible', () => {
  it('leaves plain text alone, accents and astral characters too', () => {
    assert.equal(forMessage('Café de Zwaan 😀 日本'), 'Café de Zwaan 😀 日本');
  });

  for (const [text, shown] of [
    ['a\nb\tc\r', 'a\\u000Ab\\u0009c\\u000D'],
    ['\u001b[31mred', '\\u001B[31mred'],
    ['\u0000\u001f\u007f\u0085', '\\u0000\\u001F\\u007F\\u0085'],
    ['a\u200bb\ufeffc', 'a\\u200Bb\\uFEFFc'],
    ['evil\u202etxt.exe', 'evil\\u202Etxt.exe'],
    ['line\u2028end\u2029', 'line\\u2028end\\u2029'],
    ['\ud800 and \udfff', '\\uD800 and \\uDFFF'],
    ['\u2066isolate\u2069', '\\u2066isolate\\u2069'],
  ] as const)
    it(`shows ${JSON.stringify(text)} as ${shown}`, () => assert.equal(forMessage(text), shown));

  it('cuts long text at characters, not within them', () => {
    assert.equal(forMessage('x'.repeat(40)), 'x'.repeat(40));
    assert.equal(forMessage('x'.repeat(41)), `${'x'.repeat(40)}…`);
    assert.equal(forMessage('😀'.repeat(5), 3), '😀😀😀…');
    assert.equal(forMessage('😀'.repeat(3), 3), '😀😀😀');
    assert.equal(forMessage('x'.repeat(10_000_000), 5), 'xxxxx…');
  });

  it('never lets a control character or half a character through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (text, most) => {
        const shown = forMessage(text, most);
        assert.doesNotMatch(shown, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]|\p{Surrogate}/u);
        assert.ok(Array.from(shown).length <= most * 8 + 1);
      }),
    );
  });
});

describe('An address that is shown', () => {
  for (const [text, shown] of [
    ['http://crm.example/V1/service.asmx', 'http://crm.example/V1/service.asmx'],
    // As it was written, where there is nothing to hide.
    ['https://CRM.example:443', 'https://CRM.example:443'],
    ['https://crm.example/a@b?c=d@e', 'https://crm.example/a@b?c=d@e'],
    ['https://u:hunter2@crm.example/x', 'https://crm.example/x'],
    ['https://hunter2@crm.example', 'https://crm.example/'],
    ['https://:hunter2@crm.example', 'https://crm.example/'],
    // Browsers read these as addresses with a user too.
    ['http:u:hunter2@crm.example', 'http://crm.example/'],
    ['http:\\\\u:hunter2@crm.example', 'http://crm.example/'],
    ['https://u:hunter2@', '(no address)'],
    ['not an address', 'not an address'],
  ] as const) {
    it(`is ${shown} of ${text}`, () => assert.equal(addressForMessage(text), shown));
  }
});
