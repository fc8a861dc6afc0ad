import assert from 'node:assert/strict';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { seqsOnPage } from '../../../src/sandbox/store/records.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

describe('A page of a table', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await temporarySandbox(10);
  });
  after(() => sandbox.close());
  const seqs = (pageNumber: number, pageSize: number): readonly number[] =>
    seqsOnPage(sandbox.store, 'PvRelationData', { pageNumber, pageSize });

  it('counts no row that was deleted by hand', () => {
    sandbox.store.statement('DELETE FROM "PvRelationData" WHERE seq IN (2, 5)').run();
    assert.deepEqual([seqs(1, 4), seqs(2, 4), seqs(3, 4)], [[1, 3, 4, 6], [7, 8, 9, 10], []]);
  });
});
