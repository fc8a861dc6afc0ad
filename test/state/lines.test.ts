import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readLines } from '../../src/state/lines.js';

describe('The lines of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-lines-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const linesOf = (text: string): string[] => {
    const file = join(folder, 'file');
    writeFileSync(file, text);
    const handle = openSync(file, 'r');
    try {
      return [...readLines(handle)];
    } finally {
      closeSync(handle);
    }
  };

  it('end at line feeds, and at nothing else that some take for one', () => {
    assert.deepEqual(linesOf('a\u2028b\rc\u0085\n\nd\n'), ['a\u2028b\rc\u0085', '', 'd']);
    assert.deepEqual(linesOf(''), []);
    assert.deepEqual(linesOf('a\nb'), ['a', 'b']);
  });

  it('are the same wherever a read ends, within a character too', () => {
    for (const shift of [0, 1, 2, 3]) {
      const lines = ['x'.repeat(65_534 + shift), `😀${'é'.repeat(70_000)}`, 'z'];
      assert.deepEqual(linesOf(`${lines.join('\n')}\n`), lines);
    }
  });

  it('are what was joined', () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ''));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        assert.deepEqual(linesOf(lines.map((each) => `${each}\n`).join('')), lines);
      }),
      { numRuns: 50 },
    );
  });
});
