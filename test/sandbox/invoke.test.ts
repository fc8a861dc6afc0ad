import assert from 'node:assert/strict';
import { credentialsRefusal, type ReceivedCredentials } from '../../src/sandbox/invoke.js';
import { known } from '../../src/sandbox/dataset/known.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { temporarySandbox } from '../support/sandbox/temporary.js';

const { ApiKey, DatabaseId, UserId, UserName, Password } = known.credentials;
const other = 'ffffffff-ffff-4fff-8fff-ffffffffffff';

describe('The credentials of the sandbox', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await temporarySandbox(3);
  });
  after(() => sandbox.close());

  const key = 'The ApiKey is not valid.';
  const database = 'The DatabaseId is not a database of this ApiKey.';
  const user = 'The UserId is not a user of this database.';
  const password = 'The user name and the password do not match.';
  const cases: readonly (readonly [title: string, given: ReceivedCredentials, refused: string | undefined])[] = [
    ['all of them', { ApiKey, DatabaseId, UserId, UserName, Password }, undefined],
    ['without user name and password', { ApiKey, DatabaseId, UserId }, undefined],
    ['the key alone', { ApiKey, DatabaseId: null, UserId: null }, undefined],
    ['the key in upper case', { ApiKey: ApiKey.toUpperCase() }, undefined],
    ['another user of the database', { ApiKey, UserId: known.quietUserId }, undefined],
    ['a nil user name and password', { ApiKey, UserName: null, Password: null }, undefined],
    ['no element', undefined, 'Credentials are required.'],
    ['an empty element', {}, key],
    ['a nil key', { ApiKey: null }, key],
    ['another key', { ApiKey: other, DatabaseId, UserId, UserName, Password }, key],
    ['the empty key', { ApiKey: '00000000-0000-0000-0000-000000000000' }, key],
    ['another database', { ApiKey, DatabaseId: other }, database],
    ['an unknown user', { ApiKey, UserId: other }, user],
    ['the empty user', { ApiKey, UserId: '00000000-0000-0000-0000-000000000000' }, user],
    ['another password', { ApiKey, UserName, Password: 'Sandbox' }, password],
    ['an empty password', { ApiKey, UserName, Password: '' }, password],
    ['a user name without a password', { ApiKey, UserName }, password],
    ['a password without a user name', { ApiKey, Password }, password],
    ['another user name', { ApiKey, UserName: 'root', Password }, password],
  ];
  for (const [title, given, refused] of cases) {
    it(`${title}: ${refused ?? 'right'}`, () => assert.equal(credentialsRefusal(sandbox.store, given), refused));
  }
});
