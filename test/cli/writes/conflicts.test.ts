import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { started, until } from '../../support/export-lane.js';
import { outcomesOf, place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';

const count = 20;

/** What else may happen to the records, and to the disk, while a batch runs. */
describe('A batch that is not alone', () => {
  const here = place();
  const codes = Array.from({ length: count }, (_, at) => String(at + 1).padStart(5, '0'));
  const file = (price: string, some: readonly string[] = codes): string => {
    const path = here.fresh('prices.csv');
    writeFileSync(path, `Code,SalesPrice\n${some.map((code) => `${code},${price}\n`).join('')}`);
    return path;
  };
  const words = (path: string, ...more: readonly string[]): readonly string[] =>
    argv`product update --file ${path} --no-base --yes ${more}`;
  const price = (code: string): number =>
    Number(here.rows('SELECT "SalesPrice" FROM "PvProductData_V2" WHERE Code = ?', code)[0]?.[0]);

  before(() => {
    here.execute('CREATE TABLE effects (code, price)');
    here.execute(
      `CREATE TRIGGER effect AFTER UPDATE ON "PvProductData_V2" BEGIN INSERT INTO effects VALUES (NEW."Code", NEW."SalesPrice"); END`,
    );
  });
  /** How often each product was given a price. */
  const effectsOf = (wanted: string): ReadonlyMap<string, number> =>
    new Map(
      here
        .rows('SELECT code, count(*) FROM effects WHERE price = ? GROUP BY code', wanted)
        .map(([code, times]) => [String(code), Number(times)]),
    );

  it('sends nothing that a full disk does not take, and goes on exactly when there is room', async () => {
    const path = file('901.25');
    const under = ['sh', '-c', 'ulimit -f 24; exec "$0" "$@"'];
    const { code, stderr } = await started(words(path), { env: here.env, under }).ended;
    assert.equal(code, 10, stderr);
    assert.match(stderr, /\.journal cannot be written: the file would be too large/);
    const journal = readFileSync(`${path}.results.csv.journal`, 'utf8');
    const told = journal.split('\n').filter((line) => line.endsWith('}') && line.includes('"sends"')).length;
    const changed = effectsOf('901.25').size;
    assert.ok(changed > 2 && changed <= told && told < count, `${changed} changed, ${told} told`);
    const resumed = await here.run(words(path, '--resume'));
    assert.ok(resumed.code === 0 || resumed.code === 9, resumed.stderr);
    const settled = await here.run(words(path, '--settle'));
    assert.ok(settled.code === 0 || settled.code === 8, settled.stderr);
    assert.equal((await here.run(words(path, '--resume'))).code, 0);
    assert.deepEqual(new Set(outcomesOf(path)), new Set(['done']));
    assert.deepEqual([...effectsOf('901.25').values()], new Array<number>(count).fill(1));
  });

  /** Runs a batch of the first three products, and does something once its first row is under way. */
  async function meanwhile(path: string, work: () => unknown): Promise<{ readonly stderr: string }> {
    const journal = `${path}.results.csv.journal`;
    await here.fault('latency=3s;operation=ProductUpdate_V2;first=1');
    const run = started(words(path, '--set', 'maxStaleness=0', '--concurrency', '1'), { env: here.env });
    assert.ok(await until(run, () => existsSync(journal) && readFileSync(journal, 'utf8').includes('"sends"')));
    await work();
    const { code, stderr } = await run.ended;
    await here.calm();
    assert.equal(code, 8, stderr);
    return { stderr };
  }

  it('does not write over what another batch wrote meanwhile', async () => {
    const some = codes.slice(3, 6);
    const path = file('903.25', some);
    const other = file('904.25', some.slice(2));
    await meanwhile(path, async () => {
      await ends(here.run(words(other)), 0);
    });
    assert.deepEqual(outcomesOf(path), ['done', 'done', 'conflict']);
    assert.deepEqual(some.map(price), [903.25, 903.25, 904.25]);
  });
});
