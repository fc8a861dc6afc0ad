import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

/** Traces that batches leave: journals, the register, the ledger. */
describe('What a batch leaves behind', () => {
  const here = place();
  let prices = 100;
  const file = (count = 2): string => {
    const path = here.fresh('prices.csv');
    prices += 1;
    const rows = Array.from({ length: count }, (_, at) => `0000${at + 1},${prices}.25\n`);
    writeFileSync(path, `Code,SalesPrice\n${rows.join('')}`);
    return path;
  };
  const update = (path: string, ...more: readonly string[]): ReturnType<typeof here.run> =>
    here.run(['product', 'update', '--file', path, '--no-base', '--yes', ...more]);
  const register = (): string => join(here.env['XDG_STATE_HOME'] ?? '', 'relctl', 'batches');
  const price = (): unknown => here.rows('SELECT "SalesPrice" FROM "PvProductData_V2" WHERE Code = \'00001\'')[0]?.[0];

  it('knows a batch whose journal had to make room for another one, and lets it go on there', async () => {
    const results = here.fresh('results.csv');
    const [first, second] = [file(), file()];
    assert.equal((await update(first, '--results', results)).code, 0);
    assert.equal((await update(second, '--results', results, '--restart')).code, 0);
    const before = price();
    const again = await update(first);
    assert.equal(again.code, 2, again.stderr);
    assert.match(
      again.stderr,
      /was already written on .*; \S*results\.csv\.\d{8}T\d{6}\.\d{3}Z\.journal has the outcome/,
    );
    const [, words = ''] = /Try: .*--resume --results (\S+)/.exec(again.stderr) ?? [];
    assert.equal((await update(first, '--resume', '--results', words)).code, 0);
    assert.match(readFileSync(words, 'utf8'), /,done,[^]*,done,/);
    assert.equal(price(), before);
  });

  it('sends nothing when it is not known whether the rows were written before', async () => {
    const path = file();
    assert.equal((await update(path)).code, 0);
    const names = readdirSync(register());
    for (const name of names) writeFileSync(join(register(), name), 'torn');
    const before = price();
    const run = await update(path, '--results', here.fresh('other.csv'));
    assert.equal(run.code, 10, run.stderr);
    assert.match(run.stderr, /may have earlier writes of these rows/);
    assert.equal(price(), before);
    for (const name of names) rmSync(join(register(), name));
  });

  it('has no entry of the ledger for a batch that could not begin, and may begin again', async () => {
    const path = file();
    const env = { ...here.env, XDG_STATE_HOME: here.fresh('state') };
    const words = ['product', 'update', '--file', path, '--no-base', '--yes'];
    assert.equal((await here.run(words, { env })).code, 0);
    const folder = join(env.XDG_STATE_HOME, 'relctl', 'batches');
    const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.json'));
    here.execute('UPDATE "PvProductData_V2" SET "SalesPrice" = 1');
    // Nothing can be written where a folder stands.
    rmSync(join(folder, name));
    mkdirSync(join(folder, name, 'x'), { recursive: true });
    const writes = join(env.XDG_STATE_HOME, 'relctl', 'writes');
    const [ledgerName = ''] = readdirSync(writes).filter((each) => each.endsWith('.ledger'));
    const ledger = (): readonly string[] => readFileSync(join(writes, ledgerName), 'utf8').split('\n');
    const before = ledger().length;
    await ends(here.run([...words, '--restart'], { env }), 10);
    assert.equal(ledger().length, before);
    assert.equal(Number(price()), 1);
    rmSync(join(folder, name), { recursive: true });
    const journal = `${path}.results.csv.journal`;
    assert.equal((await here.run(words, { env })).code, 2, 'the first batch is still there');
    // As a run leaves it that is killed before its first row is sent.
    writeFileSync(journal, readFileSync(journal, 'utf8').replace(/(?<=\n)[^]*/, ''));
    await ends(here.run(words, { env }), 0);
    assert.equal(ledger().length, before + 2);
  });
});
