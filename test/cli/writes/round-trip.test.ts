import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { stringify } from '../../support/inputs.js';
import { place } from '../../support/operations/place.js';
import { savedByLibreOffice } from '../../support/output/other-programs.js';
import { needs } from '../../support/skip.js';
import { ends } from '../../support/relctl.js';
import { valuesOf } from '../../support/thrown.js';

/** Texts and decimals that spreadsheets like to change. */
const names = [
  ...['a\rb', 'a\r\nb', 'a\nb', 'x\u{1F600}y', '&#13;', '&#x1;', '_x000D_', '=1+2', '+31612345678', '-5', '@SUM(A1)'],
  ...['1-2', '2026-01-31', '10:30', '1E5', 'true', 'MAR1', '50%', ' lead', "'q", '€ 5', 'tab\tx', 'a,b;c"d', '\u0001'],
  ...["'=1", '="007"', '#N/A', '1.234', '\ufffd'],
];
const prices = ['0.10', '12345678901234567890.123456789', '-0.00', '1.000000000000001', '9.90', '100.00'];

type Rows = string[][];

describe('A list that is edited and fed back', () => {
  const here = place();
  const products = (): readonly unknown[] => here.rows('SELECT * FROM "PvProductData_V2" ORDER BY "Id"');
  const priceOf = (code: string): unknown =>
    here.rows('SELECT "SalesPrice" FROM "PvProductData_V2" WHERE "Code" = ?', code)[0]?.[0];

  before(() => {
    for (const [at, name] of names.entries()) {
      const price = prices[at % prices.length] ?? '';
      const bytes = Buffer.from(name).toString('hex');
      const id = `(SELECT "Id" FROM "PvProductData_V2" ORDER BY "Id" LIMIT 1 OFFSET ${at})`;
      here.execute(
        `UPDATE "PvProductData_V2" SET "Name" = CAST(X'${bytes}' AS TEXT), "SalesPrice" = '${price}' WHERE "Id" = ${id}`,
      );
    }
  });

  const exported = async (name: string, ...more: readonly string[]): Promise<string> => {
    const file = here.fresh(name);
    await ends(here.run(['product', 'list', '--for-edit', '--output-file', file, ...more]), 0);
    return file;
  };
  const update = (file: string, ...more: readonly string[]): ReturnType<typeof here.run> =>
    here.run(['product', 'update', '--file', file, ...more]);
  /** A copy of a file with other bytes. */
  const saved = (name: string, content: Buffer | string): string => {
    const file = here.fresh(name);
    writeFileSync(file, content);
    return file;
  };
  const rowsIn = (file: string): Rows => parse(readFileSync(file), { bom: true });
  const edited = (file: string, edit: (rows: Rows, columnOf: (title: string) => number) => Rows): string => {
    const rows = rowsIn(file);
    const [header = []] = rows;
    return saved('edited.csv', stringify(edit(rows, (title) => header.indexOf(title))));
  };
  /** The row of a code. */
  const rowOf = (rows: Rows, code: string): string[] => rows.find((row) => row.includes(code)) ?? [];
  /** Each row that does not stay as it is, by its line: what it comes to. */
  const planOf = async (
    file: string,
    ...more: readonly string[]
  ): Promise<ReadonlyMap<number, { Plan: string; What: string }>> => {
    const run = await update(file, '--dry-run', '-o', 'json', ...more);
    const all = JSON.parse(run.stdout) as readonly { Line: number; Plan: string; What: string }[];
    return new Map(all.filter(({ Plan }) => Plan !== 'unchanged').map((row) => [row.Line, row]));
  };

  it('has an Id first, _base last, and changes nothing when it is fed back as it is', async () => {
    for (const file of [
      await exported('all.csv'),
      await exported('all.xlsx'),
      await exported('comma.csv', '--delimiter', 'semicolon', '--decimal', 'comma'),
      await exported('excel.csv', '--excel'),
      await exported('some.csv', '--columns', 'Code,SalesPrice,Name'),
    ]) {
      if (file.endsWith('all.csv')) {
        const [header = []] = rowsIn(file);
        assert.deepEqual([header[0], header.at(-1)], ['Id', '_base']);
      }
      const decimal = /(?:comma|excel)\.csv$/.test(file) ? ['--decimal', 'comma'] : [];
      assert.deepEqual(await planOf(file, ...decimal), new Map(), file);
    }
  });

  it('sends only what was edited, and leaves every other digit', async () => {
    const before = products() as readonly unknown[][];
    const file = edited(await exported('edit.csv'), (rows, at) => {
      for (const code of ['00001', '00002']) rowOf(rows, code)[at('SalesPrice')] = '77.70';
      rowOf(rows, '00003')[at('Code')] = 'NEW-3';
      // Columns may be moved and deleted.
      return rows.map((row) => row.filter((_, index) => index !== at('PurchasePrice')).toReversed());
    });
    await ends(update(file, '--yes'), 0);
    const after = products() as readonly unknown[][];
    const differences = after.flatMap((row, at) =>
      row.flatMap((value, index) => (value === before[at]?.[index] ? [] : [[before[at]?.[index], value]])),
    );
    assert.deepEqual(differences, [
      ['0.10', '77.70'],
      ['12345678901234567890.123456789', '77.70'],
      ['00003', 'NEW-3'],
    ]);
    here.execute(`UPDATE "PvProductData_V2" SET "Code" = '00003' WHERE "Code" = 'NEW-3'`);
  });

  it('does not write over what changed meanwhile, unless it is what the row makes of it', async () => {
    const file = edited(await exported('moved.csv'), (rows, at) => {
      for (const code of ['00010', '00011', '00012']) rowOf(rows, code)[at('SalesPrice')] = '55.50';
      return rows;
    });
    here.execute(`UPDATE "PvProductData_V2" SET "SalesPrice" = '44.40' WHERE "Code" = '00010'`);
    here.execute(`UPDATE "PvProductData_V2" SET "SalesPrice" = '55.5' WHERE "Code" = '00011'`);
    here.execute(`UPDATE "PvProductData_V2" SET "PurchasePrice" = '1.23' WHERE "Code" = '00013'`);
    await ends(update(file, '--yes'), 8);
    assert.deepEqual(['00010', '00011', '00012'].map(priceOf), ['44.40', '55.5', '55.50']);
    assert.match(readFileSync(`${file}.results.csv`, 'utf8'), /,conflict,.*changed since the export: SalesPrice is/);
  });

  it('tells rows that are not as they were exported', async () => {
    const file = edited(await exported('wrong.csv'), (rows, at) => {
      const other = rowOf(rows, '00020')[at('Id')] ?? '';
      rowOf(rows, '00021')[at('Id')] = other;
      rowOf(rows, '00022')[at('_base')] = '';
      rowOf(rows, '00023')[at('_base')] = `${rowOf(rows, '00023')[at('_base')] ?? ''}x`;
      rowOf(rows, '00030')[at('Name')] = '';
      rowOf(rows, '00031')[at('SalesPrice')] = 'x';
      return rows;
    });
    const wrongs = [...(await planOf(file)).values()].map(({ Plan, What }) => [Plan, What.split(':')[0]]);
    assert.deepEqual(
      wrongs.toSorted(([, left = ''], [, right = '']) => (left < right ? -1 : 1)),
      ['Id', 'Name', 'SalesPrice', '_base', '_base'].map((column) => ['mistake', column]),
    );
  });

  it('makes empty what was emptied where --null-as says so', async () => {
    const file = edited(await exported('empty.csv'), (rows, at) => {
      rowOf(rows, '00032')[at('Name')] = '';
      rowOf(rows, '00033')[at('Name')] = 'NONE';
      return rows;
    });
    const run = await update(file, '--null-as', '', '--dry-run', '-o', 'json');
    assert.match(run.stdout, /"Member": "Name",\s+"Before": "[^"]+",\s+"After": null/);
    assert.equal((await update(file, '--null-as', 'NONE', '--dry-run')).code, 2);
  });

  it('is needed for records that are written whole', async () => {
    const file = saved('narrow.csv', 'Code,SalesPrice\n00040,1.00\n');
    const before = here.digest();
    await ends(update(file, '--yes'), 2, /has no column _base[^]*--no-base/);
    assert.equal(here.digest(), before);
    assert.equal((await update(file, '--yes', '--no-base')).code, 0);
    assert.equal(priceOf('00040'), '1.00');
    const whole = await exported('whole.csv');
    const withoutId = edited(whole, (rows) => rows.map((row) => row.slice(1)));
    assert.match((await update(withoutId, '--yes')).stderr, /no column Id/);
    assert.match((await update(whole, '--is-inactive', 'true', '--yes')).stderr, /is for rows without a column for it/);
  });

  it('refuses what could not be fed back', async () => {
    for (const [more, what] of [
      [['-o', 'json'], /CSV or xlsx/],
      [['-o', 'csv', '--no-header'], /cannot be used together/],
      [['-o', 'csv', '--null-as', 'x'], /cannot be used together/],
      [['-o', 'csv', '--columns', 'Nr=Id'], /needs the title/],
      [['-o', 'csv', '--columns', 'Nam'], /no column 'Nam'/],
      [['-o', 'csv', '--changes-since', 'x'], /cannot be used together/],
    ] as const) {
      await ends(here.run(['product', 'list', '--for-edit', ...more]), 2, what);
    }
  });

  describe('through LibreOffice', () => {
    const csvOut = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false';
    const asTexts = (width: number): string =>
      `--infilter=CSV:44,34,76,1,${Array.from({ length: width }, (_, at) => `${at + 1}/2`).join('/')}`;

    it('comes back unchanged as a workbook, and as CSV that was read as texts', async function () {
      needs(this, 'LibreOffice');
      const book = savedByLibreOffice('a.xlsx', readFileSync(await exported('a.xlsx')), { to: 'xlsx' });
      const file = await exported('a.csv');
      const width = rowsIn(file)[0]?.length ?? 0;
      const text = savedByLibreOffice('a.csv', readFileSync(file), { reading: [asTexts(width)], to: csvOut });
      const both = savedByLibreOffice('b.csv', readFileSync(file), { reading: [asTexts(width)], to: 'xlsx' });
      for (const back of [saved('a.xlsx', book), saved('a.csv', text), saved('b.xlsx', both)])
        assert.deepEqual(await planOf(back), new Map(), back);
    });

    it('is told by row what it damaged when it read CSV as it likes', async function () {
      needs(this, 'LibreOffice');
      const file = await exported('c.csv');
      const reading = ['--infilter=CSV:44,34,76,1,,0,false,true'];
      const text = savedByLibreOffice('c.csv', readFileSync(file), { reading, to: csvOut });
      const [wanted, found] = [rowsIn(file), rowsIn(saved('c.csv', text))];
      const codeAt = wanted[0]?.indexOf('Code') ?? -1;
      const isDamaged = (row: string[], at: number): boolean => row[codeAt] !== wanted[at]?.[codeAt];
      const lines = await planOf(saved('d.csv', stringify(found)));
      assert.ok(found.slice(1).every((row, at) => isDamaged(row, at + 1)));
      assert.deepEqual(
        valuesOf([...lines.values()], 'Plan'),
        found.slice(1).map(() => 'mistake'),
      );
      // Without the codes, which all lost their zeros, what is left are the damaged names and prices.
      const rest = (rows: Rows): Rows => rows.map((row) => row.toSpliced(codeAt, 1));
      const plan = await planOf(saved('e.csv', stringify(rest(found))));
      assert.ok(
        [...plan.values()].every(({ Plan }) => Plan === 'mistake'),
        JSON.stringify([...plan]),
      );
      const told = [...plan.values()].map(({ What }) => What);
      for (const what of ["'3'", "'31612345678'", "'1.23456789012346E", "'TRUE'", "'1'"])
        assert.ok(
          told.some((each) => each.includes(what)),
          `${what} is not among ${told.join('\n')}`,
        );
    });
  });
});
