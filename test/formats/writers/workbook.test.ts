import type { RecordValue } from '../../../src/core/values/value.js';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';
import { opt, record, req } from '../../../src/contract/build.js';
import { boolean, dateTime, decimal, guid, int, long, string } from '../../../src/contract/scalars.js';
import { allColumns } from '../../../src/formats/columns.js';
import type { FormatContext } from '../../../src/formats/writers/format.js';
import { openWorkbook, type WorkbookBounds } from '../../../src/formats/writers/workbook.js';
import { valuesOf } from '../../support/thrown.js';

const Sample = record('Sample', 'A sample.', {
  Id: req(guid, 'Id.'),
  Name: opt(string, 'Name.'),
  Count: opt(int, 'Count.'),
  Big: opt(long, 'Big.'),
  Price: opt(decimal, 'Price.'),
  Done: opt(boolean, 'Done.'),
  At: opt(dateTime, 'At.'),
});

/** A cell as a reader of workbooks sees it. */
interface Cell {
  readonly type: 'none' | 'text' | 'number' | 'boolean';
  readonly text: string;
}

const types: Readonly<Record<string, Cell['type']>> = { inlineStr: 'text', b: 'boolean' };

/** What the format's own escape stands for. */
const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

function partOf(workbook: Uint8Array, path: string): string {
  const part = unzipSync(workbook)[path];
  assert.ok(part, path);
  return new TextDecoder().decode(part);
}

function rowsOf(workbook: Uint8Array, sheet = 1): Cell[][] {
  const rows: Cell[][] = [];
  let cell: { type: Cell['type']; text: string } | undefined;
  const parser = new SaxesParser({});
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'row') rows.push([]);
    if (name === 'c') cell = { type: types[String(attributes['t'])] ?? 'none', text: '' };
    if (name === 'v' && cell?.type === 'none') cell.type = 'number';
  });
  parser.on('text', (text) => {
    if (cell !== undefined) cell.text += text;
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'c' && cell !== undefined) rows.at(-1)?.push({ ...cell, text: unescaped(cell.text) });
  });
  parser.write(partOf(workbook, `xl/worksheets/sheet${sheet}.xml`)).close();
  return rows;
}

interface Made {
  readonly bytes: Uint8Array;
  readonly note: string | undefined;
}

function made(
  batches: readonly (readonly RecordValue[])[],
  more: Partial<FormatContext> = {},
  bounds?: WorkbookBounds,
): Made {
  const columns = allColumns(Sample);
  const usual = {
    columns,
    isChosen: false,
    shape: 'list',
    hasHeader: true,
  } as const;
  const writer = openWorkbook({ ...usual, ...more }, bounds);
  const bytes = Buffer.concat([writer.begin(), ...batches.map((batch) => writer.records(batch)), writer.end()]);
  return { bytes, note: writer.note?.() };
}

const workbook = (batches: readonly (readonly RecordValue[])[]): Uint8Array => made(batches).bytes;

describe('A workbook', () => {
  it('has a header, and cells with the types of their columns', () => {
    const [header, row] = rowsOf(
      workbook([
        [
          {
            Id: 'a',
            Name: '=1+1',
            Count: -7,
            Big: '9007199254740993',
            Price: '12.50',
            Done: true,
            At: '2026-01-31T09:30:00',
          },
        ],
      ]),
    );
    assert.deepEqual(valuesOf(header, 'text'), ['Id', 'Name', 'Count', 'Big', 'Price', 'Done', 'At']);
    assert.deepEqual(row, [
      { type: 'text', text: 'a' },
      { type: 'text', text: '=1+1' },
      { type: 'number', text: '-7' },
      // More digits than a spreadsheet keeps stay text.
      { type: 'text', text: '9007199254740993' },
      { type: 'number', text: '12.50' },
      { type: 'boolean', text: '1' },
      // 46,053 days after the end of 1899, at 9:30.
      { type: 'number', text: String(46_053 + 9.5 / 24) },
    ]);
  });

  it('keeps every row of every batch, and leaves cells of nil and absent values empty', () => {
    const rows = rowsOf(workbook([[{ Id: 'a', Name: null }], [], [{ Id: 'b' }, { Id: 'c' }]]));
    assert.deepEqual(
      rows.slice(1).map((row) => row.map(({ type, text }) => `${type}:${text}`).join(' ')),
      ['a', 'b', 'c'].map((id) => [`text:${id}`, ...Array<string>(6).fill('none:')].join(' ')),
    );
  });

  it('gives back every text to the character', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { maxLength: 5 }), (texts) => {
        const rows = rowsOf(workbook([texts.map((Name) => ({ Id: 'x', Name }))]));
        assert.deepEqual(
          rows.slice(1).map((row) => row[1]?.text),
          texts,
        );
      }),
      { numRuns: 200 },
    );
  });

  it('keeps its header in bold where it is, with a filter over all rows', () => {
    const { bytes } = made([[{ Id: 'a' }], [{ Id: 'b' }]], { sheet: { name: 'what is new' } });
    const sheet = partOf(bytes, 'xl/worksheets/sheet1.xml');
    assert.match(sheet, /<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"\/>/);
    assert.match(sheet, /<\/sheetData><autoFilter ref="A1:G3"\/>/);
    assert.match(partOf(bytes, 'xl/workbook.xml'), /<sheet name="what is new" .*>'what is new'!\$A\$1:\$G\$3</);
    const bare = made([[{ Id: 'a' }]], { hasHeader: false }).bytes;
    assert.doesNotMatch(partOf(bare, 'xl/worksheets/sheet1.xml'), /pane|autoFilter/);
    assert.deepEqual(
      rowsOf(bare).map(([cell]) => cell?.text),
      ['a'],
    );
  });

  it('has columns as wide as the first records want, and none wider than a screen', () => {
    const { bytes } = made([[{ Id: 'a', Name: 'x'.repeat(20) }], [{ Id: 'b'.repeat(99), Count: 1 }]]);
    const widths = [...partOf(bytes, 'xl/worksheets/sheet1.xml').matchAll(/<col [^>]*width="(\d+)"/g)];
    assert.deepEqual(
      widths.map(([, width]) => Number(width)),
      [60, 21, 8, 8, 8, 8, 8],
    );
  });

  const long = `${'x'.repeat(32_700)}${'\u{1f600}'.repeat(40)}`;

  it('cuts a text that no cell can hold, says so in the cell, and names the row', () => {
    const { bytes, note } = made([[{ Id: 'a' }, { Id: 'b', Name: long }]]);
    const text = rowsOf(bytes)[2]?.[1]?.text ?? '';
    assert.ok(text.length <= 32_767, String(text.length));
    assert.match(text, /^x{32700}(?:\u{1f600})+… \(cut: 32780 characters\)$/u);
    assert.match(note ?? '', /^1 text was cut .* can hold: Name in row 3, Id b \(32780 characters\); -o csv/);
    const many = made([Array.from({ length: 5 }, (_, at) => ({ Id: String(at), Name: long }))]);
    assert.match(many.note ?? '', /^5 texts were cut .*row 2, .*row 3, .*row 4, Id 2 \([^)]*\), and 2 more; /);
  });

  it('holds a text of the most characters whole', () => {
    const { bytes, note } = made([[{ Id: 'a', Name: 'x'.repeat(32_767) }]]);
    assert.deepEqual([rowsOf(bytes)[1]?.[1]?.text, note], ['x'.repeat(32_767), undefined]);
  });

  it('refuses a text that no cell can hold in a file for editing, and says where it is', () => {
    assert.throws(() => made([[{ Id: 'a' }, { Id: 'b', Name: long }]], { sheet: { isForEdit: true } }), {
      kind: 'usage',
      message: 'Name in row 3, Id b has 32780 characters; a cell of a workbook holds 32767',
    });
  });

  it('goes on with a further sheet where one is full, and says so', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const records = ids.map((Id) => ({ Id }));
    const { bytes, note } = made(
      [records.slice(0, 2), records.slice(2)],
      { sheet: { name: 'all' } },
      { rows: 3, bytes: 1e9 },
    );
    const rows = [1, 2, 3].map((sheet) => rowsOf(bytes, sheet).map(([cell]) => cell?.text));
    assert.deepEqual(rows, [
      ['Id', 'a', 'b'],
      ['Id', 'c', 'd'],
      ['Id', 'e'],
    ]);
    const names = [...partOf(bytes, 'xl/workbook.xml').matchAll(/<sheet name="([^"]*)"/g)].map(([, name]) => name);
    assert.deepEqual(names, ['all', 'all (2)', 'all (3)']);
    assert.deepEqual(note, 'the 5 rows are on 3 sheets, because one cannot hold more');
    const one = made([records], {}, { rows: 6, bytes: 1e9 });
    assert.deepEqual([rowsOf(one.bytes).length, one.note], [6, undefined]);
  });

  it('begins a further sheet before the bytes of one are more than the packing can count', () => {
    const records = ['a', 'b', 'c'].map((Id) => ({ Id, Name: 'x'.repeat(15_000) }));
    const { bytes } = made([records], {}, { rows: 100, bytes: 20_000 });
    assert.deepEqual([rowsOf(bytes, 1).length, rowsOf(bytes, 2).length], [3, 2]);
  });

  it('refuses more bytes and more columns than a workbook holds', () => {
    const records = Array.from({ length: 300 }, (_, at) => ({ Id: `${at}`, Name: String(Math.sin(at)) }));
    assert.throws(
      () => made([records], {}, { rows: 1e6, bytes: 2000 }),
      /a workbook holds 2000 bytes, and there are more/,
    );
    const [column] = allColumns(Sample);
    assert.ok(column);
    const columns = Array<typeof column>(16_385).fill(column);
    assert.throws(() => made([], { columns }), /a sheet holds 16384 columns, and there are 16385/);
  });
});
