import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultService, type ResultService } from '../support/called.js';
import { ends, relctl, type Run } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { namespace } from '../support/soap-answers.js';

const apiKey = '7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34';
const idOf = (n: number): string => `6f9619ff-8b86-d011-b42d-${String(n).padStart(12, '0')}`;
const rowOf = (n: number, id = idOf(n), name = `Name ${n}`): string =>
  `<PvRelationData><Id>${id}</Id><EntityTypeId>${idOf(0)}</EntityTypeId><SortingName>A</SortingName><DisplayName>${name}</DisplayName><IsRoot>false</IsRoot><IsDummy>false</IsDummy><IsInactive>false</IsInactive></PvRelationData>`;
const rows = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, index) => rowOf(from + index)).join('');
const listOf = (content: string): string => `<Relations>${content}</Relations>`;
const nil = '<Relations xsi:nil="true"/>';

/** What stands within RelationGetAllResult, for the page and the size that were asked for. */
type Content = (page: number, size: number) => string;

/** A list of so many relations. */
const whole =
  (count: number): Content =>
  (page, size) =>
    listOf(rows(Math.max(0, Math.min(size, count - (page - 1) * size)), (page - 1) * size + 1));

describe('A list whose pages are not all lists', () => {
  let content: Content = whole(50);
  let service: ResultService;
  let env: NodeJS.ProcessEnv;
  const file = (name: string): string => join(service.place.folder, name);
  const run = (...args: readonly string[]): Promise<Run> => relctl(args, { env });
  const list = (name: string, ...more: readonly string[]): Promise<Run> =>
    run(...argv`relation list --page-size 10 --set retries=0 --columns Id --output-file ${file(name)} ${more}`);
  const idsIn = (name: string): readonly string[] => readFileSync(file(name), 'utf8').trim().split('\n').slice(1);

  before(async () => {
    service = await resultService(({ operation, page, size }) =>
      operation === 'RelationGetAll' && page < 1 ? listOf('') : content(page, size),
    );
    ({ env } = service);
    await ends(run('profile', 'use', 'there'), 0);
  });
  after(() => service.close());
  beforeEach(() => {
    content = whole(50);
  });

  for (const [what, third] of [
    ['absent', ''],
    ['text', listOf('The database is away')],
    ['nil records', listOf('<PvRelationData xsi:nil="true"/>')],
    ['an error', '<Error>away</Error>'],
    ['empty beside text', `${listOf('')}away`],
    ['empty before more rows', listOf('')],
    ['nil before more rows', nil],
  ] as const) {
    it(`on page 3: ${what} is exit 8; the file of last night stays, and --resume goes on when the service does`, async () => {
      const name = `${what.replaceAll(' ', '-')}.csv`;
      assert.equal((await list(name)).code, 0);
      const before = readFileSync(file(name));
      content = (page, size) => (page === 3 ? third : whole(500)(page, size));
      await ends(
        list(name),
        8,
        /^ {2}Try: (relctl profile test there --calibrate && )?relctl relation list .* --resume$/m,
      );
      assert.deepEqual(readFileSync(file(name)), before);
      content = whole(500);
      await ends(list(name, '--resume', '--concurrency', '16'), 0, '');
      assert.deepEqual([idsIn(name).length, new Set(idsIn(name)).size], [500, 500]);
    });
  }

  it('on page 1 is exit 7, also with --changes-since, whose snapshot stays', async () => {
    assert.equal((await run('relation', 'list', '--changes-since', 'night', '-o', 'csv')).code, 0);
    content = () => '';
    for (const args of [
      ['relation', 'list', '-o', 'csv'],
      ['relation', 'list', '--page', '1'],
      ['relation', 'list', '--changes-since', 'night', '-o', 'csv'],
    ]) {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual([code, stdout.split('\n').filter((line) => line.includes('gone'))], [7, []], stderr);
      assert.match(stderr, /the answer has no <Relations>: that is not a list/);
      assert.match(stderr, /Try: relctl profile test there --calibrate$/m);
    }
    content = whole(50);
    assert.equal((await run('relation', 'list', '--changes-since', 'night', '-o', 'ndjson')).stdout, '');
  });

  it('may leave the list out at its end once calibration has seen that, or the profile says so', async () => {
    content = (page, size) => (page > Math.ceil(50 / size) ? '' : whole(50)(page, size));
    const failed = await list('absent-end.csv');
    assert.equal(failed.code, 8);
    assert.match(failed.stderr, /Try: relctl profile test there --calibrate && relctl relation list .* --resume$/m);
    const found = await ends(run('profile', 'test', 'there', '--calibrate', '-o', 'json'), 0);
    const { ListEnd, Evidence } = JSON.parse(found.stdout) as { ListEnd: string; Evidence: readonly string[] };
    assert.equal(ListEnd, 'absent');
    assert.ok(
      Evidence.some((line) => line === 'page 2, after the last row: the answer has no <Relations>'),
      Evidence.join('; '),
    );
    const shown = await run('profile', 'show', 'there', '--origin', '-o', 'json');
    assert.match(shown.stdout, /"listEnd",\s*"Value": "absent"/);
    assert.match((await run('profile', 'test', '-o', 'json')).stdout, /listEnd absent; calibrated \d{4}/);
    const resumed = await list('absent-end.csv', '--resume');
    assert.deepEqual([resumed.code, resumed.stderr, idsIn('absent-end.csv').length], [0, '', 50]);
    assert.equal((await run('profile', 'edit', 'there', '--set', 'listEnd=empty')).code, 0);
    assert.equal((await list('other.csv')).code, 8);
    assert.equal((await run('profile', 'edit', 'there', '--set', 'listEnd=absent')).code, 0);
    assert.equal((await list('other.csv', '--resume')).code, 0);
    assert.equal((await run('profile', 'edit', 'there', '--unset', 'listEnd', '--unset', 'firstPage')).code, 0);
  });

  it('may leave the list out at its end where a variable says so, which is what a profile made of variables is told', async () => {
    content = (page, size) => (page > Math.ceil(50 / size) ? '' : whole(50)(page, size));
    const shown = await run('profile', 'show', 'there', '-o', 'json');
    const { baseUrl } = JSON.parse(shown.stdout) as { baseUrl: string };
    const variables = { RELCTL_BASE_URL: baseUrl, RELCTL_NAMESPACE: namespace, RELCTL_API_KEY: apiKey };
    const args = argv`relation list --columns Id --page-size 10 --output-file ${file('of-variables.csv')}`;
    const failed = await relctl(args, { env: { ...env, ...variables } });
    assert.equal(failed.code, 8, failed.stderr);
    assert.match(failed.stderr, /Try: export RELCTL_LIST_END=absent && relctl relation list .* --resume$/m);
    const told = { ...env, ...variables, RELCTL_LIST_END: 'absent' };
    const resumed = await relctl([...args, '--resume'], { env: told });
    assert.deepEqual([resumed.code, resumed.stderr, idsIn('of-variables.csv').length], [0, '', 50]);
    // Rows on page 2 alone: no setting makes page 2 the first.
    content = (page, size) => (page === 1 ? listOf('') : whole(50)(page - 1, size));
    const late = await relctl(['relation', 'list', '--page-size', '10'], { env: told });
    assert.match(late.stderr, /The output so far is not the whole list\.\n {2}Try: relctl relation list/);
    content = whole(50);
    const early = await relctl(['relation', 'list'], { env: { ...told, RELCTL_FIRST_PAGE: '0' } });
    assert.match(early.stderr, /Try: export RELCTL_FIRST_PAGE=1$/m);
  });

  for (const rule of ['its own size', 'the size asked for'] as const) {
    it(`of a service that caps its pages and counts by ${rule} is whole, also resumed, --consistent and with --concurrency`, async () => {
      const capped: Content = (page, size) => {
        const most = Math.min(size, 40);
        const start = (page - 1) * (rule === 'its own size' ? most : size);
        return listOf(rows(Math.max(0, Math.min(most, 500 - start)), start + 1));
      };
      const asHundred = ['--page-size', '100'];
      for (const flags of [[], ['--consistent'], ['--concurrency', '16'], ['--concurrency', '1']]) {
        content = capped;
        await ends(
          run('relation', 'list', ...asHundred, '--columns', 'Id', '--output-file', file('capped.csv'), ...flags),
          0,
          '',
        );
        assert.deepEqual([idsIn('capped.csv').length, new Set(idsIn('capped.csv')).size], [500, 500]);
      }
      for (const stop of [2, 5]) {
        content = (page, size) => (page === stop ? '' : capped(page, size));
        const args = ['relation', 'list', ...asHundred, '--columns', 'Id', '--output-file', file(`cut-${stop}.csv`)];
        assert.equal((await run(...args, '--force')).code, 8);
        content = capped;
        await ends(run(...args, '--force', '--resume'), 0, '');
        assert.deepEqual([idsIn(`cut-${stop}.csv`).length, new Set(idsIn(`cut-${stop}.csv`)).size], [500, 500]);
      }
    });
  }

  it('keeps rows of one Id that hold other things, and rows whose Id is none', async () => {
    const zero = '00000000-0000-0000-0000-000000000000';
    content = (page) =>
      listOf(
        page > 1
          ? ''
          : [rowOf(1), rowOf(1, idOf(1), 'Other'), ...[1, 2, 3].map((n) => rowOf(n, zero, 'Same'))].join(''),
      );
    const { stdout, stderr } = await run('relation', 'list', '-o', 'ndjson');
    assert.deepEqual([stdout.trim().split('\n').length, stderr], [5, '']);
    content = (page) => listOf(page > 2 ? '' : page === 1 ? rows(10) : [rowOf(1), rowOf(2, idOf(2), 'Other')].join(''));
    const moved = await run('relation', 'list', '-o', 'ndjson', '--page-size', '10');
    assert.equal(moved.stdout.trim().split('\n').length, 11);
    assert.match(moved.stderr, /1 relations came twice with different content; relctl wrote both/);
    assert.match(moved.stderr, /1 relations moved while relctl read the list/);
  });

  it('says nothing of listeners, however many pages are under way', async () => {
    content = whole(400);
    await ends(list('many.csv', '--concurrency', '16'), 0, '');
    const ids = file('ids.txt');
    writeFileSync(ids, Array.from({ length: 40 }, (_, index) => `${idOf(index + 1)}\n`).join(''));
    content = () => `<Relation>${rowOf(1).replace(/<\/?PvRelationData>/g, '')}</Relation>`;
    await ends(run('relation', 'get', '--ids', ids, '--concurrency', '16', '--columns', 'Id', '-o', 'csv'), 0, '');
  });

  describe('whose number of rows is not to be', () => {
    it('is exit 8 by --expect, and no file is replaced; stdout gets all of it', async () => {
      assert.equal((await list('expected.csv', '--expect', '50')).code, 0);
      const before = readFileSync(file('expected.csv'));
      content = whole(49);
      for (const [expect, code, words] of [
        ['50', 8, 'the list has 49 rows, and --expect says 50'],
        ['>=50', 8, 'the list has 49 rows, and --expect says at least 50'],
      ] as const) {
        const failed = await list('expected.csv', '--restart', '--expect', expect);
        assert.deepEqual([failed.code, failed.stderr.includes(words)], [code, true], failed.stderr);
        assert.deepEqual(readFileSync(file('expected.csv')), before);
      }
      assert.equal((await list('expected.csv', '--restart', '--expect', '>=49')).code, 0);
      assert.equal(idsIn('expected.csv').length, 49);
      const printed = await run('relation', 'list', '-o', 'csv', '--expect', '3');
      assert.deepEqual([printed.code, printed.stdout.trim().split('\n').length], [8, 50]);
      assert.equal((await run('relation', 'list', '--expect', 'many')).code, 2);
    });

    it('replaces no file that it is much smaller than, keeps what was read, and names the flag that allows it', async () => {
      content = whole(120);
      assert.equal((await list('shrunk.csv', '--meta')).code, 0);
      const before = readFileSync(file('shrunk.csv'));
      content = whole(50);
      const failed = await list('shrunk.csv', '--max-shrink', '10');
      assert.equal(failed.code, 8);
      assert.match(failed.stderr, /the list has 50 rows, and .*shrunk\.csv, written by relctl, had 120: 59 % fewer/);
      assert.match(failed.stderr, /Try: relctl relation list .*shrunk\.csv --resume --max-shrink 59$/m);
      assert.deepEqual(readFileSync(file('shrunk.csv')), before);
      assert.ok(existsSync(`${file('shrunk.csv')}.part`));
      assert.equal((await list('shrunk.csv', '--resume')).code, 8);
      assert.equal((await list('shrunk.csv', '--resume', '--max-shrink', '59')).code, 0);
      assert.equal(idsIn('shrunk.csv').length, 50);
      // Below a hundred rows any number will do, where no bound was given.
      content = whole(1);
      assert.equal((await list('shrunk.csv')).code, 0);
    });

    it('is a part of the list, or another list, where no such bound holds', async () => {
      for (const flags of [['--limit', '5'], ['--page', '1'], ['--include-counters']]) {
        content = whole(120);
        assert.equal((await list(`part${flags.join('')}.csv`)).code, 0);
        content = whole(5);
        await ends(list(`part${flags.join('')}.csv`, ...flags), 0);
      }
    });

    it('is looked at in a workbook, in a Parquet file and in a list that fields give columns to as well', async () => {
      for (const [name, ...flags] of [['book.xlsx'], ['list.parquet'], ['fields.csv', '--include-fields']] as const) {
        const args = ['relation', 'list', '--page-size', '10', '--output-file', file(name), ...flags];
        content = whole(120);
        assert.equal((await run(...args)).code, 0);
        const before = readFileSync(file(name));
        content = whole(20);
        await ends(run(...args), 8, /--max-shrink 84$/m);
        assert.deepEqual(readFileSync(file(name)), before);
      }
    });
  });
});
