import assert from 'node:assert/strict';
import { callsIn, place } from '../support/operations/place.js';
import { knownId } from '../../src/sandbox/dataset/known.js';
import { valuesOf } from '../support/thrown.js';

describe('A product by its name', () => {
  const here = place();
  const id = knownId('product', 1);
  const activity = knownId('activity', 1);

  before(() => {
    here.execute(`UPDATE "PvProductData_V2" SET "Name" = 'Rac\u00e9 bike' WHERE "Id" = '${id}'`);
    here.execute(`UPDATE "PvProductData_V2" SET "Name" = 'Twins' WHERE "Code" IN ('00002', '00003')`);
  });

  it('is shown as by its code, and reported', async () => {
    const [byCode, byName, apart] = await Promise.all(
      ['00001', 'Rac\u00e9 bike', 'Race\u0301 bike'].map((text) => here.run(['product', 'get', text, '-o', 'csv'])),
    );
    assert.deepEqual([byCode?.code, byCode?.stderr], [0, '']);
    for (const each of [byName, apart]) {
      assert.deepEqual([each?.code, each?.stdout], [0, byCode?.stdout]);
      assert.match(each?.stderr ?? '', /^Note: PRODUCT: '.*' is the name of product 00001\n$/);
    }
    const noted = await here.run(['product', 'get', 'Rac\u00e9 bike', '-o', 'json']);
    assert.match(noted.stderr, /PRODUCT: 'Rac\u00e9 bike' is the name of product 00001/);
  });

  it('counts its case, and comes behind codes', async () => {
    assert.equal((await here.run(['product', 'get', 'rac\u00e9 bike'])).code, 5);
    here.execute(`UPDATE "PvProductData_V2" SET "Name" = '00001' WHERE "Code" = '00004'`);
    const { stdout } = await here.run(['product', 'get', '00001', '-o', 'csv', '--no-header', '--columns', 'Id']);
    assert.equal(stdout, `${id}\n`);
    assert.equal((await here.run(['product', 'get', ''])).code, 5);
  });

  it('that two have is refused with lines that can be pasted', async () => {
    const { code, stdout, stderr } = await here.run(['product', 'get', 'Twins', '-o', 'csv']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /several products have the name 'Twins'/);
    const found = [...stderr.matchAll(/# '(0000[23]) Twins'\n +relctl product get (\S+) -o csv/g)];
    const ids = here.rows(`SELECT "Code", "Id" FROM "PvProductData_V2" WHERE "Name" = 'Twins' ORDER BY "Code"`);
    assert.deepEqual(found.map(([, key, found]) => [key, found]).sort(), ids);
  });

  it('is written in a terminal alone, and the error has the line with the Id', async () => {
    const before = here.digest();
    const line = ['activity', 'add-line', activity, '--product', 'Rac\u00e9 bike', '--quantity', '1'];
    const update = ['product', 'update', 'Rac\u00e9 bike', '--sales-price', '3.10', '--yes'];
    for (const [args, shown] of [
      [update, 'PRODUCT'],
      [line, '--product'],
    ] as const) {
      const trace = here.fresh('trace');
      const { code, stdout, stderr } = await here.run([...args, `--trace=${trace}`]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.ok(
        stderr.includes(`Error: ${shown}: 'Rac\u00e9 bike' is the name of product 00001; a write resolves a name only`),
        stderr,
      );
      assert.ok(stderr.includes(id) && stderr.includes('Try: relctl'), stderr);
      assert.deepEqual(valuesOf(callsIn(trace), 'operation'), ['ProductGetAll_V2']);
    }
    assert.equal(here.digest(), before);
  });
});
