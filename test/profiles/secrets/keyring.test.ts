import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findKeyring, keyringAccount, type Keyring } from '../../../src/profiles/secrets/keyring.js';
import { resolveSecret } from '../../../src/profiles/secrets/secret.js';
import { fakeKeyring, type FakeKeyring } from '../../support/profiles/fake-keyring.js';
import { assertFailure, place, type Place } from '../../support/profiles/place.js';
import { failureOf } from '../../support/thrown.js';
import { needs, skip } from '../../support/skip.js';

const canary = 'S3cretCanary "x" \\ $HOME';
const PATH = process.env['PATH'] ?? '/usr/bin:/bin';

for (const [name, platform] of [
  ['secret-tool', 'linux'],
  ['security', 'darwin'],
] as const) {
  describe(`The keyring behind ${name}`, () => {
    let here: Place;
    let fake: FakeKeyring;
    before(function () {
      if (process.platform === 'win32') skip(this, 'Windows runs no script as a program');
    });
    beforeEach(() => {
      here = place();
      fake = fakeKeyring(here.folder, name);
    });
    afterEach(() => here.remove());
    const sources = (): { platform: NodeJS.Platform; variables: Record<string, string> } => ({
      platform,
      variables: { PATH: `${fake.bin}:${PATH}` },
    });
    const found = async (): Promise<Keyring> => {
      const keyring = await findKeyring(sources());
      assert.equal(keyring?.program, name);
      return keyring;
    };

    it('keeps a secret that no command shows, and gives the reference that reads it', async () => {
      const reference = await (await found()).keep('eu/password', canary);
      assert.equal(reference, 'keyring:eu/password');
      assert.deepEqual(fake.entries(), { 'eu/password': canary });
      assert.equal(await resolveSecret('password', reference, sources()), canary);
      const hex = Buffer.from(canary).toString('hex');
      assert.ok(!fake.calls().includes('S3cret') && !fake.calls().includes(hex), fake.calls());
    });

    it('leaves what somebody else keeps under the same account', async () => {
      const keyring = await found();
      await keyring.keep('eu/password', 'first');
      assert.equal(await keyring.keep('eu/password', 'second'), 'keyring:eu/password-2');
      assert.deepEqual(fake.entries(), { 'eu/password': 'first', 'eu/password-2': 'second' });
    });

    it('clears what a reference names, and nothing else', async () => {
      const keyring = await found();
      await keyring.keep('eu/apiKey', 'key');
      await keyring.clear(await keyring.keep('eu/password', canary));
      assert.deepEqual(fake.entries(), { 'eu/apiKey': 'key' });
    });

    it('says so when something is not cleared', async () => {
      const keyring = await found();
      const reference = await keyring.keep('eu/password', canary);
      fake.first('case $* in *clear*|*delete*) exit 0 ;; esac');
      const error = await failureOf(() => keyring.clear(reference));
      assertFailure(error, { kind: 'local', says: /did not clear eu\/password/, hides: ['S3cret'] });
    });

    it('does not trust a program that says it kept the secret, and gives back another or none', async () => {
      const keyring = await found();
      const refused = async (script: string): Promise<void> => {
        fake.first(script);
        const error = await failureOf(() => keyring.keep('eu/password', canary));
        assertFailure(error, { kind: 'local', says: /did not store it/, hides: ['S3cret'] });
        assert.deepEqual(fake.entries(), {});
      };
      await refused('case $* in store*|-i) cat >/dev/null; exit 0 ;; esac');
      await refused('case $* in store*|-i) cat >/dev/null; printf other > "$ring/eu%password"; exit 0 ;; esac');
    });

    it('is not there without its program, with one that fails, and with one that does not answer', async () => {
      const absent = await findKeyring({ platform, variables: { PATH: here.at('nowhere') } });
      assert.equal(absent, undefined);
      assert.equal(await findKeyring({ platform, variables: {} }), undefined);
      fake.first('echo "Cannot autolaunch D-Bus without X11" >&2; exit 1');
      assert.equal(await findKeyring(sources()), undefined);
      fake.first('exit 36');
      assert.equal(await findKeyring(sources()), undefined);
      // The streams stay open in what it leaves running.
      fake.first('sleep 30 & wait');
      assert.equal(await findKeyring({ ...sources(), answerMs: 200 }), undefined);
    });

    it('answers also when its program leaves something running that keeps its streams open', async () => {
      const left = name === 'security' ? 44 : 1;
      fake.first(`sleep 30 & exit ${left}`);
      assert.equal((await findKeyring(sources()))?.program, name);
    });
  });
}

describe('A keyring', () => {
  it('of macOS is not given what it would give back in another form', async function () {
    if (process.platform === 'win32') skip(this, 'Windows runs no script as a program');
    const here = place();
    const fake = fakeKeyring(here.folder, 'security');
    const keyring = await findKeyring({ platform: 'darwin', variables: { PATH: `${fake.bin}:${PATH}` } });
    const error = await failureOf(() => keyring?.keep('eu/password', 'pässwörd'));
    assertFailure(error, { kind: 'local', says: /returns differs from what relctl stored/, hides: ['pässwörd'] });
    assert.deepEqual(fake.entries(), {});
    here.remove();
  });

  it('is unknown on other platforms', async () => {
    assert.equal(await findKeyring({ platform: 'win32', variables: { PATH } }), undefined);
  });

  it('is named by a reference', () => {
    assert.deepEqual(['keyring:a/b', 'keyring:', 'cmd:x', 7].map(keyringAccount), ['a/b', '', undefined, undefined]);
  });

  it('of a desktop keeps, gives back and clears a secret', function () {
    needs(this, 'a keyring');
    const here = place();
    const script = fileURLToPath(new URL('keyring-session.ts', import.meta.url));
    const session = 'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec "$@"';
    const words = ['--', 'sh', '-c', session, 'sh', process.execPath, '--import', 'tsx', script];
    const { PATH: path, LD_LIBRARY_PATH } = process.env;
    const env = { PATH: path, LD_LIBRARY_PATH, HOME: here.folder, XDG_RUNTIME_DIR: here.folder };
    const run = spawnSync('dbus-run-session', words, { env, encoding: 'utf8', timeout: 60_000 });
    assert.deepEqual(
      JSON.parse(run.stdout),
      {
        ...{ first: 'keyring:relctl-test/password', second: 'keyring:relctl-test/password-2' },
        ...{ isSame: true, after: 'gone' },
      },
      run.stderr,
    );
    here.remove();
  });
});
