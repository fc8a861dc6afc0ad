import assert from 'node:assert/strict';
import fc from 'fast-check';
import { escapeForTerminal, escapeLayout, escapeLines, visibleJson } from '../../src/formats/escape.js';
import { anyText, hostile, unseen } from '../support/output/print.js';

describe('escapeForTerminal', () => {
  for (const [name, text] of Object.entries(hostile)) {
    it(`leaves nothing of ${name} that a terminal would act upon`, () => {
      const shown = escapeForTerminal(text);
      assert.doesNotMatch(shown, unseen);
      assert.notEqual(shown, text);
    });
  }

  it('shows each as a glyph of its own', () => {
    assert.equal(escapeForTerminal('a\u001b[1m\u0007\r\n\t\u0000\u007f'), 'a␛[1m␇␍⏎→␀␡');
    assert.equal(
      escapeForTerminal('\u009b\u202e\ufeff\u{e0041}\ud83d'),
      '\\u{9b}\\u{202e}\\u{feff}\\u{e0041}\\u{d83d}',
    );
  });

  it('leaves what people write as it is', () => {
    for (const text of [
      'Café Zoë',
      '日本語',
      'שלום',
      'سلام ٣',
      '\u0600١',
      'e\u0301',
      '😀👍🏽🇳🇱',
      '☎️',
      'a\u00a0b',
      '= + - @',
      '',
    ])
      assert.equal(escapeForTerminal(text), text);
  });

  it('leaves nothing unseen in any text, and does nothing more the second time', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = escapeForTerminal(text);
        assert.doesNotMatch(once, unseen);
        assert.equal(escapeForTerminal(once), once);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('escapeLines', () => {
  it('keeps line breaks and escapes the rest', () => {
    assert.equal(escapeLines('one\n\ttwo\u001b[2J\n'), 'one\n→two␛[2J\n');
  });
});

describe('escapeLayout', () => {
  it('keeps tabs and ends of lines, and escapes a lone carriage return and the rest', () => {
    assert.equal(escapeLayout('a\tb\r\nc\rd\u001b[2J\u009b\n'), 'a\tb\r\nc␍d␛[2J\\u{9b}\n');
  });

  for (const [name, text] of Object.entries(hostile)) {
    it(`leaves nothing of ${name} that a terminal would act upon`, () => {
      assert.doesNotMatch(escapeLayout(text).replace(/[\t\n]|\r\n/g, ''), unseen);
    });
  }
});

describe('visibleJson', () => {
  it('is JSON of the same value in which nothing is unseen', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const json = visibleJson(JSON.stringify({ text }));
        assert.deepEqual(JSON.parse(json), { text });
        assert.doesNotMatch(json, unseen);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps the layout', () => {
    assert.equal(visibleJson('{\n  "a": "\u009b\u{e0041}"\n}'), '{\n  "a": "\\u009b\\udb40\\udc41"\n}');
  });
});
