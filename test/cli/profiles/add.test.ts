import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { known } from '../../../src/sandbox/dataset/known.js';
import { fakeKeyring, type FakeKeyring } from '../../support/profiles/fake-keyring.js';
import { ends, home, program, relctl, type Home } from '../../support/relctl.js';
import { sandboxHere, type ServingSandbox } from '../../support/sandbox.js';
import { needs } from '../../support/skip.js';
import { openTerminal, type Terminal } from '../../support/terminal.js';

const { ApiKey: key } = known.credentials;
const password = 'zandbak';

describe('profile add in a terminal', () => {
  const served = home();
  let running: ServingSandbox | undefined;
  let place: Home;
  let keyring: FakeKeyring;
  let terminal: Terminal | undefined;

  before(async function () {
    needs(this, 'tmux');
    running = await sandboxHere(served.env, ['--relations', '20']);
  });
  after(async () => {
    await running?.stop();
    served.remove();
  });
  beforeEach(() => {
    place = home();
    keyring = fakeKeyring(place.folder, 'secret-tool');
  });
  afterEach(() => {
    terminal?.close();
    place.remove();
  });

  const withKeyring = (): NodeJS.ProcessEnv => ({ ...place.env, PATH: `${keyring.bin}:${place.env['PATH'] ?? ''}` });
  const store = (): string => join(place.folder, 'config/relctl/config.json');
  const kept = (): Record<string, unknown> =>
    (JSON.parse(readFileSync(store(), 'utf8')) as { profiles: Record<string, Record<string, unknown>> }).profiles[
      'eu'
    ] ?? {};
  const open = (args: readonly string[], env: NodeJS.ProcessEnv): Terminal =>
    (terminal = openTerminal([process.execPath, program, 'profile', ...args], env));

  /** Answers each question once it is asked; keys begin with @. */
  async function answer(to: Terminal, answers: readonly (readonly [question: RegExp, text: string])[]): Promise<void> {
    for (const [question, text] of answers) {
      await to.until(question);
      if (text.startsWith('@')) to.press(text.slice(1));
      else to.type(text);
      if (!text.startsWith('@')) to.press('Enter');
    }
  }

  const address = (): readonly (readonly [RegExp, string])[] => [
    [/The part before .*\n.*Base URL of the service, or the full URL of its \.asmx page:/, running?.url ?? ''],
    [/It is the targetNamespace of its WSDL.*\n.*XML namespace/, 'http://relctl.example/sandbox'],
    [/1\.1 for a service that accepts nothing else\.\n.*SOAP version:/, '@Enter'],
  ];
  const rest: readonly (readonly [RegExp, string])[] = [
    [/several databases.*\n.*Database to work on/, '@Enter'],
    [/on whose behalf relctl calls.*\n.*User to work as/, '@Enter'],
    [/a user login.*\n.*Name of the user/, 'sandbox'],
  ];

  it('explains each question, keeps secrets in the keyring, tests, and calibrates', async () => {
    const shown = open(['add', 'eu'], withKeyring());
    await answer(shown, [
      ...address(),
      [/Where are the secrets stored\?/, '@Enter'],
      [/Identifies you to the service.*\n.*Key of the API/, key],
      ...rest,
      [/The password of that user.*\n.*Password of the user/, password],
      [/Test it now/, '@Enter'],
      [/5 ok, 1 warning[^]*Calibrate its pages now/, '@Enter'],
    ]);
    const screen = await shown.until(/Pane is dead \(status 0,/);
    assert.match(screen, /^Kept +true$/m);
    assert.match(screen, /^Note: saved in the profile$/m);
    // The only profile is used anyway.
    assert.match(screen, /^Next: relctl relation list --limit 10$/m);
    assert.doesNotMatch(screen, new RegExp(`${key}|${password}|Warning:`));
    const { apiKey, password: reference, calibration } = kept();
    assert.deepEqual([apiKey, reference], ['keyring:eu/apiKey', 'keyring:eu/password']);
    assert.notEqual(calibration, undefined);
    assert.deepEqual(keyring.entries(), { 'eu/apiKey': key, 'eu/password': password });
    assert.doesNotMatch(keyring.calls(), new RegExp(`${key}|${password}`));
  });

  it('offers no keyring where none answers, and warns of plain text before it is typed', async () => {
    keyring.first('echo "Cannot autolaunch D-Bus without X11" >&2; exit 1');
    const shown = open(['add', 'eu'], withKeyring());
    await answer(shown, [...address(), [/Where are the secrets stored\?/, '@Enter']]);
    const warned = await shown.until(/Key of the API/);
    assert.doesNotMatch(warned, /keyring of this machine/);
    // A terminal breaks lines anywhere.
    assert.match(warned.replace(/\s/g, ''), /Warning:whatyoutypewillbeplaintextin\S+config\.json:anyonewhocanread/);
    await answer(shown, [[/Key of the API/, key], ...rest, [/Password of the user/, '@Enter'], [/Test it now/, 'n']]);
    await shown.until(/Pane is dead \(status 0,/);
    assert.deepEqual([kept()['apiKey'], kept()['password']], [key, undefined]);
  });

  it('offers to use a profile where there are several and none is in use', async () => {
    const other = ['--base-url', 'http://127.0.0.1:9', '--namespace', 'urn:n', '--api-key-stdin', '--quiet'];
    await relctl(['profile', 'add', 'first', ...other], { env: place.env, input: key });
    await relctl(['profile', 'add', 'second', ...other], { env: place.env, input: key });
    for (const [name, isTaken] of [
      ['us', false],
      ['eu', true],
      ['nl', false],
    ] as const) {
      const shown = open(['add', name], place.env);
      await answer(shown, [...address(), [/secrets stored\?/, '@Enter'], [/Key of the API/, key], ...rest]);
      await answer(shown, [
        [/Password of the user/, '@Enter'],
        [/Test it now/, 'n'],
      ]);
      if (name !== 'nl') await answer(shown, [[/Make it the default profile/, isTaken ? '@Enter' : 'n']]);
      const screen = await shown.until(/Pane is dead \(status 0,/);
      shown.close();
      assert.ok(
        screen.includes(`Next: relctl relation list --limit 10${isTaken ? '' : ` --profile ${name}`}\n`),
        screen,
      );
    }
    assert.equal((JSON.parse(readFileSync(store(), 'utf8')) as { current?: unknown }).current, 'eu');
  });

  it('takes no base address that names the page where --path does', async () => {
    const asking = open(['add', 'eu', '--set', 'path=/crm'], place.env);
    await asking.until(/Base URL of the service, or the full URL of its \.asmx page:/);
    asking.type('http://127.0.0.1:9/x.asmx');
    asking.press('Enter');
    await asking.until(/already has the page \/x\.asmx, and the path is \/crm/);
    assert.ok(!existsSync(store()));
  });

  it('takes references, and refuses what is none', async () => {
    const shown = open(['add', 'eu'], place.env);
    await answer(shown, [
      ...address(),
      [/Where are the secrets stored\?/, '@Down'],
      [/Where are the secrets stored\?/, '@Enter'],
      [/Reference to the key of the API/, 'hunter2'],
      [/It takes env:NAME, file:PATH, cmd:COMMAND or keyring:ACCOUNT/, '@C-u'],
      [/Reference to the key of the API/, `cmd:printf ${key}`],
      ...rest,
      [/Reference to the password of the user/, 'env:CRM_PASSWORD'],
      [/Test it now/, '@Enter'],
    ]);
    // The variable is not set: the test fails as profile test does, and what was added stays.
    const screen = await shown.until(/Pane is dead \(status 3,/);
    assert.match(screen.replace(/\s+/g, ' '), /Error: profile 'eu' is saved; .* CRM_PASSWORD is not set/);
    assert.deepEqual([kept()['apiKey'], kept()['password']], [`cmd:printf ${key}`, 'env:CRM_PASSWORD']);
  });

  it('leaves nothing in the keyring when it is interrupted, and the profile when its test is', async () => {
    const begun = open(['add', 'eu'], withKeyring());
    await answer(begun, [...address(), [/secrets stored\?/, '@Enter'], [/Key of the API/, key]]);
    await answer(begun, [[/Database to work on/, '@C-c']]);
    await begun.until(/Pane is dead \(status 130,/);
    begun.close();
    assert.deepEqual([keyring.entries(), existsSync(store())], [{}, false]);
    const whole = open(['add', 'eu'], withKeyring());
    await answer(whole, [
      ...address(),
      ...([
        [/secrets stored\?/, '@Enter'],
        [/Key of the API/, key],
      ] as const),
      ...rest,
      ...([
        [/Password of the user/, '@Enter'],
        [/Test it now/, '@C-c'],
      ] as const),
    ]);
    const screen = await whole.until(/Pane is dead \(status 130,/);
    assert.match(screen.replace(/\s+/g, ' '), /profile 'eu' is saved; the rest was interrupted/);
    assert.equal(kept()['apiKey'], 'keyring:eu/apiKey');
  });

  it('is undone by profile remove, which offers to clear what the keyring has and no other profile uses', async () => {
    const env = withKeyring();
    const add = (name: string, from: string): Promise<unknown> =>
      relctl(
        ['profile', 'add', name, '--base-url', 'http://127.0.0.1:9', '--namespace', 'urn:n', '--api-key-from', from],
        {
          env,
        },
      );
    for (const account of ['eu/apiKey', 'us/apiKey']) keyring.put(account, key);
    await add('eu', 'keyring:eu/apiKey');
    await add('us', 'keyring:us/apiKey');
    await add('us2', 'keyring:us/apiKey');
    const removing = open(['remove', 'eu'], env);
    await answer(removing, [
      [/Remove profile 'eu'/, 'y'],
      [/Delete these unused entries from the keyring: eu\/apiKey\?/, 'y'],
    ]);
    await removing.until(/Pane is dead \(status 0,/);
    removing.close();
    assert.deepEqual(Object.keys(keyring.entries()), ['us/apiKey']);
    const shared = open(['remove', 'us'], env);
    await answer(shared, [[/Remove profile 'us'/, 'y']]);
    assert.doesNotMatch(await shared.until(/Pane is dead \(status 0,/), /Delete these unused entries from the keyring/);
    // Without a question nothing of the keyring is touched, and off a terminal nothing is said.
    await ends(relctl(['profile', 'remove', 'us2', '--yes'], { env }), 0, '', '');
    assert.deepEqual(Object.keys(keyring.entries()), ['us/apiKey']);
  });
});

describe('profile add by flags', () => {
  const given = ['--base-url', 'http://127.0.0.1:9', '--namespace', 'urn:n', '--api-key-stdin'];

  it('is silent off a terminal, and tells a terminal of plain text', async () => {
    const place = home();
    await ends(relctl(['profile', 'add', 'a', ...given], { env: place.env, input: key }), 0, '', '');
    const env = { ...place.env, RELCTL_FORCE_TTY: '200' };
    const told = await relctl(['profile', 'add', 'b', ...given], { env, input: key });
    assert.match(told.stderr, /^Warning: apiKey will be plain text in .*config\.json: /);
    const quiet = await relctl(['profile', 'add', 'c', ...given, '--quiet'], { env, input: key });
    assert.deepEqual([told.code, quiet.code, quiet.stderr], [0, 0, '']);
    const reference = ['--base-url', 'http://127.0.0.1:9', '--namespace', 'urn:n', '--api-key-from', 'env:K'];
    const elsewhere = await relctl(['profile', 'add', 'd', ...reference], { env });
    assert.doesNotMatch(elsewhere.stderr, /Warning/);
    place.remove();
  });
});
