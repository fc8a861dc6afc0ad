import assert from 'node:assert/strict';
import { queueId, workflows } from '../../src/sandbox/dataset/catalogue.js';
import { fieldId, known } from '../../src/sandbox/dataset/known.js';
import { endToEnd, place } from '../support/operations/place.js';
import { valuesOf } from '../support/thrown.js';

interface Activity {
  readonly Id: string;
  readonly FollowUp: unknown;
  readonly FieldValues: { readonly Items: readonly { readonly Id: string; readonly Value: string }[] } | null;
  readonly CounterValues: readonly { readonly TabPageType: string; readonly Value: number }[] | null;
}

const { activityId, workflowId, activityEntityTypeId, quietUserId } = known;
const [subject, priority, deadline, tags] = [
  fieldId(11, 'Subject'),
  fieldId(11, 'Priority'),
  fieldId(11, 'Deadline'),
  fieldId(11, 'Tags'),
];
const urgent = '00000000-0042-4000-8000-000000002404';
const ids = (activities: readonly { readonly Id: string }[]): readonly string[] => activities.map(({ Id }) => Id);
const search = ['activity', 'search', '--entity-type', activityEntityTypeId];
const named = [...search, '--fields-of', workflowId];

describe('The commands that read activities', () => {
  const here = place();
  const withValue = (field: string, where: string): readonly unknown[] =>
    here
      .rows(
        `SELECT a."Id" FROM "PvActivityData" a JOIN "PvActivityData_FieldValues_Items" v ON v.owner = a.seq
         WHERE a."EntityTypeId" = ? AND v."Id" = ? AND ${where} ORDER BY a.seq`,
        activityEntityTypeId,
        field,
      )
      .flat();

  endToEnd(here, 'ActivityGetFields', {
    works: {
      'activity fields gives the fields of a workflow with all that is known of them': async ({ json }) => {
        const fields = await json<Record<string, unknown>[]>(['activity', 'fields', workflowId]);
        assert.deepEqual(valuesOf(fields, 'Id', 'Name', 'Type', 'IsRequired', 'IsReadOnly'), [
          [subject, 'Subject', 'NVarChar', true, false],
          [priority, 'Priority', 'UniqueIdentifier', false, false],
          [deadline, 'Deadline', 'Datetime2', false, false],
          [fieldId(11, 'Amount'), 'Amount', 'Currency', false, false],
          [fieldId(11, 'Handler'), 'Handler', 'UniqueIdentifier', false, false],
          [tags, 'Tags', 'Label', false, false],
          [fieldId(11, 'Reference'), 'Reference', 'NVarChar', false, true],
        ]);
      },
    },
    refuses: [
      [['activity', 'fields', 'Taak'], /WORKFLOW: 'Taak' is not a GUID, .* no workflow of that name/],
      [['activity', 'fields', workflowId, '-o', 'cvs'], /'cvs'/],
    ],
  });

  endToEnd(here, 'ActivitySearchByField', {
    works: {
      'activity search finds by id, by name and by label the same as the store': async ({ json }) => {
        const [byId, byName, byLabel, all] = await Promise.all([
          json<Activity[]>([...search, '--field', `${priority}=${urgent}`]),
          json<Activity[]>([...named, '--field', `Priority=${urgent.toUpperCase()}`]),
          json<Activity[]>([...named, '--field', `prioriteit=${urgent}`, '--page-size', '3']),
          json<Activity[]>(search),
        ]);
        const kept = withValue(priority, `v."Value" = '${urgent}'`);
        assert.ok(kept.length > 3);
        assert.deepEqual([ids(byId), ids(byName), ids(byLabel)], [kept, kept, kept]);
        assert.deepEqual(
          ids(all),
          here
            .rows('SELECT "Id" FROM "PvActivityData" WHERE "EntityTypeId" = ? ORDER BY seq', activityEntityTypeId)
            .flat(),
        );
        assert.ok(all.every(({ FollowUp, FieldValues }) => FollowUp === null && FieldValues === null));
      },
      'activity search brings field values and counters, and shows values under the names of their fields': async ({
        json,
        run,
      }) => {
        const only = ['--limit', '1', '--quiet', '--include-fields'];
        const [[first], table] = await Promise.all([
          json<Activity[]>([...search, ...only, '--include-counters']),
          run([...named, ...only, '-o', 'csv', '--columns', 'Id,Field.Subject,Field.Reference']),
        ]);
        assert.ok(first);
        const value = (id: string): string => first.FieldValues?.Items.find(({ Id }) => Id === id)?.Value ?? '';
        assert.ok(first.CounterValues?.some(({ TabPageType }) => TabPageType === 'Lines'));
        assert.equal(
          table.stdout,
          `Id,Field.Subject,Field.Reference\n${first.Id},${value(subject)},${value(fieldId(11, 'Reference'))}\n`,
        );
      },
    },
    refuses: [
      [search.slice(0, 2), /entity-type/],
      [[...search, '--field', 'Subject=x'], /--field: there is no field 'Subject'.*\n.*--fields-of/],
      [[...search, '--field', '=x'], /--field takes NAME=VALUE/],
      [['activity', 'search', '--entity-type', 'Taak'], /--entity-type: 'Taak' is not a GUID/],
      [[...search, '--fields-of', 'Taak', '--field', 'Subject=x'], /--fields-of: 'Taak' is not a GUID/],
      [[...named, '--field', 'Subject'], /--field takes NAME=VALUE/],
      [[...named, '--limit', 'all'], /--limit/],
    ],
  });

  endToEnd(here, 'ActivitySearchByFieldInPeriodExact', {
    works: {
      'activity search finds what lies in a period, with both its ends': async ({ json }) => {
        const [low, high] = ['2024-06-01T00:00:00', '2025-06-30T23:59:59'];
        const kept = withValue(deadline, `v."Value" BETWEEN '${low}' AND '${high}'`);
        assert.ok(kept.length > 2);
        const found = await json<Activity[]>([...named, '--date-field', 'Deadline', '--from', low, '--to', high]);
        assert.deepEqual(ids(found), kept);
        const [[value]] = here.rows(
          `SELECT "Value" FROM "PvActivityData_FieldValues_Items" WHERE "Id" = ? AND owner =
           (SELECT seq FROM "PvActivityData" WHERE "Id" = ?)`,
          deadline,
          String(kept[0]),
        ) as [[string]];
        const ends = ['--from', value, '--to', value];
        assert.deepEqual(ids(await json<Activity[]>([...search, '--date-field', deadline, ...ends])), [kept[0]]);
      },
    },
    refuses: [
      [[...search, '--date-field', deadline, '--from', '2024-01-01'], /missing: --to/],
      [[...search, '--from', '2024-01-01', '--to', 'now'], /missing: --date-field/],
      [[...named, '--date-field', 'Deadline', '--from', 'now', '--to', '-1d'], /--from .* is after --to/],
      [[...named, '--date-field', 'Deadline', '--from', '01-02-2024', '--to', 'now'], /--from takes .*'01-02-2024'/],
      [
        [...search, '--date-field', 'Deadline', '--from', '-1d', '--to', 'now'],
        /--date-field: there is no field 'Deadline'/,
      ],
    ],
  });

  endToEnd(here, 'ActivityGetConnectedActivities', {
    works: {
      'activity connected gives the activities that the store connects': async ({ json }) => {
        const found = await json<Activity[]>(['activity', 'connected', activityId, '--include-fields']);
        const sql = 'SELECT ConnectedId FROM "ActivityConnection" WHERE ActivityId = ?';
        assert.deepEqual(new Set(ids(found)), new Set(here.rows(sql, activityId).flat()));
        assert.ok(found.length > 0 && found.every(({ FieldValues }) => FieldValues !== null));
      },
    },
    refuses: [[['activity', 'connected', '1'], /ID: '1' is not a GUID/]],
  });

  endToEnd(here, 'ActivityGetInvolveds', {
    works: {
      'activity involved gives the parties of the activity': async ({ json }) => {
        const found = await json<{ Id: string; RelationshipId: string }[]>(['activity', 'involved', activityId]);
        const sql = 'SELECT "Id", "RelationshipId" FROM "PvInvolvedData" WHERE "ActivityId" = ?';
        assert.ok(found.length > 0);
        assert.deepEqual(valuesOf(found, 'Id', 'RelationshipId'), here.rows(sql, activityId));
      },
    },
    refuses: [
      [['activity', 'involved', activityId, 'extra'], /unexpected argument/],
      [['activity', 'involved', queueId(workflows[0]).slice(2)], /ID takes a GUID/],
    ],
  });

  endToEnd(here, 'ActivityGetLabels', {
    works: {
      'activity labels gives the labels of a field, by id and by name': async ({ json }) => {
        const [byId, byName, none] = await Promise.all([
          json<{ Id: string }[]>(['activity', 'labels', activityId, '--field', tags]),
          json<{ Id: string }[]>(['activity', 'labels', activityId, '--field', 'Tags', '--workflow', workflowId]),
          json<{ Id: string }[]>(['activity', 'labels', activityId, '--field', subject]),
        ]);
        const kept = here.rows('SELECT "Id" FROM "PvLabelItemData" WHERE "RecordId" = ? ORDER BY seq', activityId);
        assert.ok(kept.length > 0);
        assert.deepEqual([ids(byId), ids(byName), none], [kept.flat(), kept.flat(), []]);
      },
    },
    refuses: [
      [['activity', 'labels', activityId], /field/],
      [['activity', 'labels', activityId, '--field', 'Tags'], /--field: there is no field 'Tags'.*\n.*--workflow/],
      [['activity', 'labels', quietUserId.slice(9), '--field', tags], /ID takes a GUID/],
    ],
  });
});
