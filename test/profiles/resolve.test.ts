import assert from 'node:assert/strict';
import { chosenProfile, isSandbox, resolveProfile, resolveSecrets, type Sources } from '../../src/profiles/resolve.js';
import { environmentName, openStore, sandboxName, type ProfileStore } from '../../src/profiles/store/store.js';
import { settingEntries } from '../../src/profiles/settings/settings.js';
import { assertFailure, place } from '../support/profiles/place.js';
import { failureOf } from '../support/thrown.js';

const guid = '00000000-0000-4000-8000-00000000000';
const canary = 'S3cretCanary';

describe('A profile', () => {
  const here = place();
  let store: ProfileStore;
  after(() => here.remove());
  before(async () => {
    store = openStore(here.at('config'));
    await store.add('prod.eu', {
      baseUrl: 'https://eu.example',
      pageSize: 50,
      apiKey: `${guid}1`,
      password: 'env:EU_PW',
      protected: true,
    });
    await store.add('test', { baseUrl: 'https://test.example' });
  });
  const sources = (more: Partial<Sources> = {}): Sources => ({
    store,
    profile: 'prod.eu',
    overrides: {},
    variables: {},
    ...more,
  });
  const withStore = (name: string, content: unknown): ProfileStore => {
    const folder = here.at(name);
    const kept = openStore(folder);
    return { ...kept, get: () => content as Record<string, unknown> };
  };

  describe('is chosen', () => {
    const named = { RELCTL_PROFILE: 'test' };
    const own = { RELCTL_BASE_URL: 'https://x.example', RELCTL_API_KEY: `${guid}9` };

    it('by the flag, before all else', () => {
      assert.equal(chosenProfile(sources({ profile: 'prod.eu', variables: { ...named, ...own } })), 'prod.eu');
    });

    it('by RELCTL_PROFILE, before the settings of the environment', () => {
      assert.equal(chosenProfile({ store, profile: undefined, variables: { ...named, ...own } }), 'test');
    });

    it('from the environment alone when that has an address and a key, whatever is kept', () => {
      const resolved = resolveProfile(sources({ profile: undefined, variables: own }));
      assert.deepEqual([resolved.name, resolved.overridden], [environmentName, []]);
      assert.deepEqual(resolved.values.baseUrl, {
        value: own.RELCTL_BASE_URL,
        origin: { kind: 'environment', name: 'RELCTL_BASE_URL' },
      });
      assert.equal(resolved.values.protected?.value, false);
    });

    it('as the one in use, else the only one', async () => {
      const other = openStore(here.at('other'));
      await other.add('only', {});
      assert.equal(chosenProfile({ store: other, profile: undefined, variables: {} }), 'only');
      await other.add('second', {});
      assertFailure(await failureOf(() => chosenProfile({ store: other, profile: undefined, variables: {} })), {
        kind: 'profile',
        says: /no profile is selected/,
      });
      await other.use('second');
      assert.equal(chosenProfile({ store: other, profile: undefined, variables: {} }), 'second');
    });

    it('not at all on a fresh machine, with a way out that works', async () => {
      const error = await failureOf(() =>
        chosenProfile({ store: openStore(here.at('fresh')), profile: undefined, variables: {} }),
      );
      assertFailure(error, { kind: 'profile', says: /no profile is selected/ });
      assert.match(error.advice ?? '', /--profile sandbox/);
    });

    it('built in, without a store', () => {
      const resolved = resolveProfile(sources({ profile: sandboxName, store: openStore(here.at('fresh')) }));
      assert.deepEqual([resolved.values.userName?.value, isSandbox(resolved)], ['sandbox', true]);
      assert.equal(isSandbox(resolveProfile(sources())), false);
    });

    it('not when it is not there', async () => {
      for (const profile of ['prod-eu', environmentName, 'constructor'])
        assert.equal((await failureOf(() => resolveProfile(sources({ profile })))).kind, 'profile');
    });
  });

  describe('is put together', () => {
    it('from flag over environment over profile over default, and knows which', () => {
      const at = (overrides: Sources['overrides'], variables: Sources['variables'], profile = 'prod.eu'): unknown =>
        resolveProfile(sources({ overrides, variables, profile })).values.pageSize;
      const variables = { RELCTL_PAGE_SIZE: '70' };
      assert.deepEqual(at({ pageSize: { text: '90', by: '--page-size' } }, variables), {
        value: 90,
        origin: { kind: 'flag', name: '--page-size' },
      });
      assert.deepEqual(at({}, variables), { value: 70, origin: { kind: 'environment', name: 'RELCTL_PAGE_SIZE' } });
      assert.deepEqual(at({}, {}), { value: 50, origin: { kind: 'profile', name: 'prod.eu' } });
      assert.deepEqual(at({}, {}, 'test'), { value: 100, origin: { kind: 'default' } });
    });

    it('for every setting alike', () => {
      const samples: Readonly<Record<string, string>> = {
        text: 'x',
        url: 'https://x.example',
        guid: `${guid}5`,
        whole: '1',
        duration: '5s',
        'yes-no': 'true',
        file: '/x',
        zone: 'Europe/Amsterdam',
        rate: '10/s',
        country: 'NL',
        path: '/V2/service.asmx',
        headers: 'X-Key: x',
        login: 'ann',
        'allowed-values': 'ProductType=Bundle',
        token: 'abc',
        'settle-by': 'A=B(c).D',
      };
      for (const [name, setting] of settingEntries) {
        const text = setting.choices?.[0] ?? samples[setting.form];
        const override = { text: text ?? '', by: `--set ${name}` };
        const flag = resolveProfile(sources({ overrides: { [name]: override } })).values[name];
        assert.deepEqual(flag?.origin, { kind: 'flag', name: `--set ${name}` });
        const variable = resolveProfile(sources({ variables: { [setting.environment]: text } })).values[name];
        assert.deepEqual(variable, { ...flag, origin: { kind: 'environment', name: setting.environment } });
      }
    });

    it('without what nobody set', () => {
      const { values } = resolveProfile(sources({ profile: 'test' }));
      assert.deepEqual([values.userName, values.apiKey, 'proxy' in values], [undefined, undefined, false]);
    });

    it('with a list of what the environment overrides, and of that alone', () => {
      const variables = {
        RELCTL_PAGE_SIZE: '70',
        RELCTL_BASE_URL: 'https://eu.example',
        RELCTL_RETRIES: '5',
        RELCTL_PASSWORD: 'x',
      };
      assert.deepEqual(resolveProfile(sources({ variables })).overridden, ['RELCTL_PASSWORD', 'RELCTL_PAGE_SIZE']);
      assert.deepEqual(
        resolveProfile(sources({ overrides: { pageSize: { text: '9', by: '--page-size' } } })).overridden,
        [],
      );
    });

    it('with no as an answer as good as yes', () => {
      assert.equal(
        resolveProfile(sources({ overrides: { protected: { text: 'no', by: '--set protected' } } })).values.protected
          ?.value,
        false,
      );
      assert.equal(resolveProfile(sources({ variables: { RELCTL_PROTECTED: 'no' } })).values.protected?.value, false);
    });
  });

  describe('is refused', () => {
    it('for a bad flag or variable as usage, named as the user wrote it', async () => {
      const flag = await failureOf(() =>
        resolveProfile(sources({ overrides: { pageSize: { text: 'x', by: '--page-size' } } })),
      );
      assertFailure(flag, { kind: 'usage', says: /^--page-size takes a whole number/ });
      const variable = await failureOf(() => resolveProfile(sources({ variables: { RELCTL_PAGE_SIZE: 'x' } })));
      assertFailure(variable, { kind: 'usage', says: /^RELCTL_PAGE_SIZE takes a whole number/ });
    });

    it('for a bad value that it keeps, as a fault of the profile', async () => {
      for (const pageSize of ['many', {}, [5], 0]) {
        const error = await failureOf(() => resolveProfile(sources({ store: withStore('bad', { pageSize }) })));
        assertFailure(error, { kind: 'profile', says: /^the setting pageSize of profile 'prod\.eu' / });
      }
    });

    it('not for a bad value that a flag or variable stands in for', () => {
      const bad = withStore('bad', { pageSize: 'many' });
      assert.equal(
        resolveProfile(sources({ store: bad, overrides: { pageSize: { text: '5', by: '--page-size' } } })).values
          .pageSize?.value,
        5,
      );
      const resolved = resolveProfile(sources({ store: bad, variables: { RELCTL_PAGE_SIZE: '6' } }));
      assert.deepEqual([resolved.values.pageSize?.value, resolved.overridden], [6, ['RELCTL_PAGE_SIZE']]);
    });

    it('without ever showing a secret', async () => {
      for (const apiKey of [canary, { a: canary }]) {
        const bad = withStore('bad', { apiKey, password: [canary] });
        assertFailure(await failureOf(() => resolveProfile(sources({ store: bad }))), {
          kind: 'profile',
          says: /an invalid value/,
          hides: [canary],
        });
      }
    });
  });

  describe('has its secrets', () => {
    it('looked up only when they are asked for, nowhere else but where it says', async () => {
      const resolved = resolveProfile(sources());
      assert.deepEqual(resolved.values.password, { value: 'env:EU_PW', origin: { kind: 'profile', name: 'prod.eu' } });
      assert.deepEqual(await resolveSecrets(resolved, { EU_PW: canary }), { apiKey: `${guid}1`, password: canary });
    });

    it('from the environment to the letter, also what looks like a reference', async () => {
      const resolved = resolveProfile(sources({ variables: { RELCTL_PASSWORD: 'env:HOME' } }));
      assert.equal((await resolveSecrets(resolved, { HOME: '/h' })).password, 'env:HOME');
    });

    it('refused when one cannot be had, naming it', async () => {
      const error = await failureOf(() => resolveSecrets(resolveProfile(sources()), {}));
      assertFailure(error, {
        kind: 'profile',
        says: /the secret password cannot be read: the environment variable EU_PW is not set/,
      });
    });

    it('refused when the key is not a GUID, wherever it comes from, and never shown', async () => {
      const kept = resolveProfile(sources({ store: withStore('key', { apiKey: 'env:KEY' }) }));
      assertFailure(await failureOf(() => resolveSecrets(kept, { KEY: canary })), {
        kind: 'profile',
        says: /^the secret apiKey of profile '[\w.]+' takes a GUID such as 6f9619ff-8b86-d011-b42d-00c04fc964ff$/,
        hides: [canary],
      });
      const variable = resolveProfile(sources({ variables: { RELCTL_API_KEY: canary } }));
      assertFailure(await failureOf(() => resolveSecrets(variable, { EU_PW: 'x' })), {
        kind: 'profile',
        says: /^RELCTL_API_KEY takes a GUID such as 6f9619ff-8b86-d011-b42d-00c04fc964ff$/,
        hides: [canary],
      });
    });
  });
});
