import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { textRow, workbookFile } from '../../support/inputs.js';
import { place } from '../../support/operations/place.js';
import { ends, type Run } from '../../support/relctl.js';

describe('What a file of rows says', () => {
  const here = place([], true);
  const file = (content: string | Uint8Array, name = 'prices.csv'): string => {
    const path = here.fresh(name);
    writeFileSync(path, content);
    return path;
  };
  const update = (path: string, ...more: readonly string[]): Promise<Run> =>
    here.run(['product', 'update', '--file', path, '--no-base', '--yes', ...more]);
  const product = (code: string): readonly unknown[] =>
    here.rows('SELECT "SalesPrice", "Name", "Description" FROM "PvProductData_V2" WHERE "Code" = ?', code)[0] ?? [];
  const refused = async (content: string | Uint8Array, told: RegExp, ...more: readonly string[]): Promise<void> => {
    const before = here.digest();
    const path = file(content);
    await ends(update(path, ...more), 2, told);
    assert.equal(here.digest(), before);
    assert.ok(!existsSync(`${path}.results.csv`));
  };
  beforeEach(() =>
    here.execute(`UPDATE "PvProductData_V2" SET "SalesPrice" = '1', "Name" = 'Old', "Description" = 'As it was'`),
  );

  it('is refused with the line where a cell is no UTF-8', async () => {
    const rows = [Buffer.from('Code,Name\n00001,Fiets\n00002,Caf'), Buffer.from([0xe9]), Buffer.from('\n')];
    await refused(Buffer.concat(rows), /prices\.csv is not UTF-8 on line 3: .*iconv/);
    // Half a character at the end is none either.
    await refused(Buffer.from('Code,Name\n00001,Caf\u00e9').subarray(0, -1), /is not UTF-8 on line 2/);
  });

  it('is refused where two columns have the same title, or stand for the same', async () => {
    await refused('Code,Name,Name\n00001,a,b\n', /prices\.csv:1: columns 2 and 3 have the same title: Name/);
    await refused('Code,Name,name\n00001,a,b\n', /the columns 'Name' and 'name' are the same/);
    await refused('Code,Name,Title\n00001,a,b\n', /the columns 'Name' and 'Title' are the same/, '--map', 'Title=name');
  });

  it('may begin with a byte order mark, which is said, and have decimals with a comma', async () => {
    const path = file('\ufeffCode;SalesPrice;Name\r\n00001;12345678901234567890,10;a,b\r\n00002;-0,50;1,5\r\n');
    const run = await update(path, '--decimal', 'comma');
    assert.deepEqual([run.code, run.stdout], [0, '']);
    const notes = ['a semicolon is its delimiter', 'it begins with a byte order mark'];
    assert.equal(run.stderr, notes.map((words) => `Note: ${path}: ${words}\n`).join(''));
    assert.deepEqual(product('00001'), ['12345678901234567890.10', 'a,b', 'As it was']);
    assert.deepEqual(product('00002'), ['-0.50', '1,5', 'As it was']);
  });

  it('is never taken for another number: thousands, commas and points that may mean two things', async () => {
    await refused(
      'Code;SalesPrice\n00001;1.234\n',
      /prices\.csv:2:SalesPrice: '1\.234' may be 1234 or 1\.234: --decimal point/,
    );
    await refused('Code;SalesPrice\n00001;1.234,50\n', /'1\.234,50' has a point and a comma/);
    await refused('Code;SalesPrice\n00001;1,5\n00002;1.25\n', /:2:SalesPrice: '1,5' has a comma/);
    await refused('Code,SalesPrice\n00001,"1,5"\n', /:2:SalesPrice: '1,5' has a comma/);
    await refused('Code;SalesPrice\n00001;1.5\n', /'1\.5' has a point/, '--decimal', 'comma');
    const path = file('Code;SalesPrice\n00001;1.234\n');
    assert.equal((await update(path, '--decimal', 'point')).code, 0);
    assert.equal(product('00001')[0], '1.234');
    const quoted = file('Code,SalesPrice\n00001,"1,5"\n');
    assert.equal((await update(quoted, '--decimal', 'comma')).code, 0);
    assert.equal(product('00001')[0], '1.5');
  });

  it('is a number as another number of its column shows, as relctl exported it, or as its cell says', async () => {
    for (const [delimiter, number] of [
      [',', '1.234'],
      ['\t', '1,234'],
      ['\t', '1.234'],
      ['|', '-1,234'],
      [';', '999.000'],
    ] as const)
      await refused(
        `Code${delimiter}SalesPrice\n00001${delimiter}${number}\n00002${delimiter}950\n`,
        new RegExp(`:2:SalesPrice: '${number}' may be ${number.replace(/[.,]/, '')} or ${number.replace(',', '.')}:`),
      );
    for (const other of ['12.5', '0.125', '1234.567', '-.5', '12.50']) {
      for (const delimiter of [',', ';', '\t']) {
        const path = file(`Code${delimiter}SalesPrice\n00001${delimiter}1.234\n00002${delimiter}${other}\n`);
        assert.equal((await update(path)).code, 0, other);
        assert.equal(product('00001')[0], '1.234', other);
        here.execute(`UPDATE "PvProductData_V2" SET "SalesPrice" = '1'`);
      }
    }
    // What shows it for one column says nothing of another.
    const two = 'Code,SalesPrice,PurchasePrice\n00001,1.234,12.5\n';
    await refused(two, /:2:SalesPrice: '1\.234' may be 1234/);
    for (const [title, cells] of [
      ['_base', '00001,1.234,'],
      ['Name', '00001,950,x'],
    ] as const) {
      const path = file(`Code,SalesPrice,${title}\n${cells}\n`);
      assert.equal((await update(path)).code, 0, title);
    }
    assert.equal(product('00001')[0], '950');
  });

  it('is a number where a workbook says that it is one, and may be two where it is a text', async () => {
    const row = (price: string): string =>
      `${textRow(1, 'Code', 'SalesPrice')}<row r="2"><c t="str"><v>00001</v></c>${price}</row>`;
    const text = workbookFile({ sheets: { A: row('<c t="str"><v>1.234</v></c>') } });
    await refused(text, /:2:SalesPrice: '1\.234' may be 1234 or 1\.234: .*\(A!B2\)/);
    for (const more of [[], ['--decimal', 'comma']]) {
      const path = file(workbookFile({ sheets: { A: row('<c><v>1.234</v></c>') } }), 'a.xlsx');
      assert.equal((await update(path, ...more)).code, 0);
      assert.equal(product('00001')[0], '1.234');
      here.execute(`UPDATE "PvProductData_V2" SET "SalesPrice" = '1'`);
    }
  });

  it('is never the error of a spreadsheet, but where a workbook or JSON says that it is a text', async () => {
    for (const word of ['#N/A', '#REF!', '#NV', '#VERW!', '#WAARDE!', '#DIV/0!'])
      await refused(
        `Code,Description\n00001,${word}\n`,
        new RegExp(`:2:Description: is the error ${word} of a spreadsheet`),
      );
    const cells = '<row r="2"><c t="str"><v>00001</v></c><c t="inlineStr"><is><t>#N/A</t></is></c></row>';
    const workbook = workbookFile({ sheets: { A: textRow(1, 'Code', 'Description') + cells } });
    for (const path of [file(workbook, 'a.xlsx'), file('{"Code":"00001","Description":"#N/A"}\n', 'a.ndjson')]) {
      assert.equal((await update(path)).code, 0);
      assert.equal(product('00001')[2], '#N/A');
      here.execute(`UPDATE "PvProductData_V2" SET "Description" = 'As it was'`);
    }
    const empty = file('Code,Name,Description\n00001,Fiets,#N/A\n');
    assert.equal((await update(empty, '--null-as', '#N/A')).code, 0);
    assert.equal(product('00001')[2], null);
  });

  it('is not what was written around a text for a spreadsheet', async () => {
    here.execute(`UPDATE "PvProductData_V2" SET "Name" = '+31 6 12345678' WHERE "Code" = '00001'`);
    here.execute(`UPDATE "PvProductData_V2" SET "Name" = '-1\n2' WHERE "Code" = '00002'`);
    const path = here.fresh('excel.csv');
    const list = ['product', 'list', '-o', 'csv', '--limit', '2', '--output-file'];
    assert.equal((await here.run([...list, path, '--excel', '--columns', 'Code,Name,SalesPrice'])).code, 0);
    const written = readFileSync(path, 'utf8');
    assert.ok(written.includes('"=""00001"""') && written.includes("'-1\n2"), written);
    writeFileSync(path, written.replaceAll(/;1\r\n/g, ';13,50\r\n'));
    const run = await ends(
      update(path, '--decimal', 'comma'),
      2,
      /:3:Name: may be '-1\\u000A2, or -1\\u000A2 guarded against a spreadsheet: write/,
    );
    assert.doesNotMatch(run.stderr, /:2:/);
    assert.equal((await update(path, '--decimal', 'comma', '--map', 'Name=')).code, 0);
    assert.deepEqual(
      here.rows(`SELECT "Code" FROM "PvProductData_V2" WHERE "SalesPrice" = '13.50' ORDER BY 1`).flat(),
      ['00001', '00002'],
    );
    // Without the mark it may be any file.
    await refused('Code,Name\n00001,"=""007"""\n', /:2:Name: may be ="007", or 007 /);
    await refused("Code,Name\n00001,'+31 6\n", /:2:Name: may be '\+31 6, or \+31 6 /);
    const exact = file(`[{"Code":"00001","Name":"'+31 6"},{"Code":"00002","Name":"=\\"007\\""}]`, 'exact.json');
    assert.equal((await update(exact)).code, 0);
    assert.deepEqual([product('00001')[1], product('00002')[1]], ["'+31 6", '="007"']);
    const plain = file(`Code,Name\n00001,'s-Gravenhage\n`);
    assert.equal((await update(plain)).code, 0);
    assert.equal(product('00001')[1], "'s-Gravenhage");
  });

  it('is never the beginning of a text that a workbook cut', async () => {
    const long = 'x'.repeat(40_000);
    here.execute(`UPDATE "PvProductData_V2" SET "Description" = '${long}' WHERE "Code" = '00001'`);
    const path = here.fresh('cut.xlsx');
    const list = ['product', 'list', '--limit', '1', '--columns', 'Code,Description', '--output-file', path];
    assert.equal((await here.run(list)).code, 0);
    await ends(
      update(path),
      2,
      /:2:Description: is the beginning of a text of 40000 characters, .* \('product list'!B2\)\n/,
    );
    assert.equal(product('00001')[2], long);
  });

  it('means what --map and --null-as say', async () => {
    const path = file(
      'Artikel,Prijs,Omschrijving,Naam,Notitie\n' +
        '00001,2.50,-,,zomaar\n' +
        '00002,,,-fiets,-\n' +
        '00003,3.50,nieuw,Rad,\n',
    );
    const more = ['--map', 'Artikel=Code', '--map', 'Prijs=sales-price', '--map', 'Omschrijving=--description'];
    const all = [...more, '--map', 'Naam=Name', '--map', 'Notitie=', '--null-as', '-'];
    await ends(update(path, ...all), 0, '');
    assert.deepEqual(['00001', '00002', '00003', '00004'].map(product), [
      ['2.50', 'Old', null],
      ['1', '-fiets', 'As it was'],
      ['3.50', 'Rad', 'nieuw'],
      ['1', 'Old', 'As it was'],
    ]);
    const rows = 'Artikel,Naam\n00001,x\n';
    await refused(rows, /the column 'Naam' is not known/, '--map', 'Artikel=Code');
    await refused(rows, /Nam'/, '--map', 'Artikel=Code', '--map', 'Nam=name');
    await refused(rows, /Nam'/, '--map', 'Artikel=Code', '--map', 'Nam=');
    await refused(rows, /nam/, '--map', 'Artikel=Code', '--map', 'Naam=nam');
    // It would do nothing: no cell of such a file was emptied.
    await refused('Code,Name\n00001,\n', /an empty cell does not change a value/, '--null-as', '');
    // A price cannot be made empty.
    await refused(
      'Code,SalesPrice\n00001,-\n',
      /prices\.csv:2:SalesPrice: productData\.SalesPrice is missing/,
      '--null-as',
      '-',
    );
  });
});
