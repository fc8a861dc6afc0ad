import assert from 'node:assert/strict';
import { mirrorSettings, type MirrorSettings } from '../../src/profiles/mirror.js';
import { resolveProfile, resolveSecrets } from '../../src/profiles/resolve.js';
import { openStore, type ProfileStore } from '../../src/profiles/store/store.js';
import { assertFailure, failureOf, place } from '../support/profiles/place.js';

const address = 'postgres://relctl@db.example/crm';
const canary = 'S3cretCanary';
const service = { baseUrl: 'https://crm.example', namespace: 'urn:crm' };

describe('The mirror of a profile', () => {
  const here = place();
  let store: ProfileStore;
  after(() => here.remove());
  before(async () => {
    store = openStore(here.at('config'));
    await store.add('crm', { ...service, mirror: address, mirrorSchema: 'acc', mirrorPassword: 'env:DB_PW' });
    await store.add('file', service);
    await store.add('lost', { ...service, mirror: address, mirrorPassword: 'env:NOT_THERE' });
  });
  const found = (profile: string, variables: Readonly<Record<string, string>> = {}): MirrorSettings | undefined =>
    mirrorSettings({ store, profile, variables: { DB_PW: canary, ...variables } });

  it('is where its settings say, with the password that they refer to', async () => {
    const settings = found('crm');
    assert.deepEqual([settings?.address, settings?.schema], [address, 'acc']);
    assert.equal(await settings?.password(), canary);
    assert.equal(found('file'), undefined);
  });

  it('is where the variables say, which go before the profile', async () => {
    const RELCTL_MIRROR = 'postgres://me@other.example/crm';
    const other = found('crm', { RELCTL_MIRROR, RELCTL_MIRROR_SCHEMA: 'own', RELCTL_MIRROR_PASSWORD: 'env:DB_PW' });
    assert.deepEqual([other?.address, other?.path, other?.schema], [RELCTL_MIRROR, 'RELCTL_MIRROR', 'own']);
    assert.equal(await other?.password(), 'env:DB_PW');
    for (const name of ['file', 'sandbox', 'environment'])
      assert.equal(found(name, { RELCTL_MIRROR })?.address, RELCTL_MIRROR, name);
  });

  it('keeps its password from the address of a variable', async () => {
    const other = found('crm', { RELCTL_MIRROR: 'postgres://me@other.example/crm' });
    assert.equal(await other?.password(), undefined);
    assert.equal(await found('crm', { RELCTL_MIRROR_PASSWORD: 'own' })?.password(), 'own');
  });

  it('is a file where a profile was removed', () => assert.equal(found('removed'), undefined));

  it('says which secret is not there, and looks it up for nothing but the mirror', async () => {
    assertFailure(await failureOf(() => found('lost')?.password()), {
      kind: 'profile',
      says: /^profile 'lost': the secret mirrorPassword cannot be read/,
    });
    const profile = resolveProfile({ store, profile: 'lost', overrides: {}, variables: {}, builtIn: () => undefined });
    assert.deepEqual(await resolveSecrets(profile, {}), {});
  });

  for (const [wrong, words] of [
    [`postgres://relctl:${canary}@db.example/crm`, /address without a password/],
    [`postgres://db.example/crm?password=${canary}`, /a password in it/],
    ['mirror.db', /takes a PostgreSQL address/],
  ] as const) {
    it(`refuses ${wrong.replace(canary, 'PASSWORD')}`, async () => {
      const error = await failureOf(() => found('file', { RELCTL_MIRROR: wrong }));
      assertFailure(error, { kind: 'usage', says: words, hides: [canary] });
    });
  }
});
