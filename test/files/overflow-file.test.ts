import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RelctlError } from '../../src/errors/relctl-error.js';
import { openOverflowFile } from '../../src/files/overflow-file.js';

describe('An overflow file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-overflow-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('gives back what was written at a place, and leaves nothing behind', () => {
    const overflow = openOverflowFile(folder);
    overflow.write(Buffer.from('defgh'), 3);
    overflow.write(Buffer.from('abc'), 0);
    const read = Buffer.alloc(4);
    overflow.read(read, 2);
    assert.equal(read.toString(), 'cdef');
    overflow.close();
    overflow.close();
    assert.deepEqual(readdirSync(folder), []);
  });

  it('never makes up bytes that were not written', () => {
    const overflow = openOverflowFile(folder);
    overflow.write(Buffer.from('abc'), 0);
    assert.throws(
      () => overflow.read(Buffer.alloc(4), 0),
      (thrown) => thrown instanceof RelctlError && thrown.kind === 'local' && thrown.facts.code === 'short',
    );
    overflow.close();
  });
});
