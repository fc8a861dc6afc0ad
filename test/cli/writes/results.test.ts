import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { ends, type Run } from '../../support/relctl.js';
import { outcomesOf, resultsOf, place } from '../../support/operations/place.js';

const activity = '00000000-0020-4000-8000-000000000001';
const subscription = '00000000-0020-4000-8000-000000000003';

describe('What a batch leaves to be done', () => {
  const here = place();
  const file = (name: string, ...lines: readonly string[]): string => {
    const path = here.fresh(name);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
    return path;
  };
  const update = (path: string, ...more: readonly string[]): Promise<Run> =>
    here.run(['product', 'update', '--file', path, '--no-base', '--yes', ...more]);
  const tried = ({ stderr }: Run): string => /Try: (.*)/.exec(stderr)?.[1] ?? '';

  afterEach(() => here.calm());

  it('says what to try: settle what is unknown, then send what was not carried out', async () => {
    const path = file('prices.csv', 'Code,SalesPrice', '00001,71.01', '00002,71.02');
    await here.fault('reset=request;operation=ProductUpdate_V2;first=1');
    await here.fault('reset=before;operation=ProductUpdate_V2;after=1');
    const run = await update(path);
    assert.deepEqual([run.code, outcomesOf(path)], [9, ['unknown', 'unknown']]);
    assert.match(tried(run), / --file \S+prices\.csv .*--settle$/);
    await here.calm();
    const settled = await here.run([...tried(run).split(' ').slice(1)]);
    assert.deepEqual([settled.code, outcomesOf(path)], [8, ['failed', 'done']]);
    assert.match(tried(settled), / --resume$/);
    assert.doesNotMatch(tried(settled), /--settle/);
    const end = await here.run([...tried(settled).split(' ').slice(1), '--yes']);
    assert.deepEqual([end.code, outcomesOf(path)], [0, ['done', 'done']], end.stderr);
  });

  it('tries nothing that would be refused: rows that somebody has to mend', async () => {
    const path = file('prices.csv', 'Code,SalesPrice', '00001,72.01', '00002,x');
    const run = await update(path, '--skip-invalid');
    assert.deepEqual([run.code, tried(run)], [8, '']);
    assert.match(readFileSync(`${path}.results.csv`, 'utf8'), /\r\n3,[^,]*,not sent,,,"SalesPrice: sales-price takes/);
    assert.match(run.stderr, /Correct the remaining rows in a file of their own, and pass it with --file/);
  });

  it('adds no row again that results tell as done or unknown, unless its outcome is taken away', async () => {
    const path = file(
      'lines.csv',
      'id,product,quantity',
      ...['1', '2', '3'].map((each) => `${activity},00001,${each}`),
    );
    await here.fault('not-succeeded;operation=ActivityAddProductLine;first=1');
    await here.fault('reset=before;operation=ActivityAddProductLine;every=2');
    const words = ['activity', 'add-line', '--yes', '--file'];
    assert.equal((await here.run([...words, path])).code, 8);
    await here.calm();
    assert.deepEqual(outcomesOf(path), ['refused', 'unknown', 'done']);
    const back = `${path}.results.csv`;
    await ends(
      here.run([...words, back]),
      2,
      /results\.csv:3:_outcome: it may have been done; .*\n.*results\.csv:4:_outcome: it was done; /,
    );
    assert.equal((await here.run([...words, back, '--skip-invalid'])).code, 8);
    assert.deepEqual(outcomesOf(back), ['done', 'unknown', 'done']);
    // Results of results may be fed back as well.
    await ends(here.run([...words, `${back}.results.csv`]), 2, /3 of 3 rows have mistakes/);
    writeFileSync(back, readFileSync(back, 'utf8').replace(',unknown,', ',,'));
    assert.equal((await here.run([...words, back, '--skip-invalid', '--restart'])).code, 8);
    assert.deepEqual(outcomesOf(back), ['done', 'done', 'done']);
  });

  const titles = '_line,_key,_outcome,_number,_code,_message,_id,_at';
  const added = `${activity},done,,,,${subscription},2026-01-31T10:00:00.000Z,${activity},00001,1`;

  it('keeps what an earlier run told of a row that it added, such as the Id of what was made', async () => {
    const path = file('back.csv', `${titles},id,product,quantity`, `7,${added}`);
    await ends(here.run(['activity', 'add-line', '--file', path, '--skip-invalid', '--yes']), 8);
    const [{ _message: message = '', ...told } = {}, ...others] = resultsOf(path);
    assert.match(message, /^_outcome: it was done; a record that it added would be added again/);
    assert.deepEqual(
      [told, others],
      [
        {
          _line: '2',
          _key: activity,
          _outcome: 'done',
          _number: '',
          _code: '',
          _id: subscription,
          _at: '2026-01-31T10:00:00.000Z',
          id: activity,
          product: '00001',
          quantity: '1',
        },
        [],
      ],
    );
  });

  it('writes a column as given that --map gives another meaning', async () => {
    const path = file('lines.csv', '_id,_at,id,product,quantity', `As agreed,x,${activity},00001,0`);
    await here.fault('not-succeeded;operation=ActivityAddProductLine');
    await ends(here.run(['activity', 'add-line', '--file', path, '--map', '_id=description', '--yes']), 4);
    const [head = '', row = ''] = readFileSync(`${path}.results.csv`, 'utf8').split('\r\n');
    assert.equal(head, `${titles},_id,id,product,quantity`);
    assert.match(row, new RegExp(`Z,As agreed,${activity},00001,0$`));
  });

  const entries = '00000000-0040-4000-8000-000000000021';
  const relationship = '00000000-0011-4000-8000-000000000002';
  for (const [command, operation, head, row, words] of [
    [
      'activity add-line',
      'ActivityAddProductLine',
      'id,product,quantity',
      `${activity},00001,1`,
      `Check the product lines of activity ${activity} in the CRM`,
    ],
    [
      'subscription add-line',
      'SubscriptionAddProductLine',
      'id,product,quantity,period',
      `${subscription},00001,1,1`,
      `Check the product lines of subscription ${subscription} in the CRM`,
    ],
    [
      `relationship add-line --entity-type 00000000-0040-4000-8000-000000000004 --datastore ${entries}`,
      'RelationshipAddLine',
      'RelationshipId,00000000-0041-4000-8000-000000000401',
      `${relationship},Rekenen`,
      `Check the lines of relationship ${relationship} in the CRM`,
    ],
    [
      `datastore create-item ${entries}`,
      'DatastoreCreateItem_V3',
      '00000000-0041-4000-8000-000000002101,translation.en-US',
      'Bosbouw,Forestry',
      `Look by \`relctl datastore items ${entries}\``,
    ],
  ] as const)
    it(`names the record of an unknown row of ${operation}`, async () => {
      const path = file('rows.csv', head, row);
      await here.fault(`reset=before;operation=${operation}`);
      const run = await ends(here.run([...command.split(' '), '--file', path, '--yes']), 9);
      assert.deepEqual([outcomesOf(path), tried(run)], [['unknown'], '']);
      assert.match(run.stderr, /names the record of each unknown row.*--resume --retry-unknown/s);
      const [{ _message: message = '' } = {}] = resultsOf(path);
      assert.ok(message.includes(words), message);
      // Where the run was killed before its answer came, the journal alone is left.
      const journal = `${path}.results.csv.journal`;
      const lines = readFileSync(journal, 'utf8').split('\n');
      writeFileSync(
        journal,
        lines
          .slice(0, 2)
          .map((line) => `${line}\n`)
          .join(''),
      );
      await here.run([...command.split(' '), '--file', path, '--yes', '--resume']);
      const [{ _message: killed = '' } = {}] = resultsOf(path);
      assert.ok(killed.startsWith('relctl sent it, and saved no answer. ') && killed.includes(words), killed);
    });

  it('keeps the key of a row that cannot be planned any more', async () => {
    const path = file('prices.csv', 'Code,SalesPrice', '00003,73.03', '00004,73.04');
    await here.fault('reset=before;operation=ProductUpdate_V2;after=1');
    assert.equal((await update(path)).code, 9);
    await here.calm();
    const keys = resultsOf(path).map((row) => row['_key']);
    assert.ok(
      keys.every((key) => /^[-0-9a-f]{36}$/.test(key ?? '')),
      String(keys),
    );
    here.execute(`UPDATE "PvProductData_V2" SET "Code" = 'moved' WHERE "Code" = '00003'`);
    assert.equal((await update(path, '--settle')).code, 0);
    here.execute(`UPDATE "PvProductData_V2" SET "Code" = '00003' WHERE "Code" = 'moved'`);
    assert.deepEqual(
      resultsOf(path).map((row) => row['_key']),
      keys,
    );
    assert.deepEqual(outcomesOf(path), ['done', 'done']);
  });

  describe('from rows with null', () => {
    const described = (code: string): unknown =>
      here.rows('SELECT "Description" FROM "PvProductData_V2" WHERE "Code" = ?', code)[0]?.[0];
    const describe4 = (): void =>
      here.execute(
        `UPDATE "PvProductData_V2" SET "Description" = 'as it was' WHERE "Code" BETWEEN '00005' AND '00008'`,
      );
    const cells = (path: string): readonly (string | undefined)[] => resultsOf(path).map((row) => row['Description']);
    const rows = [
      '{"Code":"00005","Description":null,"SalesPrice":"x"}',
      '{"Code":"00006","SalesPrice":"x"}',
      '{"Code":"00007","Description":"NULL","SalesPrice":"x"}',
      '{"Code":"00008","Description":"","SalesPrice":"x"}',
    ];
    /** The same rows, mended in the results and fed back. */
    const fedBack = async (path: string, nullAs: string): Promise<void> => {
      const mended = here.fresh('mended.csv');
      writeFileSync(mended, readFileSync(`${path}.results.csv`, 'utf8').replaceAll(/,x\r/g, ',74.01\r'));
      await ends(update(mended, '--null-as', nullAs), 0);
    };

    it('has a text for it in the results that is no cell, says it, and means the same when it is fed back', async () => {
      describe4();
      const path = file('rows.ndjson', ...rows);
      const run = await update(path, '--skip-invalid');
      assert.match(run.stderr, /has _NULL where a row has null: to write its rows again, use --null-as _NULL/);
      assert.deepEqual(cells(path), ['_NULL', '', 'NULL', '']);
      await fedBack(path, '_NULL');
      assert.deepEqual(['00005', '00006', '00007', '00008'].map(described), [null, 'as it was', 'NULL', 'as it was']);
    });

    it('takes the text of --null-as', async () => {
      describe4();
      const path = file('rows.ndjson', ...rows);
      const run = await update(path, '--skip-invalid', '--null-as', 'NULL');
      assert.doesNotMatch(run.stderr, /to write its rows again/);
      assert.deepEqual(cells(path), ['NULL', '', 'NULL', '']);
      await fedBack(path, 'NULL');
      assert.deepEqual(['00005', '00006', '00007', '00008'].map(described), [null, 'as it was', null, 'as it was']);
    });
  });
});
