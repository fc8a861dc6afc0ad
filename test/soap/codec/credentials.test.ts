import assert from 'node:assert/strict';
import { ApiCredentials } from '../../../src/contract/records/shared.js';
import { maskedCredentials, secretFields, secretsOf } from '../../../src/soap/codec/credentials.js';

const ApiKey = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
const least = { ApiKey, DatabaseId: null, UserId: null };
const full = { ApiKey, DatabaseId: 'd', UserId: 'u', UserName: 'operator', Password: 'hunter2' };

describe('credentials', () => {
  it('have two secrets: the key and the password', () => {
    assert.deepEqual(secretsOf(full), [ApiKey, 'hunter2']);
    assert.deepEqual(secretsOf(least), [ApiKey]);
    assert.deepEqual([...secretFields], [ApiCredentials.fields.ApiKey, ApiCredentials.fields.Password]);
  });

  it('are shown with stars for what is secret, and are not changed by that', () => {
    assert.deepEqual(maskedCredentials(full), { ...full, ApiKey: '********', Password: '********' });
    assert.equal(full.Password, 'hunter2');
    assert.equal('Password' in maskedCredentials(least), false);
  });
});
