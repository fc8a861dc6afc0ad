import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { callsIn, place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';
import { valuesOf } from '../../support/thrown.js';

describe('product update --file', () => {
  const here = place();
  const file = (text: string): string => {
    const path = here.fresh('prices.csv');
    writeFileSync(path, text);
    return path;
  };
  const update = (path: string, ...more: readonly string[]): ReturnType<typeof here.run> =>
    here.run(['product', 'update', '--file', path, '--no-base', '--yes', ...more]);
  const price = (code: string): unknown =>
    here.rows('SELECT "SalesPrice" FROM "PvProductData_V2" WHERE Code = ?', code)[0]?.[0];

  it('sends nothing for rows that change nothing, and reads the list once', async () => {
    const path = file('Code,SalesPrice\n00003,1.25\n00004,1.25\n');
    assert.equal((await update(path)).code, 0);
    const trace = here.fresh('trace');
    await ends(update(path, '--restart', `--trace=${trace}`), 0);
    assert.deepEqual(valuesOf(callsIn(trace), 'operation'), ['ProductGetAll_V2']);
    assert.match(readFileSync(`${path}.results.csv`, 'utf8'), /,unchanged,/);
  });

  it('tells all mistakes with their places at once, and sends nothing', async () => {
    const path = file('Code,SalesPrice\n00001,1,3\n00002,x\nabc,1\n00003,2\n00003,3\n');
    const before = here.digest();
    const run = await ends(update(path), 2);
    for (const [line, what] of [
      [2, 'has 3 cells'],
      [3, 'takes a decimal'],
      [4, "there is no product 'abc'"],
      [6, 'the same record as in line 5'],
    ] as const)
      assert.match(run.stderr, new RegExp(`prices\\.csv.*:${line}(:\\w+)?: .*${what}`));
    assert.equal(here.digest(), before);
    assert.ok(!existsSync(`${path}.results.csv`));
  });

  it('tells all that is wrong with a row at once: a value, and a code that no product has', async () => {
    const path = file('Code,SalesPrice,Unit,Name,SalesVatId\nabc,x,,y,none\n00003,1.50,1.5,\u0007,\n,x,1,y,\n');
    const run = await update(path, '--json');
    const { data } = (JSON.parse(run.stderr) as { error: { data: readonly Record<string, unknown>[] } }).error;
    assert.deepEqual(
      data.map(({ file: name, line, column, what }) => [name === path, line, column, String(what).split(',')[0]]),
      [
        [true, 2, 'SalesPrice', 'sales-price takes a decimal number such as 12.50'],
        [true, 2, 'SalesVatId', "'none' is not a GUID"],
        [true, 2, 'Code', "there is no product 'abc'"],
        [true, 3, 'Unit', 'unit takes a whole number from -2147483648 to 2147483647'],
        [true, 3, 'Name', 'productData.Name holds the character U+0007 at position 0'],
        [true, 4, 'SalesPrice', 'sales-price takes a decimal number such as 12.50'],
        [true, 4, undefined, 'product is missing'],
      ],
    );
  });

  it('is not begun again by itself', async () => {
    const path = file('Code,SalesPrice\n00005,3.00\n');
    assert.equal((await update(path)).code, 0);
    await ends(update(path), 2, /was already written/);
  });

  it('refuses a column that stands for nothing', async () => {
    await ends(update(file('Code,Prise\n00001,1\n')), 2, /the column 'Prise' is not known/);
    assert.equal((await update(file('Code,Prise\n00001,2.00\n'), '--map', 'Prise=sales-price')).code, 0);
    assert.equal(price('00001'), '2.00');
  });

  it('tells all columns that stand for nothing at once, and what --map says of them', async () => {
    const run = await ends(update(file('Code,Prise,Wat,Naam\n00001,1,2,3\n'), '--map', 'Naam=nam'), 2);
    assert.equal(
      run.stderr.split('\n')[0],
      "Error: the columns 'Prise', 'Wat', 'Naam' (--map says nam; is it name?) are not known: --map COLUMN=FLAG, or --map COLUMN= to ignore it",
    );
  });

  it('leaves out a column that --map says is nothing', async () => {
    assert.equal((await update(file('Code,SalesPrice,Wat\n00001,3.50,x\n'), '--map', 'Wat=')).code, 0);
    assert.equal(price('00001'), '3.50');
  });

  it('offers the line that reads decimal commas where they are all that is wrong', async () => {
    const commas = await update(file('Code;SalesPrice\n00001;4,50\n00002;5\n'));
    assert.equal(commas.code, 2);
    assert.match(commas.stderr, /Try: relctl product update .*--decimal comma/);
    const more = await update(file('Code;SalesPrice\n00001;4,50\n00002;x\n00003;5\n'));
    assert.match(more.stderr, /Try: relctl product update .*--skip-invalid/);
    assert.equal(price('00001'), '3.50');
  });

  describe('with --dry-run', () => {
    const dryRun = (path: string, ...more: readonly string[]): ReturnType<typeof here.run> =>
      here.run(['product', 'update', '--file', path, '--dry-run', '--no-base', ...more]);
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
        await ends(dryRun(path, ...flags), 2, /continues a batch; --dry-run shows what a new one would do/, '');
      }
    });
  });
});
