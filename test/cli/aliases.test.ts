import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { known } from '../../src/sandbox/dataset/known.js';
import { place } from '../support/operations/place.js';
import { home, installIn, relctl, type Run } from '../support/relctl.js';

const { productId } = known;

describe('An alias of a command line', () => {
  const here = place(['--set', 'protected=yes']);
  const configFile = (): string => join(here.folder, 'config', 'relctl', 'config.json');
  const run = (...args: readonly string[]): Promise<Run> => here.run(args);
  const set = async (...args: readonly string[]): Promise<void> => {
    const { code, stdout, stderr } = await run('alias', 'set', ...args);
    assert.deepEqual([code, stdout, stderr], [0, '', '']);
  };
  /** Puts aliases into the file by hand, as an older version or a person may have left them. */
  const leave = (aliases: unknown): void => {
    const content = JSON.parse(readFileSync(configFile(), 'utf8')) as Record<string, unknown>;
    writeFileSync(configFile(), JSON.stringify({ ...content, commandAliases: aliases }));
  };
  beforeEach(async () => {
    leave({});
    await set('ids', 'relation list --limit 3 --columns Id -o csv');
  });

  it('runs as its line does when that is typed', async () => {
    const whole = await run('relation', 'list', '--limit', '3', '--columns', 'Id', '-o', 'csv');
    assert.deepEqual(await run('ids'), whole);
    assert.equal(whole.stdout.split('\n').length, 5);
  });

  it('gets what is typed behind it: arguments, and flags in the place of those in its line', async () => {
    await set('one', 'relation get --columns Id,IsRoot');
    const id = known.personId;
    const [typed, aliased] = [
      await run('relation', 'get', id, '--columns', 'Id', '--json'),
      await run('one', id, '--columns=Id', '--json'),
    ];
    assert.deepEqual([aliased, aliased.code], [typed, 0]);
    const { stdout } = await run('ids', '--limit', '1');
    assert.equal(stdout.split('\n').length, 3);
    assert.deepEqual(Object.keys((JSON.parse((await run('ids', '--json')).stdout) as readonly object[])[0] ?? {}), [
      'Id',
    ]);
    await set('filtered', 'relation list --count --where IsRoot');
    const all = await run('relation', 'list', '--count', '--where', 'IsRoot or not IsRoot');
    assert.equal((await run('filtered', '--where', 'IsRoot or not IsRoot')).stdout, all.stdout);
  });

  it('may repeat a flag of its line that may be repeated', async () => {
    await set(
      'asked',
      'call RelationGetAll --param pageNumber=1 --param includeFields=false --param includeCounters=false --envelope',
    );
    const { code, stdout, stderr } = await run('asked', '--param', 'pageSize=7');
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /<pageNumber>1<\/pageNumber>\s*<pageSize>7<\/pageSize>/);
  });

  it('holds words in quotation marks of either kind, and words behind backslashes', async () => {
    await set('odd', String.raw`relation list --where "SortingName == 'a\"b c'" --columns a\ b=Id -o csv`);
    const whole = await run(
      'relation',
      'list',
      '--where',
      `SortingName == 'a"b c'`,
      '--columns',
      'a b=Id',
      '-o',
      'csv',
    );
    assert.deepEqual(await run('odd'), whole);
  });

  it('is kept beside the profiles, in the file that only its owner reads', async () => {
    const { commandAliases, profiles } = JSON.parse(readFileSync(configFile(), 'utf8')) as Record<string, object>;
    assert.deepEqual(commandAliases, { ids: 'relation list --limit 3 --columns Id -o csv' });
    assert.deepEqual(Object.keys(profiles ?? {}), ['local']);
    if (process.platform !== 'win32') assert.equal(statSync(configFile()).mode & 0o777, 0o600);
  });

  it('is listed with what its command does, in every format', async () => {
    await set('a-first', 'relctl whoami');
    assert.deepEqual(
      await here.json(['alias', 'list']),
      [
        { Name: 'a-first', Line: 'whoami', About: 'Show who calls, as the service sees it, and whether it answers.' },
        {
          Name: 'ids',
          Line: 'relation list --limit 3 --columns Id -o csv',
          About: 'List all relations: persons and organisations.',
        },
      ].map((each) => ({ ...each, About: aboutIn(each.Line) })),
    );
    const { stdout } = await run('alias', 'list', '-o', 'csv', '--columns', 'Name');
    assert.equal(stdout, 'Name\na-first\nids\n');
    leave({});
    const none = await here.run(['alias', 'list'], { env: { RELCTL_FORCE_TTY: '80' } });
    assert.match(none.stdout + none.stderr, /^No aliases\. relctl alias set NAME LINE makes one\.$/m);
  });

  it('is listed by help, and has the help of its command, with its line', async () => {
    for (const args of [[], ['--help']]) {
      const { stdout } = await run(...args);
      assert.match(
        stdout,
        /\nYOUR ALIASES \(relctl alias list\)\n {2}ids {2}relation list --limit 3 --columns Id -o csv\n/,
      );
    }
    const own = `ids is an alias: relctl relation list --limit 3 --columns Id -o csv\n\n`;
    const { stdout: brief } = await run('relation', 'list', '-h');
    const { stdout: full } = await run('relation', 'list', '--help');
    assert.equal((await run('ids', '-h')).stdout, own + brief);
    for (const args of [
      ['ids', '--help'],
      ['help', 'ids'],
      ['ids', 'help'],
    ])
      assert.equal((await run(...args)).stdout, own + full, args.join(' '));
    leave({});
    assert.doesNotMatch((await run('--help')).stdout, /YOUR ALIASES/);
    leave([]);
    assert.match((await run('--help')).stdout, /YOUR ALIASES .*\n {2}cannot be read; relctl alias list says why\n/);
  });

  it('is completed in all shells, with what its command takes behind it', async () => {
    const offered = async (line: string): Promise<readonly string[]> => {
      const { stdout } = await run('autocomplete', 'fish', `--line=relctl ${line}`);
      return stdout.trimEnd().split('\n').slice(1);
    };
    assert.ok((await offered('')).includes('ids\trelation list --limit 3 --columns Id -o csv'));
    assert.ok((await offered('help ')).includes('ids\trelation list --limit 3 --columns Id -o csv'));
    assert.deepEqual(await offered('alias remove '), ['ids\trelation list --limit 3 --columns Id -o csv']);
    assert.deepEqual(await offered('ids --line-ending '), ['lf', 'crlf']);
    assert.ok((await offered('ids --')).some((word) => word.startsWith('--sort\t')));
    assert.ok(!(await offered('ids --')).some((word) => word.startsWith('--columns\t')));
    const bash = await run('autocomplete', 'bash', '--line=relctl id', '--word=id');
    assert.equal(bash.stdout, 'words\nids\n');
    const zsh = await run('autocomplete', 'zsh', '--line=relctl id');
    assert.match(zsh.stdout, /^ids:relation list --limit 3 --columns Id -o csv$/m);
  });

  it('is named by errors of its line and of the profile, which say what to try in whole', async () => {
    const named = `alias 'ids' \\(relation list --limit 3 --columns Id -o csv\\): `;
    for (const [args, message] of [
      [['--frm', 'x'], 'unknown flag --frm'],
      [['--where', 'Ix'], "there is no .*'Ix'.*"],
      [['surplus'], 'unexpected argument: surplus'],
      [['-p', 'gone'], "there is no profile 'gone'"],
    ] as const) {
      const { code, stderr } = await run('ids', ...args);
      assert.ok(code === 2 || code === 3, stderr);
      assert.match(stderr, new RegExp(`^Error: ${named}${message}`, 's'));
    }
    const { stderr } = await run('ids', '--limt', '5');
    assert.match(
      stderr,
      /\n {2}Try: relctl relation list --columns Id -o csv --limit 5\n$|\n {2}Try: relctl relation list --limit 3 --columns Id -o csv --limit 5\n$/,
    );
    const other = JSON.parse((await run('ids', '--jsn', '-o', 'json')).stderr) as {
      readonly error: { readonly message: string };
    };
    assert.match(other.error.message, /^alias 'ids'/);
  });

  it('is told when a command hides it: the command runs, a note says so, and the list too', async () => {
    leave({ relation: 'whoami', ids: 'whoami' });
    const { code, stdout, stderr } = await run('relation', 'list', '--count');
    assert.deepEqual(
      [code, stderr],
      [0, "Note: this is the command 'relation' of relctl, not your alias of that name: see `relctl alias list`\n"],
    );
    assert.match(stdout, /^\d+\n$/);
    assert.equal((await run('relation', 'list', '--count', '-q')).stderr, '');
    assert.equal((await run('product', 'list', '--count')).stderr, '');
    const [hidden] = await here.json<readonly { readonly About: string }[]>(['alias', 'list']);
    assert.equal(hidden?.About, 'relctl has a command of this name, which hides it: relctl relation -h');
    assert.doesNotMatch((await run('--help')).stdout, /^ {2}relation {2,}whoami/m);
    assert.equal((await run('alias', 'remove', 'relation')).code, 0);
  });

  it('whose file is damaged stops no command, and is said where it may be meant', async () => {
    leave({ ids: 5 });
    assert.deepEqual((await run('operations', 'RelationGet')).code, 0);
    const { code, stderr } = await run('ids');
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^Error: unknown command 'ids'\n {2}It may be an alias, but these cannot be read: the member commandAliases of the profile file has no usable value\.\n/,
    );
    assert.match(
      (await run('alias', 'list')).stderr,
      /^Error: the member commandAliases of the profile file has no usable value\n/,
    );
  });

  it('is put in once: a line that begins with an alias is an unknown command', async () => {
    leave({ one: 'two', two: 'one', self: 'self' });
    for (const name of ['one', 'self']) {
      const { code, stderr } = await run(name);
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`^Error: alias '${name}' \\(\\w+\\): unknown command '\\w+'\n`));
    }
  });

  it('is suggested for a word near its name', async () => {
    const { code, stderr } = await run('idss');
    assert.equal(code, 2);
    assert.match(stderr, /^Error: unknown command 'idss'\n(?:.*\n)?.*Try: relctl ids\n$/);
  });

  it('that names a write is as protected as the write', async () => {
    const before = here.digest();
    await set('cheaper', `product update ${productId} --description x`);
    const refused = await run('cheaper');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /profile 'local' is protected: will not change product/);
    assert.match(refused.stderr, /Try: relctl product update \S+ --description x --confirm local\n$/);
    assert.equal(here.digest(), before);
    assert.equal((await run('cheaper', '--confirm', 'local')).code, 0);
    assert.notEqual(here.digest(), before);
  });

  const refused: readonly (readonly [title: string, args: readonly string[], message: RegExp])[] = [
    [
      'of a command',
      ['check', 'whoami'],
      /^Error: 'check' is a command of relctl, which an alias cannot hide\n.*\n {2}Try: relctl check -h\n$/,
    ],
    ['of a topic', ['relation', 'whoami'], /^Error: 'relation' is a command of relctl/],
    ['of help', ['help', 'whoami'], /^Error: 'help' is a command of relctl/],
    ['of what objects have', ['constructor', 'whoami'], /^Error: an alias is a word of letters/],
    ['of a flag', ['--', '-x', 'whoami'], /^Error: an alias is a word of letters/],
    ['of two words', ['a b', 'whoami'], /^Error: an alias is a word of letters/],
    [
      'for another line',
      ['ids', 'whoami'],
      /^Error: the alias 'ids' stands for another line already: .*\n {2}Try: relctl alias set ids whoami --force\n$/,
    ],
    ['for nothing', ['x', ''], /^Error: the line is empty\n/],
    ['for no command', ['x', 'relations list'], /^Error: the line begins with 'relations list', which is no command\n/],
    [
      'for a topic alone',
      ['x', 'relation --limit 5'],
      /^Error: the line begins with 'relation --limit', which is no command\n/,
    ],
    [
      'for another alias',
      ['x', 'ids --limit 5'],
      /^Error: 'ids' is an alias itself: .*\n {2}Give its line instead: relation list/,
    ],
    ['for itself', ['ids', 'ids --limit 5', '--force'], /^Error: 'ids' is an alias itself/],
    ['with an unknown flag', ['x', 'relation list --limt 5'], /^Error: the line does not work: unknown flag --limt\n/],
    [
      'with a flag that every object has',
      ['x', 'relation list --constructor'],
      /^Error: the line does not work: unknown flag --constructor\n/,
    ],
    [
      'with a wrong value',
      ['x', 'relation list --limit many'],
      /^Error: the line does not work: --limit takes a whole number/,
    ],
    [
      'with too many arguments',
      ['x', 'relation list surplus'],
      /^Error: the line does not work: unexpected argument: surplus/,
    ],
    ['with an open quotation mark', ['x', `relation list --where 'a`], /^Error: a quotation mark is open/],
    ['of two lines', ['x', 'relation list\nwhoami'], /^Error: the line holds a line break/],
    [
      'that is too long',
      ['x', `relation list --where ${'a'.repeat(2000)}`],
      /^Error: the line has more than 2000 characters/,
    ],
    ['with --yes', ['x', 'product update 1 --yes'], /^Error: --yes cannot stand in an alias/],
    ['with -y among letters', ['x', 'product update 1 -y'], /^Error: --yes cannot stand in an alias/],
    ['with --confirm', ['x', 'product update 1 --confirm local'], /^Error: --confirm cannot stand in an alias/],
    ['with a secret', ['x', 'profile add crm --password Geheim123'], /^Error: the line seems to hold a secret/],
  ];
  for (const [title, args, message] of refused) {
    it(`is refused ${title}, and nothing is changed`, async () => {
      const before = readFileSync(configFile(), 'utf8');
      const { code, stdout, stderr } = await run('alias', 'set', ...args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /Geheim123/);
      assert.equal(readFileSync(configFile(), 'utf8'), before);
    });
  }

  it('is replaced by --force, set again without it, and said in a terminal', async () => {
    await set('ids', 'relation list --limit 3 --columns Id -o csv');
    const { stderr } = await here.run(['alias', 'set', 'ids', 'mark list', '--force'], {
      env: { RELCTL_FORCE_TTY: '200' },
    });
    assert.match(stderr, /^Note: relctl ids is now relctl mark list: .*\n$/);
    assert.match((await run('alias', 'list', '-o', 'csv')).stdout, /^ids,mark list,/m);
  });

  it('is removed by its name; another name is told with the nearest', async () => {
    const missing = await run('alias', 'remove', 'idz');
    assert.deepEqual(
      [missing.code, missing.stderr],
      [2, "Error: there is no alias 'idz'\n  Try: relctl alias remove ids\n"],
    );
    assert.deepEqual(await run('alias', 'remove', 'ids'), { code: 0, stdout: '', stderr: '', signal: null });
    assert.deepEqual(await here.json(['alias', 'list']), []);
  });

  it('may trace, and be one of at most 200', async () => {
    await set('traced', 'relation list --trace --limit 1');
    assert.match((await run('traced')).stderr, /^> RelationGetAll, attempt 1\n/);
    leave(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`a${at}`, 'whoami'])));
    assert.match((await run('alias', 'set', 'more', 'whoami')).stderr, /^Error: there are 200 aliases already\n/);
    assert.equal((await run('alias', 'set', 'a5', 'mark list', '--force')).code, 0);
  });
});

/** The manifest says what a command does. */
function aboutIn(line: string): string {
  const { commands } = JSON.parse(readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8')) as {
    readonly commands: Readonly<Record<string, { readonly summary: string }>>;
  };
  const [first = '', second = ''] = line.split(' ');
  return commands[`${first}:${second}`]?.summary ?? commands[first]?.summary ?? '';
}

describe('The guide to aliases', () => {
  const own = home();
  after(() => own.remove());
  const guide = readFileSync(new URL('../../docs/aliases.md', import.meta.url), 'utf8');

  it('has commands that work as printed', async function () {
    const { env, folder } = own;
    const [, text = ''] = /^```sh run\n(.*?)^```$/ms.exec(guide) ?? [];
    const { PATH } = installIn(folder);
    const { status, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', text], {
      env: { ...env, PATH },
      cwd: folder,
    });
    assert.equal(status, 0, stderr.toString());
    assert.deepEqual(JSON.parse((await relctl(['alias', 'list', '--json'], { env })).stdout), []);
  });
});
