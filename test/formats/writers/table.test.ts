import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inRole, list, opt, record, req, scalar } from '../../../src/contract/build.js';
import { allColumns, chosenColumns, type Column } from '../../../src/formats/columns.js';
import { table } from '../../../src/formats/writers/table.js';
import type { Format, Writer } from '../../../src/formats/writers/format.js';
import type { RecordValue } from '../../../src/core/values/value.js';
import { hostile, unseen, person, printed, textual } from '../../support/output/print.js';

const guid = (index: number): string => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;

/** What takes two columns of a terminal, and what takes none; all else in these tests takes one. */
const wide = /日|本|한|글|＝|😀|👍🏽|🇳🇱/gu;
const none = /[\u0301\u064e]/gu;
const seenWidth = (line: string): number => Array.from(line.replace(wide, 'ww').replace(none, '')).length;

const cell = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', 'b', ' ', 'é', 'e\u0301', 'ש', 'ل\u064e', '日', '本', '한', '글', '＝', '😀', '👍🏽', '🇳🇱'),
    fc.constantFrom('\u001b', '\n', '\t', '"', ',', '…', '\ue000'),
  ),
  maxLength: 60,
});
const rows = (columns: number): fc.Arbitrary<string[][]> =>
  fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 8 });
const widths = fc.integer({ min: 40, max: 200 });

const asRecord = (cells: readonly string[]): Record<string, string> =>
  Object.fromEntries(cells.map((text, index) => [`F${index}`, text]));

const keyed = record('Keyed', '', {
  Id: req(scalar('guid'), ''),
  Name: inRole('name', opt(scalar('string'), '')),
  Amount: opt(scalar('decimal'), ''),
  Note: opt(scalar('string'), ''),
});

/** The output of a table, and what is told below it. */
async function withNote(
  batches: readonly (readonly RecordValue[])[],
  context: Parameters<typeof printed>[2],
): Promise<readonly [string, string | undefined]> {
  let writer: Writer | undefined;
  const open: Format['open'] = async (given) => (writer = await table.open(given));
  const text = await printed({ ...table, open }, batches, context);
  return [text, writer?.note?.()];
}

describe('A table', () => {
  it('finds the widths of its columns by the first 1,000 rows, or by those with the first 4 Mi characters', async () => {
    const columns = chosenColumns(keyed, 'Note,Name');
    const long = { Note: 'x'.repeat(1024 * 1024), Name: 'a' };
    for (const [batches, titles] of [
      [[[long, long, long, long], [{ Note: 'b', Name: 'yy' }]], `${'Note'.padEnd(1000)}  Name`],
      [
        [[{ Note: 'b', Name: 'y' }], [long, long, long], [long], [{ Note: 'c', Name: 'z' }]],
        `${'Note'.padEnd(1000)}  Name`,
      ],
    ] as const) {
      let writer: Writer | undefined;
      const open: Format['open'] = async (given) => (writer = await table.open(given));
      await printed({ ...table, open }, [], { columns });
      const shown = batches.map((batch) => writer?.records(batch) ?? '');
      assert.deepEqual(
        shown.map((text) => text !== ''),
        batches.map((_, at) => at >= batches.length - 2),
      );
      assert.ok(shown.join('').startsWith(titles));
    }
  });

  it('fills no row up to a cell of more than a thousand characters, and cuts nothing of that', async () => {
    const long = 'x'.repeat(5000);
    const records = [
      { Name: 'a', Note: 'b' },
      { Name: long, Note: 'c' },
      { Name: 'd', Note: 'e' },
    ];
    const columns = chosenColumns(keyed, 'Name,Note');
    for (const batches of [[records], records.map((each) => [each])]) {
      const [header, ...lines] = (await printed(table, batches, { columns })).trimEnd().split('\n');
      assert.deepEqual(
        [header, ...lines],
        [`${'Name'.padEnd(1000)}  Note`, `${'a'.padEnd(1000)}  b`, `${long}  c`, `${'d'.padEnd(1000)}  e`],
      );
    }
    const even = 'y'.repeat(1000);
    const other = await printed(table, [[{ Name: even, Note: 'f' }, records[0] ?? {}]], { columns });
    assert.deepEqual(other.split('\n').slice(1, 3), [`${even}  f`, `${'a'.padEnd(1000)}  b`]);
  });

  it('stands in columns under their titles, nil as a dash, absent as nothing', async () => {
    const records = [
      { Id: guid(1), Name: 'Zoë', Balance: null, Home: { City: '日本' } },
      { Id: guid(2), Home: { City: 'Łódź' }, Balance: '1.50' },
    ];
    const columns = chosenColumns(person, 'Id,Name,Home.City,Balance');
    assert.equal(
      await printed(table, [records], { columns }),
      `Id                                    Name  Home.City  Balance
${guid(1)}  Zoë   日本          -
${guid(2)}        Łódź          1.50
`,
    );
  });

  it('fits any width from 60 to 200, whatever the characters', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }).chain(rows),
        fc.integer({ min: 60, max: 200 }),
        async (cells, width) => {
          const columns = allColumns(textual(cells[0]?.length ?? 0));
          const lines = (await printed(table, [cells.map(asRecord)], { columns, width })).split('\n');
          assert.equal(lines.pop(), '');
          assert.equal(lines.length, cells.length + 1);
          for (const line of lines) assert.ok(seenWidth(line) <= width, `${seenWidth(line)} > ${width}: ${line}`);
        },
      ),
      { numRuns: 80 },
    );
  });

  it('keeps its columns in line, whatever the characters', async () => {
    await fc.assert(
      fc.asyncProperty(rows(2), widths, async (cells, width) => {
        const columns = allColumns(textual(2));
        const records = cells.map(([first = '']) => ({ F0: first, F1: '|' }));
        const lines = (await printed(table, [records], { columns, width })).split('\n').slice(1, -1);
        const bars = lines.map((line) => seenWidth(line.slice(0, line.lastIndexOf('|'))));
        assert.equal(new Set(bars).size, 1, lines.join('\n'));
      }),
      { numRuns: 80 },
    );
  });

  it('never cuts an Id or a number, at any width', async () => {
    await fc.assert(
      fc.asyncProperty(rows(2), widths, async (cells, width) => {
        const records = cells.map(([Name = '', Note = ''], index) => ({
          Id: guid(index),
          Name,
          Amount: '-1234567890.123456',
          Note,
        }));
        const shown = await printed(table, [records], { columns: allColumns(keyed), width });
        for (const { Id } of records) assert.ok(shown.includes(Id), shown);
        // A number is there whole, or its column is hidden.
        assert.ok([0, records.length].includes(shown.split('-1234567890.123456').length - 1), shown);
        assert.equal(shown.includes('-1234567890.123456'), shown.split('-12345').length > 1);
        const isTable = shown.split('\n', 1)[0]?.includes('DisplayName') === true;
        if (isTable) for (const line of shown.split('\n')) assert.ok(seenWidth(line) <= width);
      }),
      { numRuns: 60 },
    );
  });

  it('becomes cards of the same columns where it would not say which record is which', async () => {
    const columns = chosenColumns(keyed, 'Id,Name');
    const records = [[{ Id: guid(1), Name: 'a long name', Note: '5' }], [{ Id: guid(2) }]];
    const header = async (width: number): Promise<string | undefined> =>
      (await printed(table, records, { columns, width })).split('\n')[0];
    assert.equal(
      await printed(table, records, { columns, width: 48 }),
      `Id    ${guid(1)}\nName  a long name\n\nId    ${guid(2)}\n`,
    );
    assert.equal(await header(49), 'Id                                    Name');
  });

  it('stays a table at any width where one was asked for, and says what is hidden', async () => {
    const columns = chosenColumns(keyed, 'Id,Name,Amount');
    const records = [{ Id: guid(1), Name: 'a very long name, longer than a line', Amount: '1.50' }];
    const at = (width: number): Promise<readonly [string, string | undefined]> =>
      withNote([records], { columns, width, isAsked: true });
    assert.deepEqual(await at(40), [
      'Name                              Amount\na very long name, longer than a…    1.50\n',
      '1 column hidden: --columns Name,Id, or -o card',
    ]);
    assert.deepEqual(await at(30), [
      'Name\na very long name, longer than…\n',
      '2 columns hidden: --columns Name,Id,Amount, or -o card',
    ]);
    assert.deepEqual((await at(82))[1], undefined);
  });

  it('names hidden columns as a shell takes them, and nothing where all are shown', async () => {
    const titles = ['Id', 'Field.Due date', "Field.Bob's"];
    const columns = titles.map((title): Column => ({ title, path: [title], type: scalar('string') }));
    const records = [Object.fromEntries(titles.map((title) => [title, 'x'.repeat(30)]))];
    const note = async (width: number | undefined): Promise<string | undefined> =>
      (await withNote([records], { columns, width, isAsked: true }))[1];
    assert.equal(await note(20), "2 columns hidden: --columns 'Field.Due date,Field.Bob'\\''s', or -o card");
    assert.equal(await note(200), undefined);
    assert.equal(await note(undefined), undefined);
  });

  it('neutralises titles, which may be names that the service gave', async () => {
    const columns: Column[] = [{ title: 'Field.\u001b[31mred', path: ['F'], type: scalar('string') }];
    assert.match(await printed(table, [[{ F: 'x' }]], { columns }), /^Field\.␛\[31mred\n/);
  });

  it('never cuts a title', async () => {
    const titles = ['Id', 'A title of some length', 'Another one', 'The last'];
    const columns = titles.map((title, index): Column => ({ title, path: [`F${index}`], type: scalar('string') }));
    await fc.assert(
      fc.asyncProperty(rows(4), widths, async (cells, width) => {
        const shown = await printed(table, [cells.map(asRecord)], { columns, width, isAsked: true });
        const header = shown.split('\n')[0] ?? '';
        for (const title of header.split(/ {2,}/)) assert.ok(titles.includes(title), header);
      }),
      { numRuns: 60 },
    );
  });

  it('has the decimal points of its numbers below each other, titles to the right', async () => {
    const columns = chosenColumns(keyed, 'Amount,Note');
    const amounts = ['12.50', '1000', '-0.333333', '7', 'about 5', null];
    const records = amounts.map((Amount) => ({ Amount, Note: '|' }));
    assert.equal(
      await printed(table, [records], { columns }),
      `        Amount  Note
     12.50     |
   1000        |
     -0.333333 |
      7        |
about 5        |
      -        |
`.replaceAll(/ \|/g, '  |'),
    );
  });

  it('has the items of a list that must not be cut below each other, and wraps sentences', async () => {
    const told = record('Told', '', {
      Name: inRole('name', opt(scalar('string'), '')),
      Numbers: inRole('key', opt(list(scalar('string'), 'Number'), '')),
      Detail: inRole('words', opt(scalar('string'), '')),
    });
    const records = [
      { Name: 'Zoë', Numbers: ['+31 6 55501234', '020-5550111'], Detail: 'one two three four five six seven' },
      { Name: '日本', Numbers: ['1'], Detail: 'x' },
    ];
    assert.equal(
      await printed(table, [records], { columns: allColumns(told), width: 46 }),
      `Name  Numbers         Detail
Zoë   +31 6 55501234  one two three four five
      020-5550111     six seven
日本  1               x
`,
    );
    assert.equal(
      (await printed(table, [records], { columns: allColumns(told) })).split('\n')[1],
      'Zoë   +31 6 55501234; 020-5550111  one two three four five six seven',
    );
  });

  it('cuts nothing when nobody looks', async () => {
    const Name = 'a long name '.repeat(30).trim();
    assert.ok((await printed(table, [[{ Id: guid(1), Name }]])).includes(Name));
  });

  it('shows every row once and in order, in one piece or page by page, beyond the rows that it measures', async () => {
    const records = Array.from({ length: 2345 }, (_, index) => ({ F0: `${index}`, F1: index % 7 === 0 ? '日' : 'x' }));
    const columns = allColumns(textual(2));
    const pages = Array.from({ length: 24 }, (_, page) => records.slice(page * 100, page * 100 + 100));
    for (const batches of [[records], pages]) {
      const lines = (await printed(table, batches, { columns, hasHeader: false })).trimEnd().split('\n');
      assert.deepEqual(
        lines.map((line) => line.split(/ +/)),
        records.map(({ F0, F1 }) => [F0, F1]),
      );
    }
  });

  it('takes thousands of columns', async () => {
    const count = 3000;
    const cells = Array.from({ length: count }, (_, index) => `${index}`);
    const records = Array.from({ length: 100 }, () => asRecord(cells));
    const shown = await printed(table, [records], { columns: allColumns(textual(count)), hasHeader: false });
    const line = `${cells.join('  ')}\n`;
    assert.equal(shown, line.repeat(records.length));
  });

  it('does not cut an Id in rows that come after the measured ones', async () => {
    const columns = chosenColumns(person, 'Name,Id');
    const records = Array.from({ length: 1000 }, () => ({ Name: 'x', Id: 'short' }));
    const shown = await printed(table, [records, [{ Name: 'y', Id: guid(9) }]], { columns, width: 40 });
    assert.ok(shown.endsWith(`y     ${guid(9)}\n`), shown.slice(-80));
  });

  it('keeps marks that take no room with their own rows', async () => {
    const columns = allColumns(textual(2));
    const records = [
      ['\u0301', 'a'],
      ['\u0301', '日'],
      ['\u0301', 'c'],
    ].map(asRecord);
    assert.equal(
      await printed(table, [records], { columns, hasHeader: false }),
      '\u0301   a\n\u0301   日\n\u0301   c\n',
    );
  });

  it('is nothing for no record', async () => assert.equal(await printed(table, [[]]), ''));

  it('has colour in the header only, and only where it is allowed', async () => {
    const columns = chosenColumns(person, 'Name');
    assert.equal(await printed(table, [[{ Name: 'a' }]], { columns, hasColor: true }), '\u001b[1mName\u001b[22m\na\n');
  });

  for (const [name, text] of Object.entries(hostile)) {
    it(`neutralises ${name}`, async () => {
      const shown = await printed(table, [[{ Id: guid(1), Name: text, Marks: [text] }]], { width: 200 });
      const lines = shown.split('\n');
      assert.deepEqual([lines.length, lines.pop()], [3, '']);
      for (const line of lines) assert.doesNotMatch(line, unseen);
    });
  }
});

describe('A table of a batch that has hundreds of thousands of rows', () => {
  it('has each of them', async () => {
    const batch = Array.from({ length: 200_000 }, (_, index) => asRecord([String(index)]));
    const text = await printed(table, [batch], { columns: allColumns(textual(1)), width: 80 });
    assert.equal(text.split('\n').length, 200_000 + 2);
  });
});

describe('A text of more than a mebibyte', () => {
  it('is cut in a table, with its size', async () => {
    const whole = 'x'.repeat(1024 * 1024);
    for (const [given, shown] of [
      [whole, whole],
      [`${whole}y`, `${whole}… (1,048,577 characters; -o json prints all)`],
    ] as const) {
      const text = await printed(table, [[asRecord([given])]], { columns: allColumns(textual(1)), width: undefined });
      assert.equal(text.split('\n')[1], shown);
    }
  });
});
