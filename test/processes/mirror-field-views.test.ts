import assert from 'node:assert/strict';
import { fieldId, known } from '../../src/sandbox/dataset/known.js';
import { openDatabase } from '../../src/state/sqlite/open.js';
import { place } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';
import { argv } from '../support/argv.js';

const { workflowId, activityEntityTypeId: activityType } = known;
const personType = '00000000-0040-4000-8000-000000000001';
const birthday = '00000000-0041-4000-8000-000000000101';
const bare = (id: string): string => id.replaceAll('-', '');

type Row = Readonly<Record<string, string | number | null>>;

interface WithFields {
  readonly Id: string;
  readonly EntityTypeId?: string;
  readonly FieldValues?: { readonly Items?: readonly { readonly Id: string; readonly Value?: string | null }[] } | null;
}

describe('The views of a mirror that show fields as columns', function () {
  const here = place();
  const silently = async (...words: readonly string[]): Promise<void> => {
    await ends(here.run(words), 0, '');
  };
  const ask = async (sql: string): Promise<readonly Row[]> => {
    const { stdout } = await ends(here.run(['sql', sql, '-o', 'ndjson']), 0);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
  };
  const inViews = async (): Promise<readonly { Table: string; Column: string; Holds: string }[]> =>
    (await here.json<readonly { Table: string; Column: string; Holds: string }[]>(['sql'])).filter(({ Table }) =>
      Table.includes('_of_'),
    );
  const names = async (): Promise<readonly string[]> => [...new Set((await inViews()).map(({ Table }) => Table))];
  const columns = async (view: string): Promise<ReadonlyMap<string, string>> => {
    const lines = (await inViews()).filter(({ Table }) => Table === view);
    return new Map(
      lines.flatMap(({ Column, Holds }) => {
        const id = /^Value of the field (\S+)\.$/.exec(Holds)?.[1];
        return id === undefined ? [] : [[id, Column] as const];
      }),
    );
  };
  /** Compares the cells of a view with the records as their list prints them. */
  const same = async (view: string, records: readonly WithFields[]): Promise<void> => {
    assert.ok(records.length > 0);
    const titles = await columns(view);
    const rows = new Map((await ask(`SELECT * FROM ${view}`)).map((row) => [row['Id'], row]));
    assert.equal(rows.size, records.length);
    for (const { Id, FieldValues } of records) {
      const values = new Map((FieldValues?.Items ?? []).map((item) => [item.Id, item.Value ?? null]));
      for (const id of values.keys()) assert.ok(titles.has(id), id);
      for (const [id, title] of titles) assert.equal(rows.get(Id)?.[title], values.get(id) ?? null, `${Id} ${title}`);
    }
  };
  const inFile = async (sql: string): Promise<void> => {
    const { stdout } = await here.run(['sql', '--print-file']);
    const database = openDatabase({ file: stdout.trim(), what: 'The mirror' });
    database.execute(sql);
    database.close();
  };
  const search = (): Promise<readonly WithFields[]> =>
    here.json(['activity', 'search', '--entity-type', activityType, '--include-fields']);

  it('are not there before a name is known', async () => {
    await silently('mirror', 'add', 'activities', '--entity-type', activityType, '--include-fields');
    await silently('mirror', 'add', 'relations', '--include-fields');
    await silently('mirror', 'sync');
    assert.deepEqual(await names(), []);
  });

  it('come with the fields of a workflow, and hold the values that the list prints', async () => {
    await silently('mirror', 'add', 'workflow', workflowId);
    await silently('mirror', 'sync', 'workflow_fields');
    const view = `activities_of_${bare(activityType)}`;
    assert.deepEqual(await names(), [view]);
    assert.equal((await columns(view)).get(fieldId(11, 'Subject')), 'Subject');
    await same(view, await search());
  });

  it('come with an alias, and are called as the profile calls the entity type', async () => {
    await silently('name', 'set', 'field', 'Born', birthday);
    await silently('name', 'set', 'entity-type', 'Private "person"; x', personType);
    await silently('mirror', 'sync', 'marks');
    const view = 'relations_of_Private_person_x';
    assert.ok((await names()).includes(view));
    assert.equal((await columns(view)).get(birthday), 'Born');
    const all = await here.json<readonly WithFields[]>(['relation', 'list', '--include-fields']);
    await same(
      view,
      all.filter(({ EntityTypeId }) => EntityTypeId === personType),
    );
  });

  it('stay usable whatever fields are called', async () => {
    const hostile = {
      Subject: 'relations',
      Priority: 'Number',
      Deadline: '"; DROP TABLE "_mirror"; --',
      Amount: 'same',
      Handler: 'SAME',
      Reference: 'a\u001b[31m\u202e\nb',
    };
    for (const [name, other] of Object.entries(hostile)) {
      here.execute(`UPDATE "PvFieldData" SET "Name" = '${other}' WHERE "Id" = '${fieldId(11, name)}'`);
    }
    await silently('mirror', 'sync', 'workflow_fields');
    const view = `activities_of_${bare(activityType)}`;
    const titles = await columns(view);
    const withId = (name: string, title: string): string => `${title}_${bare(fieldId(11, name))}`;
    assert.deepEqual(
      Object.keys(hostile).map((name) => titles.get(fieldId(11, name))),
      argv`
        ${withId('Subject', 'relations')} ${withId('Priority', 'Number')} ${hostile.Deadline}
        ${withId('Amount', 'same')} ${withId('Handler', 'SAME')} "a [31m b"
      `,
    );
    await same(view, await search());
  });

  it('read the values of a record once, however many columns are asked for', async () => {
    const view = `activities_of_${bare(activityType)}`;
    const plan = async (columns: string): Promise<number> => {
      const steps = await ask(`EXPLAIN QUERY PLAN SELECT ${columns} FROM ${view}`);
      return steps.filter(({ detail }) => String(detail).includes('activity_field_values')).length;
    };
    assert.ok((await columns(view)).size > 5);
    assert.deepEqual([await plan('count(*)'), await plan('*')], [0, 1]);
  });

  it('find one record by its Id without reading the others', async () => {
    const view = `activities_of_${bare(activityType)}`;
    const steps = await ask(`EXPLAIN QUERY PLAN SELECT * FROM ${view} WHERE Id = 'x'`);
    assert.ok(
      steps.some(({ detail }) => /^SEARCH r USING INDEX activities_by_id/.test(String(detail))),
      JSON.stringify(steps),
    );
  });

  it('show values to the letter, nil as NULL, and the first of several of one field', async () => {
    const view = `activities_of_${bare(activityType)}`;
    const field = fieldId(11, 'Deadline');
    const title = ((await columns(view)).get(field) ?? '').replaceAll('"', '""');
    const [row] = await ask(`SELECT Id FROM ${view} LIMIT 1`);
    const record = `SELECT _seq FROM all_activities WHERE Id = '${String(row?.['Id'])}'`;
    const values = ['"\\" \\u0041 \r\n\t\u0085\u2028', "it''s 😀 e\u0301", '', 'null', '1.50', '{"a":[1]}', null];
    for (const [at, value] of values.entries()) {
      const text = value === null ? 'NULL' : `'${value}'`;
      await inFile(
        `DELETE FROM all_activity_field_values WHERE _owner = (${record}) AND _position >= 1000;
        UPDATE all_activity_field_values SET Id = 'other' WHERE _owner = (${record}) AND Id = '${field}' COLLATE NOCASE;
        INSERT INTO all_activity_field_values (_owner, _position, Id, Value) SELECT _seq, 1000, upper('${field}'), ${text} FROM (${record});
        INSERT INTO all_activity_field_values (_owner, _position, Id, Value) SELECT _seq, 1001, '${field}', 'second' FROM (${record});
        INSERT INTO all_activity_field_values (_owner, _position, Id, Value) SELECT _seq, 1002, NULL, 'of no field' FROM (${record})`,
      );
      const [found] = await ask(`SELECT "${title}" AS value FROM ${view} WHERE Id = '${String(row?.['Id'])}'`);
      assert.deepEqual([at, found], [at, { value: value?.replaceAll("''", "'") ?? null }]);
    }
  });

  it('are not listed, and never asked, where another program made them anew', async () => {
    const view = `activities_of_${bare(activityType)}`;
    const made = await ask(`SELECT sql FROM sqlite_schema WHERE name = '${view}'`);
    await inFile(
      `DROP VIEW ${view}; CREATE VIEW ${view} AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS Id FROM c`,
    );
    assert.ok(!(await names()).includes(view));
    await inFile(`DROP VIEW ${view}; ${String(made[0]?.['sql'])}`);
    assert.ok((await names()).includes(view));
    const [kept] = await ask(`SELECT value FROM _mirror WHERE name = 'field_views'`);
    await inFile(`UPDATE _mirror SET value = '{"views":{}}' WHERE name = 'field_views'`);
    assert.deepEqual(await names(), []);
    await inFile(
      `UPDATE _mirror SET value = '${String(kept?.['value']).replaceAll("'", "''")}' WHERE name = 'field_views'`,
    );
    assert.ok((await names()).includes(view));
  });

  it('show rows that are there, and are not touched by a sync without changes', async () => {
    const view = 'relations_of_Private_person_x';
    const [row] = await ask(`SELECT Id FROM ${view}`);
    here.execute(`DELETE FROM "PvRelationData" WHERE "Id" = '${String(row?.['Id'])}'`);
    await silently('mirror', 'sync', 'relations');
    assert.deepEqual(await ask(`SELECT Id FROM ${view} WHERE Id = '${String(row?.['Id'])}'`), []);
    await silently('mirror', 'sync');
    // What a sync makes again would be without this.
    await inFile(`UPDATE "_mirror" SET value = json_set(value, '$.mark', 1) WHERE name = 'field_views'`);
    const mark = (): Promise<readonly Row[]> =>
      ask("SELECT value ->> '$.mark' AS mark FROM _mirror WHERE name = 'field_views'");
    await silently('mirror', 'sync');
    assert.deepEqual(await mark(), [{ mark: 1 }]);
    await silently('name', 'set', 'field', 'Else', fieldId(11, 'Tags'));
    await silently('mirror', 'sync', 'marks');
    assert.deepEqual(await mark(), [{ mark: null }]);
  });

  it('have their age told, and the nearest name for one that is wrong', async () => {
    await ends(here.run(['sql', 'SELECT * FROM relations_of_Private_persn_x']), 2, /relations_of_Private_person_x/);
    const asked = await here.run(['sql', 'SELECT Id FROM RELATIONS_of_private_Person_x LIMIT 1', '-o', 'json']);
    assert.equal(asked.code, 0);
    assert.match(asked.stderr, /from the mirror, synced \d+ seconds? ago/);
  });

  it('are dropped when they cannot be made any more, and come back with their rows', async () => {
    await silently('mirror', 'remove', 'relations');
    await silently('mirror', 'sync', 'marks');
    assert.deepEqual(await names(), [`activities_of_${bare(activityType)}`]);
    await silently('mirror', 'add', 'relations', '--include-fields');
    await silently('mirror', 'sync', 'relations');
    assert.ok((await names()).includes('relations_of_Private_person_x'));
    await silently('mirror', 'remove', 'relations');
    await silently('mirror', 'add', 'relations', '--include-fields');
    await silently('mirror', 'sync', 'relations');
    assert.ok((await names()).includes('relations_of_Private_person_x'));
    await silently('name', 'remove', 'field', 'Born');
    await silently('mirror', 'sync', 'marks');
    assert.deepEqual(await names(), [`activities_of_${bare(activityType)}`]);
  });
});
