import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { place } from '../support/operations/place.js';
import { resultService, type ResultService } from '../support/result-service.js';

const type = '00000000-0040-4000-8000-000000000011';
const workflow = '00000000-0030-4000-8000-000000000001';
const relation = '00000000-0000-4000-8000-000000000102';

/** Nested members of PvActivityData, as the interface document lists those that are nil in list results. */
const nested = [
  'FollowUp',
  'Settings',
  'ParentRelationship',
  'ChildRelationship',
  'FieldValues',
  'AuditData',
  'ActivityAuditData',
  'CounterValues',
];

describe('Members that lists of activities leave nil', () => {
  const here = place();
  const lists: readonly (readonly string[])[] = [
    ['activity', 'search', '--entity-type', type],
    ['relation', 'activities', relation],
    ['relation', 'activities', relation, '--legacy', '--quiet'],
    ['activity', 'connected', '00000000-0020-4000-8000-000000000001'],
  ];

  it('are asked by no condition, no order and no query, in no list', async () => {
    const asked: readonly (readonly string[])[] = [
      ['--where', 'ActivityAuditData.ClosedAt IS NULL', '--count'],
      ['--where', 'Number IS NOT NULL OR Settings.WorkflowId IS NULL'],
      ['--sort', 'Number,FollowUp.Start'],
      ['--query', '[?ActivityAuditData.ClosedAt == `null`]'],
      ['--query', '[].{id: Id, by: ParentRelationship.DisplayName}'],
    ];
    for (const list of lists)
      for (const words of asked) {
        const run = await here.run([...list, ...words]);
        assert.deepEqual([run.code, run.stdout], [2, ''], `${list.join(' ')} ${words.join(' ')}: ${run.stderr}`);
        assert.match(run.stderr, /the service leaves \w+ nil in this list, .*ActivityLocation/s);
      }
    const closed = await here.run([...(lists[0] ?? []), '--where', 'ActivityAuditData.ClosedAt IS NULL']);
    assert.match(closed.stderr, /Try: relctl notification list/);
    assert.equal((await here.run(['notification', 'list', '--where', "ActivityLocation = 'Closed'"])).code, 0);
  });

  it('are asked where a flag of the call asks for them', async () => {
    const [search = []] = lists;
    const refused = await here.run([...search, '--where', 'CounterValues IS NULL', '--count']);
    assert.deepEqual([refused.code, /Try: .*--include-counters/.test(refused.stderr)], [2, true], refused.stderr);
    const items = ['--explode', 'FieldValues.Items', '--where', "FieldValues.Items.Value <> ''", '-o', 'csv'];
    assert.match((await here.run([...search, ...items])).stderr, /leaves FieldValues nil.*Try: .*--include-fields/s);
    const run = await here.run([...search, ...items, '--include-fields']);
    assert.deepEqual([run.code, run.stdout.split('\n').length > 2], [0, true], run.stderr);
  });

  it('have columns with one note and a line in the report', async () => {
    const [search = []] = lists;
    const named = await here.run([...search, '--columns', 'Id,Settings.WorkflowId,AuditData.CreatedAt', '-o', 'csv']);
    assert.equal(named.stdout.split('\n')[0], 'Id,Settings.WorkflowId,AuditData.CreatedAt');
    assert.match(named.stderr, /^Note: the service leaves Settings, AuditData nil in this list, [^\n]*\n$/);
    const file = here.fresh('activities.csv');
    assert.equal((await here.run([...search, '--output-file', file, '--meta'])).code, 0);
    const meta = JSON.parse(readFileSync(`${file}.meta.json`, 'utf8')) as { readonly leftNil: unknown };
    assert.deepEqual(meta.leftNil, nested);
    const others = await here.run([...search, '--columns', 'Id,Number', '-o', 'csv', '--output-file', file, '--meta']);
    assert.deepEqual([others.code, others.stderr], [0, '']);
    assert.ok(!readFileSync(`${file}.meta.json`, 'utf8').includes('leftNil'));
  });

  it('are told of by sql once, and by the description of the operation', async () => {
    for (const words of [['sync'], ['add', 'activities', '--entity-type', type], ['sync', 'activities']])
      assert.equal((await here.run(['mirror', ...words])).code, 0);
    const sql =
      'SELECT count(*) AS n FROM activities WHERE ActivityAuditData_ClosedAt IS NULL OR Settings_WorkflowId IS NULL';
    const run = await here.run(['sql', sql, '-o', 'json']);
    const leaves = run.stderr.match(/the service leaves [^:]* nil/g);
    assert.deepEqual([run.code, leaves?.length], [0, 1], run.stderr);
    assert.match(run.stderr, /leaves Settings_WorkflowId, ActivityAuditData_ClosedAt nil/);
    assert.doesNotMatch((await here.run(['sql', 'SELECT Id, Number FROM activities', '-o', 'csv'])).stderr, /nil/);
    const described = await here.run(['operations', 'ActivitySearchByField', '-o', 'json']);
    assert.deepEqual((JSON.parse(described.stdout) as { readonly LeavesNil: unknown }).LeavesNil, nested);
    const single = await here.run(['operations', 'SubscriptionAddProductLine', '-o', 'json']);
    assert.ok(!single.stdout.includes('LeavesNil'));
  });

  it('are not those of a filter: --fields-of filters nothing, and --workflow is no flag of a search', async () => {
    const [search = []] = lists;
    const all = await here.run([...search, '--count']);
    const some = await here.run([...search, '--fields-of', workflow, '--count']);
    assert.equal(some.stdout, all.stdout);
    const run = await here.run([...search, '--workflow', workflow]);
    assert.deepEqual([run.code, /Try: .*--fields-of/.test(run.stderr)], [2, true], run.stderr);
    const added = await here.run(['mirror', 'add', 'activities', '--entity-type', type, '--workflow', workflow]);
    assert.deepEqual([added.code, /a search looks at no workflow/.test(added.stderr)], [2, true], added.stderr);
  });
});

describe('Members that a service does give in lists', () => {
  const id = '00000000-0020-4000-8000-000000000001';
  const closed = '<ActivityAuditData><ClosedAt>2026-01-02T03:04:05</ClosedAt><ClosedByUser/></ActivityAuditData>';
  const activity = `<PvActivityData><Id>${id}</Id><ViewSortingDate>2026-01-01T00:00:00</ViewSortingDate>${closed}</PvActivityData>`;
  let service: ResultService;
  beforeEach(async () => {
    service = await resultService(({ operation, page }) => {
      if (operation === 'RelationGetAll')
        return `<Relations>${page === 1 ? `<PvRelationData><Id>${relation}</Id></PvRelationData>` : ''}</Relations>`;
      return `<Activities>${page === 1 ? activity : ''}</Activities>`;
    });
  });
  afterEach(() => service.close());
  const search = ['activity', 'search', '--entity-type', type];
  const open = [...search, '--where', 'ActivityAuditData.ClosedAt IS NOT NULL', '--count', '--quiet'];

  for (const [how, words] of [
    ['CSV', [...search, '-o', 'csv']],
    ['JSON', [...search, '-o', 'json']],
    ['the calibration', ['profile', 'test', 'there', '--calibrate']],
  ] as const)
    it(`are asked, once ${how} had one: the profile keeps that`, async () => {
      const before = await service.run(open);
      assert.equal(before.code, 2, before.stdout);
      const seen = await (words[0] === 'profile'
        ? service.run(words.slice(0, 2).concat(words.slice(3)))
        : service.run(words));
      assert.equal(seen.code, 0, seen.stderr);
      const run = await service.run(open);
      assert.deepEqual([run.code, run.stdout], [0, '1\n'], run.stderr);
      // Others stay as they are.
      assert.equal((await service.run([...search, '--where', 'Settings.WorkflowId IS NULL'])).code, 2);
      const kept = readFileSync(join(service.place.folder, 'config', 'relctl', 'config.json'), 'utf8');
      assert.match(kept, /"filled": \[\s*"ActivityAuditData"\s*\]/);
    });
});
