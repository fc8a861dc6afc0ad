import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { known } from '../../../src/sandbox/dataset/known.js';
import { lineService, type Fate, type LineService } from './line-service.js';
import { outcomesOf, place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

const namespace = 'http://relctl.example/sandbox';
describe('Product lines that an imported operation reads', () => {
  const here = place();
  let service: LineService;
  let activities: readonly string[] = [];
  const activity = (number: number): string => activities[number] ?? assert.fail();
  const env = (): NodeJS.ProcessEnv => ({
    RELCTL_BASE_URL: service.url,
    RELCTL_TIMEOUT: '1s',
    RELCTL_SETTLE_BY: 'ActivityAddProductLine=LinesGet(activityId).Lines',
  });
  const run = (...args: readonly string[]): ReturnType<typeof here.run> => here.run(args, { env: env() });
  const linesOf = (id: string): readonly (readonly [string, string])[] =>
    here
      .rows('SELECT "ProductId", "Quantity" FROM "ProductLineData" WHERE "ActivityId" = ? ORDER BY rowid', id)
      .map(([product, quantity]) => [String(product), String(quantity)]);

  before(async () => {
    activities = here.rows('SELECT "Id" FROM "PvActivityData" ORDER BY rowid LIMIT 12').map(([id]) => String(id));
    service = await lineService({ other: here.url(), namespace }, linesOf);
    await ends(run('operations', 'import', '--reads', 'LinesGet'), 0);
  });
  after(() => service.close());

  /** Rows of activity and quantity, each with what becomes of it. */
  const fileOf = (rows: readonly (readonly [number, string, Fate])[]): string => {
    const file = here.fresh('lines.csv');
    writeFileSync(
      file,
      `id,product,quantity\n${rows.map(([id, count]) => `${activity(id)},00001,${count}\n`).join('')}`,
    );
    service.fates.splice(0, Infinity, ...rows.map(([, , fate]) => fate));
    return file;
  };
  const write = (file: string, ...more: readonly string[]): ReturnType<typeof here.run> =>
    run('activity', 'add-line', '--file', file, '--yes', ...more);
  const settle = (file: string): ReturnType<typeof here.run> => run('activity', 'add-line', '--file', file, '--settle');
  /** Until nothing that was sent may still be carried out: the time limit of a call. */
  const settledLater = async (file: string): Promise<Awaited<ReturnType<typeof settle>>> => {
    for (;;) {
      const ended = await settle(file);
      if (!readFileSync(`${file}.results.csv`, 'utf8').includes('not found yet')) return ended;
    }
  };

  it('are done where they are there, and not where they are not; --resume then sends the rest once', async () => {
    const file = fileOf([
      [1, '1.50', 'answered'],
      [1, '2', 'done'],
      [1, '3', 'answered'],
      [2, '4', 'lost'],
    ]);
    const before = linesOf(activity(1)).length;
    await ends(write(file), 9, /--settle/);
    assert.deepEqual(outcomesOf(file), ['done', 'unknown', 'done', 'unknown']);
    await ends(settledLater(file), 8);
    assert.deepEqual(outcomesOf(file), ['done', 'done', 'done', 'failed']);
    await ends(write(file, '--resume'), 0);
    assert.deepEqual(outcomesOf(file), ['done', 'done', 'done', 'done']);
    assert.equal(linesOf(activity(1)).length, before + 3);
    assert.equal(linesOf(activity(2)).filter(([, quantity]) => quantity === '4').length, 1);
  });

  it('are told from lines that were alike before', async () => {
    const [was, lost] = [
      fileOf([[3, '7', 'answered']]),
      fileOf([
        [3, '7.0', 'lost'],
        [4, '7', 'done'],
      ]),
    ];
    service.fates.unshift('answered');
    assert.equal((await write(was)).code, 0);
    assert.equal((await write(lost)).code, 9);
    await settledLater(lost);
    assert.deepEqual(outcomesOf(lost), ['failed', 'done']);
  });

  it('stay unknown where the records do not say which row it was, or somebody else changed them', async () => {
    const half = fileOf([
      [5, '8', 'done'],
      [5, '8', 'lost'],
    ]);
    assert.equal((await write(half)).code, 9);
    const { stderr } = await settledLater(half);
    assert.match(stderr, /the outcome of 2 more cannot be determined/);
    assert.deepEqual(outcomesOf(half), ['unknown', 'unknown']);
    assert.match(readFileSync(`${half}.results.csv`, 'utf8'), /2 rows were sent, 1 records are new, and 1 of them/);
    const moved = fileOf([[5, '9', 'done']]);
    assert.equal((await write(moved)).code, 9);
    here.execute(
      `UPDATE "ProductLineData" SET "Quantity" = '10' WHERE "ActivityId" = '${activity(5)}' AND "Quantity" = '8'`,
    );
    await settledLater(moved);
    assert.deepEqual(outcomesOf(moved), ['unknown']);
    assert.match(readFileSync(`${moved}.results.csv`, 'utf8'), /earlier records were changed or removed: 1/);
  });

  it('are not said to be absent while the service may still write them', async () => {
    const file = fileOf([[6, '11', 'lost']]);
    const slow = { ...env(), RELCTL_TIMEOUT: '1h' };
    const words = ['activity', 'add-line', '--file', file];
    assert.equal((await here.run([...words, '--yes'], { env: slow })).code, 9);
    assert.equal((await here.run([...words, '--settle'], { env: slow })).code, 9);
    assert.deepEqual(outcomesOf(file), ['unknown']);
    assert.match(readFileSync(`${file}.results.csv`, 'utf8'), /not found yet: settle again in \d+ s/);
  });

  for (const [what, settleBy, message] of [
    ['an operation that is not known', 'ActivityAddProductLine=Other(activityId).Lines', /there is no operation Other/],
    [
      'one that writes',
      'ActivityAddProductLine=ProductUpdate_V2(productData).Lines',
      /ProductUpdate_V2 counts as a write/,
    ],
    ['a parameter that it does not have', 'ActivityAddProductLine=LinesGet(id).Lines', /LinesGet has no parameter id/],
    ['what is no list', 'ActivityAddProductLine=LinesGet(activityId).Lines.Line', /has no list of records Lines\.Line/],
    ['a text of another form', 'ActivityAddProductLine', /takes WRITE=READ\(PARAMETER\)\.LIST/],
  ] as const)
    it(`are not sent where the profile names ${what}`, async () => {
      const file = fileOf([[7, '12', 'answered']]);
      const words = ['activity', 'add-line', '--file', file, '--yes'];
      const { code, stderr } = await here.run(words, { env: { ...env(), RELCTL_SETTLE_BY: settleBy } });
      assert.ok(code === 2 || code === 3, stderr);
      assert.match(stderr, message);
      assert.ok(linesOf(activity(7)).every(([, quantity]) => quantity !== '12'));
    });

  it('are read by an operation that a profile made of variables names, too', async () => {
    const own = {
      ...{ RELCTL_API_KEY: known.credentials.ApiKey, RELCTL_DATABASE_ID: known.credentials.DatabaseId },
      ...{
        RELCTL_USER_NAME: 'sandbox',
        RELCTL_PASSWORD: 'zandbak',
        RELCTL_NAMESPACE: namespace,
        RELCTL_PROFILE: undefined,
      },
    };
    const file = fileOf([[9, '14', 'answered']]);
    const words = ['activity', 'add-line', '--file', file, '--yes'];
    const before = await ends(here.run(words, { env: { ...env(), ...own } }), 3, /there is no operation LinesGet/);
    assert.match(before.stderr, /Try: relctl operations import --reads LinesGet$/m);
    await ends(here.run(['operations', 'import', '--reads', 'LinesGet'], { env: { ...env(), ...own } }), 0);
    await ends(here.run(words, { env: { ...env(), ...own } }), 0);
    assert.equal(linesOf(activity(9)).filter(([, quantity]) => quantity === '14').length, 1);
  });

  it('cannot be settled where the profile names no operation', async () => {
    const file = fileOf([[8, '13', 'lost']]);
    const { code, stderr } = await here.run(['activity', 'add-line', '--file', file, '--settle'], {
      env: { RELCTL_BASE_URL: service.url },
    });
    assert.equal(code, 2);
    assert.match(stderr, /the profile has no operation that reads what ActivityAddProductLine adds/);
  });
});
