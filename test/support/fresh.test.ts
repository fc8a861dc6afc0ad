import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whyStale } from './fresh.js';

describe('Tests of the built program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-fresh-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string, second: number): string => {
    const file = join(folder, name);
    writeFileSync(file, '');
    utimesSync(file, second, second);
    return file;
  };

  it('say that it was not built, or which source is newer than it', () => {
    mkdirSync(join(folder, 'src/deep'), { recursive: true });
    at('src/a.ts', 100);
    const deep = at('src/deep/b.ts', 200);
    const sources = [join(folder, 'src'), at('package.json', 100)];
    const built = join(folder, 'start.js');
    assert.equal(whyStale(built, sources), `${built} is not there. Try: npm run build`);
    at('start.js', 150);
    assert.equal(whyStale(built, sources), `${deep} is newer than ${built}. Try: npm run build`);
    at('start.js', 250);
    assert.equal(whyStale(built, sources), undefined);
  });
});
