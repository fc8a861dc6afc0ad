import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldId, known } from '../../../src/sandbox/dataset/known.js';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

const { activityId, datastoreEntityTypeId } = known;
const nobody = '00000000-0000-4000-8000-0000000000ff';
const update = ['activity', 'update', activityId];
const item = ['datastore', 'create-item', datastoreEntityTypeId];

/** The words behind Try. */
const tried = (stderr: string): string => /^ {2}Try: (.*)$/m.exec(stderr)?.[1] ?? '';

interface ProfileFile {
  current?: string;
  profiles: Record<string, Record<string, string>>;
}

describe('A hint', () => {
  const here = place();
  const file = (): string => join(here.folder, 'config/relctl/config.json');
  const profiles = (): ProfileFile => JSON.parse(readFileSync(file(), 'utf8')) as ProfileFile;

  const hintOf = async (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> => {
    const { code, stderr } = await here.run(args, { env });
    assert.notEqual(code, 0, args.join(' '));
    return tried(stderr);
  };

  before(() => {
    const content = profiles();
    const { local = {} } = content.profiles;
    writeFileSync(file(), JSON.stringify({ ...content, current: 'local', profiles: { local, other: local } }));
  });
  beforeEach(async () => {
    rmSync(join(here.folder, 'state/relctl/fields'), { recursive: true, force: true });
    await ends(here.run(['name', 'set', 'field', 'Subject', fieldId(11, 'Handler'), '-p', 'other']), 0);
  });

  const cases: readonly (readonly [args: readonly string[], hint: RegExp])[] = [
    [['relation', 'get', nobody], /^relctl whoami --profile other$/],
    [['attachment', 'get', nobody], /^relctl whoami --profile other$/],
    [['product', 'get', '0000'], /^relctl product get \d+ --profile other$/],
    [[...update, '--field', 'Amount=1'], /^relctl activity update --help$/],
    [[...item, '--field', 'Nope=x'], /^relctl datastore create-item --help$/],
    [['name', 'remove', 'field', 'Subjec'], /^relctl name remove --profile other field Subject$/],
    [['bookmark', 'remove', 'none'], /^relctl bookmark list --profile other$/],
    [
      ['call', 'RelationGe', '--param', `relationId=${nobody}`],
      /^relctl call RelationGet --param relationId=\S+ --profile other$/,
    ],
  ];
  for (const [args, hint] of cases) {
    const shown = args.map((word) => (word.length === 36 ? 'ID' : word)).join(' ');
    it(`names the profile of --profile, or of a variable, where it is not the one in use: ${shown}`, async () => {
      const named = await hintOf([...args, '--profile', 'other']);
      assert.match(named, hint);
      const words = (line: string): readonly string[] => line.split(' ').toSorted();
      assert.deepEqual(words(await hintOf(args, { RELCTL_PROFILE: 'other' })), words(named));
    });
  }

  it('names the profile once, where the command as it was typed names it', async () => {
    const list = ['relation', 'list', '--output-file', here.fresh('x.csv'), '--expect', '1', '-p', 'other'];
    assert.equal(await hintOf(list), `relctl ${list.join(' ')} --resume`);
  });

  for (const [filter, meant] of [
    ['IsRoot = 1', "'IsRoot = true'"],
    ["Info = 'a' && IsRoot", String.raw`'Info = '\''a'\'' and IsRoot'`],
    ["DisplayNam = 'a -p b'", String.raw`'DisplayName = '\''a -p b'\'''`],
    ['DisplayNam =\n Info', String.raw`$'DisplayName =\n Info'`],
  ] as const)
    it(`names the profile once, where a value looks like the end of the line: ${JSON.stringify(filter)}`, async () => {
      const list = (...words: readonly string[]): readonly string[] => ['relation', 'list', ...words];
      const behind = await hintOf(list('--where', filter, '-p', 'other'));
      assert.equal(behind, `relctl relation list --where ${meant} -p other`);
      const before = await hintOf(list('-p', 'other', '--where', filter));
      assert.equal(before, `relctl relation list -p other --where ${meant}`);
      const byVariable = await hintOf(list('--where', filter), { RELCTL_PROFILE: 'other' });
      assert.equal(byVariable, `relctl relation list --profile other --where ${meant}`);
    });

  it('offers to give a field a name, also with the built-in profile', async () => {
    const advised = async (args: readonly string[]): Promise<string> =>
      (await here.run([...args, '--field', 'Nope=x', '-p', 'sandbox'])).stderr.split('\n')[1] ?? '';
    assert.equal(await advised(item), '  Use its id, or name it with `relctl name set --profile sandbox field`.');
    assert.equal(
      await advised(update),
      '  --workflow with its Id resolves names; `relctl name set --profile sandbox field` names a field.',
    );
  });

  it('does not name the profile that variables make', async () => {
    const { namespace = '', apiKey = '', baseUrl = '' } = profiles().profiles['local'] ?? {};
    const env = { RELCTL_BASE_URL: baseUrl, RELCTL_API_KEY: apiKey.replace(/^plain:/, '') };
    assert.equal(await hintOf(['relation', 'list'], env), 'export RELCTL_NAMESPACE=…');
    const whole = { ...env, RELCTL_NAMESPACE: namespace };
    assert.equal(await hintOf([...item, '--field', 'Nope=x'], whole), 'relctl datastore create-item --help');
  });
});
