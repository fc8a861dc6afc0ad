import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { place } from '../../support/operations/place.js';
import { ends, relctl } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { resultService, type ResultService } from '../../support/called.js';

const type = '00000000-0040-4000-8000-000000000011';
const workflow = '00000000-0030-4000-8000-000000000001';
const relation = '00000000-0000-4000-8000-000000000102';

/** Nested members of PvActivityData, as the interface document lists those that are nil in list results. */
const nested = argv`
  FollowUp Settings ParentRelationship ChildRelationship FieldValues AuditData ActivityAuditData CounterValues
`;

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
    await ends(here.run([...search, '--where', 'CounterValues IS NULL', '--count']), 2, /Try: .*--include-counters/);
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
    await ends(here.run([...search, '--columns', 'Id,Number', '-o', 'csv', '--output-file', file, '--meta']), 0, '');
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
    assert.match(run.stderr, /leaves Settings, ActivityAuditData nil/);
    // What the mirror is asked, not what words the statement has.
    for (const [text, members] of [
      ['SELECT Id, Number FROM activities', ''],
      ["SELECT 'Settings_WorkflowId' AS Settings_WorkflowId FROM activities", ''],
      ['SELECT r.* FROM activities a JOIN relationships r ON r.Id = a.Id', ''],
      ['SELECT AuditData_CreatedAt FROM relationships JOIN (SELECT Number FROM activities)', ''],
      ['SELECT count(*) AS n FROM (SELECT * FROM activities)', ''],
      [
        'SELECT a.* FROM activities a',
        'FollowUp, Settings, ParentRelationship, ChildRelationship, AuditData, Activity',
      ],
      ['SELECT w FROM (SELECT Settings_WorkflowId AS w FROM activities)', 'Settings nil'],
      ['SELECT count(*) AS n FROM activity_counter_values', 'CounterValues nil'],
      ['SELECT AuditData_ModifiedAt_instant AS t FROM all_activities', 'AuditData nil'],
      // Its rows are looked for by an index.
      ['SELECT count(*) AS n FROM activities WHERE Settings_ParentRelationshipId IS NOT NULL', 'Settings nil'],
      [
        'SELECT r.Id FROM relations r JOIN activities a ON a.ChildRelationship_ChildRelationId = r.Id',
        'ChildRelationship nil',
      ],
    ] as const) {
      const { code, stderr } = await here.run(['sql', text, '-o', 'csv']);
      assert.deepEqual([code, stderr.includes(members), stderr.includes('nil')], [0, true, members !== ''], stderr);
    }
    const described = await here.run(['operations', 'ActivitySearchByField', '-o', 'json']);
    assert.deepEqual((JSON.parse(described.stdout) as { readonly LeavesNil: unknown }).LeavesNil, nested);
    const single = await here.run(['operations', 'SubscriptionAddProductLine', '-o', 'json']);
    assert.ok(!single.stdout.includes('LeavesNil'));
  });

  it('are asked by no query of a call', async () => {
    const call = ['call', 'ActivitySearchByField', '--param', `activityEntityTypeId=${type}`];
    const given = ['pageNumber=1', 'pageSize=5', 'includeFields=true', 'includeCounters=false'];
    const words = [...call, ...given.flatMap((each) => ['--param', each])];
    const closed = await here.run([...words, '--query', 'length(Activities[?ActivityAuditData.ClosedAt == `null`])']);
    assert.deepEqual(
      [closed.code, closed.stdout, /ActivityLocation/.test(closed.stderr)],
      [2, '', true],
      closed.stderr,
    );
    await ends(here.run([...words, '--query', 'Activities[].CounterValues']), 2);
    const fields = await here.run([...words, '--query', 'length(Activities[?FieldValues.Items])']);
    assert.deepEqual([fields.code, fields.stdout.trim()], [0, '5'], fields.stderr);
  });

  it('are not those of a filter: --fields-of filters nothing, and --workflow is no flag of a search', async () => {
    const [search = []] = lists;
    const all = await here.run([...search, '--count']);
    const some = await here.run([...search, '--fields-of', workflow, '--count']);
    assert.equal(some.stdout, all.stdout);
    await ends(here.run([...search, '--workflow', workflow]), 2, /Try: .*--fields-of/);
    const added = await here.run(['mirror', 'add', 'activities', '--entity-type', type, '--workflow', workflow]);
    assert.deepEqual([added.code, /a search cannot filter by workflow/.test(added.stderr)], [2, true], added.stderr);
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
      await ends(service.run(open), 2);
      const seen = await (words[0] === 'profile'
        ? service.run(words.slice(0, 2).concat(words.slice(3)))
        : service.run(words));
      assert.equal(seen.code, 0, seen.stderr);
      const run = await service.run(open);
      assert.deepEqual([run.code, run.stdout], [0, '1\n'], run.stderr);
      // Others stay as they are.
      assert.equal((await service.run([...search, '--where', 'Settings.WorkflowId IS NULL'])).code, 2);
      const kept = readFileSync(join(service.place.folder, 'config', 'relctl', 'config.json'), 'utf8');
      assert.match(kept, /"members": \[\s*"ActivityAuditData"\s*\]/);
    });

  it('are those of one service: not of another address, and not kept from one that a run names', async () => {
    const other = await resultService(() => `<Activities>${activity}</Activities>`);
    const unset = (await service.run([...open, '--set', `baseUrl=${other.server.url}`])).code;
    assert.equal((await service.run([...search, '-o', 'csv', '--set', `baseUrl=${other.server.url}`])).code, 7);
    assert.deepEqual([unset, (await service.run(open)).code], [2, 2]);
    assert.equal((await service.run([...search, '-o', 'csv'])).code, 0);
    assert.equal((await service.run(open)).code, 0);
    // What another service gives takes nothing of this one's place.
    await service.run([...search, '-o', 'csv', '--set', `baseUrl=${other.server.url}`]);
    assert.equal((await service.run(open)).code, 0);
    const edit = ['profile', 'edit', 'there', '--base-url', other.server.url];
    assert.equal((await relctl(edit, { env: service.env })).code, 0);
    assert.equal((await service.run(open)).code, 2);
    await other.close();
  });

  it('are not told to be nil in the run that first had one, on whatever page', async () => {
    service.place.remove();
    await service.close();
    service = await resultService(({ page }) => {
      const plain = activity.replace(closed, '').replace(id, id.replace('0020', '0021'));
      return `<Activities>${page === 1 ? plain : page === 2 ? activity : ''}</Activities>`;
    });
    const columns = ['--columns', 'Id,ActivityAuditData.ClosedAt,Settings.WorkflowId', '-o', 'csv', '--page-size', '1'];
    const run = await service.run([...search, ...columns]);
    assert.match(run.stdout, /2026-01-02T03:04:05/);
    assert.match(run.stderr, /leaves Settings nil/);
    assert.doesNotMatch(run.stderr, /leaves.*ActivityAuditData/);
  });

  it('are not told to be nil of a mirror that has one', async () => {
    for (const words of [
      ['add', 'activities', '--entity-type', type],
      ['sync', 'activities'],
    ])
      assert.equal((await service.run(['mirror', ...words])).code, 0);
    const sql = 'SELECT ActivityAuditData_ClosedAt AS at, Settings_WorkflowId AS w FROM activities';
    const run = await service.run(['sql', sql, '-o', 'csv']);
    assert.equal(run.stdout, 'at,w\n2026-01-02T03:04:05,\n');
    assert.match(run.stderr, /leaves Settings nil/);
    assert.doesNotMatch(run.stderr, /ActivityAuditData/);
  });
});
