import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldId, known, knownId } from '../../src/sandbox/dataset/known.js';
import { callsIn, place } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';

const { activityId, workflowId, activityEntityTypeId } = known;
const priority = fieldId(11, 'Priority');
const datastore = knownId('entityType', 24);
const [normal, low, high] = [1, 2, 3].map((at) => knownId('datastoreItem', 2400 + at));
const update = ['activity', 'update', activityId, '--workflow', workflowId];
const search = ['activity', 'search', '--entity-type', activityEntityTypeId, '--fields-of', workflowId];

describe('A field that chooses from a datastore', () => {
  const here = place();
  const sent = async (args: readonly string[]): Promise<string | undefined> => {
    const { stdout } = await ends(here.run([...args, '--envelope']), 0);
    return /<Value>(.*)<\/Value>/.exec(stdout)?.[1];
  };
  const refused = async (args: readonly string[], says: RegExp, tries: RegExp): Promise<void> => {
    const before = here.digest();
    const { stderr } = await ends(here.run(args), 2, says);
    assert.match(/Try: (.*)/.exec(stderr)?.[1] ?? '', tries);
    assert.equal(here.digest(), before);
  };
  const kept = (): unknown =>
    here.rows(
      `SELECT "Value" FROM "PvActivityData_FieldValues_Items" WHERE "Id" = ? AND owner =
       (SELECT seq FROM "PvActivityData" WHERE "Id" = ?)`,
      priority,
      activityId,
    )[0]?.[0];
  const inItems = (change: string, id: string | undefined): void =>
    here.execute(`UPDATE "PvDatastoreItemDataWithParent_V2" SET ${change} WHERE "Id" = '${id ?? ''}'`);

  before(async () => {
    // What --envelope needs to know.
    assert.equal((await here.run(['activity', 'fields', workflowId])).code, 0);
  });

  it('takes no text until the profile knows which, and says what makes it known', async () => {
    const command = `relctl name set field-datastore ${priority} ${datastore}`;
    for (const args of [update, search, [...update, '--envelope']])
      await refused(
        [...args, '--field', 'Priority=High'],
        /--field Priority: 'High' is not a GUID, and the profile does not set which datastore Priority .* its ExtraInfo is 0/,
        new RegExp(`^${command}$`),
      );
    await ends(here.run(command.split(' ').slice(1)), 0, '', '');
    assert.deepEqual(await here.json(['name', 'list', 'field-datastore']), [
      { Kind: 'field-datastore', Name: priority, Id: datastore },
    ]);
  });

  for (const [text, id] of [
    ['Hoog', high],
    ['High', high],
    ['hoch', high],
    ['LOW', low],
    ['Normal', normal],
    [low ?? '', low],
    [`{${(low ?? '').toUpperCase()}}`, low],
  ] as const) {
    it(`takes ${text}: the Id is sent`, async () => {
      assert.equal(await sent([...update, '--field', `Priority=${text}`]), id);
      assert.equal(await sent([...search, '--field', `${priority}=${text}`]), id);
    });
  }

  it('is written, and found by', async () => {
    const trace = here.fresh('trace');
    const written = await here.run([...update, '--field', 'Priority=high', `--trace=${trace}`]);
    assert.deepEqual([written.code, kept()], [0, high], written.stderr);
    const calls = callsIn(trace).map(({ operation }) => operation);
    assert.deepEqual(calls, ['DatastoreGetWithParentItems_V2', 'ActivityUpdate']);
    const found = await here.json<{ Id: string }[]>([...search, '--field', 'Prioriteit=high']);
    assert.ok(found.some(({ Id }) => Id === activityId));
  });

  it('tells what a text means in a dry run, which writes nothing', async () => {
    const before = here.digest();
    const { stderr } = await here.run([...update, '--field', 'Priority=Low', '--envelope']);
    assert.equal(
      stderr,
      `Note: --field Priority: 'Low' is Laag (${low ?? ''})\nNote: relctl called DatastoreGetWithParentItems_V2 for it\n`,
    );
    assert.equal(here.digest(), before);
  });

  it('refuses a text of no item, with the nearest', async () => {
    await refused(
      [...update, '--field', 'Priority=Hgh'],
      /has no item 'Hgh'; it has Normaal, Laag, Hoog/,
      /^relctl activity update .* --field Priority=High$/,
    );
    await refused(
      [...update, '--field', 'Priority=Purple'],
      /has no item 'Purple'/,
      new RegExp(`^relctl datastore items ${datastore}$`),
    );
  });

  it('refuses a text of two items, with both Ids, and takes one that matches exactly', async () => {
    inItems(`"Description" = 'HOOG'`, low);
    try {
      await refused(
        [...update, '--field', 'Priority=hOOg'],
        /'hOOg' may be HOOG \(0.*2402\) or Hoog \(0.*2403\)[^]*`--field Priority=0\S*2402` or `--field Priority=0\S*2403`/,
        new RegExp(`^relctl datastore items ${datastore}$`),
      );
      assert.equal(await sent([...update, '--field', 'Priority=HOOG']), low);
      inItems(`"Description" = 'Hoog'`, low);
      await refused([...update, '--field', 'Priority=Hoog'], /'Hoog' may be Hoog/, /items/);
    } finally {
      inItems(`"Description" = 'Laag'`, low);
    }
  });

  it('writes an item that is not in use by its Id only, and finds by its text', async () => {
    inItems(`"IsInactive" = 1`, low);
    try {
      await refused([...update, '--field', 'Priority=Low'], /Laag, inactive \(0.*2402\) is inactive; /, /2402$/);
      assert.equal(await sent([...update, '--field', `Priority=${low ?? ''}`]), low);
      assert.equal(await sent([...search, '--field', 'Priority=Low']), low);
    } finally {
      inItems(`"IsInactive" = 0`, low);
    }
  });

  it('leaves other fields, empty values and fields without a description as they are', async () => {
    assert.equal(await sent([...update, '--field', 'Subject=High']), 'High');
    assert.equal(await sent(['activity', 'update', activityId, '--field', `${priority}=High`]), 'High');
    const { stdout } = await here.run([...update, '--field', 'Priority=', '--envelope']);
    assert.match(stdout, new RegExp(`<Id>${priority}</Id><Value /></PvFieldValueData>`));
    await refused([...update, '--field', 'Handler=Jan'], /--field Handler/, /^/);
  });

  it('is taken by job files', async () => {
    const jobs = here.fresh('jobs.yaml');
    const flags = `{ entity-type: ${activityEntityTypeId}, fields-of: ${workflowId}, field: { Priority: High } }`;
    writeFileSync(
      jobs,
      `version: 1\njobs:\n  high: { command: activity search, output-file: high.csv, flags: ${flags} }\n`,
    );
    await ends(here.run(['export', 'run', jobs]), 0);
    const found = readFileSync(join(here.folder, 'high.csv'), 'utf8');
    assert.ok(found.includes(activityId));
  });

  it('keeps its datastore until that is replaced by --force, or removed', async () => {
    const set = ['name', 'set', 'field-datastore', priority.toUpperCase(), knownId('entityType', 23)];
    await refused(set, /the field-datastore '0.*' is 0.*24 already/, /^relctl name set field-datastore .* --force$/);
    assert.equal((await here.run([...set, '--force'])).code, 0);
    await refused([...update, '--field', 'Priority=High'], /has no item 'High'/, /./);
    assert.equal((await here.run(['name', 'remove', 'field-datastore', priority])).code, 0);
    assert.deepEqual(await here.json(['name', 'list', 'field-datastore']), []);
    const named = ['name', 'set', 'field-datastore', 'prio', 'branches'];
    await refused(named, /NAME takes a GUID .* not 'prio'/, /./);
    assert.equal((await here.run(['name', 'set', 'field', 'Prio', priority])).code, 0);
    await refused(named, /ID takes a GUID .* not 'branches'/, /./);
    assert.equal((await here.run(['name', 'set', 'datastore', 'Branches', datastore])).code, 0);
    assert.equal((await here.run(named)).code, 0);
    assert.deepEqual(await here.json(['name', 'list', 'field-datastore']), [
      { Kind: 'field-datastore', Name: priority, Id: datastore },
    ]);
    assert.equal((await here.run(['name', 'remove', 'field-datastore', 'PRIO'])).code, 0);
    for (const args of [
      ['field', 'Prio'],
      ['datastore', 'Branches'],
    ])
      assert.equal((await here.run(['name', 'remove', ...args])).code, 0);
    await refused(
      ['name', 'remove', 'field-datastore', priority],
      /there is no field-datastore '0.*' in profile/,
      /^relctl name list field-datastore$/,
    );
  });
});
