import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { home, relctl, type Run } from '../../support/relctl.js';

const guid = '00000000-0000-4000-8000-000000000011';

/** Bad input of every sort: the arguments, the exact message, the hint. Nothing is sent, so no service is needed. */
const mistakes: readonly [title: string, args: readonly string[], message: RegExp, hint: RegExp][] = [
  ['an unknown command', ['relation', 'lst'], /unknown command 'relation lst'/, /relctl relation list/],
  [
    'an unknown command with arguments',
    ['relation', 'gte', "J. d'Arc", '-o', 'json', '--yes'],
    /"unknown command 'relation gte'"/,
    /"relctl relation get 'J\. d'\\\\''Arc' -o json"/,
  ],
  [
    'words in another order',
    ['get', 'relation', guid],
    /unknown command 'get relation'/,
    /relctl relation get 0{8}-.*11$/m,
  ],
  [
    'a name without its command',
    ['product', 'Bicycle'],
    /unknown command 'product Bicycle'/,
    /Try: relctl product --help$/m,
  ],
  [
    'no file',
    ['relation', 'list', '--output-file', '', '-p', 'sandbox'],
    /--output-file takes a path, and an empty text/,
    /--help/,
  ],
  [
    'no folder',
    ['relation', 'list', '--record=', '-p', 'sandbox'],
    /--record takes a path, and an empty text is none/,
    /--help/,
  ],
  [
    'no trace',
    ['relation', 'list', '--trace=', '-p', 'sandbox'],
    /--trace takes a path, and an empty text is none/,
    /--help/,
  ],
  ['an unknown topic', ['relatoin'], /unknown command 'relatoin'/, /relctl relation/],
  ['a word of other programs', ['login'], /unknown command 'login'/, /relctl profile add NAME/],
  [
    'a word with several meanings',
    ['ls'],
    /unknown command 'ls'/,
    /Or: `relctl product list`, .*\n {2}Try: relctl relation list\n|`relctl product list/,
  ],
  ['an unknown flag', ['relation', 'list', '--limt', '3'], /unknown flag --limt/, /--limit/],
  [
    'a flag that every object has',
    ['relation', 'list', '--constructor', 'x'],
    /unknown flag --constructor$/m,
    /--help/,
  ],
  ['another, with a value', ['product', 'list', '--__proto__=x'], /unknown flag --__proto__$/m, /product list --help/],
  [
    'no time at all',
    ['relation', 'list', '--deadline', '0s'],
    /--deadline takes .*'0s', which is over at once/,
    /--help/,
  ],
  [
    'a missing argument',
    ['activity', 'fields'],
    /WORKFLOW is missing: Id of the workflow/,
    /relctl activity fields --help/,
  ],
  ['two missing arguments', ['export', 'diff'], /BEFORE and AFTER are missing/, /relctl export diff --help/],
  [
    'a missing argument before flags that may be repeated',
    ['activity', 'update', '--field', 'a=b'],
    /ID is missing: Id of the activity(?!.*Note)/,
    /relctl activity update --help/,
  ],
  [
    'several missing flags',
    ['activity', 'add-line', '00000000-0020-4000-8000-000000000001', '--vat', '1', '--amount', '1'],
    /--product and --quantity are missing/,
    /relctl activity add-line --help/,
  ],
  ['a missing flag', ['activity', 'search'], /--entity-type is missing/, /relctl activity search --help/],
  [
    'a flag before the command',
    ['--json=sesame', 'doctor'],
    /a command is missing before --json(?!=)/,
    /Flags come behind/,
  ],
  [
    'a flag of another program',
    ['relation', 'list', '--filter', 'x'],
    /unknown flag --filter/,
    /relation list --where x$/m,
  ],
  [
    'another, with its value',
    ['product', 'list', '--format=csv'],
    /unknown flag --format/,
    /product list --output=csv$/m,
  ],
  [
    'an expression for another tool',
    ['product', 'list', '--jq', 'Id'],
    /unknown flag --jq/,
    /product list --query Id$/m,
  ],
  [
    'a flag that the command has by no name',
    ['profile', 'use', 'x', '--filter', 'x'],
    /unknown flag --filter/,
    /profile use --help/,
  ],
  ['a surplus argument', ['relation', 'list', 'extra'], /unexpected argument: extra/, /relctl relation list --help/],
  ['a bad GUID', ['relation', 'get', '12', '-p', 'sandbox'], /ID: '12' is no GUID/, /./],
  ['a bad limit', ['relation', 'list', '--limit', 'ten', '-p', 'sandbox'], /--limit takes a whole number/, /./],
  [
    'a limit of none',
    ['relation', 'list', '--limit', '0', '-p', 'sandbox'],
    /--limit takes a whole number from 1/,
    /./,
  ],
  ['a mistyped format', ['relation', 'list', '-o', 'YMAL', '-p', 'sandbox'], /unknown output format 'YMAL'/, /-o yaml/],
  ['an unknown format', ['relation', 'list', '-o', 'jsn', '-p', 'sandbox'], /unknown output format 'jsn'/, /-o json/],
  [
    'a path as format',
    ['relation', 'list', '-o', './x.csv', '-p', 'sandbox'],
    /unknown output format/,
    /--output-file \.\/x\.csv/,
  ],
  ['an unknown column', ['relation', 'list', '--columns', 'DisplyName', '-p', 'sandbox'], /DisplyName/, /DisplayName/],
  ['a bad SOAP version', ['relation', 'list', '--set', 'soapVersion=1.3', '-p', 'sandbox'], /1\.3/, /1\.1|1\.2/],
  ['an unknown operation', ['operations', 'RelationGetAl'], /RelationGetAl/, /RelationGetAll/],
];

const manyIds = 'Several Ids are given by --ids FILE, or --ids - on stdin; a name of several words in quotes.';

const text = (run: Run): string => run.stderr;

describe('A mistake on the command line', () => {
  const place = home();
  after(() => place.remove());

  it('a missing flag is named, also where colours are on', async () => {
    for (const FORCE_COLOR of ['0', '1']) {
      const run = await relctl(['mirror', 'changes'], { env: { ...place.env, FORCE_COLOR } });
      assert.deepEqual([run.code, run.stderr], [2, 'Error: --from is missing\n  Try: relctl mirror changes --help\n']);
    }
  });

  it('a flag that begins with the dash of a word processor, is told, with the line that was meant', async () => {
    for (const [word, meant] of [
      ['\u2013limit', '--limit'],
      ['\u2014limit', '--limit'],
      ['-\u2013limit', '--limit'],
      ['\u2212\u2212limit=1', '--limit=1'],
      ['\u2013o', '-o'],
    ] as const) {
      const { code, stdout, stderr } = await relctl(['mark', 'list', word, '1', '--profile', 'sandbox'], {
        env: place.env,
      });
      assert.deepEqual([code, stdout], [2, ''], word);
      const flag = word.split('=', 1)[0] ?? '';
      const line = `relctl mark list ${meant} 1 --profile sandbox`;
      assert.equal(
        stderr,
        `Error: unknown flag ${flag}: it begins with the dash of a word processor\n  Try: ${line}\n`,
      );
    }
    const found = await relctl(['mark', 'list', '--profile', 'sandbox', '--where', "Name = '\u2013limit'"], {
      env: place.env,
    });
    assert.equal(found.code, 0, found.stderr);
  });

  it('a second Id is exit 2, and says how several are given', async () => {
    const run = await relctl(['relation', 'get', guid, guid], { env: place.env });
    assert.deepEqual(
      [run.code, run.stderr],
      [2, `Error: unexpected argument: ${guid}\n  ${manyIds}\n  Try: relctl relation get --help\n`],
    );
  });

  for (const [title, args, message, hint] of mistakes) {
    it(`${title} is exit 2 with a message that says what to do, and nothing on stdout`, async () => {
      const run = await relctl(args, { env: place.env });
      assert.equal(run.code, 2, run.stderr);
      assert.match(text(run), message);
      assert.match(text(run), hint);
      assert.equal(run.stdout, '');
    });

    it(`${title} is exit 2 with one JSON object on stderr under --json`, async () => {
      const run = await relctl(
        [...args.filter((arg) => arg !== '--json'), ...(args.includes('-o') ? [] : ['--json'])],
        {
          env: { ...place.env, RELCTL_OUTPUT: 'json' },
        },
      );
      assert.equal(run.code, 2, run.stderr);
      if (args.includes('-o')) return;
      const { error } = JSON.parse(run.stderr) as { error: Record<string, unknown> };
      assert.equal(error['kind'], 'usage');
      assert.equal(error['exitCode'], 2);
      assert.match(String(error['message']), message);
      assert.equal(run.stdout, '');
    });
  }

  it('such as a format said in two ways is refused, and saying the same twice is none', async () => {
    const two = await relctl(['operations', '--json', '-o', 'csv'], { env: place.env });
    assert.equal(two.code, 2);
    assert.match(two.stderr, /--json and -o csv exclude each other/);
    assert.equal((await relctl(['operations', '--json', '-o', 'json'], { env: place.env })).code, 0);
    // Before anything is sent or written, also where no record would be printed.
    const sandbox = ['--profile', 'sandbox', '--json', '-o', 'csv'];
    const file = join(place.folder, 'never.bin');
    for (const args of [
      ['product', 'update', '00001', '--name', 'Other', '--yes'],
      ['attachment', 'get', '00000000-0021-4000-8000-000000000001', '--output-file', file],
      ['relation', 'list', '--envelope'],
    ]) {
      const both = await relctl([...args, ...sandbox], { env: place.env });
      assert.deepEqual([both.code, both.stdout], [2, ''], both.stderr);
      assert.match(both.stderr, /--json and -o csv exclude each other/);
    }
    assert.equal(existsSync(file), false);
  });

  it('such as a mode that the sandbox does not know is told like any other choice', async () => {
    const { code, stderr } = await relctl(['sandbox', 'start', '--mode', 'lose'], { env: place.env });
    assert.deepEqual(
      [code, stderr],
      [2, "Error: --mode takes one of strict, asmx, not 'lose'\n  Try: relctl sandbox start --help\n"],
    );
  });

  it('such as help asked for behind a topic is none', async () => {
    const { code, stdout } = await relctl(['relation', 'help'], { env: place.env });
    assert.equal(code, 0);
    assert.equal(stdout, (await relctl(['relation', '--help'], { env: place.env })).stdout);
  });

  it('such as the version asked for in another way is none', async () => {
    const asked = (...args: readonly string[]): ReturnType<typeof relctl> => relctl(args, { env: place.env });
    const { code, stdout } = await asked('--version');
    assert.equal(code, 0);
    assert.match(stdout, /^relctl\/\d+\.\d+\.\d+ /);
    for (const args of [['-V'], ['-v'], ['version'], ['version', '--quiet']]) {
      const run = await asked(...args);
      assert.deepEqual([run.code, run.stdout, run.stderr], [0, stdout, ''], args.join(' '));
    }
  });

  it('shows neither a stack nor the arguments', async () => {
    for (const args of [
      ['relation', 'list', '--bogus=sesame-open'],
      ['relation', 'gte', '--api-key', 'sesame-open'],
    ]) {
      const run = await relctl(args, { env: place.env });
      assert.doesNotMatch(run.stderr, /sesame-open|at .*\.js/);
    }
  });
});
