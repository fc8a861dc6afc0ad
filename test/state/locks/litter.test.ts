import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownTag, sweepFiles, sweepLitter } from '../../../src/state/locks/holder.js';
import { openTemporaryFile } from '../../../src/state/temporary-file.js';

/** Tags of a process that has ended, of one that lives, and of one of another machine. */
function tags(): { ended: string; living: string; elsewhere: string } {
  const [own = '', places = ''] = ownTag().split('-');
  const ended = spawnSync('true').pid;
  return { ended: `${ended}-${places}`, living: `${own}-${places}`, elsewhere: `${ended}-0123456700000000` };
}

const tagIn = (name: string): string | undefined => /^left-(.*)-x$/.exec(name)?.[1];

describe('What killed processes left', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'relctl-litter-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const path = (...names: readonly string[]): string => join(folder, ...names);
  const makeFolder = (name: string): void => {
    mkdirSync(path(name));
    writeFileSync(path(name, 'inside'), 'x');
  };

  it('is removed with all that is in it, and nothing of a living process, of another machine or of another kind', () => {
    const { ended, living, elsewhere } = tags();
    const kept = [`left-${living}-x`, `left-${elsewhere}-x`, `other-${ended}-x`, 'left--x'];
    for (const name of [...kept, `left-${ended}-x`]) makeFolder(name);
    const other = tags().ended;
    writeFileSync(path(`left-${other}-x`), 'a file, where folders are meant');
    sweepLitter(folder, { kind: 'folder', tagIn });
    assert.deepEqual(readdirSync(folder).sort(), [...kept, `left-${other}-x`].sort());
    sweepLitter(folder, { kind: 'file', tagIn });
    assert.deepEqual(readdirSync(folder).sort(), kept.sort());
  });

  it('is removed too when it is old, where nobody knows of the process and that is wanted', () => {
    const { elsewhere, living } = tags();
    for (const name of [`left-${elsewhere}-x`, `left-${living}-x`]) {
      makeFolder(name);
      for (const each of [path(name, 'inside'), path(name)]) utimesSync(each, 1, 1);
    }
    sweepLitter(folder, { kind: 'folder', tagIn });
    assert.equal(readdirSync(folder).length, 2);
    makeFolder('left-new-x');
    sweepLitter(folder, { kind: 'folder', tagIn, olderMs: 60_000 });
    assert.deepEqual(readdirSync(folder).sort(), [`left-${living}-x`, 'left-new-x'].sort());
  });

  it('is not looked for behind links', () => {
    const { ended } = tags();
    makeFolder('victim');
    symlinkSync('victim', path(`left-${ended}-x`));
    symlinkSync(join('victim', 'inside'), path('a.tmp'));
    sweepLitter(folder, { kind: 'folder', tagIn });
    sweepFiles(folder, (name) => name.endsWith('.tmp'));
    assert.deepEqual(readdirSync(path('victim')), ['inside']);
    assert.equal(readdirSync(folder).length, 3);
  });

  it('is removed by its name alone where a lock is held, files only', () => {
    for (const name of ['a.tmp', 'b.tmp', 'a.tmp.txt']) writeFileSync(path(name), 'x');
    mkdirSync(path('c.tmp'));
    sweepFiles(folder, (name) => name.endsWith('.tmp'));
    assert.deepEqual(readdirSync(folder).sort(), ['a.tmp.txt', 'c.tmp']);
    sweepFiles(path('missing'), (name) => name.endsWith('.tmp'));
    sweepLitter(path('missing'), { kind: 'file', tagIn });
  });

  it('of temporary files is removed by the next one', () => {
    const { ended, living } = tags();
    for (const name of [`relctl-${ended}-aB3_9z`, `relctl-${living}-aB3_9z`, 'relctl-aB3_9z']) makeFolder(name);
    openTemporaryFile(folder).close();
    assert.deepEqual(readdirSync(folder).sort(), [`relctl-${living}-aB3_9z`, 'relctl-aB3_9z'].sort());
  });
});
