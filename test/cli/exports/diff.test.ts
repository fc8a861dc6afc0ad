import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { textRow, workbookFile } from '../../support/inputs.js';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

describe('export diff', function () {
  const here = place();
  const file = (name: string, content: string): string => {
    const path = here.fresh(name);
    writeFileSync(path, content);
    return path;
  };

  it('shows what a write changed between two exports, and nothing else', async () => {
    const [before, after] = [here.fresh('before.csv'), here.fresh('after.csv.gz')];
    const exported = async (target: string): Promise<void> => {
      await ends(here.run(['relationship', 'list', '-o', 'csv', '--output-file', target]), 0, '');
    };
    await exported(before);
    here.execute(
      `UPDATE "PvRelationshipData" SET "DisplayCity" = 'Genève, "GE"' WHERE "Id" = '00000000-0011-4000-8000-000000000002'`,
    );
    await exported(after);
    const found = await here.json<readonly { Old: string }[]>(['export', 'diff', before, after]);
    assert.deepEqual(
      found.map((each) => ({ ...each, Old: '' })),
      [
        {
          Change: 'changed',
          Key: '00000000-0011-4000-8000-000000000002',
          Field: 'DisplayCity',
          Old: '',
          New: 'Genève, "GE"',
          Line: 3,
        },
      ],
    );
    await ends(here.run(['export', 'diff', after, after, '--exit-code']), 0, 'No differences.\n', '');
  });

  it('ends with 0 whether or not there are differences, and with 12 where that is asked for', async () => {
    const [left, right] = [file('a.tsv', 'Id\tA\n1\tx\n'), file('b.csv', 'Id,A\n1,y\n2,z\n')];
    const plain = await here.run(['export', 'diff', left, right, '-o', 'csv']);
    const lines = ['Change,Key,Field,Old,New,Line', 'changed,1,A,x,y,2', 'added,2,,,,3', ''];
    assert.deepEqual([plain.code, plain.stdout, plain.stderr], [0, lines.join('\n'), '']);
    const coded = await here.run(['export', 'diff', left, right, '-o', 'csv', '--exit-code']);
    assert.deepEqual([coded.code, coded.stdout], [12, lines.join('\n')]);
    assert.match(coded.stderr, /the files differ: 1 added, 1 changed, 0 removed/);
  });

  it('offers the delimiter of a header that was read as one column, and names the formats that it reads', async () => {
    const [left, right] = [file('l.csv', 'Id;A\n1;x\n'), file('r.csv', 'Id;A\n1;y\n')];
    const wrong = await here.run(['export', 'diff', left, right]);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /has no column Id; it has Id;A\n {2}Try: relctl export diff .* --delimiter semicolon\n/);
    await ends(
      here.run(['export', 'diff', file('a.yaml', ''), right]),
      2,
      /a\.yaml: export diff reads csv, tsv, json, ndjson, xlsx, parquet\n {2}Export both in one of these formats\./,
    );
  });

  for (const ending of ['csv.gz', 'ndjson.gz', 'json', 'tsv', 'xlsx', 'xlsx.gz', 'parquet', 'parquet.gz'])
    it(`reads what an export writes as ${ending}, and shows who is gone`, async () => {
      const [before, after] = [here.fresh(`before.${ending}`), here.fresh(`after.${ending}`)];
      // A cell of a workbook does not hold all that the service has.
      const columns = ending.startsWith('xlsx') ? ['--columns', 'Id,DisplayName,ImportKey,IsRoot'] : [];
      const list = ['relation', 'list', ...columns];
      const exported = async (target: string): Promise<void> => {
        await ends(here.run([...list, '--output-file', target]), 0, '');
      };
      await exported(before);
      await ends(here.run(['export', 'diff', before, before, '--exit-code']), 0, 'No differences.\n');
      const rows = here.rows(
        'SELECT "Id", "DisplayName", "ImportKey" FROM "PvRelationData" ORDER BY seq LIMIT 2 OFFSET 20',
      );
      const [[first, name, key] = [], [second, old] = []] = rows;
      here.execute(
        `UPDATE "PvRelationData" SET "Id" = '0${String(first).slice(1, -1)}f' WHERE "Id" = '${String(first)}'`,
      );
      here.execute(`UPDATE "PvRelationData" SET "DisplayName" = 'Zoë; "Z"' WHERE "Id" = '${String(second)}'`);
      await exported(after);
      here.execute(
        `UPDATE "PvRelationData" SET "Id" = '${String(first)}' WHERE "Id" = '0${String(first).slice(1, -1)}f'`,
      );
      here.execute(`UPDATE "PvRelationData" SET "DisplayName" = '${String(old)}' WHERE "Id" = '${String(second)}'`);
      const words = ['export', 'diff', before, after, '--show', 'displayname,ImportKey'];
      const found = await here.json<readonly Readonly<Record<string, unknown>>[]>(words);
      const briefly = found.map(({ Change, Key, Record, Field }) => ({ Change, Key, Record, Field }));
      const shown = { DisplayName: name, ImportKey: key };
      assert.deepEqual(
        briefly.find(({ Change }) => Change === 'removed'),
        {
          ...{ Change: 'removed', Key: first, Record: shown, Field: null },
        },
      );
      assert.deepEqual(
        found
          .filter(({ Change }) => Change !== 'removed')
          .map(({ Change, New }) => [Change, New])
          .sort(),
        [
          ['added', undefined],
          [
            'changed',
            ending.startsWith('csv') || ending === 'tsv' || ending.startsWith('xlsx') ? 'Zoë; "Z"' : '"Zoë; \\"Z\\""',
          ],
        ],
      );
      const all = await here.run(['export', 'diff', before, after, '--show', '*', '-o', 'csv']);
      assert.match(all.stdout, /^Change,Key,Record\.Id,Record\.[^]*,Field,Old,New,Line\n/);
      await ends(here.run(['export', 'diff', before, after, '--show', 'DisplayNme']), 2, /Try: .* --show DisplayName/);
    });

  it('refuses a workbook that has the beginning of a text alone', async () => {
    const book = here.fresh('cut-text.xlsx');
    assert.equal((await here.run(['relation', 'list', '--columns', 'Id,Info', '--output-file', book])).code, 0);
    const run = await here.run(['export', 'diff', book, book]);
    assert.deepEqual([run.code, run.stdout], [2, ''], run.stderr);
    assert.match(run.stderr, /cut-text\.xlsx:\d+:Info: is the beginning of a text of \d+ characters/);
  });

  it('refuses a workbook whose list may go on in another sheet', async () => {
    const paths = [{ A: textRow(1, 'Id', 'Name') + textRow(2, '1', 'x') }, { B: textRow(1, 'Id', 'Name') }].map(
      (sheet, at, all) => {
        const path = here.fresh(`sheets-${at}.xlsx`);
        writeFileSync(path, workbookFile({ sheets: at === 0 ? sheet : { ...all[0], ...sheet } }));
        return path;
      },
    );
    const run = await here.run(['export', 'diff', ...paths, '--key', 'Id']);
    assert.deepEqual([run.code, run.stdout], [2, ''], run.stderr);
    assert.match(run.stderr, /sheets-1\.xlsx has 2 sheets, and its list may continue on the next/);
    await ends(here.run(['export', 'diff', paths[0] ?? '', paths[0] ?? '', '--key', 'Id']), 0);
  });

  it('refuses files that say values differently, and those that are damaged', async () => {
    const book = here.fresh('book.xlsx');
    assert.equal((await here.run(['mark', 'list', '--output-file', book])).code, 0);
    const lake = here.fresh('lake.parquet');
    assert.equal((await here.run(['mark', 'list', '--output-file', lake])).code, 0);
    const mixed = await here.run(['export', 'diff', book, lake]);
    assert.match(mixed.stderr, /xlsx and parquet write values differently and cannot be compared/);
    const bytes = readFileSync(lake);
    for (const [name, content] of [
      ['none.parquet', Buffer.from('Id,Name\n')],
      ['cut.parquet', bytes.subarray(0, bytes.length - 9)],
      ['changed.parquet', Buffer.concat([bytes.subarray(0, 40), Buffer.alloc(60, 7), bytes.subarray(100)])],
      ['none.xlsx', Buffer.from('Id,Name\n')],
      ['cut.xlsx', readFileSync(book).subarray(0, 900)],
      ['none.parquet.gz', Buffer.from('PAR1')],
    ] as const) {
      const path = here.fresh(name);
      writeFileSync(path, content);
      const run = await here.run(['export', 'diff', path, name.includes('parquet') ? lake : book]);
      assert.deepEqual([run.code, run.stderr.includes(name)], [2, true], `${name}: ${run.stderr}`);
    }
  });

  it('says when a key comes twice, reads other delimiters, and takes the format where names do not tell it', async () => {
    const [left, right] = [file('left', 'K;A\n1;x\n1;y\n'), file('right', 'K;A\n1;x\n')];
    const flags = ['--key', 'K', '--delimiter', 'semicolon', '--input-format', 'csv'];
    const { stdout, stderr } = await ends(here.run(['export', 'diff', left, right, ...flags, '-o', 'ndjson']), 0);
    assert.deepEqual(JSON.parse(stdout), { Change: 'removed', Key: '1', Field: null, Line: 3 });
    assert.match(
      stderr,
      /1 record has the K of an earlier one, such as 1 on line 3; relctl compares those of one K in their order/,
    );
    await ends(here.run(['export', 'diff', left, right, ...flags, '--exit-code', '-q']), 12);
  });

  it('finds the key in any case of letters, the exact one first', async () => {
    const changes = async (before: string, after: string, ...args: string[]): Promise<string> => {
      const ending = before.startsWith('{') ? 'ndjson' : 'csv';
      const [left, right] = [file(`key-1.${ending}`, before), file(`key-2.${ending}`, after)];
      const { stdout, stderr } = await here.run(['export', 'diff', left, right, '-o', 'csv', '--no-header', ...args]);
      assert.match(stderr, /^$|changed/);
      return stdout;
    };
    assert.equal(await changes('ID,A\n1,a\n', 'ID,A\n1,b\n'), 'changed,1,A,a,b,2\n');
    assert.equal(await changes('id,Id,A\n7,1,a\n', 'id,Id,A\n8,1,a\n'), 'changed,1,id,7,8,2\n');
    assert.equal(await changes('{"ID":"1","A":"a"}\n', '{"ID":"1","A":"b"}\n'), 'changed,1,A,"""a""","""b""",1\n');
    assert.equal(await changes('Code,A\n1,a\n', 'Code,A\n1,b\n', '--key', 'CODE'), 'changed,1,A,a,b,2\n');
  });

  it('refuses what it cannot compare, by name', async () => {
    const [csv, json] = [file('a.csv', 'Id\n1\n'), file('a.json', '[]')];
    const refused = async (args: readonly string[], says: RegExp): Promise<void> => {
      await ends(here.run(['export', 'diff', ...args]), 2, says, '');
    };
    await refused([csv, json], /csv and json write values differently/);
    await refused([csv, here.folder], /does not show its format[\s\S]*--input-format/);
    await refused([csv, file('b.csv', 'Id\n"1\n')], /b\.csv, line 2: the quotation mark/);
    await refused([csv, csv, '--key', 'Code'], /has no column Code; it has Id/);
    await refused([csv, csv, '--key', 'Idd'], /has no column Idd; it has Id\n.*--key Id/);
  });
});
