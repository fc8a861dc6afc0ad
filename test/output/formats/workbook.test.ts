import type { RecordValue } from '../../../src/plain/value.js';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';
import { opt, record, req } from '../../../src/contract/build.js';
import { boolean, dateTime, decimal, guid, int, long, string } from '../../../src/contract/scalars.js';
import { allColumns } from '../../../src/output/columns.js';
import { openWorkbook } from '../../../src/output/formats/workbook.js';

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

function rowsOf(workbook: Uint8Array): Cell[][] {
  const sheet = unzipSync(workbook)['xl/worksheets/sheet1.xml'];
  assert.ok(sheet);
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
  parser.write(new TextDecoder().decode(sheet)).close();
  return rows;
}

async function workbook(batches: readonly (readonly RecordValue[])[]): Promise<Uint8Array> {
  const columns = allColumns(Sample);
  const writer = openWorkbook({
    columns,
    isChosen: false,
    shape: 'list',
    hasHeader: true,
    width: undefined,
    hasColor: false,
  });
  return Buffer.concat([writer.begin(), ...batches.map((batch) => writer.records(batch)), writer.end()]);
}

describe('A workbook', () => {
  it('has a header, and cells with the types of their columns', async () => {
    const [header, row] = rowsOf(
      await workbook([
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
    assert.deepEqual(
      header?.map(({ text }) => text),
      ['Id', 'Name', 'Count', 'Big', 'Price', 'Done', 'At'],
    );
    assert.deepEqual(row, [
      { type: 'text', text: 'a' },
      { type: 'text', text: '=1+1' },
      { type: 'number', text: '-7' },
      // More digits than a spreadsheet keeps stay text.
      { type: 'text', text: '9007199254740993' },
      { type: 'number', text: '12.50' },
      { type: 'boolean', text: '1' },
      { type: 'text', text: '2026-01-31T09:30:00' },
    ]);
  });

  it('keeps every row of every batch, and leaves cells of nil and absent values empty', async () => {
    const rows = rowsOf(await workbook([[{ Id: 'a', Name: null }], [], [{ Id: 'b' }, { Id: 'c' }]]));
    assert.deepEqual(
      rows.slice(1).map((row) => row.map(({ type, text }) => `${type}:${text}`).join(' ')),
      ['a', 'b', 'c'].map((id) => [`text:${id}`, ...Array<string>(6).fill('none:')].join(' ')),
    );
  });

  it('gives back every text to the character', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { maxLength: 5 }), async (texts) => {
        const rows = rowsOf(await workbook([texts.map((Name) => ({ Id: 'x', Name }))]));
        assert.deepEqual(
          rows.slice(1).map((row) => row[1]?.text),
          texts,
        );
      }),
      { numRuns: 200 },
    );
  });

  it('refuses a text that no cell can hold, and says what to do', async () => {
    await assert.rejects(workbook([[{ Id: 'a', Name: 'x'.repeat(32_768) }]]), {
      kind: 'usage',
      message: 'Name has 32768 characters; a cell of a workbook holds 32767',
    });
  });
});
