import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { opt, record, req } from '../../../../src/contract/build.js';
import { boolean, dateTime, decimal, guid, int, long, string } from '../../../../src/contract/scalars.js';
import { allColumns } from '../../../../src/formats/columns.js';
import { openWorkbook, type WorkbookBounds } from '../../../../src/formats/writers/workbook.js';
import type { RecordValue } from '../../../../src/core/values/value.js';
import { askPython, shownByLibreOffice } from '../../../support/output/other-programs.js';
import { needs } from '../../../support/skip.js';
import { argv } from '../../../support/argv.js';

const Sample = record('Sample', 'A sample.', {
  Id: req(guid, 'Id.'),
  Name: opt(string, 'Name.'),
  Count: opt(int, 'Count.'),
  Big: opt(long, 'Big.'),
  Price: opt(decimal, 'Price.'),
  Done: opt(boolean, 'Done.'),
  At: opt(dateTime, 'At.'),
});

const columns = allColumns(Sample);

function workbook(records: readonly RecordValue[], bounds?: WorkbookBounds): Uint8Array {
  const usual = { isChosen: false, shape: 'list', hasHeader: true } as const;
  const writer = openWorkbook({ ...usual, columns, sheet: { name: 'what "they" & <we> read' } }, bounds);
  return Buffer.concat([writer.begin(), writer.records(records), writer.end()]);
}

const names = [
  ...['plain', '007', '1E5', '+31 6 12345678', '0612345678', '=1+1', '-2', '@SUM(A1)', '12345678901234567890', '1-2'],
  ...[
    ...['TRUE', ' lead and trail ', 'two\nlines', '"quoted", and comma', '<b>&amp;</b>', 'Zoë 😀 漢字', '_x0041_'],
    ...['#N/A', "'"],
  ],
];
const bigs = ['0', '-7', '123456789012345', '1234567890123456', '-9223372036854775808', '+5', '007'];
const prices = [
  ...['0', '0.00', '-0.00', '12.50', '-0.125', '1234567890123.45', '12345678901234.56', '0.000000000000001'],
  ...['.5', '5.', '+1.0', '100000000000000.0', '0.1000000000000000'],
];
const times = argv`
  2026-01-31T09:30:00 2026-01-31T23:59:59.999 2026-07-31T00:00:00.1 2026-01-31T09:30:00Z 1900-02-28T12:00:00
  2026-01-31T09:30:00+01:00 2026-01-31T09:30:00.25-11:30 1900-03-01T00:00:00 9999-12-31T23:59:59.9999999
  9999-12-31T23:59:59 0001-01-01T00:00:00 2026-01-31T09:30:00.1234567 2026-01-31T24:00:00 "no time"
`;

const records = names.map((Name, at) => ({
  Id: `00000000-0000-4000-8000-0000000000${10 + at}`,
  Name,
  Count: at - 3,
  Big: bigs[at % bigs.length] ?? '',
  Price: prices[at % prices.length] ?? '',
  Done: at % 3 === 0 ? null : at % 3 === 1,
  At: times[at % times.length] ?? '',
}));

/** What is to be read: the texts as they came, of times with a space before the hour where they are times. */
const held = (text: string): string =>
  /^(?:19(?!00-0[12])|[2-9]\d)\d\d-\d\d-\d\dT(?!24)[\d:]{8}(?:\.\d{1,3})?(?:Z|[+-][\d:]{5})?$/.test(text)
    ? text.replace('T', ' ')
    : text;
const wanted = records.map(({ Id, Name, Count, Big, Price, Done, At }) => [
  ...[Id, Name, Count, Big, Price].map(String),
  Done === null ? '' : String(Done).toUpperCase(),
  held(At),
]);
const header = columns.map(({ title }) => title);

describe('A workbook in other programs', () => {
  it('is shown by LibreOffice as it came', function () {
    this.timeout(120_000);
    needs(this, 'LibreOffice', 'python3');
    assert.deepEqual(shownByLibreOffice('a.xlsx', workbook(records)), [[header, ...wanted]]);
  });

  it('has its further sheets in LibreOffice, too', function () {
    this.timeout(120_000);
    needs(this, 'LibreOffice', 'python3');
    const sheets = shownByLibreOffice('a.xlsx', workbook(records, { rows: 8, bytes: 1e9 }));
    assert.deepEqual(sheets, [
      [header, ...wanted.slice(0, 7)],
      [header, ...wanted.slice(7, 14)],
      [header, ...wanted.slice(14)],
    ]);
  });

  it('has times that are times, and numbers that are numbers, for openpyxl', function () {
    this.timeout(60_000);
    needs(this, 'python3 with openpyxl');
    const folder = mkdtempSync(join(tmpdir(), 'relctl-openpyxl-'));
    try {
      const file = join(folder, 'a.xlsx');
      writeFileSync(file, workbook(records));
      const script = `
import openpyxl
book = openpyxl.load_workbook(json.load(sys.stdin))
sheet = book.active
kinds = [[type(cell.value).__name__ for cell in row] for row in sheet.iter_rows(min_row=2)]
times = [row[6].value.isoformat() if row[6].is_date else None for row in sheet.iter_rows(min_row=2)]
print(json.dumps(dict(title=sheet.title, frozen=sheet.freeze_panes, filter=sheet.auto_filter.ref,
  bold=[cell.font.b for cell in sheet[1]], wide=sheet.column_dimensions['A'].width,
  kinds=kinds, times=times, numbers=[row[4].value for row in sheet.iter_rows(min_row=2)],
  texts=[row[1].value for row in sheet.iter_rows(min_row=2)])))`;
      const read = askPython(script, file, 'openpyxl') as {
        readonly kinds: readonly (readonly string[])[];
        readonly times: readonly (string | null)[];
        readonly numbers: readonly unknown[];
        readonly texts: readonly string[];
      };
      const { kinds, times: found, numbers, texts, ...look } = read;
      assert.deepEqual(look, {
        title: 'what "they" & we read'.replace('we', '<we>'),
        frozen: 'A2',
        filter: `A1:G${records.length + 1}`,
        bold: Array(7).fill(true),
        wide: 37,
      });
      // Telephone numbers, codes and formulas are texts.
      assert.deepEqual(new Set(kinds.map(([, name]) => name)), new Set(['str']));
      assert.deepEqual(
        texts,
        names.map((name) => name.replace(/_(?=x[0-9A-F]{4}_)/g, '_x005F_')),
      );
      records.forEach(({ Price, At }, at) => {
        const digits = Price.replace(/^-?0*\.?0*|\./g, '').length;
        if (typeof numbers[at] === 'number') assert.equal(numbers[at], Number(Price));
        else assert.ok(/^[+.]|\.$|^-0.00$/.test(Price) || digits > 15, Price);
        const time = found[at] ?? '';
        assert.equal(time !== '', held(At) !== At, At);
        const clock = At.replace(/Z$|[+-]\d\d:\d\d$/, '');
        if (time !== '') assert.equal(Date.parse(`${time}Z`), Date.parse(`${clock}Z`));
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
