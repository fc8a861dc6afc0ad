import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { helpPages } from '../../src/app/help/page-names.js';
import { operations } from '../../src/contract/service.js';
import { meaningOf } from '../../src/topics/completion/answer.js';
import { brokenServer } from '../support/broken-server.js';
import { ends, home, relctl } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { needs } from '../support/skip.js';
import { commands } from '../support/manifest.js';

const fieldId = '00000000-0041-4000-8000-000000001106';
const workflow = '00000000-0030-4000-8000-000000000001';

/** What a topic offers that is no command of it. */
function besidesOf(topic: string): readonly string[] {
  if (topic === 'operations') return Object.keys(operations);
  return topic === '' ? ['help'] : topic === 'mirror add' ? ['call:'] : [];
}

describe('What is offered at Tab', () => {
  const place = home();
  const { env } = place;
  after(() => place.remove());

  before(async () => {
    const made = [
      ['profile', 'add', 'acceptance', '--base-url', 'http://127.0.0.1:1', '--namespace', 'urn:n'],
      ['profile', 'add', 'other', '--base-url', 'http://127.0.0.1:1', '--namespace', 'urn:n'],
      ['profile', 'use', 'acceptance'],
      ['name', 'set', 'field', 'Topic', fieldId],
      ['name', 'set', 'workflow', 'Big orders', workflow],
      ['name', 'set', 'user', 'Jan', workflow],
      // Names of fields are remembered.
      ['activity', 'fields', workflow, '--profile', 'sandbox'],
    ];
    for (const args of made) {
      await ends(relctl(args, { env }), 0);
    }
    for (const [profile, name] of [
      ['acceptance', 'nightly'],
      ['other', 'weekly'],
    ] as const) {
      const folder = join(place.folder, 'state', 'relctl', 'bookmarks', profile);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${name}.bookmark`), '');
    }
  });

  /** The words that fish would be given, without what is kept before them, and without what they are for. */
  async function offered(line: string, inEnv = env): Promise<readonly string[]> {
    const { stdout } = await ends(relctl(['autocomplete', 'fish', `--line=relctl ${line}`], { env: inEnv }), 0, '');
    const [kind, ...lines] = stdout.trimEnd().split('\n');
    return kind === 'words' ? lines.map((each) => each.split('\t', 1)[0] ?? '') : [`<${String(kind)}>`];
  }

  for (const [title, line, all] of [
    ['the commands of a topic', 'relation ', ['activities', 'get', 'list', 'marks', 'phone-book']],
    ['formats', 'relation list -o ', ['table', 'card', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'xlsx', 'parquet']],
    ['choices of a setting', 'relation list --set soapVersion=', ['soapVersion=1.1', 'soapVersion=1.2']],
    ['booleans', 'activity update ID --in-agenda ', ['true', 'false']],
    ['booleans of records', 'product update 1 --is-inactive ', ['true', 'false']],
    ['profiles', 'relation list -p ', ['acceptance', 'other', 'sandbox']],
    ['profiles behind =', 'relation list --profile=', ['--profile=acceptance', '--profile=other', '--profile=sandbox']],
    ['profiles behind the letter', 'relation list -pa', ['-pacceptance', '-pother', '-psandbox']],
    ['profiles as arguments', 'profile use ', ['acceptance', 'other', 'sandbox']],
    ['profiles to confirm', 'product update 1 --confirm ', ['acceptance', 'other', 'sandbox']],
    ['bookmarks of the profile in use', 'bookmark remove ', ['nightly']],
    ['bookmarks of the profile that is named', 'bookmark remove --profile other ', ['weekly']],
    ['bookmarks as values', 'product list --changes-since=', ['--changes-since=nightly']],
    ['names of fields to remove', 'name remove field ', ['Topic']],
    ['names of fields and their values', 'datastore create-item ID --field ', ['Topic=']],
    ['names for ids', 'workflow steps ', ['Big orders']],
    ['names for ids as values', 'activity update ID --owner ', ['Jan']],
    ['names of a kind', 'name remove user ', ['Jan']],
    ['parameters', 'call RelationGet --param ', ['relationId=', 'includeFields=', 'includeCounters=']],
    ['values of parameters', 'call RelationGet --param includeFields=', ['includeFields=true', 'includeFields=false']],
    ['lists of an operation to mirror', 'mirror add call:MarkGetAll --list ', ['Marks']],
    ['members of its records', 'mirror add call:RelationGet --list Counters --key ', ['TabPageType', 'Value']],
    ['nothing of a list that it does not have', 'call MarkGetAll --list Nothing --key ', []],
    ['parameters of one to mirror', 'mirror add call:MarkGetAll --param ', []],
    ['places of secrets', 'profile edit acceptance --api-key-from ', ['env:', 'file:', 'cmd:', 'keyring:']],
    ['shells', 'autocomplete ', ['bash', 'zsh', 'fish']],
    ['files of an argument', 'export run ', ['<files>']],
    ['files of a flag', 'relation get --ids ', ['<files>']],
    ['files of a flag that may be repeated', 'operations import --jobs a.yaml --jobs ', ['<files>']],
    ['files to write', 'relation list --output-file=', ['<files>']],
    ['files of secrets', 'profile edit acceptance --api-key-from file:', ['<files>']],
    ['folders', 'attachment get ID --output-dir ', ['<folders>']],
    ['nothing for what only its owner knows', 'relation get ', []],
    ['nothing for numbers', 'relation list --limit ', []],
    ['nothing behind an unknown command', 'relation lst --', []],
    ['nothing behind all arguments and --', 'relation get ID -- ', []],
  ] as const)
    it(`is ${title}`, async () => assert.deepEqual(await offered(line), all));

  it('is every command of every topic, and no other', async () => {
    const next = new Map<string, Set<string>>();
    for (const [id, { hidden }] of Object.entries(commands)) {
      for (const [at, word] of (hidden === true ? [] : id.split(':')).entries()) {
        const above = id.split(':').slice(0, at).join(' ');
        next.set(above, (next.get(above) ?? new Set()).add(word));
      }
    }
    for (const [above, words] of next) {
      const found = await offered(above === '' ? '' : `${above} `);
      // A topic that is a command as well offers what its argument may be, too.
      const besides = besidesOf(above);
      assert.deepEqual([...found].sort(), [...words, ...besides].sort(), above);
      const helped = await offered(`help ${above === '' ? '' : `${above} `}`);
      const pages = Object.keys(helpPages).filter((name) => !words.has(name));
      assert.deepEqual(helped, above === '' ? [...words, ...pages] : [...words], above);
    }
  });

  it('is every operation that answers a list and writes nothing, of those that are mirrored', async () => {
    const found = await offered('mirror add call:');
    assert.ok(found.includes('call:MarkGetAll') && found.includes('call:RelationGet'));
    assert.deepEqual(
      found.filter(
        (word) => !word.startsWith('call:') || ['ActivityUpdate', 'NotificationGetCount'].includes(word.slice(5)),
      ),
      [],
    );
    assert.deepEqual(
      (await offered('mirror add call:Mark')).filter((word) => !found.includes(word)),
      [],
    );
  });

  it('is every flag that help shows, until it was given', async () => {
    for (const [id, { hidden, flags }] of Object.entries(commands)) {
      const shown = Object.keys(flags).filter((name) => flags[name]?.hidden !== true);
      const found = await offered(`${id.replaceAll(':', ' ')} --`);
      for (const name of hidden === true ? [] : shown)
        assert.ok(found.includes(`--${name}`) || found.includes(`--no-${name}`), `${id} --${name}`);
      assert.ok(!found.some((word) => ['--line', '--word'].includes(word)));
    }
    const given = await offered('relation list --columns Id -o csv --limit=1 --no-header --');
    for (const flag of ['--columns', '--output', '--limit', '--no-header']) assert.ok(!given.includes(flag), flag);
    assert.ok((await offered('call X --param a=1 --')).includes('--param'));
  });

  it('is columns, one after the other, and those of nested records behind their names', async () => {
    const first = await offered('relationship list --columns ');
    assert.ok(first.includes('DisplayName') && first.includes('AuditData.'));
    assert.ok(!first.some((word) => /\../.test(word)), 'nested columns come later');
    const second = await offered('relation list --columns=Id,');
    assert.ok(second.includes('--columns=Id,DisplayName') && !second.includes('--columns=Id,Id'));
    assert.ok(first.includes('*') && first.includes('help'));
    assert.ok(second.includes('--columns=Id,*') && !second.includes('--columns=Id,help'));
    const titled = await offered('relation list --columns=Id,Nr=Im');
    assert.ok(titled.includes('--columns=Id,Nr=ImportKey') && !titled.includes('--columns=Id,Nr=*'));
    const deep = await offered('relationship list --columns Made=AuditData.Cr');
    assert.ok(deep.includes('Made=AuditData.CreatedAt'), deep.join(' '));
    const sorted = await offered('relation list --sort ');
    assert.ok(sorted.includes('Id') && !sorted.includes('*') && !sorted.includes('help'));
    const nested = await offered('relationship list --columns Id,AuditData.');
    assert.ok(
      nested.some((word) => /^Id,AuditData\.\w/.test(word)),
      nested.join(' '),
    );
    for (const [line, column] of [
      ['profile list', 'InUse'],
      ['operations', 'Access'],
      ['bookmark list', 'WrittenAt'],
      ['doctor', 'State'],
      ['activity search', 'Number'],
      ['relation get', 'DisplayName'],
      ['whoami', 'Profile'],
      ['call MarkGetAll --list Marks', 'IsInactive'],
      ['call RelationGet --list counters', 'Value'],
      ['call NotificationGetCount', 'NumberOfNotifications'],
    ] as const)
      assert.ok((await offered(`${line} --columns `)).includes(column), `${line}: ${column}`);
  });

  it('is columns that the command takes', async () => {
    for (const command of ['mark list', 'relation list', 'datastore sbi-codes', 'operations', 'profile list']) {
      const words = (await offered(`${command} --columns `)).filter(
        (word) => !word.endsWith('.') && word !== 'help' && word !== '*',
      );
      assert.ok(words.length > 1, command);
      const args = [...command.split(' '), '--columns', words.join(','), '-o', 'csv'];
      const run = await relctl(['operations', 'profile list'].includes(command) ? args : [...args, '-p', 'sandbox'], {
        env,
      });
      assert.deepEqual([run.code, run.stdout.split('\n')[0]], [0, words.join(',')], run.stderr);
    }
  });

  it('is operations, enumerations, settings and time zones', async () => {
    assert.ok((await offered('call ')).includes('RelationGetAll'));
    assert.ok((await offered('operations ')).includes('ActivityUpdate'));
    assert.ok((await offered('datastore system ')).includes('PaymentMethod'));
    assert.ok(
      (await offered('call SystemDatastoreGetItems --param systemDatastoreType=')).includes(
        'systemDatastoreType=PaymentMethod',
      ),
    );
    assert.ok((await offered('profile edit acceptance --unset ')).includes('pageSize'));
    const settings = await offered('relation list --set ');
    assert.ok(settings.includes('retries=') && !settings.includes('apiKey='));
    assert.deepEqual(await offered('profile edit acceptance --set listEnd='), ['listEnd=empty', 'listEnd=absent']);
    assert.ok((await offered('profile edit acceptance --set timeZone=')).includes('timeZone=Europe/Amsterdam'));
    const nil = await offered('activity update ID --nil start,');
    assert.ok(nil.includes('start,owner') && !nil.includes('start,start'));
  });

  it('is the names of fields that were looked up, for their profile', async () => {
    const found = await offered('activity update ID --profile sandbox --field ');
    assert.ok(found.length > 3 && found.every((word) => word.endsWith('=')), `found: ${found.join(' ')}`);
    assert.ok(!(await offered('activity update ID --field ')).some((word) => found.includes(word)));
  });

  it('is what may follow in a line of a fault plan, and every line that it makes can be read', async () => {
    assert.ok((await offered('sandbox start --fault ')).includes('latency='));
    const more = await offered('sandbox start --fault latency=200ms,');
    assert.ok(more.includes('latency=200ms,jitter=') && !more.includes('latency=200ms,latency='));
    assert.ok((await offered("sandbox start --fault 'latency=1s;")).includes('latency=1s;every='));
    assert.ok(
      (await offered("sandbox start --fault 'latency=1s;operation=MarkGetAll,")).includes(
        'latency=1s;operation=MarkGetAll,RelationGet',
      ),
    );
    assert.ok((await offered('sandbox start --fault reset=')).includes('reset=head'));
  });

  it('contacts nobody, tells nothing, and works with whatever is broken', async () => {
    const server = await brokenServer({ answer: () => undefined });
    const broken = home();
    const folder = join(broken.folder, 'config', 'relctl');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'config.json'), '{"profiles":{"a":{"password":"hunter2"', { mode: 0o600 });
    const odd = { ...broken.env, RELCTL_BASE_URL: server.url, RELCTL_API_KEY: 'x', RELCTL_TIMEOUT: 'never' };
    for (const line of argv`"-p " "--changes-since " "--field " "--columns " "--workflow " "--field 'x" "--nosuch " -`)
      for (const command of ['relation list', 'activity search', 'bookmark remove', 'zzz', ''])
        await offered(`${command} ${line}`, odd);
    assert.deepEqual(await offered('relation list -p ', odd), ['sandbox']);
    assert.equal(server.requests.length, 0);
    await server.close();
    broken.remove();
  });

  it('is no word with characters that a terminal obeys, and no secret', async () => {
    const other = home();
    const folder = join(other.folder, 'config', 'relctl');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const content = {
      version: 1,
      profiles: { 'a\u001b[2J': {}, 'b\nc': {}, 'd\u202ee': {}, good: { password: 'hunter2' } },
    };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(content), { mode: 0o600 });
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout } = await relctl(['autocomplete', shell, '--line=relctl relation list -p '], { env: other.env });
      assert.match(stdout, /good/);
      assert.doesNotMatch(stdout, /[\u001b\u202e]|^c|hunter2/m);
    }
    other.remove();
  });

  it('never throws, for any line in any shell', async () => {
    const line = fc.oneof(
      fc.string(),
      fc
        .array(
          fc.constantFrom('relation', 'list', '--columns', 'Id,', '-o', '--', "'", '"', '\\', '--fault=', 'a;b=', ' '),
        )
        .map((parts) => parts.join(' ')),
    );
    await fc.assert(
      fc.asyncProperty(line, fc.constantFrom('bash', 'zsh', 'fish'), async (text, shell) => {
        await ends(relctl(['autocomplete', shell, `--line=relctl ${text}`], { env }), 0, '');
      }),
      { numRuns: 150 },
    );
  });

  it('reads quotation marks as bash and fish do', function () {
    needs(this, 'bash');
    for (const word of [`a\\ b`, `"a b"`, `'a\\b'`, `"a\\"b\\c\\$"`, `a'b 'c"d "`, `\\'x`, `--f="Id,Na"`, `é\\;x`]) {
      const { stdout } = spawnSync('bash', ['-c', `printf %s ${word}`], { encoding: 'utf8' });
      assert.equal(meaningOf('bash', word), stdout, word);
    }
  });
});
