import assert from 'node:assert/strict';
import fc from 'fast-check';
import { opt, record } from '../../../src/contract/build.js';
import { dateTime, decimal } from '../../../src/contract/scalars.js';
import { isWrongCell, cellForMessage } from '../../../src/formats/readers/input.js';
import { allColumns } from '../../../src/formats/columns.js';
import type { FormatContext } from '../../../src/formats/writers/format.js';
import { formats } from '../../../src/formats/writers/index.js';
import { readInput, writtenRecords } from '../../support/inputs.js';
import { argv } from '../../support/argv.js';

const forExcel = (delimiter: string): Partial<FormatContext> => ({
  lines: { delimiter, lineEnding: 'crlf', hasMark: true, hasDecimalComma: delimiter === ';', hasKeptTexts: true },
});

/** The ways in which this program writes tables that it reads. */
const writers: readonly (readonly [
  name: string,
  format: (typeof formats)[keyof typeof formats],
  how: Partial<FormatContext>,
])[] = [
  ['a.csv', formats.csv, {}],
  ['semicolons.csv', formats.csv, { lines: { delimiter: ';' } }],
  ['for-edit.csv', formats.csv, { lines: { hasMark: true } }],
  ['excel-nl.csv', formats.csv, forExcel(';')],
  ['excel-gb.csv', formats.csv, forExcel(',')],
  ['a.tsv', formats.tsv, {}],
  ['a.xlsx', formats.xlsx, {}],
  ['for-edit.xlsx', formats.xlsx, { sheet: { isForEdit: true } }],
  ['a.ndjson', formats.ndjson, {}],
];

/** What stands around and within texts that a spreadsheet takes for something else. */
const piece = fc.constantFrom(
  ...['="', '"', '"&"', '""', "'", '=', '+', '-', '@', '007', '1.234', '1,234', '#N/A', '#REF!', ' ', '\n', '\t', 'x'],
  ...['s-Gravenhage', '… (cut: 40000 characters)', 'TRUE', '\ufffd', '1E5', '2026-01-31', '\\'],
);
const drawn = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
const known = [
  '007',
  '="007"',
  "'+31 6",
  "'s-Gravenhage",
  '#N/A',
  '=1+1',
  '\ufffd',
  '1-2',
  '+31 6',
  'x'.repeat(40_000),
];

describe('What this program writes', () => {
  for (const [name, format, how] of writers)
    it(`to ${name} it reads as the same texts, or refuses`, async () => {
      // A text that no cell holds is refused by what writes it to be edited.
      const most = how.sheet?.isForEdit === true ? 32_767 : Infinity;
      const texts = [...known, ...fc.sample(drawn, 400)].filter(({ length }) => length <= most);
      const isForEdit = name.startsWith('for-edit');
      const rows = texts.map((text) => ['x', text]);
      const content = await writtenRecords(format, [isForEdit ? '_base' : 'Key', 'Name'], rows, how);
      const read = await readInput(name, content, name.endsWith('.tsv') ? { form: 'tsv' } : {});
      assert.equal(read.rows.length, texts.length);
      const taken = read.rows.flatMap(({ cells }, at) => (isWrongCell(cells[1]) ? [] : [[cells[1], texts[at]]]));
      for (const [cell, text] of taken) assert.equal(cell, text);
      assert.ok(taken.length > 100, String(taken.length));
    });

  it('for Excel it reads without what keeps the texts', async () => {
    const texts = ['007', '="007"', '+31 6 12345678', '1-2', 'x"5"', '9'.repeat(300)];
    const rows = texts.map((text) => [text, 'x']);
    const { rows: read } = await readInput(
      'a.csv',
      await writtenRecords(formats.csv, ['Name', 'Key'], rows, forExcel(';')),
    );
    assert.deepEqual(
      read.map(({ cells }) => cells[0]),
      texts,
    );
  });

  it('as times and numbers to a workbook it reads as the same ones', async () => {
    const day = fc.date({ min: new Date('1900-03-01'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true });
    const form = fc.constantFrom(19, 21, 22, 23).chain((length) => day.map((at) => at.toISOString().slice(0, length)));
    const zoned = fc.tuple(form, fc.constantFrom('', 'Z', '+02:00', '-11:30')).map((parts) => parts.join(''));
    const known = ['1900-03-01T00:00:00', '2026-01-31T24:00:00', '0001-01-01T00:00:00', '2026-01-31T09:30:00.1234567Z'];
    const times = [...known, ...fc.sample(zoned, 500)];
    const numbers = argv`0.10 -12.5 1.234 123456789012345 1234567890123450 12345678901234567890.5 -0.00`;
    const Sample = record('Sample', 'A sample.', { At: opt(dateTime, 'At.'), Price: opt(decimal, 'Price.') });
    const usual = { isChosen: false, shape: 'list', hasHeader: true } as const;
    const writer = await formats.xlsx.open({ ...usual, columns: allColumns(Sample) });
    const records = times.map((At, at) => ({ At, Price: numbers[at % numbers.length] ?? '' }));
    const pieces = [writer.begin(), writer.records(records), writer.end()].map((piece) => Buffer.from(piece));
    const { rows } = await readInput('a.xlsx', Buffer.concat(pieces));
    for (const [at, { cells }] of rows.entries()) {
      assert.deepEqual(cells.map(cellForMessage), [times[at], numbers[at % numbers.length]]);
      const [time, price] = cells.map((cell) => (isWrongCell(cell) ? cell.rightFor : 'any'));
      assert.ok(['time', 'any'].includes(time ?? '') && price === 'any', JSON.stringify(cells));
    }
  });
});
