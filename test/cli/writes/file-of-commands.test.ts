import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textRow, workbookFile } from '../../support/inputs.js';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { valuesOf } from '../../support/thrown.js';

const activity = '00000000-0020-4000-8000-000000000001';
const subscription = '00000000-0020-4000-8000-000000000003';
const workflow = '00000000-0030-4000-8000-000000000001';
const user = '00000000-0000-4000-8000-000000000011';

describe('--file of commands that write', () => {
  const here = place();
  const file = (...lines: readonly string[]): string => {
    const path = here.fresh('rows.csv');
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
    return path;
  };
  const write = (command: string, path: string, ...more: readonly string[]): ReturnType<typeof here.run> =>
    here.run([...command.split(' '), '--file', path, '--yes', ...more]);
  /** The journal's inputs: what was sent. */
  const sent = (path: string): readonly Readonly<Record<string, unknown>>[] =>
    readFileSync(`${path}.results.csv.journal`, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const { sends } = JSON.parse(line.slice(line.indexOf('{')) || '{}') as {
          sends?: { input: Readonly<Record<string, unknown>> };
        };
        return sends === undefined ? [] : [sends.input];
      });
  const results = (path: string): readonly string[] =>
    readFileSync(`${path}.results.csv`, 'utf8').split('\r\n').slice(1, -1);
  /** Runs a file that has mistakes: each must be told, and nothing sent. */
  const refused = async (command: string, path: string, told: readonly RegExp[], more: readonly string[] = []) => {
    const before = here.digest();
    const run = await ends(write(command, path, ...more), 2);
    for (const each of told) assert.match(run.stderr, each);
    assert.equal(here.digest(), before);
  };

  describe('activity update', () => {
    const nil = 'start,end,in-agenda,reminder,queue';

    it('reads decimal commas of fields that hold decimals, as it does those of products', async () => {
      const values = async (text: string, ...flags: string[]): Promise<readonly string[]> => {
        const path = file(...text.split(' '));
        await ends(write('activity update', path, '--workflow', workflow, ...flags), 0);
        return sent(path).map((input) => (input['fieldValues'] as readonly { Value: string }[])[0]?.Value ?? '');
      };
      const search = 'activity search --entity-type 00000000-0040-4000-8000-000000000011 --columns Id -o tsv';
      const other =
        (await here.run(search.split(' '))).stdout
          .split('\n')
          .find((id) => /^[\da-f-]{36}$/.test(id) && id !== activity) ?? '';
      assert.deepEqual(await values(`id;Amount ${activity};1234,5 ${other};-0,25`, '--decimal', 'comma'), [
        '1234.5',
        '-0.25',
      ]);
      assert.deepEqual(await values(`id,Amount ${activity},"7,50"`, '--decimal', 'comma'), ['7.50']);
      assert.deepEqual(await values(`id;Amount ${activity};1.234 ${other};1.5`, '--decimal', 'point'), [
        '1.234',
        '1.5',
      ]);
      // What stands in a field of text is no decimal.
      assert.deepEqual(await values(`id;Subject ${activity};1,5`), ['1,5']);
      for (const [text, words] of [
        [`id;Amount ${activity};1.234`, /Amount: '1\.234' may be 1234 or 1\.234: --decimal point reads/],
        [`id;Amount ${activity};1,5 ${other};2.5`, /rows\.csv:2:Amount: '1,5' has a comma: --decimal comma/],
        [`id,Amount ${activity},"1,5"`, /rows\.csv:2:Amount: '1,5' has a comma: --decimal comma/],
      ] as const)
        await refused('activity update', file(...text.split(' ')), [words], ['--workflow', workflow]);
    });

    it('takes the date cells of a workbook for times, and its long numbers for no text', async () => {
      const codes = ['yyyy\\-mm\\-dd hh:mm'];
      const day = '<c s="1"><v>46053.395833333336</v></c>';
      const long = '<c><v>1234567890123450</v></c>';
      const sheet = (title: string, cell: string): string => {
        const path = here.fresh('rows.xlsx');
        const row = `<row r="2"><c t="str"><v>${activity}</v></c>${cell}</row>`;
        writeFileSync(path, workbookFile({ sheets: { A: textRow(1, 'id', title) + row }, codes }));
        return path;
      };
      const times = sheet('Deadline', day);
      await ends(write('activity update', times, '--workflow', workflow, '--set', 'timeZone=Europe/Amsterdam'), 0);
      assert.deepEqual(valuesOf(sent(times)[0]?.['fieldValues'] as readonly { Value: string }[], 'Value'), [
        '2026-01-31T09:30:00+01:00',
      ]);
      const start = sheet('start', day);
      const zone = ['--set', 'timeZone=UTC', '--nil', 'end,owner,in-agenda,reminder,queue'];
      assert.equal((await write('activity update', start, ...zone)).code, 0);
      assert.equal((sent(start)[0]?.['followUp'] as { Start: string }).Start, '2026-01-31T09:30:00+00:00');
      for (const [title, cell, words] of [
        ['Subject', day, /:2:Subject: is a date or a time, .* 46053\.395/],
        ['Subject', long, /:2:Subject: 1234567890123450 has more digits than the 15/],
        ['Amount', day, /:2:Amount: is a date or a time/],
        ['Deadline', long, /:2:Deadline: 1234567890123450 has more digits/],
      ] as const)
        await refused('activity update', sheet(title, cell), [words], ['--workflow', workflow]);
      const amount = sheet('Amount', long);
      assert.equal((await write('activity update', amount, '--workflow', workflow)).code, 0);
    });

    it('takes Ids alone: a name is a mistake of its row', async () => {
      const told = /rows\.csv:2:id: 'A-1' is not a GUID\n/;
      await refused('activity update', file('id,Subject', 'A-1,x'), [told], ['--workflow', workflow]);
    });

    it('sends an empty field for the text of --null-as', async () => {
      const path = file('id,Priority', `${activity},NULL`);
      await ends(write('activity update', path, '--workflow', workflow, '--null-as', 'NULL'), 0);
      assert.deepEqual(valuesOf(sent(path)[0]?.['fieldValues'] as readonly { Value: string }[], 'Value'), ['']);
    });

    it('takes a follow-up whole: the rest is named, in the row or by --nil', async () => {
      await refused('activity update', file('id,owner', `${activity},${user}`), [
        /rows\.csv:2(:\w+)?: .*start, end, in-agenda, reminder, queue have no value/,
      ]);
      const whole = {
        Start: null,
        End: null,
        InAgenda: null,
        ReminderPeriodInMinutes: null,
        OwnerUserId: user,
        PlacedInQueueId: null,
      };
      const named = file('id,owner,nil', `${activity},${user},"${nil}"`);
      assert.equal((await write('activity update', named)).code, 0);
      const by = file('id,owner', `${activity},${user}`);
      assert.equal((await write('activity update', by, '--nil', nil)).code, 0);
      for (const path of [named, by]) assert.deepEqual(sent(path)[0]?.['followUp'], whole);
    });

    it('refuses values that fields do not take, columns that are none, and two of one field', async () => {
      await refused(
        'activity update',
        file('id,Sujbect,Nope', `${activity},x,y`),
        [/'Sujbect'.*Subject/, /'Nope'/],
        ['--workflow', workflow],
      );
      const long = 'x'.repeat(5000);
      await refused(
        'activity update',
        file('id,Subject', `${activity},${long}`),
        [/rows\.csv:2:Subject: .*at most/],
        ['--workflow', workflow],
      );
      await refused('activity update', file('id,workflow', `${activity},x`), [/'workflow'/]);
      await refused(
        'activity update',
        file('id,Priority,Subject', `${activity},,x\u000by`),
        [/rows\.csv:2:Subject: .*U\+000B/],
        ['--workflow', workflow],
      );
    });
  });

  describe('activity add-line and subscription add-line', () => {
    it('take price, purchase price and VAT rate of the product unless the row says them', async () => {
      const path = file('id,product,quantity,amount', `${activity},00001,2,`, `${activity},00002,1.50,0.10`);
      await ends(write('activity add-line', path), 0, '');
      const rows = here.rows(
        'SELECT "Id", "SalesPrice", "PurchasePrice", "SalesVatId" FROM "PvProductData_V2" ORDER BY "Code" LIMIT 2',
      );
      const [first, second] = sent(path);
      assert.deepEqual([first?.['productId'], first?.['amount'], first?.['purchaseAmount'], first?.['vatId']], rows[0]);
      assert.deepEqual(
        [second?.['amount'], second?.['quantity'], second?.['purchaseAmount']],
        ['0.10', '1.50', rows[1]?.[2]],
      );
      assert.match(results(path)[0] ?? '', /^2,[^,]*,done,,,,[0-9a-f-]{36},/);
    });

    it('give flags for all rows, which cells may overrule', async () => {
      const path = file('id,product,quantity,period', `${subscription},00001,1,`, `${subscription},00001,1,24`);
      await ends(write('subscription add-line', path, '--period', '12'), 0);
      assert.deepEqual(valuesOf(sent(path), 'period'), [12, 24]);
    });

    it('tell of rows that add the same, and send them', async () => {
      const [one, other] = [`${activity},00001,3`, `${activity},00002,3`];
      const path = file('id,product,quantity', one, other, one, one);
      const note = `2 rows add repeat an earlier one (the first is line 4 of ${path}, as line 2): relctl adds each\n`;
      const dry = await write('activity add-line', path, '--dry-run');
      assert.ok(dry.stderr.includes(note), dry.stderr);
      await ends(write('activity add-line', path), 0, `Note: ${note}`);
      assert.deepEqual(
        sent(path).map(({ productId }) => productId === sent(path)[0]?.['productId']),
        [true, false, true, true],
      );
      // A row that is not sent has none that adds the same.
      const wrong = file('id,product,quantity,_outcome', `${one},done`, `${one},`);
      const skipped = await write('activity add-line', wrong, '--skip-invalid', '--dry-run');
      assert.deepEqual([skipped.code, skipped.stderr.includes('adds the same')], [0, false], skipped.stderr);
      const two = file('id,product,quantity', one, other, other);
      const told = await write('activity add-line', two);
      assert.match(told.stderr, /1 row adds repeat an earlier one \(line 4 of \S+, as line 3\): relctl adds each/);
      // Rows that were done are not told of again.
      await ends(write('activity add-line', two, '--resume'), 0, '');
    });

    it('go on with the latest batch of the same rows alone', async () => {
      const path = file('id,product,quantity', '00000000-0020-4000-8000-999999999999,00001,5', `${activity},00001,5`);
      const others = here.fresh('others.csv');
      assert.equal((await write('activity add-line', path, '--max-errors', '0')).code, 8);
      assert.equal((await write('activity add-line', path, '--restart', '--results', others)).code, 8);
      const before = here.digest();
      const older = await write('activity add-line', path, '--resume');
      assert.deepEqual([older.code, here.digest() === before], [2, true], older.stderr);
      assert.match(older.stderr, /: the batch of \S+ has its results in \S+others\.csv\n/);
      assert.match(older.stderr, new RegExp(`Try: .* --results ${others}\\n`));
      const latest = await write('activity add-line', path, '--resume', '--results', others);
      assert.deepEqual([latest.code, here.digest() === before], [8, true], latest.stderr);
    });

    it('tell that a file has no rows', async () => {
      const path = file('id,product,quantity');
      await ends(write('activity add-line', path), 0, `Note: ${path} has no rows; nothing was sent\n`);
    });

    it('tell each mistake of a row', async () => {
      const path = file(
        ...argv`id,product,quantity,vat ${activity},nope,1, ${activity},00001,, ${activity},00001,1,hoog`,
      );
      await refused('activity add-line', path, [
        /rows\.csv:2:product: there is no product 'nope'/,
        /rows\.csv:3: quantity is missing/,
        /rows\.csv:4:vat: 'hoog' is not a GUID/,
      ]);
    });
  });

  it('makes entries with words in languages by datastore create-item', async () => {
    const field = '00000000-0041-4000-8000-000000002101';
    const path = file(`${field},translation.nl-NL,translation.en-US`, 'Visserij,Visserij,', 'Bosbouw,,Forestry');
    const store = '00000000-0040-4000-8000-000000000021';
    await ends(write(`datastore create-item ${store}`, path, '--translation', 'en-US=Other'), 0, '');
    assert.deepEqual(valuesOf(sent(path), 'translations'), [
      [
        { CultureCode: 'nl-NL', Value: 'Visserij' },
        { CultureCode: 'en-US', Value: 'Other' },
      ],
      [{ CultureCode: 'en-US', Value: 'Forestry' }],
    ]);
    await refused(`datastore create-item ${store}`, file('translation.n', 'x'), [
      /translation\.n' does not name a language/,
    ]);
  });

  it('adds lines with fields to relationships', async () => {
    const path = file(
      'RelationshipId,00000000-0041-4000-8000-000000000401',
      '00000000-0011-4000-8000-000000000002,Rekenen',
    );
    const flags = ['--entity-type', '00000000-0040-4000-8000-000000000004'];
    await ends(
      write('relationship add-line', path, ...flags, '--datastore', '00000000-0040-4000-8000-000000000021'),
      0,
      '',
    );
    assert.match(results(path)[0] ?? '', /^2,[^,]*,done,,,,[0-9a-f-]{36},/);
  });

  describe('call', () => {
    it('writes parameters by their paths, and leaves out items of which a row says nothing', async () => {
      const field = '00000000-0041-4000-8000-000000001101';
      const path = file(
        'activityid,fieldValues[0].Id,fieldValues[0].Value,fieldValues[1].Id',
        `${activity},,,${field}`,
        `${activity.replace(/1$/, '2')},${field},"a,b",`,
      );
      await write('call ActivityUpdate', path);
      assert.deepEqual(sent(path), [
        { activityId: activity, fieldValues: [{ Id: field }] },
        { activityId: activity.replace(/1$/, '2'), fieldValues: [{ Id: field, Value: 'a,b' }] },
      ]);
    });

    it('refuses an empty cell in what is written as a whole, which would make the value empty', async () => {
      const field = '00000000-0041-4000-8000-000000001104';
      const head = 'activityId,fieldValues[0].Id,fieldValues[0].Value,followUp.OwnerUserId,followUp.Start';
      const user = '00000000-0000-4000-8000-000000000011';
      const path = file(head, `${activity},${field},,,`, `${activity},,,${user},`, `${activity},,1,${user},-`);
      await refused(
        'call ActivityUpdate',
        path,
        [
          /rows\.csv:2:fieldValues\[0\]\.Value: it is empty, and relctl writes fieldValues\[0\] as a whole: leave/,
          /rows\.csv:3:followUp\.Start: it is empty, and relctl writes followUp as a whole/,
          /rows\.csv:4:fieldValues\[0\]\.Id: it is empty, and relctl writes fieldValues\[0\] as a whole/,
        ],
        ['--null-as', '-'],
      );
      const given = file('activityId,fieldValues[0].Value', `${activity},`);
      const param = ['--param', `fieldValues=[{"Id":"${field}"}]`];
      await refused('call ActivityUpdate', given, [/rows\.csv:2:fieldValues\[0\]\.Value: it is empty/], param);
      const emptied = file('activityId,fieldValues[0].Id,fieldValues[0].Value', `${activity},${field},-`);
      await ends(write('call ActivityUpdate', emptied, '--null-as', '-'), 0);
      assert.deepEqual(sent(emptied)[0]?.['fieldValues'], [{ Id: field, Value: '' }]);
      const product = file('productData.Id,productData.Name,productData.Description', `${field},a,`);
      await refused('call ProductUpdate_V2', product, [
        /productData\.Description: it is empty, and relctl writes productData/,
      ]);
    });

    it('leaves out what an empty cell of a row that adds says', async () => {
      const path = file(
        'RelationshipId,entityTypeId,datastoreId,fieldValues[0].Id,fieldValues[0].Value',
        `${activity},${activity},${activity},${activity},`,
      );
      await ends(write('call RelationshipAddLine', path, '--dry-run'), 0);
    });

    it('checks all rows by the contract before one is sent', async () => {
      const head = 'activityId,quantity,productId,vatId,amount,purchaseAmount';
      const id = '00000000-0060-4000-8000-000000000001';
      const path = file(head, `${activity},1,,${id},1,1`, `x,1,${id},${id},1,1`, `${activity},1,${id},${id},1e3,1`);
      await refused('call ActivityAddProductLine', path, [
        /rows\.csv:2:productId: .*is missing/,
        /rows\.csv:3:activityId: .*takes a GUID/,
        /rows\.csv:4:amount: .*takes a decimal/,
      ]);
    });

    it('keeps no content of files in the journal and the ledger', async () => {
      const content = Buffer.from('the salary of each colleague').toString('base64');
      const other = Buffer.from('their letters').toString('base64');
      const path = file('activityId,fileName,base64EncodedFile', `${activity},a.txt,${content}`, `${activity},b.txt,`);
      await ends(write('call ActivityAddAttachment', path, '--param', `base64EncodedFile=${other}`), 0);
      assert.deepEqual(
        valuesOf(sent(path), 'base64EncodedFile'),
        [content, other].map(({ length }) => `[content of ${length} characters]`),
      );
      const ledgers = readdirSync(here.folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.ledger'),
      );
      assert.ok(ledgers.length > 0);
      for (const each of [`${path}.results.csv.journal`, ...ledgers.map((name) => join(here.folder, name))])
        for (const secret of [content, other]) assert.ok(!readFileSync(each, 'utf8').includes(secret), each);
      const stored = here.rows('SELECT "FileName" FROM "Attachment" WHERE "FileName" IN (?, ?)', 'a.txt', 'b.txt');
      assert.equal(stored.length, 2);
    });

    it('refuses operations that read or are not in the contract, and columns that are no parameters', async () => {
      const path = file('relationId', activity);
      await refused('call RelationGet', path, [/RelationGet reads/, /relctl relation get/]);
      await refused('call Foo', path, [/the types of Foo, which has no description/], ['--write']);
      await refused('call ActivityUpdate', path, [/has no 'relationId'/]);
      await refused('call ActivityUpdate', file('fieldValues,fieldValues[0].Id', '[],x'), [/one contains the other/]);
    });
  });
});
