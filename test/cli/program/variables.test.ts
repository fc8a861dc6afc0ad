import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ends, home, relctl, type Run } from '../../support/relctl.js';
import { commands } from '../../support/manifest.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const inRoot = (path: string): string => readFileSync(join(root, path), 'utf8');
const flags = Object.values(commands).flatMap((command) => Object.values(command.flags));

/** The variables in a column of the table between the marks of a region of a page. */
function variables(page: string, region: string, column: number): readonly string[] {
  const [, text = ''] = inRoot(`docs/${page}.md`).split(new RegExp(`<!-- (?:begin|end):${region} -->`));
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((line) => [...(line.split('|')[column] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

const ofSettings = variables('profiles', 'settings', 2);
const others = variables('values', 'environment', 1);
const listed: ReadonlySet<string> = new Set([...ofSettings, ...others]);

/** Between processes of the program, and of no use to people. */
const internal: ReadonlySet<string> = new Set(['RELCTL_JOB', 'RELCTL_SANDBOX_MAKER']);

/** The variables that a text of the sources reads by their names. */
function readIn(text: string): readonly string[] {
  const read = text.matchAll(/(?:variables|env)(?:\.|\[')([A-Z][A-Z_]+|[a-z]+_proxy)\b|(?<=')(RELCTL_[A-Z_]+)(?=')/g);
  return [...read].map(([, name, own]) => name ?? own ?? '');
}

describe('The tables of variables', () => {
  it('have each variable of a flag, and each that the sources read', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `src/${path}`);
    const read = [...sources, 'scripts/start.cjs'].flatMap((path) => readIn(inRoot(path)));
    const named = flags.flatMap(({ env }) => env ?? []);
    assert.ok(new Set(read).size > 10 && new Set(named).size > 10);
    assert.deepEqual(
      [...new Set([...read, ...named])].filter((name) => !listed.has(name) && !internal.has(name)),
      [],
    );
  });

  it('are printed by relctl help values and relctl help profiles', async () => {
    const printed = await relctl(['help', 'values'], { env: { HOME: root } });
    for (const name of others) assert.match(printed.stdout, new RegExp(`^ {2}(?:\\w+, )?${name}\\b`, 'm'));
    const { stdout } = await relctl(['help', 'profiles'], { env: { HOME: root } });
    for (const name of ofSettings) assert.match(stdout, new RegExp(`\\b${name}\\b`));
    assert.deepEqual(
      others.filter((name) => ofSettings.includes(name)),
      [],
    );
  });

  it('have a variable for each flag of every command, under the same name for each', () => {
    const common = flags.filter(({ helpGroup }) => helpGroup === 'GLOBAL');
    assert.deepEqual(
      common.filter(({ env }) => env === undefined),
      [],
    );
    const byName = new Map<string, Set<string | undefined>>();
    for (const { name, env, helpGroup } of flags)
      if (helpGroup === 'GLOBAL' || helpGroup === 'CONNECTION')
        byName.set(name, (byName.get(name) ?? new Set()).add(env));
    for (const [name, names] of byName) assert.equal(names.size, 1, name);
  });
});

describe('A variable', () => {
  const place = home();
  after(() => place.remove());
  const run = (args: readonly string[], variables: NodeJS.ProcessEnv): Promise<Run> =>
    relctl([...args], { env: { ...place.env, RELCTL_PROFILE: 'sandbox', ...variables } });
  const list = ['relation', 'list', '--limit', '1', '-o', 'csv'];

  it('of yes or no does what its flag does, and no, or nothing, what the command does without', async () => {
    const noisy = await run(list, {});
    assert.match(noisy.stderr, /^Note: /);
    const quiet = await run([...list, '--quiet'], {});
    assert.equal(quiet.stderr, '');
    for (const yes of ['1', 'yes', 'True']) assert.deepEqual(await run(list, { RELCTL_QUIET: yes }), quiet);
    for (const no of ['0', 'no', 'False', '']) assert.deepEqual(await run(list, { RELCTL_QUIET: no }), noisy);
  });

  for (const env of new Set(flags.filter(({ type }) => type === 'boolean').flatMap((flag) => flag.env ?? []))) {
    it(`of yes or no that holds something else is exit 2, by its name: ${env}`, async () => {
      const { code, stdout, stderr } = await run(['relation', 'list', '--limit', '1'], { [env]: 'sesame' });
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, new RegExp(`^Error: ${env} takes true or false`));
    });
  }

  it('that end with a carriage return, as files of Windows have them, are taken without it', async () => {
    const run = await relctl(['mark', 'list', '--limit', '1', '--profile', 'sandbox'], {
      env: { ...place.env, RELCTL_OUTPUT: 'json\r', RELCTL_COLUMNS: '\r' },
    });
    assert.equal(run.code, 0, run.stderr);
    assert.equal((JSON.parse(run.stdout) as unknown[]).length, 1);
  });

  it('with a bad value is exit 2, unless the flag is given', async () => {
    const bad = await run(list, { RELCTL_CONCURRENCY: '99' });
    assert.equal(bad.code, 2);
    assert.match(bad.stderr, /^Error: RELCTL_CONCURRENCY takes a whole number from 1 to 16, not '99'/);
    assert.equal((await run([...list, '--concurrency', '2'], { RELCTL_CONCURRENCY: '99' })).code, 0);
    assert.equal((await run(['operations'], { RELCTL_CONCURRENCY: '99' })).code, 0);
  });

  it('comes after its flag and before the profile', async () => {
    const address = ['--base-url', 'http://127.0.0.1:9', '--namespace', 'urn:x'];
    const added = ['profile', 'add', 'own', ...address, '--set', 'timeout=7'];
    const key = ['--api-key-from', 'env:KEY'];
    assert.equal((await run([...added, ...key], {})).code, 0);
    const shown = async (variables: NodeJS.ProcessEnv): Promise<string> =>
      (await run(['profile', 'show', 'own', '-o', 'json'], variables)).stdout;
    assert.match(await shown({}), /"timeout": 7/);
    assert.match(await shown({ RELCTL_TIMEOUT: '9' }), /"timeout": 9/);
    assert.match(await shown({ RELCTL_TIMEOUT: '' }), /"timeout": 7/);
  });

  it('names a trace, which holds each attempt', async () => {
    const file = join(place.folder, 'trace.txt');
    assert.equal((await run(list, { RELCTL_TRACE: file })).code, 0);
    assert.match(readFileSync(file, 'utf8'), /^> RelationGetAll, attempt 1$/m);
  });

  it('for people says no to questions, as the flag does', async () => {
    const { code, stderr } = await run(['profile', 'add', 'other'], { RELCTL_NO_INPUT: '1' });
    assert.deepEqual([code, stderr], [2, (await run(['profile', 'add', 'other', '--no-input'], {})).stderr]);
  });
});

describe('The jobs of export run', () => {
  const place = home();
  after(() => place.remove());
  const jobs = `version: 1
defaults: { profile: sandbox }
jobs:
  lines: { command: product list, output-file: products.csv }
  tree: { command: product list, output-file: products.json }
`;

  /** The files of a run, by their names; folders differ by their number. */
  async function files(number: number, variables: NodeJS.ProcessEnv): Promise<Readonly<Record<string, string>>> {
    const folder = join(place.folder, String(number));
    mkdirSync(folder);
    writeFileSync(join(folder, 'jobs.yaml'), jobs);
    await ends(relctl(['export', 'run', join(folder, 'jobs.yaml')], { env: { ...place.env, ...variables } }), 0);
    const made = readdirSync(folder).filter((name) => name.startsWith('products'));
    return Object.fromEntries(made.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  }

  it('write the same files whatever the variables that are for terminals and people', async () => {
    const usual = await files(1, {});
    assert.deepEqual(Object.keys(usual), ['products.csv', 'products.json']);
    const variables = {
      RELCTL_OUTPUT: 'yaml',
      RELCTL_QUIET: '1',
      RELCTL_NO_INPUT: '1',
      RELCTL_PROGRESS: '1',
      RELCTL_CONCURRENCY: '4',
      RELCTL_FORCE_TTY: '40',
      COLUMNS: '40',
      FORCE_COLOR: '1',
      RELCTL_TRACE: join(place.folder, 'trace.txt'),
    };
    assert.deepEqual(await files(2, variables), usual);
    assert.equal(readFileSync(variables.RELCTL_TRACE, 'utf8').match(/^> ProductGetAll_V2, attempt 1$/gm)?.length, 2);
  });
});
