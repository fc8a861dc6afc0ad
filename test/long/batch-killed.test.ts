import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { killedOnce } from '../support/export-lane.js';
import { lots } from '../support/cases.js';
import { resultsOf, place } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';
import { argv } from '../support/argv.js';

const rows = 1000;
/** So many are quick; RELCTL_TEST_KILLS=300 takes minutes. */
const kills = Number(process.env['RELCTL_TEST_KILLS'] ?? 8);
/** A row takes about so many bytes of a journal. */
const rowBytes = 1700;

describe(`A batch of ${rows} rows that is killed`, function () {
  const here = place();
  const draw = lots(20_261_123);
  const codes = Array.from({ length: rows }, (_, row) => `K${String(row).padStart(5, '0')}`);

  before(async () => {
    const columns = here
      .rows('SELECT name FROM pragma_table_info(?)', 'PvProductData_V2')
      .map(([name]) => `"${String(name)}"`)
      .filter((name) => name !== '"seq"');
    const values = columns.map((name) => {
      if (name === '"Id"') return `printf('%08x-0061-4000-8000-000000000001', value)`;
      return name === '"Code"' ? `printf('K%05d', value)` : name;
    });
    here.execute(
      `INSERT INTO "PvProductData_V2" (${columns.join(', ')}) SELECT ${values.join(', ')} FROM (SELECT * FROM "PvProductData_V2" LIMIT 1), json_each('[${codes.map((_, row) => row).join(',')}]')`,
    );
    // What the service itself did to each product, in the transaction that did it.
    here.execute('CREATE TABLE effects (code, price)');
    for (const event of ['UPDATE', 'INSERT'])
      here.execute(
        `CREATE TRIGGER effect_${event} AFTER ${event} ON "PvProductData_V2" BEGIN INSERT INTO effects VALUES (NEW."Code", NEW."SalesPrice"); END`,
      );
    for (const spec of argv`
      reset=request;operation=ProductUpdate_V2;share=2%;seed=1 reset=before;operation=ProductUpdate_V2;share=2%;seed=2
      reset=head;operation=ProductUpdate_V2;share=2%;seed=3 status=503;operation=ProductUpdate_V2;share=1%;seed=4
      not-succeeded;operation=ProductUpdate_V2;share=1%;seed=5
    `)
      await here.fault(spec);
  });

  const hasHead = (journal: string): boolean => existsSync(journal) && readFileSync(journal).includes(10);

  const words = (file: string): readonly string[] => {
    const goesOn = hasHead(`${file}.results.csv.journal`) ? ['--resume'] : [];
    // By one the journal is told of a row ahead of its turn while another one is under way.
    const lanes = draw(6) === 0 ? '1' : '4';
    return ['product', 'update', '--file', file, '--no-base', '--yes', '--concurrency', lanes, ...goesOn];
  };

  const isKilled = (file: string): Promise<boolean> =>
    killedOnce({
      words: words(file),
      env: here.env,
      journal: `${file}.results.csv.journal`,
      draw,
      mostBytes: rowBytes * 100,
    });

  const outcomesIn = (file: string): ReadonlyMap<string, string> =>
    new Map(resultsOf(file).map(({ Code = '', _outcome: outcome = '' }) => [Code, outcome]));

  /** How often the service changed each product by the rows of a batch. */
  const effectsOf = (price: string): ReadonlyMap<string, number> =>
    new Map(
      here
        .rows('SELECT code, count(*) FROM effects WHERE price = ? GROUP BY code', price)
        .map(([code, count]) => [String(code), Number(count)]),
    );

  /** Settling sends nothing, leaves no row unknown, and says of each what the service did. */
  async function checkSettled(file: string, effects: ReadonlyMap<string, number>): Promise<void> {
    await ends(here.run(['product', 'update', '--file', file, '--no-base', '--yes', '--settle']), 8);
    for (const [code, outcome] of outcomesIn(file))
      assert.equal(outcome === 'done', (effects.get(code) ?? 0) === 1, `${code} is ${outcome} when it was settled`);
    assert.ok(![...outcomesIn(file).values()].includes('unknown'));
  }

  it('does each row once, or leaves it unknown until it is settled, however often it is resumed', async () => {
    let killed = 0;
    for (let batch = 1; killed < kills; batch += 1) {
      const price = `${batch}.75`;
      const file = here.fresh('killed.csv');
      writeFileSync(file, `Code,SalesPrice\n${codes.map((code) => `${code},${price}\n`).join('')}`);
      while (killed < kills && (await isKilled(file))) killed += 1;
      await ends(here.run(words(file)), 8);
      const outcomes = outcomesIn(file);
      const effects = effectsOf(price);
      assert.equal(outcomes.size, rows);
      for (const [code, outcome] of outcomes) {
        const count = effects.get(code) ?? 0;
        const what = `${code} of batch ${batch} is ${outcome}, and was done ${count} times`;
        if (outcome === 'done') assert.equal(count, 1, what);
        else if (outcome === 'refused') assert.equal(count, 0, what);
        else assert.ok(outcome === 'unknown' && count <= 1, what);
      }
      const all = [...outcomes.values()];
      assert.ok(all.filter((outcome) => outcome === 'done').length > rows / 2);
      assert.ok(all.includes('unknown') && all.includes('refused'));
      await checkSettled(file, effects);
    }
  });
});
