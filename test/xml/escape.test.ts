import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  escapeAttribute,
  escapeReceivedText,
  escapeText,
  findUnsayable,
  isPlainText,
  xmlDeclaration,
} from '../../src/xml/escape.js';
import { sayable } from '../support/xml/documents.js';
import { eventsOf } from '../support/xml/recorder.js';

const anything = fc.string({ unit: 'binary' });

describe('the writer', () => {
  it('declares UTF-8', () => assert.equal(xmlDeclaration, '<?xml version="1.0" encoding="utf-8"?>'));

  it('escapes what markup is made of, and CR, in text', () => {
    assert.equal(escapeText('<a href="x">\r\n\t&amp;\'</a>'), '&lt;a href="x"&gt;&#xD;\n\t&amp;amp;\'&lt;/a&gt;');
    assert.equal(escapeText('x]]>y'), 'x]]&gt;y');
  });

  it('escapes quotes and white space in attributes', () => {
    assert.equal(escapeAttribute('"<&>\'\t\n\r '), "&quot;&lt;&amp;&gt;'&#x9;&#xA;&#xD; ");
  });

  it('writes control characters as .NET services do, when it plays one', () => {
    assert.equal(escapeReceivedText('a\u001fb\u0001<\ufffe\r\n'), 'a&#x1F;b&#x1;&lt;&#xFFFE;&#xD;\n');
  });

  it('knows the text that needs nothing of this, by every character', () => {
    for (let code = 0; code <= 0xffff; code += 1) {
      const text = String.fromCharCode(code);
      const plain = escapeReceivedText(text) === text && code !== 0 && !(code >= 0xd800 && code <= 0xdfff);
      assert.equal(isPlainText(`a${text}`), plain, `U+${code.toString(16)}`);
    }
  });

  it('writes text and attributes that arrive as they were', () => {
    fc.assert(
      fc.property(sayable, (text) => {
        const document = `${xmlDeclaration}<a b="${escapeAttribute(text)}">${escapeText(text)}x</a>`;
        assert.deepEqual(eventsOf(document), [
          ['open', 'a', { b: text }],
          ['text', `${text}x`],
          ['close', 'a'],
        ]);
      }),
    );
  });

  it('leaves text without markup as it is', () => {
    assert.equal(escapeText('Café 😀 \u0085\u2028'), 'Café 😀 \u0085\u2028');
  });
});

describe('findUnsayable', () => {
  for (const [text, index, codePoint] of [
    ['\u0000', 0, 0],
    ['ab\u001f', 2, 0x1f],
    ['é\u000b', 1, 0x0b],
    ['\ufffe', 0, 0xfffe],
    ['x\uffff', 1, 0xffff],
    ['😀\ud83d', 2, 0xd83d],
    ['\udc00x', 0, 0xdc00],
  ] as const)
    it(`finds U+${codePoint.toString(16)} in ${JSON.stringify(text)}`, () =>
      assert.deepEqual(findUnsayable(text), { index, codePoint }));

  it('finds nothing in what XML can carry', () => {
    fc.assert(fc.property(sayable, (text) => findUnsayable(text) === undefined));
    assert.equal(findUnsayable('\t\n\r\u007f\u0085\u2028\ufeff\ufffd\u{1fffe}\u{10ffff}'), undefined);
  });

  it('finds exactly the texts that a strict reader refuses raw', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const isCarried =
          text === text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '');
        assert.equal(findUnsayable(text) === undefined, isCarried);
      }),
    );
  });
});
