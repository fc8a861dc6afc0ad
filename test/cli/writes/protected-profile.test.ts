import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ends, program } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { place, type Place } from '../../support/operations/place.js';
import { needs } from '../../support/skip.js';
import { openTerminal } from '../../support/terminal.js';

let prices = 100;

/** A file that gives the first products prices that they do not have. */
function priceFile(here: Place, count: number): string {
  prices += 1;
  const path = here.fresh('prices.csv');
  const rows = Array.from({ length: count }, (_, index) => `${String(index + 1).padStart(5, '0')},${prices}.50\n`);
  writeFileSync(path, `Code,SalesPrice\n${rows.join('')}`);
  return path;
}

const words = (path: string, ...more: readonly string[]): readonly string[] =>
  argv`product update --file ${path} --no-base ${more}`;

describe('A batch through a protected profile', () => {
  const here = place(['--set', 'protected=yes']);

  it('is sent with --confirm and its name only, whatever --yes says', async () => {
    const path = priceFile(here, 2);
    const before = here.digest();
    for (const more of [[], ['--yes']]) {
      const { code, stdout, stderr } = await here.run(words(path, ...more));
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, /profile 'local' is protected: relctl will not change 2 records by .* without --confirm/);
      assert.match(stderr, /Try: .*--confirm local\n/);
    }
    assert.equal(here.digest(), before);
    assert.equal(existsSync(`${path}.results.csv.journal`), false);
    assert.equal((await here.run(words(path, '--confirm', 'local'))).code, 0);
    assert.notEqual(here.digest(), before);
  });

  it('asks in a terminal for the count of its rows and the name of the profile, typed', async function () {
    needs(this, 'tmux');
    const path = priceFile(here, 3);
    const before = here.digest();
    const terminal = openTerminal([process.execPath, program, ...words(path, '--yes')], here.env, 80);
    try {
      await terminal.until(/3 local:/);
      for (const wrong of ['y', '2 local', '3 other']) {
        terminal.type(wrong);
        terminal.press('Enter');
        await terminal.until(/exactly, or press/);
        assert.equal(here.digest(), before, wrong);
        terminal.press('C-u');
        // A key that comes while an answer is checked is not read.
        await terminal.until(/^(?![^]*exactly, or press)/);
      }
      terminal.type('3 local');
      terminal.press('Enter');
      const shown = await terminal.until(/Pane is dead/);
      assert.match(shown, /3 done/);
      assert.match(shown, /status 0,/);
    } finally {
      terminal.close();
    }
    assert.notEqual(here.digest(), before);
  });

  it('sends nothing when the question is left', async function () {
    needs(this, 'tmux');
    const path = priceFile(here, 1);
    const before = here.digest();
    const terminal = openTerminal([process.execPath, program, ...words(path)], here.env, 80);
    try {
      await terminal.until(/1 local:/);
      terminal.press('C-c');
      await terminal.until(/Pane is dead/);
    } finally {
      terminal.close();
    }
    assert.equal(here.digest(), before);
    assert.equal(existsSync(`${path}.results.csv.journal`), false);
  });
});

describe('A batch', () => {
  const here = place();

  it('is not sent when --confirm names another profile than the one in use', async () => {
    const before = here.digest();
    const { code, stderr } = await here.run(words(priceFile(here, 1), '--yes', '--confirm', 'eu'));
    assert.equal(code, 2);
    assert.match(stderr, /--confirm names profile 'eu', and the profile in use is 'local'; nothing was sent/);
    assert.equal(here.digest(), before);
  });

  it('is refused when --confirm names another profile, also with --dry-run and where no row is left to be sent', async () => {
    const path = priceFile(here, 2);
    const results = `${path}.results.csv`;
    assert.equal((await here.run(words(path, '--yes', '--confirm', 'local'))).code, 0);
    const [before, written] = [here.digest(), readFileSync(results, 'utf8')];
    for (const more of [
      ['--dry-run'],
      ['--yes', '--resume'],
      ['--yes', '--settle'],
      ['--yes', '--dry-run', '--set', 'maxRows=2'],
    ]) {
      const { code, stdout, stderr } = await here.run(words(path, ...more, '--confirm', 'eu'));
      assert.deepEqual([code, stdout], [2, ''], more.join(' '));
      assert.match(stderr, /--confirm names profile 'eu', and the profile in use is 'local'; nothing was sent/);
      assert.match(stderr, /Choose one: `--profile eu` or `--confirm local`/);
    }
    for (const one of [
      ['product', 'update', '00001', '--name', 'x', '--dry-run'],
      ['call', 'MarkGetAll'],
    ]) {
      await ends(here.run([...one, '--confirm', 'eu']), 2, /--confirm names profile 'eu'/);
    }
    assert.deepEqual([here.digest(), readFileSync(results, 'utf8')], [before, written]);
    assert.equal((await here.run(words(path, '--dry-run', '--confirm', 'local'))).code, 0);
  });

  it('has 10,000 rows at most, or as many as --set maxRows allows, also of stdin', async () => {
    const before = here.digest();
    const path = here.fresh('many.csv');
    writeFileSync(path, `Code,SalesPrice\n${'00001,1.00\n'.repeat(10_001)}`);
    const many = await here.run(words(path, '--yes', '--skip-invalid'));
    assert.equal(many.code, 2);
    assert.match(many.stderr, /many\.csv has more than 10000 rows\n.*--set maxRows/);
    const piped = await here.run(words('-', '--yes', '--set', 'maxRows=2', '--results', here.fresh('r.csv')), {
      input: 'Code,SalesPrice\n00001,1.00\n00002,1.00\n00003,1.00\n',
    });
    assert.equal(piped.code, 2);
    assert.match(piped.stderr, /- has more than 2 rows/);
    const rows = priceFile(here, 3);
    assert.equal(here.digest(), before);
    assert.equal((await here.run(words(rows, '--yes', '--set', 'maxRows=3'))).code, 0);
  });
});
