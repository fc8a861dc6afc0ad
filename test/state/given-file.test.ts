import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linesOfGiven } from '../../src/state/given-file.js';

describe('linesOfGiven', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-given-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = (text: string): string => {
    const path = join(folder, 'lines');
    writeFileSync(path, text);
    return path;
  };

  it('gives the lines of a file that ends with a line feed', () => {
    assert.deepEqual([...linesOfGiven(file('a\n\né\n'), 10)], ['a', '', 'é']);
    assert.deepEqual([...linesOfGiven(file(''), 10)], []);
  });

  it('refuses what is no file, ends within a line, or has too long a line', () => {
    const long = 'x'.repeat(300_000);
    assert.deepEqual([...linesOfGiven(file(`${long}\n`), 300_000)], [long]);
    for (const [path, words] of [
      [folder, /is no file/],
      [join(folder, 'nothing'), /there is no such file/],
      [file('a\nb'), /ends within a line/],
    ] as const)
      assert.throws(() => [...linesOfGiven(path, 10)], words);
    assert.throws(() => [...linesOfGiven(file(`${long}\n`), 100_000)], /longer than/);
  });
});
