import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tsv } from '../../../src/formats/writers/csv.js';
import { writtenRecords, readInput, refusalOf } from '../../support/inputs.js';
import { askPython } from '../../support/output/other-programs.js';
import { needs } from '../../support/skip.js';
import { valuesOf } from '../../support/thrown.js';

const cellsOf = async (name: string, content: string | Uint8Array): Promise<readonly (readonly unknown[])[]> =>
  (await readInput(name, content)).rows.map(({ cells }) => cells);

describe('A table of separated values', () => {
  for (const [delimiter, word] of [
    [',', undefined],
    [';', 'semicolon'],
    ['\t', 'tab'],
    ['|', 'pipe'],
  ] as const)
    it(`is read with ${word ?? 'comma'} between its cells, which is found in its header`, async () => {
      const content = `Code${delimiter}Name\r\n1${delimiter}x\r\n`;
      const { columns, rows, said, point } = await readInput('a.csv', content);
      assert.deepEqual(columns, ['Code', 'Name']);
      assert.deepEqual(rows, [{ line: 2, cells: ['1', 'x'] }]);
      assert.deepEqual(said, word === undefined ? [] : [`a ${word} is its delimiter`]);
      assert.equal(point, word === undefined ? 'decimal-as-exported' : 'doubtful');
    });

  it('is refused where its header has several delimiters, unless one is named', async () => {
    assert.match(
      await refusalOf('a.csv', 'a;b,c\n1;2,3\n'),
      /^the header of a\.csv has comma and semicolon: choose its delimiter/,
    );
    assert.deepEqual((await readInput('a.csv', 'a;b,c\n1;2,3\n', { delimiter: 'semicolon' })).columns, ['a', 'b,c']);
    assert.deepEqual((await readInput('a.csv', '"a,b";c\n1;2\n')).columns, ['a,b', 'c']);
  });

  it('says the line on which a row begins, whatever line ends stand in its cells', async () => {
    const { rows } = await readInput('a.csv', 'a,b\n1,"x\r\ny\n"\r\n2,"""z"""\n3\n4,5,6\n');
    assert.deepEqual(rows, [
      { line: 2, cells: ['1', 'x\r\ny\n'] },
      { line: 5, cells: ['2', '"z"'] },
      { line: 6, cells: ['3'], wrong: 'has 1 cell, and the header has 2' },
      { line: 7, cells: ['4', '5', '6'], wrong: 'has 3 cells, and the header has 2' },
    ]);
  });

  it('leaves rows without any value out, and counts them', async () => {
    const { rows, skipped } = await readInput('a.csv', 'a,b\n,\n1,\n,\n,\n');
    assert.deepEqual([rows.map(({ line }) => line), skipped], [[3], 3]);
  });

  it('may begin with a byte order mark, which is said', async () => {
    const { columns, said } = await readInput('a.csv', '\ufeffa,b\n1,2\n');
    assert.deepEqual([columns, said], [['a', 'b'], ['it begins with a byte order mark']]);
  });

  it('says of a last line without an end that it may be cut off, and of U+FFFD that it is taken', async () => {
    const endWords = (line: string): string => `its last line has no line end, and may be truncated: ${line}`;
    for (const [content, said] of [
      ['a,b\n1,2', [endWords('1,2')]],
      ['a,b\n1,2\n', []],
      ['a,b\r\n1,2\r\n', []],
      ['a,b\n1', [endWords('1')]],
      [`a,b\n1,${'x'.repeat(5000)}`, [endWords(`${'x'.repeat(80)}…`)]],
      [
        'a,b\n1,Caf\ufffd\n',
        ['it has U+FFFD, which programs write for characters that they cannot read; relctl uses it unchanged'],
      ],
    ] as const)
      assert.deepEqual((await readInput('a.csv', content)).said, said, content.slice(0, 20));
    assert.deepEqual((await readInput('a.csv', 'a,b\n1')).rows[0]?.wrong, 'has 1 cell, and the header has 2');
    assert.match(await refusalOf('a.csv', 'a,b\n1,"2'), /^a\.csv:2: the quotation mark .* is not closed/);
    assert.deepEqual((await readInput('a.csv', 'a,b\n1,Caf\ufffd\n')).rows[0]?.cells, ['1', 'Caf\ufffd']);
    // The character may lie on the border of what is read at once.
    const split = `a,b\n1,${'x'.repeat(64 * 1024 - 8)}\ufffd\n`;
    assert.equal((await readInput('a.csv', split)).said.length, 1);
  });

  it('is refused with the line, in words that say what is wrong', async () => {
    const refused: readonly (readonly [string | Uint8Array, RegExp])[] = [
      ['a,b\n1,2\n3,x"y\n', /^a\.csv:3: a quotation mark within a cell that does not begin with one/],
      ['a,b\n1,"2\n3"\n4,"x" y\n', /^a\.csv:4: text after the quotation mark that closes a cell/],
      ['a,b\n1,2\n3,"4\n5,6\n', /^a\.csv:3: the quotation mark .* is not closed/],
      ['a,,b\n', /^a\.csv:1: column 2 has no title/],
      ['a,b,a\n', /^a\.csv:1: columns 1 and 3 have the same title: a/],
      ['a\u001fb,c,a\u001fb\n', /have the same title: a\\u001Fb$/],
      [`${'t'.repeat(900)},${'t'.repeat(900)}\n`, /have the same title: t{40}…$/],
      ['sep=;\na;b\n', /^a\.csv:1: is not a header/],
      ['a\rb\r', /^a\.csv:1: a carriage return without a line feed: save it with LF or CRLF/],
      ['', /is empty/],
      ['\r\n1,2\n', /^a\.csv:1: column 1 has no title/],
      [Buffer.from('a\n1\ncaf\u00e9\n', 'latin1'), /not UTF-8 on line 3: .*CSV UTF-8.*iconv -f windows-1252/],
      [Buffer.from('\ufeffa,b\n', 'utf16le'), /is UTF-16: .*iconv -f utf-16/],
      [Buffer.from('a,b\n', 'utf16le'), /zero bytes, .*: save it as "CSV UTF-8", or as \.xlsx$/],
      [Buffer.from([0x61, 0x0a, 0xe2, 0x82]), /not UTF-8 on line 2/],
      [Buffer.from([0x1f, 0x8b, 8, 0]), /compressed.*gzip -dc FILE \| relctl … --file - --results FILE/],
      [Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), /save it as \.xlsx without a password$/],
    ];
    for (const [content, words] of refused) assert.match(await refusalOf('a.csv', content), words);
  });

  it('is refused for too many columns, and for too many members of a record', async () => {
    const many = 10_001;
    const columns = Array.from({ length: many }, (_, at) => `c${at}`);
    assert.match(await refusalOf('a.csv', `${columns.join(',')}\n`), /^a\.csv:1: more than 10000 cells/);
    assert.equal((await readInput('a.csv', `${columns.slice(1).join(',')}\n`)).columns.length, 10_000);
    const members = columns.map((name) => `"${name}":1`).join(',');
    assert.match(await refusalOf('a.ndjson', `{${members}}\n`), /^a\.ndjson:1: there are more than 10000 members/);
  });

  it('is refused for too many cells in a row, wherever it stands, and takes many delimiters in a cell', async () => {
    const many = 5_000_000;
    assert.match(await refusalOf('a.csv', `a${',b'.repeat(many)}`), /^a\.csv:1: more than 10000 cells$/);
    assert.match(await refusalOf('a.csv', `a\n1\n${','.repeat(many)}`), /^a\.csv:3: more than 10000 cells$/);
    const text = ','.repeat(2_200_000);
    const { rows } = await readInput('a.csv', `a,b\n1,"${text}"\n2,"${text}"\n`);
    assert.deepEqual(
      rows.map(({ cells }) => cells[1] === text),
      [true, true],
    );
  });

  it('is found not to be UTF-8 wherever pieces of it end', async () => {
    for (const at of [65_534, 65_535, 65_536, 65_537]) {
      const good = Buffer.from(`a\n${'x'.repeat(at - 2)}\u20ac\u{1f600}\n`);
      assert.equal((await readInput('a.csv', good)).rows.length, 1);
      const bad = Buffer.concat([good, Buffer.from([0xff])]);
      assert.match(await refusalOf('a.csv', bad), /not UTF-8 on line 3/);
    }
  });

  it('is the same from stdin, and is read as often as is wanted', async () => {
    const { columns, rows } = await readInput('-', 'a;b\n1;2\n');
    assert.deepEqual([columns, rows], [['a', 'b'], [{ line: 2, cells: ['1', '2'] }]]);
  });

  it('with tabs is read as relctl writes it, or as a spreadsheet does, and is refused where that is not known', async () => {
    assert.deepEqual(await cellsOf('a.tsv', 'a\tb\nx\\ty\\\\z\t1\n'), [['x\ty\\z', '1']]);
    assert.match(await refusalOf('a.tsv', 'a\tb\n"x"\t1\n'), /tabs between its cells, and quotation marks/);
    assert.match(await refusalOf('a.txt', 'a\tb\nx\\ty\t1\n'), /tabs between its cells, and backslashes/);
    const content = 'a\tb\n"x\\t"\t1\n';
    assert.deepEqual((await readInput('a.tsv', content, { form: 'tsv' })).rows[0]?.cells, ['"x\t"', '1']);
    assert.deepEqual((await readInput('a.tsv', content, { form: 'csv', delimiter: 'tab' })).rows[0]?.cells, [
      'x\\t',
      '1',
    ]);
    assert.match(await refusalOf('a.tsv', 'a\tb\nx\\y\t1\n'), /^a\.tsv:2: an unknown escape/);
  });

  const anyCell = fc.string({
    unit: fc.oneof(
      fc.constantFrom(',', ';', '|', '"', '\n', '\r', '\\', '=', ' ', '\t'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
  });
  const noHalf = anyCell.map((text) => text.replaceAll(/\p{Surrogate}|\u0000|\ufeff/gu, ''));
  const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
    fc.array(
      fc.array(noHalf, { minLength: width, maxLength: width }).filter((row) => row.some((cell) => cell !== '')),
      { minLength: 1, maxLength: 6 },
    ),
  );
  const titles = (width: number): string[] => Array.from({ length: width }, (_, index) => `c${index}`);

  it('comes back to the letter from the csv module of Python, with each delimiter', function () {
    needs(this, 'python3');
    this.timeout(60_000);
    const tables = fc.sample(table, { numRuns: 150, seed: 7 });
    const delimiters = [',', ';', '\t', '|'];
    const written = askPython(
      `
import csv, io
def write(rows, delimiter):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows(rows)
    return out.getvalue()
print(json.dumps([write(rows, d) for rows, d in json.load(sys.stdin)]))`,
      tables.map((rows, index) => [[titles(rows[0]?.length ?? 0), ...rows], delimiters[index % 4]]),
      'csv',
    ) as string[];
    const names = ['comma', 'semicolon', 'tab', 'pipe'] as const;
    return Promise.all(
      written.map(async (text, index) => {
        const delimiter = names[index % 4];
        const { columns, rows } = await readInput('a.csv', text, { delimiter });
        assert.deepEqual(columns, titles(tables[index]?.[0]?.length ?? 0));
        assert.deepEqual(valuesOf(rows, 'cells'), tables[index]);
      }),
    ).then(() => undefined);
  });

  it('comes back to the letter from -o tsv', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const names = titles(rows[0]?.length ?? 0);
        const text = await writtenRecords(tsv, names, rows);
        const read = await readInput('a.tsv', text, { form: 'tsv' });
        assert.deepEqual(valuesOf(read.rows, 'cells'), rows);
      }),
      { numRuns: 100 },
    );
  });
});

describe('A file of JSON records', () => {
  it('has numbers as they stand, and the members of all rows', async () => {
    const text = '{"a":1.10,"b":12345678901234567890.123456789}\n\n{"c":-0.00,"a":1e5,"d":true}\n{"a":null,"b":""}\n';
    const { columns, rows } = await readInput('a.ndjson', text);
    assert.deepEqual(columns, ['a', 'b', 'c', 'd']);
    assert.deepEqual(rows, [
      { line: 1, cells: ['1.10', '12345678901234567890.123456789', undefined, undefined] },
      { line: 3, cells: ['1e5', undefined, '-0.00', 'true'] },
      { line: 4, cells: [null, '', undefined, undefined] },
    ]);
  });

  it('has records within records under dotted names, and lists as mistakes of their cells', async () => {
    const { columns, rows } = await readInput('a.json', '[{"a":{"b":{"c":"x"},"d":{}},"e":[1,{"f":[]}]}]');
    assert.deepEqual(columns, ['a.b.c', 'a.d', 'e']);
    assert.deepEqual(
      rows[0]?.cells.map((cell) => (typeof cell === 'object' ? cell?.wrong : cell)),
      ['x', 'is a record, but needs one value', 'is a list, but needs one value'],
    );
  });

  it('is refused with the line for what is no JSON, or may mean two things', async () => {
    const deep = '{"a":'.repeat(20) + '1' + '}'.repeat(20);
    const refused: readonly (readonly [string, RegExp])[] = [
      ['[\n{"a":1,\n"a":2}]', /^a\.json:3: the member 'a' occurs twice/],
      ['[{"a\\u001fb":1,"a\\u001fb":2}]', /the member 'a\\u001Fb' occurs twice$/],
      ['[{"a":{"b":1},"a.b":2}]', /'a\.b' occurs twice/],
      ['[{"a":01}]', /'}' was expected/],
      ['[{"a":.5}]', /expected a value/],
      ['[{"a":NaN}]', /expected a value/],
      ['[{"a":"x\ty"}]', /control character/],
      ['[{"a":"\\ud800"}]', /half of a character/],
      ['[{"a":"\\x"}]', /a backslash begins an escape/],
      ['[1]', /expected a record, /],
      ['[{"a":1},]', /record is missing/],
      ['[{"a":1}', /the JSON array does not end/],
      ['[{"a":1} {"a":2}]', /text after the record/],
      ['[{"":1}]', /a member has no name/],
      [`[${deep}]`, /nested deeper than 16/],
      ['{"a":1}', /a JSON array should begin/],
    ];
    for (const [text, words] of refused) assert.match(await refusalOf('a.json', text), words, text);
    assert.match(await refusalOf('a.ndjson', '{"a":1}\n{"a":\n'), /^a\.ndjson:2: expected a value/);
  });

  it('is known by its content where its name does not say what it is', async () => {
    assert.deepEqual((await readInput('-', ' [{"a":1}]')).columns, ['a']);
    assert.deepEqual((await readInput('a.txt', '{"b":1}\n')).columns, ['b']);
  });

  it('reads what JSON.stringify writes to the letter', async () => {
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null));
    const name = fc
      .string({ unit: 'binary', minLength: 1 })
      .filter((text) => text.trim() !== '' && !text.includes('.'));
    const records = fc.array(fc.dictionary(name, value, { minKeys: 1, maxKeys: 4 }), { minLength: 1, maxLength: 5 });
    const shown = (given: string | number | boolean | null | undefined): unknown =>
      given === null || given === undefined ? given : String(given);
    await fc.assert(
      fc.asyncProperty(records, fc.boolean(), async (all, isLines) => {
        const text = isLines ? all.map((each) => JSON.stringify(each)).join('\n') : JSON.stringify(all, null, 2);
        const { columns, rows } = await readInput(isLines ? 'a.ndjson' : 'a.json', text);
        const filled = all.filter((each) => Object.values(each).some((given) => given !== ''));
        assert.deepEqual(
          valuesOf(rows, 'cells'),
          filled.map((each) => columns.map((column) => shown(Object.hasOwn(each, column) ? each[column] : undefined))),
        );
      }),
      { numRuns: 150 },
    );
  });
});
