import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { relctl } from '../support/relctl.js';
import { resultService, type Asked, type ResultService } from '../support/result-service.js';

const id = (number: number): string => `6f9619ff-8b86-d011-b42d-00000000000${number}`;

const relation = (number: number, name = 'PvRelationData'): string =>
  `<${name}><Id>${id(number)}</Id><EntityTypeId>${id(0)}</EntityTypeId><DisplayName>R${number}</DisplayName>` +
  `<IsRoot>false</IsRoot><IsDummy>false</IsDummy><IsInactive>false</IsInactive>` +
  `<FieldValues><Items><PvFieldValueData><Id>${id(9)}</Id><Value>v${number}</Value></PvFieldValueData></Items><Hidden>h</Hidden></FieldValues>` +
  `<ExtraField>x${number}</ExtraField></${name}>`;

const note = (times: string): string =>
  `Note: not in the output, because the contract does not know them: FieldValues.Hidden (${times}), ExtraField (${times}). --columns `;

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
  const read = (): string => readFileSync(file, 'utf8');
  const meta = (): unknown =>
    (JSON.parse(readFileSync(`${file}.meta.json`, 'utf8')) as { readonly beyondContract: unknown }).beyondContract;
  const list = ['relation', 'list'];
  const all = { 'FieldValues.Hidden': 6, ExtraField: 6 };

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

  it('is told once, with names and counts, where a table, CSV, TSV, a workbook or a Parquet file does not hold it', async () => {
    for (const format of ['table', 'csv', 'tsv', 'xlsx', 'parquet']) {
      const { code, stdout, stderr } = await service.run([...list, '-o', format]);
      assert.equal(code, 0, stderr);
      assert.doesNotMatch(stdout, /ExtraField/, format);
      assert.equal(stderr.split('\n').length, 2, stderr);
      assert.ok(stderr.startsWith(note('6 times')) && stderr.endsWith(',_more shows them\n'), stderr);
    }
    const chosen = await service.run([...list, '-o', 'json', '--columns', 'Id']);
    assert.equal(
      chosen.stderr,
      `${JSON.stringify({ notes: [`${note('6 times').slice('Note: '.length)}Id,_more shows them`] })}\n`,
    );
  });

  it('is in the column _more where that is asked for, nested as it came, and then is no news', async () => {
    const { stdout, stderr } = await service.run([...list, '-o', 'csv', '--columns', 'DisplayName,_more']);
    assert.equal(stderr, '');
    assert.deepEqual(stdout.split('\n').slice(0, 2), [
      'DisplayName,_more',
      'R1,"{""FieldValues"":{""Hidden"":""h""},""ExtraField"":""x1""}"',
    ]);
    const json = await service.run([...list, '-o', 'json', '--limit', '1', '--columns', 'Id,_more']);
    assert.deepEqual(JSON.parse(json.stdout), [
      { Id: id(1), _more: { FieldValues: { Hidden: 'h' }, ExtraField: 'x1' } },
    ]);
  });

  it('has columns by its names once calibration has seen it, per record type', async () => {
    const named = [...list, '-o', 'csv', '--columns', 'Id,ExtraField,FieldValues.Hidden'];
    const before = await service.run(named);
    assert.equal(before.code, 2);
    assert.match(before.stderr, /is in _more, and has a column by its name once `relctl profile test --calibrate` has/);
    const calibrated = await service.run(['profile', 'test', '--calibrate', '-o', 'json']);
    assert.equal(calibrated.code, 0, calibrated.stderr);
    assert.deepEqual((JSON.parse(calibrated.stdout) as { MembersBeyondContract: unknown }).MembersBeyondContract, [
      'PvRelationData.ExtraField',
      'PvRelationData.FieldValues.Hidden',
    ]);
    const { stdout, stderr } = await service.run([...named, '--limit', '1']);
    assert.equal(stdout, `Id,ExtraField,FieldValues.Hidden\n${id(1)},x1,h\n`);
    assert.equal(stderr, 'Note: stopped at --limit: more relations exist\n');
    assert.equal((await service.run(['relationship', 'list', '--columns', 'ExtraField'])).code, 2);
    const header = (await service.run([...list, '-o', 'csv'])).stdout.split('\n')[0];
    assert.doesNotMatch(header ?? '', /ExtraField|_more/);
  });

  it('is counted in --meta over all pages, also those of a run before --resume, and once with --consistent', async () => {
    broken = 3;
    const args = [...list, '--output-file', file, '--meta'];
    assert.equal((await service.run([...args, '--concurrency', '1'])).code, 8);
    broken = 0;
    const resumed = await service.run([...args, '--resume']);
    assert.equal(resumed.stderr, `${note('6 times')}Id,_more shows them\n`);
    assert.deepEqual(meta(), all);
    await service.run([...args, '--consistent', '--columns', '_more']);
    assert.deepEqual(meta(), all);
    assert.equal(read().split('\n').length, 8);
    const spooled = await service.run([...args, '--include-fields']);
    assert.match(spooled.stderr, /Hidden \(6 times\), ExtraField \(6 times\)/);
    assert.deepEqual(meta(), all);
  });

  it('is told by jobs of a file, and has the column that they ask for', async () => {
    const jobs = join(service.place.folder, 'jobs.yaml');
    const job = (name: string, more = ''): string =>
      `  ${name}:\n    command: relation list\n    profile: there\n    output-file: ${name}.csv\n${more}`;
    writeFileSync(jobs, `version: 1\njobs:\n${job('plain')}${job('more', '    columns: [Id, _more]\n')}`);
    const { code, stderr } = await relctl(['export', 'run', jobs], { env: service.env });
    assert.equal(code, 0, stderr);
    assert.equal(stderr.match(/ExtraField \(6 times\)/g)?.length, 1, stderr);
    assert.match(readFileSync(join(service.place.folder, 'more.csv'), 'utf8'), /^Id,_more\n[^\n]*ExtraField/);
  });

  it('is told of one record as well, whose field values have columns as in lists', async () => {
    const get = ['relation', 'get', id(1), '--include-fields', '-o', 'csv'];
    const { stdout, stderr } = await service.run(get);
    const [header, row] = stdout.split('\n');
    assert.equal(
      header,
      `Id,EntityTypeId,Info,SortingName,DisplayName,IsRoot,IsDummy,ImportKey,IsInactive,Field.${id(9)},FieldValues.Items,CounterValues,Counters`,
    );
    assert.equal(row, `${id(1)},${id(0)},,,R1,false,false,,false,v1,,,`);
    assert.ok(stderr.startsWith(note('once')), stderr);
    const more = await service.run([...get, '--columns', `Field.${id(9)},_more`]);
    assert.equal(
      more.stdout,
      `Field.${id(9)},_more\nv1,"{""FieldValues"":{""Hidden"":""h""},""ExtraField"":""x1""}"\n`,
    );
  });

  it('is told by --ids as well', async () => {
    const ids = await service.run(['relation', 'get', '--ids', '-', '-o', 'csv', '--columns', 'Id,_more'], {
      input: id(1),
    });
    assert.equal(ids.stdout, `Id,_more\n${id(1)},"{""FieldValues"":{""Hidden"":""h""},""ExtraField"":""x1""}"\n`);
    const plain = await service.run(['relation', 'get', '--ids', '-', '-o', 'csv'], { input: id(1) });
    assert.ok(plain.stderr.startsWith(note('once')), plain.stderr);
    assert.ok(!existsSync(file));
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

  it('is kept: telephone book entries in every shape, one row each, visible in JSON and CSV', async () => {
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
    const exploded = await service.run(['relation', 'phone-book', '-o', 'csv', '--columns', 'relation.Id,_more']);
    await service.close();
    // What is no telephone number has no columns, but is not lost.
    assert.deepEqual(exploded.stdout.trimEnd().split('\n'), [
      'relation.Id,_more',
      ',"{""relation"":""Jan"",""TelephoneNumbers"":""0101""}"',
      `,"{""relation"":""${id(1)}"",""TelephoneNumbers"":""0102""}"`,
      `,"{""relation"":""${id(1)}"",""TelephoneNumbers"":""0103""}"`,
      `${id(2)},"{""TelephoneNumbers"":""0104""}"`,
    ]);
    assert.deepEqual(JSON.parse(json.stdout), [
      { relation: 'Jan', TelephoneNumbers: ['0101'] },
      { relation: id(1), TelephoneNumbers: ['0102'] },
      { relation: id(1), TelephoneNumbers: ['0103'] },
      { relation: { Id: id(2) }, TelephoneNumbers: ['0104'] },
    ]);
    const rows = csv.stdout.trimEnd().split('\n');
    assert.deepEqual(
      rows.map((row) => row.slice(row.indexOf(',"[') + 1)),
      [
        rows[0],
        '"[""0101""]","{""relation"":""Jan""}"',
        `"[""0102""]","{""relation"":""${id(1)}""}"`,
        `"[""0103""]","{""relation"":""${id(1)}""}"`,
        '"[""0104""]",',
      ],
    );
    assert.match(rows[0] ?? '', /,TelephoneNumbers,_more$/);
    assert.match(csv.stderr, /relation holds a value that does not fit its type; it was kept as text: 'Jan'/);
  });
});
