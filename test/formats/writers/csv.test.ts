import assert from 'node:assert/strict';
import fc from 'fast-check';
import { record, req, scalar } from '../../../src/contract/build.js';
import { allColumns, chosenColumns } from '../../../src/formats/columns.js';
import { csv, tsv } from '../../../src/formats/writers/csv.js';
import type { FormatContext } from '../../../src/formats/writers/format.js';
import { anyText, hostile, person, printed, textual } from '../../support/output/print.js';
import { needs } from '../../support/skip.js';
import { askPython } from '../../support/output/other-programs.js';

/** Reads separated values by the grammar of RFC 4180, character by character; throws where the text departs from it. */
function readRfc4180(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        if (at >= text.length) throw new Error('a quote is not closed');
        if (text[at] === '"') at += 1;
        cell += text[at] ?? '';
      }
      at += 1;
    } else {
      for (; at < text.length && text[at] !== ',' && text[at] !== '\n'; at += 1) {
        if (text[at] === '"' || text[at] === '\r') throw new Error(`a bare ${JSON.stringify(text[at])}`);
        cell += text[at] ?? '';
      }
    }
    row.push(cell);
    if (text[at] === '\n') {
      rows.push(row);
      row = [];
    } else if (text[at] !== ',') throw new Error(`expected a comma or a line break at ${at}`);
    at += 1;
    if (text[at - 1] === ',' && at === text.length) throw new Error('no line break at the end');
  }
  assert.deepEqual(row, [], 'the last line ends');
  return rows;
}

const readTsv = (text: string): string[][] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) =>
      line
        .split('\t')
        .map((cell) =>
          cell.replace(/\\(.)/g, (_, letter: string) => ({ t: '\t', n: '\n', r: '\r' })[letter] ?? letter),
        ),
    );

const rowsOf = (count: number): fc.Arbitrary<string[][]> =>
  fc.array(fc.array(anyText, { minLength: count, maxLength: count }), { maxLength: 6 });
const anyRows = fc.integer({ min: 1, max: 5 }).chain(rowsOf);

const asRecords = (rows: readonly (readonly string[])[]): Record<string, string>[] =>
  rows.map((row) => Object.fromEntries(row.map((cell, index) => [`F${index}`, cell])));

async function written(
  format: typeof csv,
  rows: readonly (readonly string[])[],
  more: Partial<FormatContext> = {},
): Promise<string> {
  const columns = allColumns(textual(rows[0]?.length ?? 1));
  return printed(format, [asRecords(rows)], { columns, ...more });
}

describe('CSV', () => {
  it('has a header, dotted paths, nothing for nil and absent, and JSON for lists', async () => {
    const records = [
      { Id: 'a', Name: 'Zoë', Balance: '10.50', Home: { City: 'Łódź', Zip: null }, Marks: ['x', 'y'] },
      { Id: 'b', Balance: null },
    ];
    assert.equal(
      await printed(csv, [records]),
      'Id,Name,Balance,Home.City,Home.Zip,Marks\n' + 'a,Zoë,10.50,Łódź,,"[""x"",""y""]"\n' + 'b,,,,,\n',
    );
  });

  it('quotes commas, quotes and line breaks of every kind, and nothing else', async () => {
    const rows = [['a,b', 'say "no"', 'one\ntwo', 'one\rtwo', 'one\r\ntwo', ' blank ', "it's", 'a;b', '\ta', '']];
    assert.equal(
      await written(csv, rows, { hasHeader: false }),
      '"a,b","say ""no""","one\ntwo","one\rtwo","one\r\ntwo", blank ,it\'s,a;b,\ta,\n',
    );
  });

  it('writes decimals with a comma where that is asked for, and no fraction of a second nor any other text', async () => {
    const stay = req(scalar('string'), '');
    const type = record('Booking', '', {
      Amount: req(scalar('decimal'), ''),
      At: req(scalar('dateTime'), ''),
      Note: stay,
    });
    const booking = { Amount: '-10.50', At: '2026-03-01T09:30:00.1234567+01:00', Note: '1.5' };
    const columns = allColumns(type);
    const lines = { hasDecimalComma: true, delimiter: ';' };
    assert.equal(
      await printed(csv, [[booking, { ...booking, Amount: '12' }]], { columns, lines, hasHeader: false }),
      '-10,50;2026-03-01T09:30:00.1234567+01:00;1.5\n12;2026-03-01T09:30:00.1234567+01:00;1.5\n',
    );
  });

  it('is the header alone for no records, and nothing without a header', async () => {
    const columns = chosenColumns(person, 'Id,Home.City');
    assert.equal(await printed(csv, [], { columns }), 'Id,Home.City\n');
    assert.equal(await printed(csv, [], { columns, hasHeader: false }), '');
  });

  it('gives every cell back to a reader of RFC 4180', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, async (rows) => {
        const [header, ...read] = readRfc4180(await written(csv, rows));
        assert.deepEqual(read, rows);
        assert.equal(header?.length, rows[0]?.length ?? 1);
      }),
      { numRuns: 500 },
    );
  });

  it('gives every cell back to Python’s csv module (skipped without python3)', async function () {
    needs(this, 'python3');
    // Older readers of Python take no NUL, and no text of theirs holds half a surrogate pair when it comes from a file.
    const rows = fc
      .sample(anyRows, 300)
      .map((each) =>
        each.map((row) => row.map((cell) => cell.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd'))),
      );
    const documents = await Promise.all(rows.map((each) => written(csv, each, { hasHeader: false })));
    const script = `import csv, io
json.dump([list(csv.reader(io.StringIO(text, newline=''), strict=True)) for text in json.load(sys.stdin)], sys.stdout)`;
    assert.deepEqual(askPython(script, documents, 'csv'), rows);
  });

  it('is the same whatever batches the records come in', async () => {
    const records = asRecords([
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
    ]);
    const columns = allColumns(textual(2));
    const whole = await printed(csv, [records], { columns });
    assert.equal(
      await printed(
        csv,
        records.map((each) => [each]),
        { columns },
      ),
      whole,
    );
    assert.equal(await printed(csv, [[], records, []], { columns }), whole);
  });

  it('leaves what a terminal would act upon exactly as it is', async () => {
    for (const text of Object.values(hostile))
      assert.deepEqual(readRfc4180(await written(csv, [[text, 'end']], { hasHeader: false })), [[text, 'end']]);
  });

  it('keeps a single empty cell from being a blank line', async () => {
    assert.equal(await written(csv, [['']], { hasHeader: false }), '""\n');
  });
});

describe('CSV for spreadsheets', () => {
  const formulas = [
    ...['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '=HYPERLINK("http://x.invalid","y")', '=', '＝1'],
    '-5',
  ];

  it('is written as it is', async () => {
    assert.deepEqual(readRfc4180(await written(csv, [formulas], { hasHeader: false })), [formulas]);
  });
});

describe('TSV', () => {
  it('has one line a record, with escapes in place of quotes', async () => {
    assert.equal(
      await written(tsv, [['a\tb', 'one\r\ntwo', 'C:\\new', '"q"', 'a,b']], { hasHeader: false }),
      'a\\tb\tone\\r\\ntwo\tC:\\\\new\t"q"\ta,b\n',
    );
  });

  it('gives every cell back', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, async (rows) =>
        assert.deepEqual(readTsv(await written(tsv, rows, { hasHeader: false })), rows),
      ),
      { numRuns: 500 },
    );
  });

  it('does not take an empty cell for two quotes', async () => {
    assert.equal(await written(tsv, [[''], ['""']], { hasHeader: false }), '\n""\n');
  });
});
