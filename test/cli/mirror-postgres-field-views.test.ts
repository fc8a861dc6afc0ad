import assert from 'node:assert/strict';
import { fieldId } from '../../src/sandbox/dataset/fields.js';
import { known } from '../../src/sandbox/dataset/known.js';
import { place } from '../support/operations/place.js';
import { startPostgres, type PostgresServer } from '../support/postgres.js';

const { workflowId, activityEntityTypeId: activityType } = known;
const personType = '00000000-0040-4000-8000-000000000001';
const birthday = '00000000-0041-4000-8000-000000000101';
const activities = `activities_of_${activityType.replaceAll('-', '')}`;

describe('The views of a mirror in PostgreSQL that show fields as columns', function () {
  this.timeout(120_000);
  const here = place();
  let server: PostgresServer;
  let address: string;
  let file: string;
  before(async function () {
    server = await startPostgres(this);
    address = server.database();
    file = here.fresh('views.db');
    for (const words of [
      ['add', 'activities', '--entity-type', activityType, '--include-fields'],
      ['add', 'relations', '--include-fields'],
      ['add', 'workflow', workflowId],
    ])
      await both(['mirror', ...words]);
    await local('field', 'alias', 'set', 'Born', birthday);
    await local('name', 'set', 'entity-type', 'Private "person"; x', personType);
  });
  after(() => server.stop());

  async function local(...words: readonly string[]): Promise<void> {
    const { code, stderr } = await here.run(words);
    assert.deepEqual([code, stderr], [0, ''], words.join(' '));
  }
  const run = (words: readonly string[], to = address) => here.run([...words, '--to', to]);
  async function both(words: readonly string[]): Promise<void> {
    for (const to of [address, file]) {
      const { code, stderr } = await run(words, to);
      assert.deepEqual([code, stderr], [0, ''], words.join(' '));
    }
  }
  const reader = (): string => address.replace('owner@', 'reader@');
  const psql = (sql: string): string => server.psql('db1', sql);
  const inSchema = (): readonly string[] =>
    psql("SELECT viewname FROM pg_views WHERE schemaname = 'relctl' AND viewname LIKE '%_of_%' ORDER BY 1").split('\n');
  /** What a view shows, as JSON, in one order. */
  async function shown(view: string): Promise<readonly string[]> {
    const { code, stdout, stderr } = await run(['sql', `SELECT * FROM ${view}`, '-o', 'ndjson'], file);
    assert.equal(code, 0, stderr);
    return stdout.trimEnd().split('\n').sort();
  }

  it('are those of a mirror in a file, and show the same', async () => {
    await both(['mirror', 'sync', 'marks']);
    psql(`CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA relctl TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA relctl TO reader;
      ALTER DEFAULT PRIVILEGES IN SCHEMA relctl GRANT SELECT ON TABLES TO reader`);
    await both(['mirror', 'sync']);
    const views = ['relations_of_Private_person_x', activities];
    assert.deepEqual(inSchema(), views.map((name) => name.toLowerCase()).sort());
    for (const view of views) {
      const { code, stdout, stderr } = await run(['sql', `SELECT * FROM ${view}`, '-o', 'ndjson'], reader());
      assert.equal(code, 0, stderr);
      assert.deepEqual(stdout.trimEnd().split('\n').sort(), await shown(view));
    }
    const born = psql('SELECT "Born" FROM relctl.relations_of_private_person_x WHERE "Born" <> \'\' LIMIT 1');
    assert.ok(born.length > 0);
    const subject = psql(`SELECT "Subject" FROM relctl.${activities} WHERE "Subject" IS NOT NULL LIMIT 1`);
    assert.ok(subject.length > 0);
  });

  it('are listed with their fields, and described by comments', async () => {
    const { stdout } = await run(['mirror', 'tables', activities, '-o', 'csv']);
    assert.match(stdout, new RegExp(`Subject,string,TEXT,Value of the field ${fieldId(11, 'Subject')}\\.`));
    const all = await run(['mirror', 'tables', '-o', 'csv']);
    assert.match(all.stdout, new RegExp(`^${activities},\\d+,`, 'm'));
    const comment = psql(`SELECT obj_description('relctl.${activities}'::regclass)`);
    assert.equal(comment, `The activities of the entity type ${activityType}, a column a field.`);
  });

  it('stay as they are when nothing changed', async () => {
    const versions = "SELECT oid, xmin FROM pg_class WHERE relname LIKE '%_of_%' AND relkind = 'v' ORDER BY oid";
    const before = psql(versions);
    await both(['mirror', 'sync']);
    assert.equal(psql(versions), before);
  });

  it('have names that PostgreSQL keeps to the end, whatever fields are called', async () => {
    const long = 'é'.repeat(64);
    const hostile = {
      Subject: 'relations',
      Priority: `${long}1`,
      Deadline: '"; DROP SCHEMA relctl CASCADE; --',
      Amount: `${long}2`,
      Handler: "a'b\\c",
      Reference: 'a\u001b[31m\u202e\nb',
    };
    for (const [name, other] of Object.entries(hostile)) {
      here.execute(
        `UPDATE "PvFieldData" SET "Name" = '${other.replaceAll("'", "''")}' WHERE "Id" = '${fieldId(11, name)}'`,
      );
    }
    await local('name', 'set', 'entity-type', 'ÉÉ'.repeat(30), personType);
    await both(['mirror', 'sync']);
    const columns = psql(
      `SELECT attname FROM pg_attribute WHERE attrelid = 'relctl.${activities}'::regclass ORDER BY attnum`,
    ).split('\n');
    const withId = (name: string, title: string): string => `${title}_${fieldId(11, name).replaceAll('-', '')}`;
    for (const title of [
      withId('Subject', 'relations'),
      withId('Priority', 'é'.repeat(15)),
      withId('Amount', 'é'.repeat(15)),
      hostile.Deadline,
      hostile.Handler,
      'a [31m b',
    ]) {
      assert.ok(columns.includes(title), title);
    }
    const names = inSchema();
    assert.deepEqual(names, [activities, `relations_of_${'É'.repeat(25)}`]);
    for (const name of names) {
      const { code, stderr } = await run(['sql', `SELECT count(*) FROM ${name}`, '-o', 'csv'], reader());
      assert.equal(code, 0, stderr);
    }
  });

  it('keep who may read them, and stay where a view of others needs them, which is said', async () => {
    psql(`CREATE ROLE analyst; CREATE ROLE "odd role"; GRANT SELECT ON relctl.${activities} TO analyst, "odd role";
      GRANT SELECT ON relctl.${activities} TO PUBLIC`);
    const may = (): string => psql(`SELECT relacl FROM pg_class WHERE relname = '${activities}'`);
    const before = may();
    assert.match(before, /analyst=r/);
    here.execute(`UPDATE "PvFieldData" SET "Name" = 'Other' WHERE "Id" = '${fieldId(11, 'Subject')}'`);
    await both(['mirror', 'sync', 'workflow_fields']);
    assert.match(psql(`SELECT "Other" FROM relctl.${activities} LIMIT 1`), /./);
    assert.deepEqual(may().split(',').sort(), before.split(',').sort());

    psql(`CREATE VIEW public.mine AS SELECT "Other" FROM relctl.${activities}`);
    here.execute(`UPDATE "PvFieldData" SET "Name" = 'Third' WHERE "Id" = '${fieldId(11, 'Subject')}'`);
    const { code, stderr } = await run(['mirror', 'sync', 'workflow_fields']);
    assert.equal(code, 0, stderr);
    assert.match(stderr, new RegExp(`views that others use stay as they were: ${activities}`));
    assert.match(psql('SELECT "Other" FROM public.mine LIMIT 1'), /./);
    psql('DROP VIEW public.mine');
    await both(['mirror', 'sync', 'marks']);
    assert.match(psql(`SELECT "Third" FROM relctl.${activities} LIMIT 1`), /./);
  });

  it('are dropped when they cannot be made any more', async () => {
    await both(['mirror', 'remove', 'relations']);
    await both(['mirror', 'sync', 'marks']);
    assert.deepEqual(inSchema(), [activities]);
  });
});
