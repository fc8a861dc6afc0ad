import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeReferences, escapeAttribute, escapeReceivedText, escapeText } from '../../src/xml/escape.js';

// Every code point but NUL and the surrogates: what references can carry.
const character = fc
  .integer({ min: 1, max: 0x10ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
const text = fc
  .array(fc.oneof(character, fc.constantFrom('&', '<', '>', '"', '\r', '\n', '\t', '\u001f', '&amp;', ';', '&#')), {
    maxLength: 10,
  })
  .map((parts) => parts.join(''));

describe('decodeReferences', () => {
  it('takes back every way of escaping', () => {
    fc.assert(
      fc.property(text, (plain) => {
        for (const escape of [escapeText, escapeAttribute, escapeReceivedText])
          assert.equal(decodeReferences(escape(plain)), plain);
      }),
      { numRuns: 300 },
    );
  });

  it('reads a reference to any character', () => {
    fc.assert(
      fc.property(character, (each) => {
        const code = each.codePointAt(0) ?? 0;
        assert.equal(decodeReferences(`&#${code};&#x${code.toString(16)};`), each + each);
      }),
    );
  });

  it('decodes once only', () => {
    assert.equal(decodeReferences('&amp;lt;&amp;#65;'), '&lt;&#65;');
  });

  for (const text of [
    '&',
    'a & b',
    '&;',
    '&nbsp;',
    '&AMP;',
    '&#;',
    '&#x;',
    '&#0;',
    '&#xD800;',
    '&#xDFFF;',
    '&#57343;',
    '&#x110000;',
    '&#-1;',
    '&# 65;',
    '&#X41;',
    '&constructor;',
  ])
    it(`refuses ${text}`, () => assert.throws(() => decodeReferences(text), { facts: { code: 'xml-malformed' } }));

  // Where a text comes in pieces, one may end before the second &.
  it('refuses an & before another one as a bare one, whatever ends the second', () => {
    assert.throws(() => decodeReferences('&d> &#233;'), /bare & before 'd> &#233;'/);
  });
});
