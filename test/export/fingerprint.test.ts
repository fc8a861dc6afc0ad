import assert from 'node:assert/strict';
import { differences } from '../../src/export/fingerprint.js';
import { job } from '../support/export/plan.js';

describe('What makes two exports the same job', () => {
  it('is nothing that differs', () => assert.deepEqual(differences(job, { ...job }), []));

  it('is named when it differs, with both values', () => {
    assert.deepEqual(differences(job, { ...job, pageSize: 50, columns: 'Id,Name' }), [
      'columns was "Id", is "Id,Name"',
      'pageSize was 2, is 50',
    ]);
    for (const name of Object.keys(job)) {
      assert.equal(differences(job, { ...job, [name]: 'another' }).length, 1, name);
    }
  });
});
