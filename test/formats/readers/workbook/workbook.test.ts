import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { isNumberCell, isWrongCell, cellForMessage, type Cell } from '../../../../src/formats/readers/input.js';
import type { InputRequest } from '../../../../src/formats/readers/open.js';
import { SharedTexts } from '../../../../src/formats/readers/workbook/strings.js';
import { xlsx } from '../../../../src/formats/writers/index.js';
import {
  readInput,
  refusalOf,
  textRow,
  workbookFile,
  type WorkbookXml,
  writtenRecords,
} from '../../../support/inputs.js';
import { askPython } from '../../../support/output/other-programs.js';
import { needs } from '../../../support/skip.js';

const shown = (cell: Cell): unknown =>
  isNumberCell(cell)
    ? cell.text
    : isWrongCell(cell)
      ? cell.rightFor === undefined
        ? { wrong: cell.wrong }
        : { wrong: cell.wrong, text: cell.text, for: cell.rightFor }
      : cell;

/** The cells of the one row behind a header of as many columns. */
async function cellsOf(cells: string, more: Partial<WorkbookXml> = {}): Promise<readonly unknown[]> {
  const count = cells.split('<c').length - 1;
  const header = textRow(1, ...Array.from({ length: count }, (_, at) => `c${at}`));
  const file = workbookFile({ sheets: { A: `${header}<row r="2">${cells}</row>` }, ...more });
  const { rows } = await readInput('a.xlsx', file);
  assert.equal(rows.length, 1);
  return (rows[0]?.cells ?? []).map(shown);
}

const wrongOf = async (cells: string, more: Partial<WorkbookXml> = {}): Promise<string> => {
  const [first] = await cellsOf(cells, more);
  assert.ok(typeof first === 'object' && first !== null && 'wrong' in first, JSON.stringify(first));
  return String(first.wrong);
};

const refused = (xml: WorkbookXml, request: Partial<InputRequest> = {}): Promise<string> =>
  refusalOf('a.xlsx', workbookFile(xml), request);

describe('A workbook that is read', () => {
  it('has texts to the letter, wherever they stand', async () => {
    const strings =
      '<si><t xml:space="preserve"> two </t></si><si><r><t>ri</t></r><r><rPr><b/></rPr><t>ch</t></r><rPh sb="0"><t>aloud</t></rPh></si>';
    const cells =
      '<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="inlineStr"><is><t>a_x000D_b _x005F_x0041_ &amp;</t></is></c>' +
      '<c t="str"><f>"x"</f><v>=1+1</v></c><c t="str"><f>""</f><v></v></c><c t="b"><v>1</v></c><c t="b"><v>0</v></c>' +
      '<c t="d"><v>2026-01-31</v></c>';
    assert.deepEqual(await cellsOf(cells, { strings }), [
      ...[' two ', 'rich', 'a\rb _x0041_ &', '=1+1', '', 'true', 'false', '2026-01-31'],
    ]);
  });

  it('has numbers as they stand in it, and those of 17 digits as they were typed', async () => {
    for (const [written, read] of [
      ['12.5', '12.5'],
      ['12.50', '12.50'],
      ['-0.00', '-0.00'],
      ['0', '0'],
      ['123456789012345', '123456789012345'],
      ['1.1000000000000001', '1.1'],
      ['-2.2000000000000002', '-2.2'],
      ['0.10000000000000001', '0.1'],
      ['9.9999999999999995E-7', '0.000001'],
      ['1E-5', '0.00001'],
      ['1.5E+3', '1500'],
    ] as const)
      assert.deepEqual(await cellsOf(`<c><v>${written}</v></c>`), [read], written);
    for (const [written, text] of [
      ['12345678901234567890.123456789', '12345678901234567890.123456789'],
      ['1234567890123450', '1234567890123450'],
      ['-1234567890123450', '-1234567890123450'],
      ['1E+20', '100000000000000000000'],
      ['1.23E+19', '12300000000000000000'],
      ['9.9999999999999992E+22', '100000000000000000000000'],
    ] as const) {
      const wrong = `${text} has more digits than the 15 that a spreadsheet stores: format the cell as text, and type it again`;
      assert.deepEqual(await cellsOf(`<c><v>${written}</v></c>`), [{ wrong, text, for: 'number' }], written);
    }
    assert.match(
      await wrongOf('<c><v>13.310000000000002</v></c>'),
      /more digits than a spreadsheet stores: round it with ROUND,/,
    );
    assert.match(await wrongOf('<c><v>1234567890123456</v></c>'), /more digits/);
    assert.match(await wrongOf('<c><v>abc</v></c>'), /is no number/);
  });

  it('gives each number back that Excel keeps of one with 15 digits', async () => {
    const typed = fc.tuple(fc.bigInt({ min: 1n, max: 999_999_999_999_999n }), fc.integer({ min: 0, max: 14 }));
    const numbers = fc.sample(typed, { numRuns: 300, seed: 3 }).map(([digits, scale]) => {
      const text = digits.toString().padStart(scale + 1, '0');
      const at = text.length - scale;
      return scale === 0 ? text : `${text.slice(0, at)}.${text.slice(at)}`.replace(/\.?0+$/, '');
    });
    // As Excel writes them: 17 significant digits.
    const written = numbers.map((text) => Number(text).toPrecision(17).replace('e', 'E'));
    const rows = written.map((text, at) => `<row r="${at + 2}"><c><v>${text}</v></c></row>`);
    const file = workbookFile({ sheets: { A: textRow(1, 'n') + rows.join('') } });
    const read = (await readInput('a.xlsx', file)).rows.map(({ cells }) => cells[0]);
    const plain = (cell: Cell): unknown => (isNumberCell(cell) ? cell.text.replace(/\.?0+$/, '') : cell);
    assert.deepEqual(read.map(plain), numbers);
  });

  it('has times in cells that show a day, for members that are times', async () => {
    const codes = [
      'yyyy\\-mm\\-dd hh:mm:ss"+02:00"',
      'yyyy\\-mm\\-dd hh:mm:ss.00"Z"',
      // As LibreOffice saves it.
      'yyyy\\-mm\\-dd\\ hh:mm:ss\\Z',
      'd/m/yyyy h:mm;@',
      'h:mm',
      'mmm yy',
    ];
    const timesOf = async (value: string, more: Partial<WorkbookXml> = {}): Promise<readonly unknown[]> => {
      const cells = [1, 2, 3, 4, 5, 6].map((style) => `<c s="${style}"><v>${value}</v></c>`).join('');
      const found = (await cellsOf(cells, { codes, ...more })) as readonly {
        for?: string;
        text: string;
        wrong: string;
      }[];
      for (const { wrong } of found) assert.match(wrong, /^is a date or a time/);
      return found.map(({ for: kind, text }) => (kind === 'time' ? text : undefined));
    };
    const none = [undefined, undefined] as const;
    // Days since the end of 1899: 46053 is the 31st of January 2026, counted by hand from 1 January 2000, 36526.
    assert.deepEqual(await timesOf('46053.395833333336'), [
      ...['2026-01-31T09:30:00+02:00', '2026-01-31T09:30:00.00Z', '2026-01-31T09:30:00Z', '2026-01-31T09:30:00'],
      ...none,
    ]);
    assert.deepEqual(await timesOf('36526.500005787'), [
      ...['2000-01-01T12:00:00.5+02:00', '2000-01-01T12:00:00.50Z', '2000-01-01T12:00:00.5Z', '2000-01-01T12:00:00.5'],
      ...none,
    ]);
    assert.deepEqual((await timesOf('61'))[3], '1900-03-01T00:00:00');
    for (const value of ['60', '0.5', '-1', '2958466', 'x'])
      assert.deepEqual((await timesOf(value))[3], undefined, value);
    const sheets = { A: `${textRow(1, 'a')}<row r="2"><c s="4"><v>0</v></c><c s="4"><v>44591</v></c></row>` };
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const workbook =
      `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr date1904="1"/>` +
      '<sheets><sheet name="A" sheetId="1" r:id="s0"/></sheets></workbook>';
    const from1904 = workbookFile({ sheets, codes, parts: { 'xl/workbook.xml': workbook } });
    const { rows } = await readInput('a.xlsx', from1904);
    const texts = rows[0]?.cells.map((cell) => cellForMessage(cell));
    assert.deepEqual(texts, ['1904-01-01T00:00:00', '2026-01-31T00:00:00']);
  });

  it('tells cells that are not what they show', async () => {
    const codes = ['dd/mm/yyyy', '0.0%', '00000', '"day" 0', '[h]:mm', '[Red]0.00', '#,##0.00', 'yyyy\\-mm', '@'];
    const number = (style: number): string => `<c s="${style}"><v>123</v></c>`;
    assert.match(await wrongOf(number(1), { codes }), /is a date or a time, .* 123/);
    assert.match(await wrongOf(number(2), { codes }), /percentage/);
    assert.match(await wrongOf(number(3), { codes }), /zeros before 123/);
    assert.match(await wrongOf(number(5), { codes }), /is a date/);
    assert.match(await wrongOf(number(8), { codes }), /is a date/);
    for (const style of [4, 6, 7, 9]) assert.deepEqual(await cellsOf(number(style), { codes }), ['123']);
    assert.deepEqual(await cellsOf('<c s="3"><v>12345</v></c>', { codes }), ['12345']);
    assert.match(await wrongOf('<c t="e"><v>#N/A</v></c>'), /is the error #N\/A/);
    assert.match(await wrongOf('<c><f>1+1</f></c><c><v>1</v></c>'), /formula without a stored result/);
    assert.match(await wrongOf('<c t="inlineStr"><is><t>_xD83D_</t></is></c>'), /half of a character/);
  });

  it('says what it took, and where a cell stands', async () => {
    const data = `${textRow(1, 'Code', 'Price')}<row r="3"><c r="B3"><f>1+1</f><v>1.1000000000000001</v></c></row>`;
    const file = workbookFile({ sheets: { 'Price list': data, B: '' } });
    const { rows, said } = await readInput('a.xlsx', file);
    assert.deepEqual(rows, [{ line: 3, cells: ['', { text: '1.1' }] }]);
    assert.deepEqual(said, [
      'its sheet Price list is read, of 2',
      '1 cell is a formula, whose result is used as stored in the file',
      '1 number of 17 digits rounded to the 15 that a spreadsheet stores',
    ]);
  });

  it('has the first sheet that is shown, or the one that is named', async () => {
    const sheets = { A: textRow(1, 'a'), B: textRow(1, 'b'), C: textRow(1, 'c') };
    const file = workbookFile({ sheets, hidden: ['A'] });
    assert.deepEqual((await readInput('a.xlsx', file)).columns, ['b']);
    assert.deepEqual((await readInput('a.xlsx', file, { sheet: 'A' })).columns, ['a']);
    assert.match(await refusalOf('a.xlsx', file, { sheet: 'D' }), /no sheet 'D', but A, B, C/);
    assert.match(await refusalOf('a.csv', 'a\n', { sheet: 'A' }), /--sheet is for workbooks/);
  });

  it('tells the names of sheets without what one cannot see, and not all of very many', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `A\u0085${index}`);
    const file = workbookFile({ sheets: Object.fromEntries(names.map((name) => [name, textRow(1, 'a')])) });
    assert.deepEqual((await readInput('a.xlsx', file)).said, ['its sheet A\\u00850 is read, of 400']);
    const words = await refusalOf('a.xlsx', file, { sheet: 'D' });
    assert.match(words, /no sheet 'D', but A\\u00850, A\\u00851, .*, A\\u008519 and 380 more$/);
  });

  it('is known by its content whatever its name, and leaves empty rows and columns out', async () => {
    const data = `${textRow(1, 'a', 'b', '')}${textRow(2, '', '', '')}${textRow(4, 'x', '', '')}${textRow(9, '1', '2', '3')}`;
    const { columns, rows, skipped } = await readInput('a.csv', workbookFile({ sheets: { A: data } }));
    assert.deepEqual([columns, skipped], [['a', 'b'], 1]);
    assert.deepEqual(rows, [
      { line: 4, cells: ['x', ''] },
      { line: 9, cells: ['1', '2', '3'], wrong: 'has 3 cells, and the header has 2' },
    ]);
  });

  it('is refused where a person would see something else', async () => {
    const data = `${textRow(1, 'a')}<row r="2" hidden="1"><c><v>1</v></c></row>`;
    assert.match(await refused({ sheets: { A: data } }), /hidden rows with values: 2/);
    const flat = `${textRow(1, 'a')}<row r="2" ht="0" customHeight="1"><c><v>1</v></c></row>`;
    assert.match(await refused({ sheets: { A: flat } }), /hidden rows with values: 2/);
    const columns = (cols: string, title = 'c'): WorkbookXml => ({
      sheets: { A: `${textRow(1, 'a', 'b', title)}${textRow(2, '1', '', '3')}` },
      before: `<cols>${cols}</cols>`,
    });
    for (const hidden of ['hidden="1"', 'width="0" customWidth="1"']) {
      assert.match(await refused(columns(`<col min="3" max="9" ${hidden}/>`)), /hidden columns with values: C\b/);
      assert.match(await refused(columns(`<col min="1" max="3" ${hidden}/>`)), /hidden columns with values: A, C\b/);
      // A column without values and relctl's own may be hidden.
      assert.equal(await refused(columns(`<col min="2" max="2" ${hidden}/>`)), '');
      assert.equal(await refused(columns(`<col min="3" max="3" ${hidden}/>`, '_base')), '');
    }
    assert.equal(await refused(columns('<col min="1" max="3" width="9"/>')), '');
    const merged = '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>';
    assert.match(await refused({ sheets: { A: textRow(1, 'a') }, behind: merged }), /merged cells: A2:A3/);
    const merges = `<mergeCells>${[2, 4, 6, 8, 10, 12, 14].map((at) => `<mergeCell ref="A${at}"/>`).join('')}</mergeCells>`;
    assert.match(
      await refused({ sheets: { A: textRow(1, 'a') }, behind: merges }),
      /has merged cells: A2, A4, A6, A8, A10 and 2 more/,
    );
    assert.match(await refused({ sheets: { A: '' } }), /the sheet is empty/);
    assert.match(await refused({ sheets: { A: textRow(2, 'a') + textRow(1, 'b') } }), /not in their order/);
    assert.match(await refused({ sheets: { A: '<row><c t="s"><v>7</v></c></row>' } }), /does not have/);
  });

  it('has one text for all cells that share a long one', async () => {
    const text = 'a_x0041_é\u{1f600}'.repeat(1000);
    const shared = new SharedTexts();
    for (const each of ['b', text, 'c']) shared.add(each);
    assert.deepEqual(
      [0, 1, 2, 3].map((at) => shared.at(at)),
      ['b', 'aAé\u{1f600}'.repeat(1000), 'c', undefined],
    );
    // 400 MiB, were each a text of its own.
    const strings = `<si><t>${'x'.repeat(2 ** 20)}</t></si>`;
    const file = workbookFile({
      sheets: { A: textRow(1, 'a') + '<row><c t="s"><v>0</v></c></row>'.repeat(400) },
      strings,
    });
    const before = process.memoryUsage().heapUsed;
    const { rows } = await readInput('a.xlsx', file);
    const taken = process.memoryUsage().heapUsed - before;
    assert.equal(rows.length, 400);
    assert.ok(taken < 200 * 2 ** 20, `${taken} bytes`);
  });

  it('has shared texts with half a character, as it has those of cells', async () => {
    const strings = '<si><t>_xD800_</t></si><si><t></t></si><si><t>é\u{1f600}</t></si>';
    const cells =
      '<c t="s"><v>0</v></c><c t="inlineStr"><is><t>_xD800_</t></is></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c>';
    const half = { wrong: 'holds half of a character' };
    assert.deepEqual(await cellsOf(cells, { strings }), [half, half, '', 'é\u{1f600}']);
  });

  it('is refused when it is damaged, or made to harm', async () => {
    const file = workbookFile({ sheets: { A: textRow(1, 'a') } });
    assert.match(await refusalOf('a.xlsx', file.subarray(0, file.length - 30)), /not a complete workbook/);
    const turned = Buffer.from(file);
    // A byte of the packed sheet.
    const at = turned.indexOf('xl/worksheets/sheet0.xml') + 40;
    turned.writeUInt8(turned.readUInt8(at) ^ 0x55, at);
    assert.match(await refusalOf('a.xlsx', turned), /is damaged|cannot be unpacked/);
    const doctype = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]><worksheet>&b;</worksheet>';
    const parts = { 'xl/worksheets/sheet0.xml': doctype };
    assert.match(await refused({ sheets: { A: '' }, parts }), /document type declarations are refused/);
    const deep = `<worksheet>${'<x>'.repeat(70)}${'</x>'.repeat(70)}</worksheet>`;
    assert.match(await refused({ sheets: { A: '' }, parts: { 'xl/worksheets/sheet0.xml': deep } }), /nested deeper/);
    const outside = {
      '_rels/.rels': '<Relationships><Relationship Type="x/officeDocument" Target="../../etc/x.xml"/></Relationships>',
    };
    assert.match(await refused({ sheets: { A: '' }, parts: outside }), /has no part/);
    // A directory that says that a part begins behind the file.
    for (const place of [file.length, 2 ** 20, 2 ** 32 - 1]) {
      const away = Buffer.from(file);
      away.writeUInt32LE(place, away.lastIndexOf('xl/worksheets/sheet0.xml') - 46 + 42);
      assert.match(await refusalOf('a.xlsx', away), /not a complete workbook: .* is damaged|cannot be unpacked/);
    }
    // A directory that says 3 GiB for a part.
    const bomb = Buffer.from(file);
    const entry = bomb.lastIndexOf('xl/worksheets/sheet0.xml') - 46;
    bomb.writeUInt32LE(3 * 2 ** 30, entry + 24);
    assert.match(await refusalOf('a.xlsx', bomb), /more than 512 MiB/);
    // One that says less than there is.
    bomb.writeUInt32LE(10, entry + 24);
    assert.match(await refusalOf('a.xlsx', bomb), /is damaged|cannot be unpacked/);
    assert.match(await refusalOf('a.xlsx', 'a,b\n'), /is not a workbook/);
  });

  const cell = fc.string({ unit: 'binary', maxLength: 12 });
  const table = fc.array(
    fc.tuple(cell, cell).filter((row) => row.some((text) => text !== '')),
    { minLength: 1, maxLength: 8 },
  );

  it('comes back to the letter from -o xlsx', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const file = await writtenRecords(xlsx, ['a', 'b'], rows);
        const read = await readInput('a.xlsx', file);
        assert.deepEqual(
          read.rows.map(({ cells }) => cells.map(shown)),
          rows,
        );
      }),
      { numRuns: 100 },
    );
  });

  it('comes back to the letter from openpyxl', async function () {
    needs(this, 'python3 with openpyxl');
    this.timeout(60_000);
    const folder = mkdtempSync(join(tmpdir(), 'relctl-openpyxl-'));
    try {
      // What openpyxl refuses in a cell, reads as a formula, or does not escape.
      const plain = cell.map((text) =>
        text.replaceAll(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|^=|_(?=x[0-9a-f]{4}_)/gi, '.'),
      );
      const number = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((units) => units / 1000);
      const rows = fc.sample(
        fc.tuple(
          plain.filter((text) => text !== ''),
          number,
        ),
        { numRuns: 300, seed: 5 },
      );
      const file = join(folder, 'a.xlsx');
      const script = `
import openpyxl
file, rows = json.load(sys.stdin)
book = openpyxl.Workbook()
sheet = book.active
sheet.append(['text', 'number'])
for text, number in rows:
    sheet.append([text, number])
    sheet.cell(sheet.max_row, 1).data_type = 's'
book.save(file)
print('null')`;
      askPython(script, [file, rows], 'openpyxl');
      const read = await readInput('a.xlsx', readFileSync(file));
      assert.deepEqual(
        read.rows.map(({ cells }) => cells.map(shown)),
        rows.map(([text, value]) => [text, String(value)]),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
