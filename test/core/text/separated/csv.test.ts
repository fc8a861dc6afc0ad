import assert from 'node:assert/strict';
import fc from 'fast-check';
import { recordWithoutPresence, opt } from '../../../../src/contract/build.js';
import { string } from '../../../../src/contract/scalars.js';
import type { RelctlError } from '../../../../src/core/errors/relctl-error.js';
import { csvReader, type RowReader, tsvReader } from '../../../../src/core/text/separated/csv.js';
import { allColumns } from '../../../../src/formats/columns.js';
import { csv, tsv } from '../../../../src/formats/writers/csv.js';
import type { Format, LineStyle } from '../../../../src/formats/writers/format.js';
import { valuesOf } from '../../../support/thrown.js';

/** The cells of a text that comes in pieces of these lengths. */
function cellsOf(reader: RowReader, text: string, lengths: readonly number[] = [text.length]): string[][] {
  const rows: string[][] = [];
  let at = 0;
  for (let turn = 0; at < text.length; turn += 1) {
    const length = Math.max(1, lengths[turn % lengths.length] ?? 1);
    for (const { cells } of reader.push(text.slice(at, at + length))) rows.push([...cells]);
    at += length;
  }
  for (const { cells } of reader.end()) rows.push([...cells]);
  return rows;
}

const read = (text: string, delimiter?: string): string[][] => cellsOf(csvReader(delimiter), text);

const refused = (reader: RowReader, text: string, says: RegExp): void => {
  const isMeant = ({ kind, facts, message }: RelctlError): boolean =>
    kind === 'usage' && says.test(`line ${facts.line}: ${message}`);
  assert.throws(() => cellsOf(reader, text), isMeant, JSON.stringify(text));
};

/** What the project's own writer makes of rows. */
async function written(format: Format, rows: readonly (readonly string[])[], lines: LineStyle): Promise<string> {
  const names = (rows[0] ?? []).map((_, at) => `c${at}`);
  const record = recordWithoutPresence(
    'Row',
    'A row.',
    Object.fromEntries(names.map((name) => [name, opt(string, '')])),
  );
  const columns = allColumns(record);
  const how = { columns, isChosen: false, shape: 'list', hasHeader: true, width: undefined, hasColor: false } as const;
  const writer = await format.open({ ...how, lines });
  const records = rows.map((row) => Object.fromEntries(row.map((cell, at) => [`c${at}`, cell])));
  return writer.begin() + writer.records(records) + writer.end();
}

const nasty = fc.oneof(
  fc.string({
    unit: fc.constantFrom('"', ',', ';', '|', '\t', '\r', '\n', '\\', 'n', ' ', 'ë', '\u{1f600}', '\u0000'),
  }),
  fc.string({ unit: 'binary' }),
);
const tables = fc
  .integer({ min: 1, max: 4 })
  .chain((width) => fc.array(fc.array(nasty, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }));
const cuts = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });

describe('A reader of comma-separated values', () => {
  it('gives back what the writer was given, whatever the cells hold and wherever the text is cut', () =>
    fc.assert(
      fc.asyncProperty(
        tables,
        cuts,
        fc.constantFrom(',', ';', '|', '^'),
        fc.constantFrom('lf', 'crlf'),
        async (rows, lengths, delimiter, lineEnding) => {
          const text = await written(csv, rows, { delimiter, lineEnding });
          assert.deepEqual(cellsOf(csvReader(delimiter), text, lengths).slice(1), rows);
        },
      ),
    ));

  it('takes lines that end with LF or CRLF, and a last one without an end', () => {
    assert.deepEqual(read('a,b\r\n1,2\n3,4'), [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ]);
    assert.deepEqual(read('a,\n'), [['a', '']]);
    assert.deepEqual(read('a,'), [['a', '']]);
    assert.deepEqual(read('""'), [['']]);
    assert.deepEqual(read(''), []);
  });

  it('tells on which line of the file a row begins', () => {
    const rows = csvReader().push('a\n"x\n\ny"\nb\n');
    assert.deepEqual(valuesOf(rows, 'line'), [1, 2, 5]);
  });

  it('names the line of what is no CSV', () => {
    refused(csvReader(), 'a\nb"c\n', /^line 2: a quotation mark within a cell/);
    refused(csvReader(), 'a\n"b"c\n', /^line 2: text after the quotation mark/);
    refused(csvReader(), 'a\n\n"b\nc\n', /^line 3: the quotation mark that opens a cell here is not closed/);
    refused(csvReader(), 'a\rb\n', /^line 1: a carriage return without a line feed/);
    refused(csvReader(), 'a\r', /^line 1: a carriage return without a line feed/);
  });

  it('ends at its limits', () => {
    const limits = { cellCharacters: 4, rowCharacters: 6, cells: 3 };
    refused(csvReader(',', limits), 'a,b\n"12\n45"\n', /^line 2: a cell of more than 4 characters/);
    refused(csvReader(',', limits), 'a,b,c,d\n', /^line 1: more than 3 cells/);
    refused(csvReader(',', limits), '123,45\n1234,567\n', /^line 2: a row of more than 6 characters/);
    assert.deepEqual(cellsOf(csvReader(',', limits), '1234,b'), [['1234', 'b']]);
  });
});

describe('A reader of tab-separated values', () => {
  it('gives back what the writer was given, whatever the cells hold and wherever the text is cut', () =>
    fc.assert(
      fc.asyncProperty(tables, cuts, fc.constantFrom('lf', 'crlf'), async (rows, lengths, lineEnding) => {
        const text = await written(tsv, rows, { lineEnding });
        assert.deepEqual(cellsOf(tsvReader(), text, lengths).slice(1), rows);
      }),
    ));

  it('names the line of what is no TSV', () => {
    refused(tsvReader(), 'a\tb\nc\\x\td\n', /^line 2: an unknown escape/);
    refused(tsvReader(), 'a\nb\rc\n', /^line 2: a carriage return/);
    refused(tsvReader(), 'a\nb\\', /^line 2: an unknown escape/);
    refused(tsvReader({ cellCharacters: 3, cells: 2 }), 'a\tb\tc\n', /^line 1: more than 2 cells/);
    refused(tsvReader({ cellCharacters: 3, cells: 2 }), 'a\nbcdef', /^line 2: a line that does not end/);
  });
});
