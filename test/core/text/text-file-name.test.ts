import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { safeFileName } from '../../../src/core/text/text.js';

const safe = (given: string): string => safeFileName(given, 'fallback');

describe('The name of a file that somebody else chose', () => {
  const known: Readonly<Record<string, string>> = {
    'notulen.txt': 'notulen.txt',
    'Offerte (definitief) ëï.txt': 'Offerte (definitief) ëï.txt',
    '../../etc/passwd': 'passwd',
    '..\\..\\win.ini': 'win.ini',
    'C:\\x.txt': 'x.txt',
    'C:x.txt': 'C_x.txt',
    '/': 'fallback',
    '': 'fallback',
    '.': 'fallback',
    '..': 'fallback',
    '...': 'fallback',
    ' . ': 'fallback',
    '???': 'fallback',
    'dir/': 'fallback',
    '.htaccess': 'htaccess',
    'x.txt. . ': 'x.txt',
    CON: '_CON',
    'con.txt': '_con.txt',
    'Lpt1.log.gz': '_Lpt1.log.gz',
    'COM¹': '_COM¹',
    'nul .txt': '_nul .txt',
    'console.txt': 'console.txt',
    'a\u0000b\u001b[31mc\u007f\u0085': 'a_b_[31mc__',
    'x\u202egpj.exe': 'x_gpj.exe',
    '\ufeffx': '_x',
    'half \ud800 pair': 'half _ pair',
    '\u{1f4ce}.txt': '\u{1f4ce}.txt',
    '-rf': '-rf',
  };
  for (const [given, expected] of Object.entries(known)) {
    it(`is ${expected} for ${JSON.stringify(given)}`, () => assert.equal(safe(given), expected));
  }

  it('has at most 200 bytes and keeps its ending', () => {
    assert.equal(safe(`${'a'.repeat(300)}.pdf`), `${'a'.repeat(196)}.pdf`);
    assert.equal(safe(`${'é'.repeat(300)}.pdf`), `${'é'.repeat(98)}.pdf`);
    assert.equal(safe('\u{1f4ce}'.repeat(300)), '\u{1f4ce}'.repeat(50));
    assert.equal(safe(`a.${'b'.repeat(300)}`).length, 200);
  });

  it('is made quickly however long the name is', () => {
    const began = performance.now();
    assert.equal(safe('é'.repeat(4_000_000)).length, 100);
    assert.ok(performance.now() - began < 5000);
  });

  it('is never a way out of the folder, hidden or empty, whatever was given', () => {
    const pieces = fc.constantFrom(
      '..',
      '/',
      '\\',
      '.',
      ' ',
      ':',
      'CON',
      'x',
      '\u0000',
      '\n',
      '\ud83d',
      '\u{1f4ce}',
      '*',
      '~',
    );
    const names = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(names, (given) => {
        const name = safe(given);
        assert.equal(join('/folder', name), `/folder/${name}`);
        assert.equal(basename(name), name);
        assert.doesNotMatch(name, /^\.|[\\/\u0000-\u001f]|^\s*$/);
        assert.ok(Buffer.byteLength(name) <= 200);
      }),
      { numRuns: 1000 },
    );
  });
});
