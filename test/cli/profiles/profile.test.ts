import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ends, home, relctl, type Home, type Run } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';

const key = '11111111-2222-4333-8444-555555555555';
const password = 'pässwörd <&> "q"';

const address = ['--base-url', 'http://127.0.0.1:9', '--namespace', 'http://crm.example/api'];

describe('The profiles of an operator', () => {
  let place: Home;
  const run = (args: readonly string[], input?: string, env: NodeJS.ProcessEnv = {}): Promise<Run> =>
    relctl(args, { env: { ...place.env, ...env }, ...(input === undefined ? {} : { input }) });
  const store = (): string => join(place.folder, 'config/relctl/config.json');
  const add = (name: string, ...flags: string[]): Promise<Run> =>
    run(['profile', 'add', name, ...address, '--api-key-stdin', '--password-stdin', ...flags], `${key}\n${password}\n`);

  beforeEach(() => (place = home()));
  afterEach(() => place.remove());

  it('are kept silently, 0600 in a 0700 folder, and shown without their secrets', async () => {
    await ends(add('acceptance.eu', '--user-name', 'ann', '--set', 'pageSize=50'), 0, '', '');
    assert.equal(statSync(store()).mode & 0o777, 0o600);
    assert.equal(statSync(join(place.folder, 'config/relctl')).mode & 0o777, 0o700);
    for (const args of [['show'], ['show', '--origin'], ['show', '-o', 'json'], ['list'], ['list', '-o', 'csv']]) {
      const shown = await ends(run(['profile', ...args]), 0);
      assert.match(shown.stdout, /ann/);
      assert.doesNotMatch(shown.stdout, /11111111|pässwörd/);
    }
    const json = await run(['profile', 'show', 'acceptance.eu', '-o', 'json']);
    const profile = JSON.parse(json.stdout) as Record<string, unknown>;
    assert.equal(profile['pageSize'], 50);
    assert.equal(profile['password'], '********');
  });

  it('say which application calls, with every part, or not at all', async () => {
    const parts = argv`--set sourceApplication=sync --set sourceCategory=erp --set sourceSubcategory=prices`;
    assert.equal((await add('whole', ...parts, '--set', 'sourceVersion=7')).code, 0);
    assert.equal((await add('none', '--set', 'sendSourceApplication=no')).code, 0);
    const sent = async (name: string, env = {}): Promise<string> =>
      (await run(['mark', 'list', '-p', name, '--envelope'], undefined, env)).stdout;
    const element = '<Name>sync</Name><Category>erp</Category><Subcategory>prices</Subcategory><Version>7</Version>';
    assert.ok((await sent('whole')).includes(`<SourceApplication>${element}</SourceApplication>`));
    assert.ok((await sent('whole', { RELCTL_SOURCE_VERSION: '8' })).includes('<Version>8</Version>'));
    assert.match(await sent('none'), /<\/Password><\/credentials>/);
    assert.doesNotMatch(await sent('whole', { RELCTL_SEND_SOURCE_APPLICATION: 'no' }), /SourceApplication/);
  });

  it('are thirty when thirty were added at once', async function () {
    const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
    const runs = await Promise.all(names.map((name) => run(['profile', 'add', name, ...address])));
    assert.deepEqual([...new Set(runs.map((each) => `${String(each.code)} ${each.stderr}`))], ['0 ']);
    const { stdout } = await run(['profile', 'list', '-o', 'json']);
    const listed = (JSON.parse(stdout) as { Name: string }[]).map((line) => line.Name);
    assert.deepEqual(listed.sort(), [...names, 'sandbox'].sort());
  });

  it('are said to be in use to a terminal only, and not with --quiet', async () => {
    assert.equal((await add('one')).code, 0);
    const use = async (args: string[], env = {}): Promise<readonly [number | null, string, string]> => {
      const { code, stdout, stderr } = await run(['profile', 'use', ...args], undefined, env);
      return [code, stdout, stderr];
    };
    const terminal = { RELCTL_FORCE_TTY: '200' };
    assert.deepEqual(await use(['one'], terminal), [0, '', "Note: profile 'one' is now the default\n"]);
    assert.deepEqual(await use(['one', '--quiet'], terminal), [0, '', '']);
    assert.deepEqual(await use(['one']), [0, '', '']);
  });

  it('are chosen by flag, then by variable, then by use', async () => {
    for (const name of ['one', 'two', 'three']) assert.equal((await add(name)).code, 0);
    assert.equal((await run(['whoami'])).code, 3);
    assert.equal((await run(['profile', 'use', 'two'])).code, 0);
    const chosen = async (args: string[], env = {}): Promise<readonly [string, string]> => {
      const { stdout } = await run(['whoami', '-o', 'json', ...args], undefined, env);
      const { Profile, ChosenBy } = JSON.parse(stdout) as { Profile: string; ChosenBy: string };
      return [Profile, ChosenBy];
    };
    const own = { RELCTL_BASE_URL: 'http://127.0.0.1:9', RELCTL_API_KEY: key };
    const named = { ...own, RELCTL_PROFILE: 'three' };
    assert.deepEqual(await chosen([]), ['two', 'relctl profile use']);
    assert.deepEqual(await chosen([], own), ['environment', 'RELCTL_BASE_URL and RELCTL_API_KEY']);
    assert.deepEqual(await chosen([], named), ['three', 'RELCTL_PROFILE']);
    assert.deepEqual(await chosen(['-p', 'one'], named), ['one', '--profile']);
    const marked = async (env: NodeJS.ProcessEnv): Promise<string> =>
      (await run(['profile', 'list', '-o', 'csv', '--columns', 'Name,InUse', '--no-header'], undefined, env)).stdout;
    assert.equal(await marked({}), 'one,false\ntwo,true\nthree,false\nsandbox,false\n');
    assert.equal(await marked(own), 'one,false\ntwo,false\nthree,false\nsandbox,false\n');
    await run(['profile', 'remove', 'two', '--yes']);
    await run(['profile', 'remove', 'three', '--yes']);
    assert.deepEqual(await chosen([]), ['one', 'the only choice']);
  });

  it('say where each value comes from, and when the environment overrides one', async () => {
    await add('one', '--set', 'pageSize=50');
    const env = { RELCTL_PAGE_SIZE: '7' };
    const { stdout } = await run(['profile', 'show', 'one', '--origin', '-o', 'json'], undefined, env);
    const origins = new Map(
      (JSON.parse(stdout) as { Setting: string; Value: string; Origin: string }[]).map((row) => [row.Setting, row]),
    );
    assert.deepEqual(origins.get('pageSize'), {
      Setting: 'pageSize',
      Value: '7',
      Origin: 'environment variable RELCTL_PAGE_SIZE',
    });
    assert.equal(origins.get('namespace')?.Origin, "profile 'one'");
    assert.equal(origins.get('soapVersion')?.Origin, 'default');
    const called = await run(['profile', 'test', 'one', '--set', 'retries=0'], undefined, env);
    assert.equal(called.code, 6);
    assert.match(called.stderr, /RELCTL_PAGE_SIZE overrides profile 'one'/);
    await ends(run(['whoami', '-p', 'one'], undefined, env), 0, "Note: RELCTL_PAGE_SIZE overrides profile 'one'\n");
  });

  it('keep settings of a later version, and lose only what is taken away', async () => {
    await add('one', '--secret', 'proxy=env:PROXY', '--set', 'pageSize=50');
    const content = JSON.parse(readFileSync(store(), 'utf8')) as { profiles: { one: Record<string, unknown> } };
    content.profiles.one['setting of tomorrow'] = { a: [1] };
    writeFileSync(store(), JSON.stringify({ ...content, tomorrow: true }));
    await ends(run(argv`profile edit one --unset Proxy --unset pagesize --set soapVersion=1.1`), 0, '');
    assert.deepEqual(JSON.parse(readFileSync(store(), 'utf8')), {
      version: 1,
      tomorrow: true,
      profiles: {
        one: {
          baseUrl: 'http://127.0.0.1:9',
          namespace: 'http://crm.example/api',
          apiKey: key,
          password,
          'setting of tomorrow': { a: [1] },
          soapVersion: '1.1',
        },
      },
    });
  });

  it('never get a base address that names the page beside a path, and are told how to go on', async () => {
    const refused = async (...args: string[]): Promise<readonly [number | null, string]> => {
      const before = readFileSync(store(), 'utf8');
      const { code, stderr } = await run(['profile', 'edit', 'one', ...args]);
      assert.equal(readFileSync(store(), 'utf8'), before);
      return [code, stderr];
    };
    await add('one', '--set', 'path=/crm');
    assert.deepEqual(await refused('--base-url', 'https://crm.example/V2/Crm.asmx'), [
      2,
      'Error: the base URL already has the page /V2/Crm.asmx, and the path is /crm\n' +
        '  Use one of them: the URL of the page, or a base URL with a path.\n' +
        '  Try: relctl profile edit one --base-url https://crm.example/V2/Crm.asmx --unset path\n',
    ]);
    await ends(run(['profile', 'edit', 'one', '--base-url', 'https://crm.example/x.asmx', '--unset', 'path']), 0, '');
    assert.deepEqual(await refused('--set', 'path=/crm'), [
      2,
      'Error: the base URL already has the page /x.asmx, and the path is /crm\n' +
        '  Use one of them: the URL of the page, or a base URL with a path.\n' +
        '  Try: relctl profile edit one --set path=/crm --base-url https://crm.example\n',
    ]);
    await ends(run(['profile', 'edit', 'one', '--set', 'path=/crm', '--base-url', 'https://crm.example']), 0);
  });

  it('show the variable that names the page beside a path', async () => {
    const tried = async (env: NodeJS.ProcessEnv): Promise<readonly [number | null, string | undefined]> => {
      const { code, stderr } = await run(['mark', 'list', '--envelope'], undefined, env);
      return [code, /Try: (.*)/.exec(stderr)?.[1]];
    };
    await add('one');
    await run(['profile', 'edit', 'one', '--base-url', 'http://127.0.0.1:9/x.asmx']);
    assert.deepEqual(await tried({ RELCTL_PATH: '/y' }), [3, 'unset RELCTL_PATH']);
    await run(['profile', 'edit', 'one', '--base-url', 'http://127.0.0.1:9', '--set', 'path=/y']);
    assert.deepEqual(await tried({ RELCTL_BASE_URL: 'http://127.0.0.1:9/x.asmx' }), [3, 'unset RELCTL_BASE_URL']);
    const all = { RELCTL_BASE_URL: 'http://127.0.0.1:9/x.asmx', RELCTL_API_KEY: key, RELCTL_NAMESPACE: 'n' };
    assert.deepEqual(await tried({ ...all, RELCTL_PATH: '/y' }), [3, 'unset RELCTL_PATH']);
  });

  it('that have both, because they were edited by hand, take other changes, and changes that mend it', async () => {
    await add('one');
    writeFileSync(store(), readFileSync(store(), 'utf8').replace('http://127.0.0.1:9', 'http://127.0.0.1:9/x.asmx'));
    writeFileSync(store(), readFileSync(store(), 'utf8').replace('"namespace"', '"path": "/crm", "namespace"'));
    assert.equal((await run(['profile', 'edit', 'one', '--set', 'pageSize=5'])).code, 0);
    assert.equal((await run(['mark', 'list', '-p', 'one', '--envelope'])).code, 3);
    assert.equal((await run(['profile', 'edit', 'one', '--unset', 'path'])).code, 0);
    assert.equal((await run(['mark', 'list', '-p', 'one', '--envelope'])).code, 0);
  });

  it('are removed only with a yes', async () => {
    await add('one');
    await ends(run(['profile', 'remove', 'one']), 2, /--yes/);
    await ends(run(['profile', 'remove', 'one', '--yes']), 0, '');
    assert.equal((await run(['profile', 'show', 'one'])).code, 3);
  });

  it('leave their mirror when they are removed, and it is said how that goes', async () => {
    await add('one');
    const mirror = join(place.folder, 'state/relctl/mirrors/one.db');
    mkdirSync(dirname(mirror), { recursive: true });
    writeFileSync(mirror, '');
    const removed = await run(['profile', 'remove', 'one', '--yes']);
    const forget = 'relctl mirror remove --all --profile one';
    assert.equal(removed.code, 0);
    assert.equal(removed.stderr, `Note: its mirror remains in ${mirror}; to remove it: ${forget}\n`);
    assert.equal((await run([...forget.split(' ').slice(1), '--yes'])).code, 0);
    assert.equal(existsSync(mirror), false);
  });

  it('take secrets by reference, and look them up only when calling', async () => {
    await run(['profile', 'add', 'one', ...address, '--api-key-from', 'env:CRM_KEY', '--password-from', 'cmd:cat pw']);
    const shown = await run(['profile', 'show', 'one', '-o', 'json']);
    assert.match(shown.stdout, /env:CRM_KEY/);
    await ends(run(['relation', 'list', '-p', 'one']), 3, /CRM_KEY is not set/);
    const bad = await ends(run(['relation', 'list', '-p', 'one'], undefined, { CRM_KEY: 'not-a-guid-77' }), 3);
    assert.doesNotMatch(bad.stderr, /not-a-guid-77/);
  });

  it('that are damaged are neither reset nor printed', async () => {
    mkdirSync(join(place.folder, 'config/relctl'), { recursive: true, mode: 0o700 });
    const damaged = `{"profiles":{"one":{"password":"hunter2"`;
    writeFileSync(store(), damaged, { mode: 0o600 });
    for (const args of [['list'], ['show', 'one'], ['use', 'one'], ['add', 'two', ...address]]) {
      const refused = await ends(run(['profile', ...args]), 3);
      assert.doesNotMatch(refused.stderr + refused.stdout, /hunter2/);
    }
    assert.equal(readFileSync(store(), 'utf8'), damaged);
  });

  it('show no login that somebody wrote into the address by hand, and refuse it', async () => {
    await add('one');
    writeFileSync(store(), readFileSync(store(), 'utf8').replace('http://127', 'http://ann:hunter2@127'));
    const shown = await Promise.all(
      [['profile', 'list'], ['profile', 'show'], ['whoami'], ['doctor'], ['profile', 'test'], ['mark', 'list']].flatMap(
        (args) => [run(args), run([...args, '-o', 'json'])],
      ),
    );
    for (const { stdout, stderr } of shown) assert.doesNotMatch(stdout + stderr, /hunter2/);
    assert.match(shown[0]?.stdout ?? '', /http:\/\/127\.0\.0\.1:9/);
    assert.deepEqual([...new Set(shown.map(({ code }) => code))], [0, 3]);
  });

  it('in a folder that cannot be written end with 10', async function () {
    if (process.getuid?.() === 0) {
      // Root writes anywhere; a file in the place of the folder stops root too.
      writeFileSync(join(place.folder, 'config'), '');
    } else {
      mkdirSync(join(place.folder, 'config'));
      chmodSync(join(place.folder, 'config'), 0o500);
    }
    await ends(run(['profile', 'add', 'one', ...address]), 10);
  });

  const mistakes: readonly (readonly [args: readonly string[], code: number, message: RegExp])[] = [
    [['add', 'one'], 2, /--base-url and --namespace/],
    [['add', 'a b', ...address], 2, /letters, digits/],
    [['add', 'sandbox', ...address], 2, /reserved/],
    [['add', 'one', '--base-url', 'ftp://x', '--namespace', 'n'], 2, /--base-url takes an http or https address/],
    [['add', 'one', '--base-url', 'http://u:p@x', '--namespace', 'n'], 2, /user name or password/],
    [['add', 'one', ...address, '--set', 'pageSize=0'], 2, /--set pageSize takes a whole number from 1/],
    [['add', 'one', ...address, '--set', 'soapVersion=1.3'], 2, /--set soapVersion takes 1\.1, 1\.2/],
    [['add', 'one', ...address, '--user-id', 'x'], 2, /--user-id takes a GUID/],
    [['add', 'one', ...address, '--api-key-from', 'hunter2'], 2, /--api-key-from takes env:NAME/],
    [['add', 'one', ...address, '--api-key-from', 'env:A', '--api-key-stdin'], 2, /apiKey is set twice/],
    [['add', 'one', ...address, '--api-key-stdin'], 2, /stdin has no line for --api-key-stdin/],
    [
      ['add', 'one', '--base-url', 'http://127.0.0.1:9/x.asmx', '--namespace', 'n', '--set', 'path=/y'],
      2,
      /the base URL already has the page \/x\.asmx, and the path is \/y/,
    ],
    [['edit', 'nobody', '--set', 'pageSize=1'], 3, /there is no profile 'nobody'/],
    [['edit', 'sandbox', '--set', 'pageSize=1'], 2, /built in/],
    [['remove', 'sandbox', '--yes'], 2, /built in/],
    [['use', 'nobody'], 3, /there is no profile 'nobody'/],
    [['show'], 3, /no profile is selected/],
  ];
  for (const [args, code, message] of mistakes) {
    it(`refuse: profile ${args.join(' ')}`, async () => {
      const refused = await ends(run(['profile', ...args], ''), code, message);
      assert.doesNotMatch(refused.stderr, /hunter2/);
      const json = await run(['profile', ...args, ...(['show'].includes(args[0] ?? '') ? ['-o', 'json'] : [])], '', {
        RELCTL_OUTPUT: 'json',
      });
      assert.equal(json.code, code);
      const { error } = JSON.parse(json.stderr) as { error: { exitCode: number; message: string } };
      assert.equal(error.exitCode, code);
      assert.match(error.message, message);
    });
  }
});
