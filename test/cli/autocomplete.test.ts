import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { home, program, relctl } from '../support/relctl.js';
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
  { title: 'commands of a topic in a topic', typed: 'relctl field alias ', offers: ['list', 'set'], hides: ['get'] },
  {
    title: 'flags',
    typed: 'relctl relation list --res',
    offers: ['--restart', '--resume'],
    hides: ['--profile'],
  },
  { title: 'values of a flag', typed: 'relctl relation list -o ', offers: ['csv', 'json', 'yaml'], hides: ['list'] },
  {
    title: 'values behind =',
    typed: 'relctl relation list --profile=',
    offers: ['acceptance', 'sandbox'],
    hides: ['csv'],
  },
  {
    title: 'values behind a flag',
    typed: 'relctl relation list -p ',
    offers: ['acceptance', 'sandbox'],
    hides: ['csv'],
  },
  { title: 'arguments', typed: 'relctl profile use ', offers: ['acceptance', 'sandbox'], hides: ['csv'] },
];

describe('Completion in a shell', function () {
  this.timeout(120_000);
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
    assert.equal((await relctl(added, { env })).code, 0);
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, stdout } = await relctl(['autocomplete', shell], { env });
      assert.equal(code, 0);
      writeFileSync(script(shell), stdout);
    }
  });
  afterEach(() => {
    terminal?.close();
    terminal = undefined;
  });
  after(() => place.remove());

  /** Words on a screen behind the line that was typed. */
  async function pressed(shell: readonly string[], setup: string, { typed, offers }: Case): Promise<string> {
    const opened = openTerminal(shell, env);
    terminal = opened;
    opened.type(`${setup}; PS1='$ '; clear; echo is ready`);
    opened.press('Enter');
    await opened.until(/^is ready$/m);
    opened.type(typed);
    // The second press lists what there is.
    opened.press('Tab');
    opened.press('Tab');
    const all = new RegExp(offers.map((word) => `(?=[^]*(?:^|[\\s=])${word}(?=\\s|$))`).join(''), 'm');
    const screen = await opened.until(all);
    return screen.slice(screen.lastIndexOf('is ready') + 'is ready'.length);
  }

  function check(shown: string, { typed, offers, hides }: Case): void {
    const words = new Set(shown.replaceAll(typed.trim(), ' ').split(/\s+/));
    for (const word of offers) assert.ok(words.has(word), `${word} is not offered: ${shown}`);
    for (const word of hides) assert.ok(!words.has(word), `${word} is offered: ${shown}`);
    assert.doesNotMatch(shown, /not found|rror|nvalid|compinit/);
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
      const offered = stdout.split('\n').map((text) => (text.split('\t')[0] ?? '').replace(/^--profile=/, ''));
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
    const opened = openTerminal(['fish', '--no-config', '-i'], { ...env, TERM: 'screen' });
    terminal = opened;
    opened.type(`source ${script('fish')}; clear; echo is ready`);
    opened.press('Enter');
    await opened.until(/^is ready$/m);
    opened.type('relctl relation ');
    opened.press('Tab');
    const screen = await opened.until(/phone-book/);
    assert.doesNotMatch(screen, /nvalid|rror/);
  });
});
