import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ends, home, installIn, relctl, type Home } from '../../support/relctl.js';
import { needs } from '../../support/skip.js';

/** Where each shell looks, below the home. */
const places = [
  ['bash', 'data/bash-completion/completions/relctl'],
  ['zsh', 'data/zsh/site-functions/_relctl'],
  ['fish', 'config/fish/completions/relctl.fish'],
] as const;

describe('The script of a shell', () => {
  let place: Home;
  let env: NodeJS.ProcessEnv;
  beforeEach(() => {
    place = home();
    env = { ...place.env, XDG_DATA_HOME: join(place.folder, 'data') };
  });
  afterEach(() => place.remove());

  for (const [shell, path] of places) {
    it(`is put where ${shell} looks for it, as often as one likes, and removed with its folders`, async () => {
      const file = join(place.folder, path);
      const script = (await relctl(['autocomplete', shell], { env })).stdout;
      for (const said of [`is in ${file}`, `is again in ${file}`]) {
        const run = await ends(relctl(['autocomplete', shell, '--install'], { env }), 0, '');
        assert.ok(run.stdout.includes(said), run.stdout);
        assert.match(run.stdout, new RegExp(`start a new ${shell}`));
        assert.equal(readFileSync(file, 'utf8'), script);
        assert.deepEqual(readdirSync(dirname(file)).length, 1);
      }
      const removed = await relctl(['autocomplete', shell, '--remove'], { env });
      assert.deepEqual([removed.code, existsSync(dirname(file))], [0, false]);
      const again = await ends(relctl(['autocomplete', shell, '--remove'], { env }), 0);
      assert.match(again.stdout, /There is no completion/);
    });

    it(`of ${shell} replaces and removes nothing that relctl did not write`, async () => {
      const file = join(place.folder, path);
      const other = join(place.folder, 'other');
      mkdirSync(dirname(file), { recursive: true });
      symlinkSync(other, file);
      await ends(
        relctl(['autocomplete', shell, '--install'], { env }),
        10,
        /is a symbolic link; relctl did not change it/,
      );
      assert.equal(existsSync(other), false);
      const own = { ...env, XDG_DATA_HOME: join(place.folder, 'd2'), XDG_CONFIG_HOME: join(place.folder, 'd2') };
      const foreign = join(place.folder, 'd2', path.replace(/^\w+\//, ''));
      mkdirSync(dirname(foreign), { recursive: true });
      writeFileSync(foreign, 'mine');
      for (const flag of ['--install', '--remove']) {
        const run = await relctl(['autocomplete', shell, flag], { env: own });
        assert.equal(run.code, 10);
        assert.match(run.stderr, /was not written by relctl; relctl did not change it/);
        assert.equal(readFileSync(foreign, 'utf8'), 'mine');
      }
    });
  }

  it('is that of SHELL when none is named; another shell, and both flags, are refused', async () => {
    const zsh = await relctl(['autocomplete', '--install'], { env: { ...env, SHELL: '/usr/bin/zsh' } });
    assert.match(zsh.stdout, /completion of relctl in zsh is in/);
    const tcsh = await relctl(['autocomplete', '--install'], { env: { ...env, SHELL: '/bin/tcsh' } });
    assert.equal(tcsh.code, 2);
    assert.match(tcsh.stderr, /tcsh[^]*bash, zsh, fish[^]*Try: relctl autocomplete bash --install/);
    for (const args of [[], ['bash', '--install', '--remove'], ['tcsh']])
      assert.equal((await relctl(['autocomplete', ...args], { env })).code, 2, args.join(' '));
  });

  it('is found by a new fish without any line of the user', async function () {
    needs(this, 'fish');
    const { PATH } = installIn(place.folder);
    assert.equal((await relctl(['autocomplete', 'fish', '--install'], { env })).code, 0);
    const ran = spawnSync('fish', ['-c', "complete -C 'relctl relation li'"], {
      env: { ...env, PATH, XDG_RUNTIME_DIR: place.folder },
      encoding: 'utf8',
    });
    assert.match(ran.stdout, /^list\t/);
  });
});
