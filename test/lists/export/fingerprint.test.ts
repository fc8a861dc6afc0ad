import assert from 'node:assert/strict';
import { differences } from '../../../src/lists/export/plan.js';
import { job } from '../../support/export/plan.js';

describe('What makes two exports the same job', () => {
  it('is nothing that differs', () => assert.deepEqual(differences(job, { ...job }), []));

  it('has every flag that is in no other part of it', () => {
    const [legacy, none] = [
      { ...job, flags: '{"legacy":true}' },
      { ...job, flags: '' },
    ];
    assert.deepEqual(differences(none, legacy), [String.raw`flags was "", is "{\"legacy\":true}"`]);
    assert.deepEqual(differences(legacy, none), [String.raw`flags was "{\"legacy\":true}", is ""`]);
    assert.deepEqual(differences(legacy, { ...legacy }), []);
  });

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
