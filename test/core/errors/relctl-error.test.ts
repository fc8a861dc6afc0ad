import assert from 'node:assert/strict';
import { RelctlError, untold } from '../../../src/core/errors/relctl-error.js';

describe('The error of a write that was done and could not be told', () => {
  const done = 'the write succeeded (add a line), do not repeat it';

  it('ends with 10 where a signal came, whose own code says that nothing was done', () => {
    const facts = { foreignCode: 'SIGTERM', exitCode: 143 };
    const error = untold(new RelctlError('interrupted', 'ended by SIGTERM', { facts, hint: 'relctl again' }), done);
    assert.deepEqual([error.kind, error.exitCode, error.remedy.hint], ['local', 10, null]);
    assert.equal(error.message, `${done}; but ended by SIGTERM`);
  });

  it('is that of the disk, or of a reader that has gone, as it was', () => {
    const full = untold(new RelctlError('local', 'the disk is full', { facts: { foreignCode: 'ENOSPC' } }), done);
    assert.deepEqual([full.exitCode, full.reportedCode, full.message], [10, 'ENOSPC', `${done}; but the disk is full`]);
    const facts = { code: 'stdout-closed', exitCode: 0 } as const;
    assert.equal(untold(new RelctlError('interrupted', 'the reader has gone', { facts }), done).exitCode, 0);
  });
});
