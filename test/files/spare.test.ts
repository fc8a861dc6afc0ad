import assert from 'node:assert/strict';
import { fstatSync, mkdtempSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RelctlError } from '../../src/errors/relctl-error.js';
import { openSpare } from '../../src/files/spare.js';
import { skip } from '../support/skip.js';

describe('A spare file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-spare-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('holds what is written to it, for nobody else, and has no name that could be left behind', function () {
    if (process.platform === 'win32') skip(this, 'Windows removes no file that is open');
    const spare = openSpare(folder);
    assert.deepEqual(readdirSync(folder), []);
    const { mode, nlink } = fstatSync(spare.handle);
    assert.deepEqual([mode & 0o777, nlink], [0o600, 0]);
    writeSync(spare.handle, 'held');
    const read = Buffer.alloc(4);
    readSync(spare.handle, read, 0, 4, 0);
    assert.equal(read.toString(), 'held');
    spare.close();
    assert.deepEqual(readdirSync(folder), []);
  });

  it('that cannot be made is an error of this machine', () => {
    assert.throws(
      () => openSpare(join(folder, 'missing')),
      (thrown) => thrown instanceof RelctlError && thrown.kind === 'local',
    );
  });
});
