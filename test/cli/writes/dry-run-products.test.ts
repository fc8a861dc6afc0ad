import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { callsIn, place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';
import { valuesOf } from '../../support/values-of.js';

describe('product update --dry-run', () => {
  const here = place();
  const file = (text: string): string => {
    const path = here.fresh('prices.csv');
    writeFileSync(path, text);
    return path;
  };
  const update = (...args: readonly string[]): ReturnType<typeof here.run> => here.run(['product', 'update', ...args]);
  const dryRun = (path: string, ...more: readonly string[]): ReturnType<typeof here.run> =>
    update('--file', path, '--dry-run', '--no-base', ...more);
  const setPrice = (code: string, text: string): void =>
    here.execute(`UPDATE "PvProductData_V2" SET "SalesPrice" = '${text}' WHERE "Code" = '${code}'`);
  it('shows a line for each row, with what changes, what does not and what is wrong, and sends nothing', async () => {
    setPrice('00001', '1.00');
    setPrice('00002', '2.00');
    const path = file('Code,SalesPrice\n00001,1.50\n00002,2.0\nabc,1\n');
    const before = here.digest();
    const trace = here.fresh('trace');
    const run = await dryRun(path, '-o', 'json', `--trace=${trace}`);
    assert.equal(run.code, 2);
    assert.match(run.stderr, /"line":4,"column":"Code","what":"there is no product 'abc'"/);
    const rows = JSON.parse(run.stdout) as readonly Record<string, unknown>[];
    assert.deepEqual(
      rows.map(({ Line, Plan, Changes }) => ({ Line, Plan, Changes })),
      [
        { Line: 2, Plan: 'change', Changes: [{ Member: 'SalesPrice', Before: '1.00', After: '1.50' }] },
        { Line: 3, Plan: 'unchanged', Changes: [] },
        { Line: 4, Plan: 'mistake', Changes: undefined },
      ],
    );
    assert.deepEqual(valuesOf(callsIn(trace), 'operation'), ['ProductGetAll_V2']);
    assert.equal(here.digest(), before);
    assert.ok(!existsSync(`${path}.results.csv`) && !existsSync(`${path}.results.csv.journal`));
    const table = await dryRun(path, '--skip-invalid');
    assert.equal(table.code, 0);
    assert.match(table.stdout, /SalesPrice: "1\.00" -> "1\.50"/);
    assert.match(table.stderr, /3 rows: 1 change, 1 unchanged, 1 mistake; nothing was sent/);
  });

  it('is refused with flags that go on with a batch', async () => {
    const path = file('Code,SalesPrice\n00003,6.00\n');
    for (const flags of [['--resume'], ['--settle'], ['--resume', '--retry-unknown']]) {
      await ends(dryRun(path, ...flags), 2, /goes on with a batch; --dry-run shows what a new one would do/, '');
    }
  });
});
