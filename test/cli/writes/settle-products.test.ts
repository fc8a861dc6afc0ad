import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { resultsOf, callsIn, place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

describe('Rows of products, read back', () => {
  const here = place();
  const prices = (): ReadonlyMap<unknown, unknown> =>
    new Map(
      here
        .rows('SELECT "Code", "SalesPrice" FROM "PvProductData_V2"')
        .map((row) => [row[0], row[1]] as readonly [unknown, unknown]),
    );
  const codes = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => String(index + 1).padStart(5, '0'));
  const fileOf = (lines: readonly (readonly [string, string])[]): string => {
    const path = here.fresh('prices.csv');
    writeFileSync(path, `Code,SalesPrice\n${lines.map((line) => line.join(',')).join('\n')}\n`);
    return path;
  };
  const update = (path: string, ...more: readonly string[]): ReturnType<typeof here.run> =>
    here.run(['product', 'update', '--file', path, '--no-base', '--yes', ...more]);
  /** Outcomes by code, as the results tell them. */
  const outcomes = (path: string): ReadonlyMap<string, string> =>
    new Map(resultsOf(path).map(({ Code = '', _outcome: outcome = '' }) => [Code, outcome]));

  afterEach(() => here.calm());

  for (const [before, after] of [
    [3, 4],
    [5, 2],
    [7, 3],
  ] as const)
    it(`settles each unknown row when answers are lost before (${before}) and behind (${after}) the effect`, async () => {
      const old = prices();
      const wanted = codes(24).map((code, index) => [code, `${before}${after}.${10 + index}`] as const);
      const path = fileOf(wanted);
      await here.fault(`reset=request;every=${before};operation=ProductUpdate_V2`);
      await here.fault(`reset=before;every=${after};operation=ProductUpdate_V2`);
      let run = await update(path);
      for (let turn = 0; turn < 24 && [...outcomes(path).values()].includes('not sent'); turn += 1)
        run = await update(path, '--resume');
      assert.ok(run.code === 9 || run.code === 8, run.stderr);
      assert.ok([...outcomes(path).values()].includes('unknown'));
      await here.calm();
      const settled = await update(path, '--settle');
      const now = prices();
      for (const [code, price] of wanted) {
        const outcome = outcomes(path).get(code);
        assert.ok(outcome === 'done' || outcome === 'failed', `${code} ${outcome}`);
        assert.equal(now.get(code), outcome === 'done' ? price : old.get(code), `${code} ${outcome}`);
      }
      const hasFailed = [...outcomes(path).values()].includes('failed');
      assert.equal(settled.code, hasFailed ? 8 : 0, settled.stderr);
      assert.equal((await update(path, '--resume')).code, 0);
      for (const [code, price] of wanted) assert.equal(prices().get(code), price);
      assert.ok([...outcomes(path).values()].every((outcome) => outcome === 'done'));
    });

  it('needs an earlier run, and --file', async () => {
    const path = fileOf([['00001', '1.00']]);
    assert.match((await update(path, '--settle')).stderr, /there is no earlier batch/);
    await ends(here.run(['product', 'update', '00001', '--name', 'x', '--settle']), 2, /--settle needs --file/);
  });

  it('settles nothing by sending', async () => {
    const path = fileOf([['00001', '1.01']]);
    await here.fault('reset=before;operation=ProductUpdate_V2');
    assert.equal((await update(path)).code, 9);
    const trace = here.fresh('trace');
    assert.equal((await update(path, '--settle', `--trace=${trace}`)).code, 0);
    assert.ok(callsIn(trace).every(({ operation }) => operation === 'ProductGetAll_V2'));
  });

  it('settles a row as a conflict when somebody else changed the product since', async () => {
    const path = fileOf([['00002', '2.02']]);
    await here.fault('reset=request;operation=ProductUpdate_V2');
    assert.equal((await update(path)).code, 9);
    here.execute(`UPDATE "PvProductData_V2" SET "SalesPrice" = '99.00' WHERE "Code" = '00002'`);
    await ends(update(path, '--settle'), 13);
    assert.match(readFileSync(`${path}.results.csv`, 'utf8'), /,conflict,.*99\.00/);
  });

  it('has a conflict where what is read back is not what was sent', async () => {
    const path = fileOf([
      ['00003', '3.03'],
      ['00004', '4.04'],
    ]);
    here.execute(
      `CREATE TRIGGER meddle AFTER UPDATE ON "PvProductData_V2" WHEN NEW."Code" = '00004' AND NEW."SalesPrice" = '4.04'
       BEGIN UPDATE "PvProductData_V2" SET "SalesPrice" = '4.00' WHERE "Code" = '00004'; END`,
    );
    const run = await update(path);
    here.execute('DROP TRIGGER meddle');
    assert.equal(run.code, 8, run.stderr);
    assert.deepEqual(
      [...outcomes(path)],
      [
        ['00003', 'done'],
        ['00004', 'conflict'],
      ],
    );
    assert.match(readFileSync(`${path}.results.csv`, 'utf8'), /SalesPrice was sent as ""4\.04"", is ""4\.00""/);
  });

  it('reads the list again when it is too old for the next row', async () => {
    const path = fileOf(codes(3).map((code) => [code, '5.55'] as const));
    const trace = here.fresh('trace');
    assert.equal((await update(path, '--set', 'maxStaleness=0', `--trace=${trace}`)).code, 0);
    const reads = callsIn(trace).filter(({ operation }) => operation === 'ProductGetAll_V2').length;
    assert.ok(reads >= 4, String(reads));
  });
});
