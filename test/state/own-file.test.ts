import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolders } from '../../src/state/own-file.js';
import { home, program } from '../support/relctl.js';
import { skip } from '../support/skip.js';

describe('makeFolders', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'relctl-folders-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  it('makes all that are missing, for the user alone', function () {
    if (process.platform === 'win32') skip(this, 'Windows has no modes');
    makeFolders(join(folder, 'a/b/c'));
    for (const path of ['a', 'a/b', 'a/b/c']) assert.equal(modeOf(join(folder, path)), 0o700);
    makeFolders(join(folder, 'a/open'), 0o755);
    assert.equal(modeOf(join(folder, 'a/open')) & 0o700, 0o700);
  });

  it('leaves one that is there as it is, also behind a link', () => {
    makeFolders(join(folder, 'a'), 0o750);
    const before = modeOf(join(folder, 'a'));
    symlinkSync(join(folder, 'a'), join(folder, 'link'));
    makeFolders(join(folder, 'a'));
    makeFolders(join(folder, 'link'));
    assert.equal(modeOf(join(folder, 'a')), before);
    makeFolders('/');
  });

  it('throws what the system says of a file, and of a link that leads nowhere', () => {
    writeFileSync(join(folder, 'file'), '');
    assert.throws(() => makeFolders(join(folder, 'file')), { code: 'EEXIST' });
    assert.throws(() => makeFolders(join(folder, 'file/below')), { code: 'ENOTDIR' });
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
    assert.throws(() => makeFolders(join(folder, 'link')), { code: 'EEXIST' });
  });

  it('ends where the system says that a folder above is missing, although it is there', function () {
    if (process.platform !== 'linux') skip(this, 'only Linux has /proc');
    const place = home();
    for (const [name, value] of [
      ['RELCTL_STATE_DIR', '/proc/nohome/state'],
      ['XDG_CONFIG_HOME', '/proc/nohome'],
    ] as const) {
      const env = { ...place.env, [name]: value };
      const add = ['profile', 'add', 'one', '--base-url', 'http://127.0.0.1:9', '--namespace', 'urn:n'];
      for (const args of [add, ['relation', 'list', '-p', 'sandbox', '--limit', '1'], ['doctor']]) {
        const run = spawnSync(process.execPath, [program, ...args], { env, timeout: 60_000 });
        assert.notEqual(run.status, null, `${name} ${args.join(' ')}`);
      }
    }
    assert.throws(() => makeFolders('/proc/nohome/state'), { code: 'ENOENT' });
    place.remove();
  });
});
