import assert from 'node:assert/strict';
import { fstatSync, mkdtempSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RelctlError } from '../../src/core/errors/relctl-error.js';
import { openTemporaryFile } from '../../src/state/temporary-file.js';
import { skip } from '../support/skip.js';

describe('A temporary file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-spare-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('holds what is written to it, for nobody else, and has no name that could be left behind', function () {
    if (process.platform === 'win32') skip(this, 'Windows removes no file that is open');
    const temporary = openTemporaryFile(folder);
    assert.deepEqual(readdirSync(folder), []);
    const { mode, nlink } = fstatSync(temporary.handle);
    assert.deepEqual([mode & 0o777, nlink], [0o600, 0]);
    writeSync(temporary.handle, 'held');
    const read = Buffer.alloc(4);
    readSync(temporary.handle, read, 0, 4, 0);
    assert.equal(read.toString(), 'held');
    temporary.close();
    assert.deepEqual(readdirSync(folder), []);
  });

  it('gives back what was written at a place, and leaves nothing behind', () => {
    const temporary = openTemporaryFile(folder);
    temporary.write(Buffer.from('defgh'), 3);
    temporary.write(Buffer.from('abc'), 0);
    const read = Buffer.alloc(4);
    temporary.read(read, 2);
    assert.equal(read.toString(), 'cdef');
    temporary.close();
    temporary.close();
    assert.deepEqual(readdirSync(folder), []);
  });

  it('never makes up bytes that were not written', () => {
    const temporary = openTemporaryFile(folder);
    temporary.write(Buffer.from('abc'), 0);
    assert.throws(
      () => temporary.read(Buffer.alloc(4), 0),
      (thrown) => thrown instanceof RelctlError && thrown.kind === 'local' && thrown.facts.code === 'short',
    );
    temporary.close();
  });

  it('that cannot be made is an error of this machine', () => {
    assert.throws(
      () => openTemporaryFile(join(folder, 'missing')),
      (thrown) => thrown instanceof RelctlError && thrown.kind === 'local',
    );
  });
});
