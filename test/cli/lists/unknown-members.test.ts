import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ends, relctl } from '../../support/relctl.js';
import { resultService, type Asked, type ResultService } from '../../support/called.js';

const id = (number: number): string => `6f9619ff-8b86-d011-b42d-00000000000${number}`;

const relation = (number: number, name = 'PvRelationData'): string =>
  `<${name}><Id>${id(number)}</Id><EntityTypeId>${id(0)}</EntityTypeId><DisplayName>R${number}</DisplayName>` +
  `<IsRoot>false</IsRoot><IsDummy>false</IsDummy><IsInactive>false</IsInactive>` +
  `<FieldValues><Items><PvFieldValueData><Id>${id(9)}</Id><Value>v${number}</Value></PvFieldValueData></Items><Hidden>h</Hidden></FieldValues>` +
  `<ExtraField>x${number}</ExtraField></${name}>`;

const note =
  'Note: not in the output, because they are not in the contract: FieldValues.Hidden, ExtraField; ' +
  '-o json prints them, and `relctl operations import` adds columns for them\n';

/** Three pages of two relations each. */
function pages({ operation, page }: Asked): string {
  if (operation === 'RelationGet') return relation(1, 'Relation');
  if (operation !== 'RelationGetAll' || page < 1 || page > 3) return '<Relations/>';
  return `<Relations>${relation(page * 2 - 1)}${relation(page * 2)}</Relations>`;
}

describe('What the service sends beyond the contract', function () {
  let service: ResultService;
  let file: string;
  /** The page that is answered with HTTP 500. */
  let broken = 0;
  const list = ['relation', 'list'];

  beforeEach(async () => {
    broken = 0;
    service = await resultService((asked) => (broken > 0 && asked.page === broken ? undefined : pages(asked)));
    file = join(service.place.folder, 'list.csv');
  });
  afterEach(() => service.close());

  it('is in JSON, NDJSON, YAML and cards as it came, without a note', async () => {
    for (const format of ['json', 'ndjson', 'yaml', 'card']) {
      const { stdout, stderr } = await service.run([...list, '-o', format]);
      assert.match(stdout, /ExtraField\W+x6/, format);
      assert.match(stdout, /Hidden/, format);
      assert.equal(stderr, '', format);
    }
  });

  it('is told once, with its names, where a table, CSV, TSV, a workbook or a Parquet file does not hold it', async () => {
    for (const format of ['table', 'csv', 'tsv', 'xlsx', 'parquet']) {
      const { stdout, stderr } = await ends(service.run([...list, '-o', format]), 0);
      assert.doesNotMatch(stdout, /ExtraField/, format);
      assert.equal(stderr, note, format);
    }
    const chosen = await service.run([...list, '-o', 'json', '--columns', 'Id']);
    assert.equal(chosen.stderr, `${JSON.stringify({ notes: [note.slice('Note: '.length, -1)] })}\n`);
  });

  it('has no column that the contract and the WSDL of the profile do not know, and no header depends on it', async () => {
    for (const column of ['ExtraField', 'FieldValues.Hidden', '_more']) {
      const { code, stderr } = await service.run([...list, '-o', 'csv', '--columns', `Id,${column}`]);
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`there is no column '${column}'`));
    }
    assert.equal((await service.run(['profile', 'test', '--calibrate'])).code, 0);
    const header = (await service.run([...list, '-o', 'csv'])).stdout.split('\n')[0];
    assert.doesNotMatch(header ?? '', /ExtraField|_more/);
  });

  it('is told of files too: of those that are resumed, read again or staged', async () => {
    broken = 3;
    const args = [...list, '--output-file', file];
    assert.equal((await service.run([...args, '--concurrency', '1'])).code, 8);
    broken = 0;
    assert.equal((await service.run([...args, '--resume'])).stderr, note);
    assert.equal((await service.run([...args, '--consistent'])).stderr, note);
    assert.ok((await service.run([...args, '--include-fields'])).stderr.includes(note));
    assert.equal(readFileSync(file, 'utf8').split('\n').length, 8);
  });

  it('is told by jobs of a file', async () => {
    const jobs = join(service.place.folder, 'jobs.yaml');
    writeFileSync(
      jobs,
      'version: 1\njobs:\n  plain:\n    command: relation list\n    profile: there\n    output-file: plain.csv\n',
    );
    const { stderr } = await ends(relctl(['export', 'run', jobs], { env: service.env }), 0);
    assert.equal(stderr.match(/FieldValues\.Hidden, ExtraField/g)?.length, 1, stderr);
  });

  it('is told of one record as well, whose field values have columns as in lists', async () => {
    const { stdout, stderr } = await service.run(['relation', 'get', id(1), '--include-fields', '-o', 'csv']);
    const [header, row] = stdout.split('\n');
    assert.equal(
      header,
      `Id,EntityTypeId,Info,SortingName,DisplayName,IsRoot,IsDummy,ImportKey,IsInactive,Field.${id(9)},FieldValues.Items,CounterValues,Counters`,
    );
    assert.equal(row, `${id(1)},${id(0)},,,R1,false,false,,false,v1,,,`);
    assert.equal(stderr, note);
  });

  it('is told by --ids as well', async () => {
    const { stderr } = await service.run(['relation', 'get', '--ids', '-', '-o', 'csv'], { input: id(1) });
    assert.equal(stderr, note);
  });
});

describe('What stands beside a list', () => {
  it('is told to everybody: no output holds it', async () => {
    const service = await resultService(
      (asked) => `${pages(asked).replaceAll(/<ExtraField>.*?<\/ExtraField>/g, '')}<Total>6</Total>`,
    );
    const { code, stderr } = await service.run([...['relation', 'list', '-o', 'json']]);
    await service.close();
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Total is not in the contract and not in the output \(\d times\)/);
  });
});

describe('What the document does not show', function () {
  const succeeded = '<Result><Succeeded>true</Succeeded><Number>0</Number></Result>';
  const notification = `<PvNotificationData><Id>${id(1)}</Id><ActivityLocation>Todo</ActivityLocation></PvNotificationData>`;

  it('is found: notifications under any name, and without one', async () => {
    for (const content of [`<NotificationItems>${notification}</NotificationItems>`, notification]) {
      const service = await resultService(() => succeeded + content);
      const { stdout, stderr } = await service.run(['notification', 'list', '-o', 'json']);
      await service.close();
      assert.deepEqual(JSON.parse(stdout), [{ Id: id(1), ActivityLocation: 'Todo' }]);
      assert.equal(stderr, '');
    }
  });

  it('is kept: telephone book entries in every shape, one row each, and CSV tells what it does not show', async () => {
    const entry = (relations: string, numbers: string): string =>
      `<TelephoneBookEntry><relation>${relations}</relation><TelephoneNumbers>${numbers}</TelephoneNumbers></TelephoneBookEntry>`;
    const entries = [
      entry('Jan', '<string>0101</string>'),
      entry(id(1), '0102'),
      entry(id(1), '0103'),
      entry(`<Id>${id(2)}</Id>`, '<Nr>0104</Nr>'),
    ];
    const service = await resultService(
      ({ page }) => `<TelephoneBookEntries>${page === 1 ? entries.join('') : ''}</TelephoneBookEntries>`,
    );
    const json = await service.run(['relation', 'phone-book', '-o', 'json']);
    const csv = await service.run(['relation', 'phone-book', '-o', 'csv', '--explode', 'none']);
    await service.close();
    assert.deepEqual(JSON.parse(json.stdout), [
      { relation: 'Jan', TelephoneNumbers: ['0101'] },
      { relation: id(1), TelephoneNumbers: ['0102'] },
      { relation: id(1), TelephoneNumbers: ['0103'] },
      { relation: { Id: id(2) }, TelephoneNumbers: ['0104'] },
    ]);
    const rows = csv.stdout.trimEnd().split('\n');
    assert.match(rows[0] ?? '', /,TelephoneNumbers$/);
    assert.deepEqual(
      rows.slice(1).map((row) => row.slice(row.indexOf(',"[') + 1)),
      ['"[""0101""]"', '"[""0102""]"', '"[""0103""]"', '"[""0104""]"'],
    );
    assert.match(csv.stderr, /relation has a value that does not match its type; relctl reads it as text: 'Jan'/);
    assert.match(csv.stderr, /not in the output, because they are not in the contract: relation; -o json prints them/);
  });
});
