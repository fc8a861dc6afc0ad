import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { readLines, checkedLine, checkedText, valueOfLine } from '../../src/state/lines.js';

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

/** The line of a JSON text, by its description. */
const lineOf = (json: string, index: number): string => {
  const sum = createHash('sha256').update(`${index} ${json}`).digest('hex').slice(0, 16);
  return `${sum} ${json}\n`;
};

const index = fc.nat({ max: Number.MAX_SAFE_INTEGER });

describe('A line of a journal', () => {
  it('begins with the start of a hash of its number and text', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), index, (value, at) => {
        const line = checkedLine(value, at);
        assert.equal(line.toString('utf8'), lineOf(JSON.stringify(value), at));
        const read = line.toString('utf8').slice(0, -1);
        assert.deepEqual(valueOfLine(read, at), JSON.parse(JSON.stringify(value)));
        assert.equal(valueOfLine(read, at + 1), undefined);
        assert.equal(valueOfLine(`${read} `, at), undefined);
        assert.equal(valueOfLine(read.replace('{', '{ '), at), undefined);
      }),
    );
  });

  it('has bytes in base64, however many', () => {
    const bytes = fc.uint8Array({ maxLength: 40 });
    const long = [49_151, 49_152, 49_153, 200_000].map((length) => Uint8Array.from({ length }, (_, at) => at * 7));
    fc.assert(
      fc.property(fc.oneof(bytes, fc.constantFrom(...long)), bytes, index, (one, other, at) => {
        const base64 = (each: Uint8Array): string => Buffer.from(each).toString('base64');
        const json = JSON.stringify({ é: 1, one: base64(one), other: base64(other) });
        const line = checkedText(['{"é":1,"one":"', one, '","other":"', other, '"}'], at);
        assert.equal(line.toString('utf8'), lineOf(json, at));
      }),
    );
  });
});
