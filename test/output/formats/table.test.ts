import assert from 'node:assert/strict';
import fc from 'fast-check';
import { opt, record, req, scalar } from '../../../src/contract/build.js';
import { allColumns, chosenColumns, type Column } from '../../../src/output/columns.js';
import { fittedWidths, table } from '../../../src/output/formats/table.js';
import { hostile, unseen } from '../../support/output/hostile.js';
import { person, printed, textual } from '../../support/output/print.js';

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
  Name: opt(scalar('string'), ''),
  Amount: opt(scalar('decimal'), ''),
  Note: opt(scalar('string'), ''),
});

describe('A table', () => {
  it('stands in columns under their titles, nil as a dash, absent as nothing', async () => {
    const records = [
      { Id: guid(1), Name: 'Zoë', Balance: null, Home: { City: '日本' } },
      { Id: guid(2), Home: { City: 'Łódź' }, Balance: '1.50' },
    ];
    const columns = chosenColumns(person, ['Id', 'Name', 'Home.City', 'Balance']);
    assert.equal(
      await printed(table, [records], { columns }),
      `Id                                    Name  Home.City  Balance
${guid(1)}  Zoë   日本       -
${guid(2)}        Łódź       1.50
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
      { numRuns: 300 },
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
      { numRuns: 300 },
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
        assert.equal(shown.split('-1234567890.123456').length - 1, records.length);
        const isTable = shown.split('\n', 1)[0]?.includes(guid(0)) === false;
        if (isTable) for (const line of shown.split('\n')) assert.ok(seenWidth(line) <= width);
      }),
      { numRuns: 200 },
    );
  });

  it('becomes cards of the same columns where not even the keys fit', async () => {
    const columns = chosenColumns(person, ['Id', 'Name']);
    const shown = await printed(table, [[{ Id: guid(1), Name: 'a long name', Balance: '5' }], [{ Id: guid(2) }]], {
      columns,
      width: 38,
    });
    assert.equal(shown, `Id    ${guid(1)}\nName  a long name\n\nId    ${guid(2)}\n`);
  });

  it('becomes cards rather than columns of a few letters', async () => {
    const columns = chosenColumns(person, ['Id', 'Name', 'Home.City']);
    const records = [{ Id: guid(1), Name: 'a long name', Home: { City: 'a long city' } }];
    const header = async (width: number): Promise<string | undefined> =>
      (await printed(table, [records], { columns, width })).split('\n')[0];
    assert.equal(await header(56), `Id                                    Name      Home.Ci…`);
    assert.equal(await header(55), `Id         ${guid(1)}`);
  });

  it('cuts a title that ends in an id at its begin', async () => {
    const field = (id: string): Column => ({
      title: `Field.${id}`,
      path: ['F'],
      type: { kind: 'scalar', name: 'string' },
    });
    const columns = [guid(1), guid(2)].map(field);
    const shown = await printed(table, [[{ F: 'x' }]], { columns, width: 30 });
    assert.equal(shown.split('\n')[0], '…-000000000001  …-000000000002');
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

  it('does not cut an Id in rows that come after the measured ones', async () => {
    const columns = chosenColumns(person, ['Name', 'Id']);
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
    const columns = chosenColumns(person, ['Name']);
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

describe('fittedWidths', () => {
  const text = allColumns(textual(3));

  it('leaves what fits', () => assert.deepEqual(fittedWidths([10, 20, 6], text, 40), [10, 20, 6]));

  it('takes from the widest first, and from equals alike', () => {
    assert.deepEqual(fittedWidths([50, 10, 6], text, 40), [20, 10, 6]);
    assert.deepEqual(fittedWidths([50, 50, 50], text, 40), [12, 12, 12]);
    assert.deepEqual(fittedWidths([50, 50, 5], text, 40), [16, 15, 5]);
  });

  it('uses all the room there is, and no more', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 3, maxLength: 3 }),
        widths,
        (natural, width) => {
          const fitted = fittedWidths(natural, text, width) ?? assert.fail('three columns always fit');
          const used = fitted.reduce((sum, each) => sum + each, 4);
          assert.equal(
            used,
            Math.min(
              width,
              natural.reduce((sum, each) => sum + each, 4),
            ),
          );
          fitted.forEach((each, index) => assert.ok(each <= (natural[index] ?? 0)));
        },
      ),
    );
  });

  it('gives up where keys and the least of the others do not fit', () => {
    assert.equal(fittedWidths([36, 20, 9, 30], allColumns(keyed), 40), undefined);
  });
});
