import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ends, home, program, relctl } from '../support/relctl.js';
import { needs } from '../support/skip.js';
import { openTerminal, type Terminal } from '../support/terminal.js';

/** What is typed, and what the shell offers for it: all of these, and none of the others. */
interface Case {
  readonly title: string;
  readonly typed: string;
  readonly offers: readonly string[];
  readonly hides: readonly string[];
}

const cases: readonly Case[] = [
  { title: 'topics', typed: 'relctl rela', offers: ['relation', 'relationship'], hides: ['product'] },
  { title: 'commands of a topic', typed: 'relctl relation ', offers: ['get', 'list', 'marks'], hides: ['product'] },
  {
    title: 'flags',
    typed: 'relctl relation list --res',
    offers: ['--restart', '--resume'],
    hides: ['--profile'],
  },
  {
    title: 'values behind =',
    typed: 'relctl relation list --profile=',
    offers: ['acceptance', 'sandbox'],
    hides: ['csv'],
  },
  { title: 'columns', typed: 'relctl mark list --columns Id,', offers: ['Category', 'Name'], hides: ['Id'] },
  {
    title: 'enumerations and booleans',
    typed: 'relctl call RelationGet --param includeFields=',
    offers: ['true', 'false'],
    hides: ['csv'],
  },
];

/** What is typed up to a Tab, the line that becomes of it, and with `x` typed on; `DIR` is the folder of the test. */
type Completed = readonly [title: string, typed: string, line: RegExp, typedOn?: RegExp | undefined];

const completed: readonly Completed[] = [
  ['a command', 'relctl relation li', /relation list/, /relation list x/],
  ['one of several columns', 'relctl mark list --columns Id,Categ', /--columns Id,Category/, /Id,Categoryx/],
  ['a value behind =', 'relctl mark list --profile=acc', /--profile=acceptance/],
  ['a value in quotation marks', 'relctl mark list --profile "acc', /--profile "acceptance"?/],
  ['a value with an @ in it', 'relctl mark list --profile me@ho', /--profile me@home/],
  ['what a shell would take for more than a word', 'relctl name remove field od', /remove field odd\\;\\'x/],
  ['an operation', 'relctl call RelationGetTelephoneBook_', /call RelationGetTelephoneBook_V2/],
  ['a fault plan', "relctl sandbox start --fault 'latency=1s;ev", /'latency=1s;every=/],
  ['a file', 'relctl export run DIR/my', /DIR\/my-jobs\.yaml/],
  ['a file behind =', 'relctl mark list --output-file=DIR/my', /--output-file=DIR\/my-jobs\.yaml/],
  ['a file of a secret', 'relctl profile edit acceptance --api-key-from file:DIR/my', /file:DIR\/my-jobs\.yaml/],
  ['a folder', 'relctl attachment get X --output-dir DIR/b', /--output-dir DIR\/bin\//],
];

describe('Completion in a shell', () => {
  const place = home();
  const bin = join(place.folder, 'bin');
  // Without a runtime folder of its own fish takes /tmp/fish.USER, which may be another user's.
  const fishFolder = { XDG_RUNTIME_DIR: place.folder };
  const env = { ...place.env, ...fishFolder, PATH: `${bin}:${process.env['PATH'] ?? ''}`, LANG: 'C.UTF-8' };
  const script = (shell: string): string => join(place.folder, `relctl.${shell}`);
  let terminal: Terminal | undefined;

  before(async () => {
    mkdirSync(bin);
    writeFileSync(join(bin, 'relctl'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });
    const added = ['profile', 'add', 'acceptance', '--base-url', 'http://127.0.0.1:1', '--namespace', 'urn:n'];
    const more = [
      ['profile', 'add', 'me@home', '--base-url', 'http://127.0.0.1:1', '--namespace', 'urn:n'],
      ['profile', 'use', 'acceptance'],
      ['name', 'set', 'field', "odd;'x", '00000000-0041-4000-8000-000000001106'],
    ];
    for (const args of [added, ...more]) {
      await ends(relctl(args, { env }), 0);
    }
    writeFileSync(join(place.folder, 'my-jobs.yaml'), '');
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout } = await ends(relctl(['autocomplete', shell], { env }), 0);
      writeFileSync(script(shell), stdout);
    }
  });
  afterEach(() => {
    terminal?.close();
    terminal = undefined;
  });
  after(() => place.remove());

  /** Opens a terminal for a shell, and closes the one before. */
  function openShell(shell: readonly string[], columns?: number): Terminal {
    terminal?.close();
    terminal = openTerminal(shell, { ...env, TERM: 'screen' }, columns);
    return terminal;
  }

  let readied = 0;

  async function ready(opened: Terminal, setup: string): Promise<void> {
    readied += 1;
    opened.type(`${setup}; clear; echo is ready ${readied}`);
    opened.press('Enter');
    await opened.until(new RegExp(`^is ready ${readied}$`, 'm'));
  }

  /** What becomes of a line in a shell that runs: each Tab is waited for, and the line is given up. */
  async function completedIn(opened: Terminal, [title, typed, line, typedOn = line]: Completed): Promise<void> {
    const inFolder = (text: string): string => text.replaceAll('DIR', place.folder);
    opened.type(inFolder(typed));
    opened.press('Tab');
    for (const wanted of [line, typedOn]) {
      await opened
        .until(new RegExp(inFolder(wanted.source)))
        .catch((thrown: unknown) => assert.fail(`${title}: ${String(thrown)}`));
      if (wanted !== typedOn) opened.type('x');
    }
    // Ctrl-C could reach the relctl that answers, and not the shell.
    opened.press('C-u');
    await ready(opened, ':');
  }

  /** Words on a screen behind the line that was typed. */
  async function pressed(shell: readonly string[], setup: string, { typed, offers }: Case): Promise<string> {
    const opened = openShell(shell);
    await ready(opened, `${setup}; PS1='$ '`);
    opened.type(typed);
    // The second press lists what there is.
    opened.press('Tab');
    opened.press('Tab');
    const all = new RegExp(offers.map((word) => `(?=[^]*(?:^|[\\s=,])${word}(?=\\s|$))`).join(''), 'm');
    const screen = await opened.until(all);
    return screen.slice(screen.lastIndexOf('is ready') + 'is ready'.length);
  }

  function check(shown: string, { typed, offers, hides }: Case): void {
    // bash and fish show whole words, also what stays of them.
    const start = typed.slice(typed.lastIndexOf(' ') + 1, typed.search(/[^=,]*$/));
    const listed = shown.replaceAll(typed.trim(), ' ').split(/\s+/);
    const words = new Set(listed.map((word) => (word.startsWith(start) ? word.slice(start.length) : word)));
    for (const word of offers) assert.ok(words.has(word), `${word} is not offered: ${shown}`);
    for (const word of hides) assert.ok(!words.has(word), `${word} is offered: ${shown}`);
    assert.doesNotMatch(shown, /not found|rror|nvalid|compinit/);
  }

  const inShells = [
    ['bash', ['bash', '--norc', '-i'], () => `source ${script('bash')}`],
    ['zsh', ['zsh', '-f', '-i'], () => `source ${script('zsh')}`],
    ['fish', ['fish', '--no-config', '-i'], () => `source ${script('fish')}`],
  ] as const;
  for (const [shell, command, setup] of inShells) {
    it(`in ${shell} completes words as they have to stand there`, async function () {
      needs(this, 'tmux', shell);
      // Wide enough that no line is wrapped.
      const opened = openShell(command, 200);
      // What fish suggests looks as if it were completed already.
      await ready(opened, `${setup()}${shell === 'fish' ? '; set -g fish_autosuggestion_enabled 0' : ''}`);
      // fish sets a blank behind each of several columns too.
      for (const [title, typed, line, typedOn] of completed)
        await completedIn(opened, [title, typed, line, shell === 'fish' ? undefined : typedOn]);
      assert.doesNotMatch(opened.shown(), /not found|rror|nvalid|compinit/);
    });
  }

  for (const each of cases) {
    it(`in bash offers ${each.title}`, async function () {
      needs(this, 'tmux', 'bash');
      check(
        await pressed(['bash', '--norc', '-i'], `bind 'set show-all-if-ambiguous on'; source ${script('bash')}`, each),
        each,
      );
    });

    it(`in zsh offers ${each.title}, without any setting of it`, async function () {
      needs(this, 'tmux', 'zsh');
      check(await pressed(['zsh', '-f', '-i'], `source ${script('zsh')}`, each), each);
    });

    it(`in fish offers ${each.title}, and says nothing else`, function () {
      needs(this, 'fish');
      const line = `source ${script('fish')}; complete -C '${each.typed}'`;
      const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', line], { env, encoding: 'utf8' });
      assert.equal(stderr, '');
      const offered = stdout
        .split('\n')
        .map((text) => (text.split('\t')[0] ?? '').replace(/^--profile=|^Id,|^includeFields=/, ''));
      check(offered.join('\n'), each);
    });
  }

  it('in zsh is found by compinit in a folder of fpath too', async function () {
    needs(this, 'tmux', 'zsh');
    const folder = join(place.folder, 'functions');
    mkdirSync(folder);
    writeFileSync(join(folder, '_relctl'), (await relctl(['autocomplete', 'zsh'], { env })).stdout);
    const setup = `fpath=(${folder} $fpath); autoload -U compinit; compinit -u`;
    for (const each of cases.slice(0, 2)) check(await pressed(['zsh', '-f', '-i'], setup, each), each);
  });

  it('in fish says nothing in a terminal either', async function () {
    needs(this, 'tmux', 'fish');
    const opened = openShell(['fish', '--no-config', '-i']);
    opened.type(`source ${script('fish')}; clear; echo is ready`);
    opened.press('Enter');
    await opened.until(/^is ready$/m);
    opened.type('relctl relation ');
    opened.press('Tab');
    const screen = await opened.until(/phone-book/);
    assert.doesNotMatch(screen, /nvalid|rror/);
  });
});
