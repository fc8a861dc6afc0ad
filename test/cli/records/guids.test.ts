import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ends, home, relctl, type Run } from '../../support/relctl.js';

const id = '0000abcd-0020-4000-8000-0000000000ef';
const pasted = `{${id.toUpperCase()}}`;
const digits = id.replaceAll('-', '');
const lineFlags = '--quantity 1 --amount 1 --purchase-amount 1 --vat ID';

/** Commands in which ID stands for a GUID, each in other places, and what is sent. */
const commands: readonly (readonly [command: string, sent: string])[] = [
  ['relation get ID', `<relationId>${id}<`],
  ['relation activities ID --workflow ID', `<workflowIds><guid>${id}<`],
  [`activity add-line ID --product ID ${lineFlags}`, `<vatId>${id}<`],
  [
    'activity search --entity-type ID --field ID=x --date-field ID --from 2024-01-01 --to 2024-01-02',
    `<dateFieldId>${id}<`,
  ],
  ['activity update ID --owner ID --queue ID --yes', `<PlacedInQueueId>${id}<`],
  ['datastore items ID', `<entityTypeId>${id}<`],
  ['relationship add-line ID --entity-type ID --datastore ID --field ID=x', `<Id>${id}<`],
  ['notification count --user ID', `<userId>${id}<`],
  ['product list --group ID', `<productGroupId>${id}<`],
  ['call RelationGet --param relationId=ID --param includeFields=no --param includeCounters=no', `>${id}<`],
];

describe('GUIDs as people paste them', () => {
  const place = home();
  after(() => place.remove());
  const run = (args: readonly string[], given: { input?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Run> =>
    relctl(args, { ...given, env: { ...place.env, ...given.env } });

  for (const [command, sent] of commands)
    it(`are sent as the service writes them: ${command}`, async () => {
      const [asUsual, inBraces, bare] = await Promise.all(
        [id, pasted, ` "${digits}" `].map((guid) => {
          const words = command.split(' ').map((word) => word.replace('ID', guid));
          return run([...words, '--envelope', '--profile', 'sandbox']);
        }),
      );
      // The embedded service has another port each time.
      const envelope = (each: Run | undefined): string => each?.stdout.slice(each.stdout.indexOf('<?xml')) ?? '';
      assert.deepEqual([asUsual?.code, asUsual?.stderr], [0, '']);
      assert.ok(envelope(asUsual).includes(sent), envelope(asUsual));
      assert.equal(envelope(inBraces), envelope(asUsual), inBraces?.stderr);
      assert.equal(envelope(bare), envelope(asUsual), bare?.stderr);
    });

  it('name the place where they are none', async () => {
    for (const [args, path] of [
      [['activity', 'attach', `{${id}`, 'x.txt'], 'ID'],
      [['activity', 'update', id, '--owner', `0x${digits}`], '--owner'],
      [['call', 'RelationGet', '--param', 'relationId=x'], '--param relationId'],
    ] as const) {
      const refused = await ends(run([...args, '--envelope', '--profile', 'sandbox']), 2);
      assert.ok(refused.stderr.includes(`${path} takes a GUID such as`), refused.stderr);
    }
    const cut = await run(['relation', 'get', id.slice(0, -1), '--profile', 'sandbox']);
    assert.match(cut.stderr, /it has 31 digits, and a GUID has 32/);
  });

  it('are read in JSON too, where they are GUIDs by the contract, and nowhere else', async () => {
    const sent = async (name: string, input: object): Promise<string> => {
      const args = ['call', name, '--input', '-', '--envelope', '--profile', 'sandbox'];
      const { stdout, stderr } = await run(args, { input: JSON.stringify(input) });
      assert.equal(stderr, '');
      return stdout;
    };
    const counts = { includeFields: false, includeCounters: false };
    assert.ok((await sent('RelationGet', { relationId: pasted, ...counts })).includes(`<relationId>${id}<`));
    const file = await sent('ActivityAddAttachment', { activityId: id, fileName: pasted, base64EncodedFile: '' });
    assert.ok(file.includes(`<fileName>${pasted}</fileName>`));
    const lines = await sent('RelationshipAddLine', {
      ...{ RelationshipId: id, entityTypeId: id, datastoreId: id },
      fieldValues: [{ Id: pasted, Value: pasted }],
    });
    assert.ok(lines.includes(`<Id>${id}</Id><Value>${pasted}</Value>`), lines);
  });

  it('make a profile, from flags, stdin, secrets and variables', async () => {
    const key = 'ABCDEF00-2222-4333-8444-555555555555';
    const address = ['--base-url', 'http://127.0.0.1:9', '--namespace', 'http://crm.example/api'];
    const added = await run(
      ['profile', 'add', 'pasted', ...address, '--api-key-stdin', '--database-id', pasted, '--user-id', digits],
      { input: `{${key}}\n` },
    );
    assert.deepEqual([added.code, added.stderr], [0, '']);
    const kept = readFileSync(join(place.folder, 'config/relctl/config.json'), 'utf8');
    const { profiles } = JSON.parse(kept) as { profiles: Record<string, Record<string, unknown>> };
    assert.equal(profiles['pasted']?.['apiKey'], key.toLowerCase());
    const sent = async (env: NodeJS.ProcessEnv = {}): Promise<string> =>
      (await run(['mark', 'list', '--envelope', '-p', 'pasted'], { env })).stdout;
    const ids = (database: string): string => `<DatabaseId>${database}</DatabaseId><UserId>${id}</UserId>`;
    assert.ok((await sent()).includes(ids(id)));
    const other = '11111111-2222-4333-8444-555555555555';
    assert.ok((await sent({ RELCTL_DATABASE_ID: `(${other})` })).includes(ids(other)));
    const wrong = await run(['mark', 'list', '--envelope', '-p', 'pasted'], {
      env: { RELCTL_DATABASE_ID: `{${other}` },
    });
    assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
    assert.match(wrong.stderr, /RELCTL_DATABASE_ID takes a GUID/);
  });

  it('come back from --ids in the form of the service, each once', async () => {
    const relation = '00000000-0000-4000-8000-000000000102';
    const file = join(place.folder, 'ids.txt');
    writeFileSync(file, `ID\r\n"{${relation.toUpperCase()}}"\r\n${relation.replaceAll('-', '')}\r\n`);
    const columns = ['--columns', '_relationId,Relation.Id'];
    const marks = await run(['relation', 'marks', '--ids', file, '-o', 'csv', '-p', 'sandbox', ...columns]);
    assert.deepEqual([...new Set(marks.stdout.trimEnd().split('\n').slice(1))], [`${relation},${relation}`]);
    assert.match(marks.stderr, /repeats ids \(lines: 1\)/);
  });
});
