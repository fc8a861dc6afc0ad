import assert from 'node:assert/strict';
import { ApiCredentials } from '../../../src/contract/records/credentials.js';
import { credentialsOf, maskedCredentials, secretFields, secretsOf } from '../../../src/soap/codec/credentials.js';

const apiKey = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
const full = credentialsOf({
  apiKey,
  databaseId: 'd',
  userId: 'u',
  userName: 'operator',
  password: 'hunter2',
  sourceApplication: { name: 'relctl', category: 'tool', subcategory: 'cli', version: '1' },
});

describe('credentials', () => {
  it('hold every part under the name that the service has for it', () => {
    assert.deepEqual(full, {
      ApiKey: apiKey,
      DatabaseId: 'd',
      UserId: 'u',
      UserName: 'operator',
      Password: 'hunter2',
      SourceApplication: { Name: 'relctl', Category: 'tool', Subcategory: 'cli', Version: '1' },
    });
  });

  it('say nil for a database and a user that are not set, and leave the rest out', () => {
    assert.deepEqual(credentialsOf({ apiKey }), { ApiKey: apiKey, DatabaseId: null, UserId: null });
    assert.deepEqual(credentialsOf({ apiKey, sourceApplication: { name: 'x' } })['SourceApplication'], { Name: 'x' });
  });

  it('keep an empty password apart from none', () => {
    assert.equal(credentialsOf({ apiKey, password: '' })['Password'], '');
  });

  it('have two secrets: the key and the password', () => {
    assert.deepEqual(secretsOf(full), [apiKey, 'hunter2']);
    assert.deepEqual(secretsOf(credentialsOf({ apiKey })), [apiKey]);
    assert.deepEqual([...secretFields], [ApiCredentials.fields.ApiKey, ApiCredentials.fields.Password]);
  });

  it('are shown with stars for what is secret, and are not changed by that', () => {
    assert.deepEqual(maskedCredentials(full), { ...full, ApiKey: '********', Password: '********' });
    assert.equal(full['Password'], 'hunter2');
    assert.equal('Password' in maskedCredentials(credentialsOf({ apiKey })), false);
  });
});
