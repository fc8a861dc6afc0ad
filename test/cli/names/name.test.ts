import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldId, known, knownId } from '../../../src/sandbox/dataset/known.js';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

const { activityId, workflowId, activityEntityTypeId, userId, vatId, productId, productGroupId } = known;
const { datastoreEntityTypeId, relationshipId, lineEntityTypeId, personId } = known;
const queueId = knownId('queue', 1);

describe('Names of ids', () => {
  const here = place();
  const set = async (kind: string, name: string, id: string, ...more: string[]): Promise<void> => {
    await ends(here.run(['name', 'set', kind, name, id, ...more]), 0, '', '');
  };
  const dry = async (args: readonly string[]): Promise<string> => {
    return (await ends(here.run([...args, '--envelope']), 0)).stdout;
  };

  before(async () => {
    await set('workflow', 'Sales process', workflowId);
    await set('entity-type', 'Call', activityEntityTypeId);
    await set('entity-type', 'Line', lineEntityTypeId);
    await set('datastore', 'Branches', datastoreEntityTypeId);
    await set('user', 'Jan', userId);
    await set('group', 'Bikes', productGroupId);
    await set('vat-rate', 'high', vatId);
    await set('queue', 'later', queueId);
  });

  it('are said to a terminal when they are set, with the profile that keeps them', async () => {
    const args = ['name', 'set', 'queue', 'later', queueId];
    const { code, stdout, stderr } = await here.run(args, { env: { RELCTL_FORCE_TTY: '200' } });
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(stderr, new RegExp(`^Note: queue 'later' is now ${queueId}, in profile '\\S+'\n$`));
  });

  const line = ['--quantity', '1', '--amount', '2', '--purchase-amount', '1', '--product', productId];
  const uses: readonly (readonly [args: readonly string[], id: string, name: string])[] = [
    [['workflow', 'steps'], workflowId, 'sales PROCESS'],
    [['activity', 'fields'], workflowId, 'Sales process'],
    [['relation', 'activities', personId, '--workflow'], workflowId, 'Sales process'],
    [['relation', 'activities', personId, '--workflow', workflowId, '--workflow'], workflowId, 'Sales process'],
    [['activity', 'search', '--entity-type'], activityEntityTypeId, 'call'],
    [
      ['relationship', 'add-line', relationshipId, '--datastore', datastoreEntityTypeId, '--entity-type'],
      lineEntityTypeId,
      'Line',
    ],
    [
      ['relationship', 'add-line', relationshipId, '--entity-type', lineEntityTypeId, '--datastore'],
      datastoreEntityTypeId,
      'Branches',
    ],
    [['datastore', 'items'], datastoreEntityTypeId, 'branches'],
    [['datastore', 'create-item', '--field', `${fieldId(21, 'Name')}=x`], datastoreEntityTypeId, 'branches'],
    [['notification', 'count', '--user'], userId, 'jan'],
    [['notification', 'list', '--user'], userId, 'JAN'],
    [['activity', 'update', activityId, '--nil', 'start,end,in-agenda,reminder,queue', '--owner'], userId, 'Jan'],
    [['activity', 'update', activityId, '--nil', 'start,end,in-agenda,reminder,owner', '--queue'], queueId, 'later'],
    [['product', 'list', '--group'], productGroupId, 'bikes'],
    [['activity', 'add-line', activityId, ...line, '--vat'], vatId, 'high'],
    [['subscription', 'add-line', activityId, ...line, '--period', '1', '--vat'], vatId, 'HIGH'],
    [['product', 'update', '00001', '--yes', '--name', 'x', '--product-group-id'], productGroupId, 'Bikes'],
    [['product', 'update', '00001', '--yes', '--name', 'x', '--sales-vat-id'], vatId, 'High'],
  ];
  for (const [args, id, name] of uses) {
    it(`stand for ids in ${args.join(' ')}: the same bytes are sent`, async () => {
      const [byName, byId] = await Promise.all([dry([...args, name]), dry([...args, id])]);
      assert.match(byName, new RegExp(`>${id}<`));
      assert.equal(byName, byId);
    });
  }

  it('are listed in every format, in order of kinds', async () => {
    const listed = await here.json<{ Kind: string; Name: string; Id: string }[]>(['name', 'list']);
    assert.deepEqual(
      listed.map(({ Kind, Name }) => `${Kind} ${Name}`),
      [
        ...['workflow Sales process', 'entity-type Call', 'entity-type Line', 'datastore Branches', 'user Jan'],
        ...['group Bikes', 'vat-rate high', 'queue later'],
      ],
    );
    const csv = await here.run(['name', 'list', 'queue', '-o', 'csv']);
    assert.equal(csv.stdout, `Kind,Name,Id\nqueue,later,${queueId}\n`);
    const none = await here.run(['name', 'list', '--profile', 'sandbox', '-o', 'json']);
    assert.deepEqual([none.code, none.stdout], [0, '[]\n']);
  });

  it('are kept for the built-in profile and for that of the environment as well', async () => {
    const id = known.subscriptionWorkflowId;
    await set('workflow', 'mine', id, '--profile', 'sandbox');
    const env = {
      RELCTL_PROFILE: undefined,
      RELCTL_BASE_URL: here.url(),
      RELCTL_NAMESPACE: 'http://relctl.example/sandbox',
      RELCTL_API_KEY: known.credentials.ApiKey,
    };
    await ends(here.run(['name', 'set', 'workflow', 'mine', workflowId], { env }), 0);
    const [ofSandbox, ofEnvironment] = await Promise.all([
      dry(['workflow', 'steps', 'mine', '--profile', 'sandbox']),
      here.run(['workflow', 'steps', 'mine', '--envelope'], { env }),
    ]);
    assert.match(ofSandbox, new RegExp(`>${id}<`));
    assert.match(ofEnvironment.stdout, new RegExp(`>${workflowId}<`));
  });

  it('that are not known are exit code 2, with a command line that works', async () => {
    const cases: readonly (readonly [args: readonly string[], says: RegExp, tries: RegExp])[] = [
      [
        ['workflow', 'steps', 'Sale process'],
        /has no workflow of that name; it has Sales process/,
        /^relctl workflow steps 'Sales process'$/,
      ],
      [
        ['notification', 'count', '--user=Jann'],
        /--user: 'Jann' is not a GUID.*it has Jan/,
        /^relctl notification count --user=Jan$/,
      ],
      [
        ['notification', 'count', '--user', 'Branches'],
        /has no user of that name; it has Jan$/m,
        /^relctl name list user$/,
      ],
      [['activity', 'fields', 'Nothing like it'], /has no workflow/, /^relctl name list workflow$/],
      [
        ['notification', 'count', '--user', `${userId}0`],
        /--user takes a GUID .*33 digits/,
        /^relctl notification count --help$/,
      ],
      [
        ['notification', 'count', '--user', 'a\u202eb'],
        /--user takes a GUID .* or a name of one; .*invisible character/,
        /^relctl notification count --help$/,
      ],
      [['name', 'remove', 'user', 'Jann'], /there is no user 'Jann' in profile/, /^relctl name remove user Jan$/],
      [['name', 'set', 'usr', 'Jann', userId], /KIND takes one of workflow/, /^relctl name set user Jann \S+$/],
      [['name', 'set', 'user', 'jan', vatId], /the user 'Jan' is .* already/, /^relctl name set user jan 0.* --force$/],
      [['name', 'set', 'user', userId, userId], /looks like a GUID/, /^relctl name set --help$/],
    ];
    for (const [args, says, tries] of cases) {
      const { stderr } = await ends(here.run(args), 2, says);
      assert.match(/Try: (.*)/.exec(stderr)?.[1] ?? '', tries);
    }
  });

  it('that a hand has written twice are not chosen between', async () => {
    const file = join(here.folder, 'config/relctl/config.json');
    const before = readFileSync(file, 'utf8');
    try {
      writeFileSync(file, before.replace('"Jan":', `"JAN": "${known.quietUserId}", "Jan":`));
      const exact = await dry(['notification', 'count', '--user', 'JAN']);
      assert.match(exact, new RegExp(`>${known.quietUserId}<`));
      await ends(here.run(['notification', 'count', '--user', 'jan']), 2, /--user: 'jan' may be JAN or Jan\n/);
    } finally {
      writeFileSync(file, before);
    }
  });

  it('are told by a dry run of a write, and not by a write without a terminal', async () => {
    const update = ['activity', 'update', activityId, '--owner', 'jan', '--nil', 'start,end,in-agenda,reminder,queue'];
    const shown = await here.run([...update, '--envelope']);
    assert.equal(shown.stderr, `Note: --owner: user 'jan' is ${userId}\n`);
    await ends(here.run([...update, '--yes', '-o', 'json']), 0, '');
    const sql = 'SELECT "FollowUp_OwnerUserId" FROM "PvActivityData" WHERE "Id" = ?';
    assert.deepEqual(here.rows(sql, activityId), [[userId]]);
  });

  it('are taken by job files, which are refused for one that is not known before any job runs', async () => {
    const jobs = (workflow: string): string => `version: 1
defaults: { output: csv }
jobs:
  first: { command: workflow steps, args: [Sales process], output-file: first.csv }
  second: { command: activity search, output-file: second.csv, flags: { entity-type: call, fields-of: ${workflow} } }
`;
    const good = here.fresh('jobs.yaml');
    writeFileSync(good, jobs('Sales process'));
    await ends(here.run(['export', 'run', good]), 0);
    assert.match(readFileSync(join(here.folder, 'first.csv'), 'utf8'), /EndStep/);
    const bad = here.fresh('jobs.yaml');
    writeFileSync(bad, jobs('Sale').replaceAll('.csv', '-2.csv'));
    const refused = await here.run(['export', 'run', bad]);
    assert.equal(refused.code, 2);
    assert.match(
      refused.stderr,
      /:5:\d+: --fields-of: 'Sale' is not a GUID, and profile .* has no workflow of that name/,
    );
  });
});
