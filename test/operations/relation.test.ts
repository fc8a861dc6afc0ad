import assert from 'node:assert/strict';
import { fieldId, known } from '../../src/sandbox/dataset/known.js';
import { endToEnd, place } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';

interface Entry {
  readonly Id: string;
  readonly DisplayName?: string;
  readonly FieldValues?: { readonly Items: readonly { readonly Id: string; readonly Value: string }[] } | null;
  readonly CounterValues?: readonly { readonly TabPageType: string; readonly Value: number }[] | null;
  readonly Counters?: readonly { readonly TabPageType: string; readonly Value: number }[];
}

interface BookEntry {
  readonly relation: { readonly Id: string };
  readonly TelephoneNumbers: readonly { readonly Value: string }[];
}

const { personId, activityId, workflowId, subscriptionWorkflowId } = known;
const ids = (entries: readonly Entry[]): readonly string[] => entries.map(({ Id }) => Id);

describe('The commands about relations', () => {
  const here = place();
  const column = (sql: string, ...values: readonly string[]): readonly unknown[] => here.rows(sql, ...values).flat();

  endToEnd(here, 'RelationGetAll', {
    works: {
      'relation list gives every relation of the store once, page by page': async ({ json }) => {
        const listed = await json<Entry[]>(['relation', 'list', '--page-size', '11']);
        assert.deepEqual(ids(listed), column('SELECT "Id" FROM "PvRelationData" ORDER BY seq'));
        assert.equal(listed.length, 60);
      },
      'relation list brings field values and counters when they are asked for': async ({ json }) => {
        const args = ['relation', 'list', '--page', '1', '--page-size', '3'];
        const [bare, full] = await Promise.all([
          json<Entry[]>(args),
          json<Entry[]>([...args, '--include-fields', '--include-counters']),
        ]);
        assert.deepEqual([bare[1]?.FieldValues, bare[1]?.CounterValues], [null, null]);
        assert.equal(full[1]?.Id, personId);
        assert.ok(full[1].FieldValues?.Items.some(({ Id }) => Id === fieldId(1, 'LastName')));
        assert.ok(full[1].CounterValues?.some(({ TabPageType }) => TabPageType === 'Activities'));
      },
    },
    refuses: [
      [['relation', 'list', '--limit', '0'], /--limit/],
      [['relation', 'list', '--page', 'two'], /--page/],
      [['relation', 'list', '--page-size', '0'], /--page-size/],
      [['relation', 'list', '--columns', 'Nam'], /Nam/],
    ],
  });

  endToEnd(here, 'RelationGet', {
    works: {
      'relation get shows the relation as it is kept, with its counters beside it': async ({ json }) => {
        const args = ['relation', 'get', personId.toUpperCase(), '--include-fields', '--include-counters'];
        const found = await json<Entry>(args);
        assert.deepEqual(
          [found.Id, found.DisplayName],
          here.rows('SELECT "Id", "DisplayName" FROM "PvRelationData" WHERE "Id" = ?', personId)[0],
        );
        const marks = `SELECT count(*) FROM "PvRelationshipMarkData" WHERE "RelationshipId" IN
          (SELECT "Id" FROM "PvRelationshipData" WHERE "ChildRelationId" = ?)`;
        const counted = found.Counters?.find(({ TabPageType }) => TabPageType === 'Marks')?.Value;
        assert.deepEqual([counted], column(marks, personId));
        assert.ok((found.FieldValues?.Items.length ?? 0) > 0);
      },
    },
    refuses: [
      [['relation', 'get', personId.slice(1)], /ID takes a GUID.*'0000000-/],
      [['relation', 'get', `{${personId}x`], /ID: '.*' is not a GUID/],
      [['relation', 'get'], /ID is missing: specify one, or use --ids FILE/],
    ],
  });

  endToEnd(here, 'RelationGetMarksModified', {
    works: {
      'relation marks gives all marks, or those of a period with both its ends': async ({ json }) => {
        const kept = here.rows(
          `SELECT "Id", "Date" FROM "PvRelationshipMarkData" WHERE "RelationshipId" IN
           (SELECT "Id" FROM "PvRelationshipData" WHERE "ChildRelationId" = ?) ORDER BY seq`,
          personId,
        );
        const [id, date] = (kept[0] ?? []).map(String);
        assert.ok(id !== undefined && date !== undefined);
        const [all, one] = await Promise.all([
          json<Entry[]>(['relation', 'marks', personId]),
          json<Entry[]>(['relation', 'marks', personId, '--from', date, '--to', date]),
        ]);
        assert.deepEqual(
          ids(all),
          kept.map(([each]) => each),
        );
        assert.ok(ids(one).includes(id));
      },
      'relation marks gives nothing for a period before all marks, but a note of the relation': async ({
        json,
        run,
      }) => {
        const before = ['relation', 'marks', personId, '--to', '1999-12-31'];
        assert.deepEqual(await json([...before, '-q']), []);
        assert.match((await run(before)).stderr, new RegExp(`^Note: Relation is not in .* 'Id ${personId}, .*'\n`));
      },
    },
    refuses: [
      [['relation', 'marks', personId, '--from', 'today', '--to', 'yesterday'], /--from .* is after --to/],
      [['relation', 'marks', personId, '--to', '2026-02-30'], /--to takes a time.*'2026-02-30'/],
      [['relation', 'marks', 'jansen'], /ID: 'jansen' is not a GUID/],
    ],
  });

  endToEnd(here, 'RelationGetActivitiesModified_V2', {
    works: {
      'relation activities shows what was changed within the last hour, of the workflows asked for': async ({
        json,
        run,
      }) => {
        const recent = ['relation', 'activities', personId, '--from', '-1h'];
        await ends(run(['activity', 'update', activityId, '--field', `${fieldId(11, 'Subject')}=Nieuw`]), 0, '');
        const [found, ofWorkflow, ofOther] = await Promise.all([
          json<Entry[]>([...recent, '--include-fields']),
          json<Entry[]>([...recent, '--workflow', subscriptionWorkflowId, '--workflow', workflowId]),
          json<Entry[]>([...recent, '--workflow', subscriptionWorkflowId]),
        ]);
        assert.deepEqual(ids(found), [activityId]);
        assert.deepEqual([ids(ofWorkflow), ids(ofOther)], [[activityId], []]);
        const subject = found[0]?.FieldValues?.Items.find(({ Id }) => Id === fieldId(11, 'Subject'));
        assert.equal(subject?.Value, 'Nieuw');
      },
    },
    refuses: [
      [['relation', 'activities', personId, '--workflow', 'Taak'], /--workflow: 'Taak' is not a GUID/],
      [['relation', 'activities', personId, '--from', 'last week'], /--from takes a time.*'last week'/],
      [['relation', 'activities', personId, '--from', '2026-01-02', '--to', '2026-01-01'], /--from .* is after --to/],
      [['relation', 'activities', '0'], /ID: '0' is not a GUID/],
    ],
  });

  endToEnd(here, 'RelationGetActivities', {
    works: {
      'relation activities --legacy gives them all and names its replacement on stderr': async ({ run }) => {
        const { code, stdout, stderr } = await run(['relation', 'activities', personId, '--legacy', '-o', 'csv']);
        assert.equal(code, 0, stderr);
        assert.match(stderr, /^Note: RelationGetActivities is deprecated; .*RelationGetActivitiesModified_V2/);
        const of = '(SELECT "Id" FROM "PvRelationshipData" WHERE "ChildRelationId" = ?)';
        const sql = `SELECT "Id" FROM "PvActivityData" WHERE "Settings_ParentRelationshipId" IN ${of} OR "Settings_ChildRelationshipId" IN ${of} ORDER BY seq`;
        const rows = stdout.trim().split('\n').slice(1);
        assert.deepEqual(
          rows.map((row) => row.slice(0, 36)),
          column(sql, personId, personId),
        );
      },
    },
    refuses: [
      [['relation', 'activities', personId, '--legacy', '--from', '-7d'], /--legacy and --from/],
      [['relation', 'activities', personId, '--legacy', '--workflow', workflowId], /--legacy and --workflow/],
      [['relation', 'activities', personId, '--legacy', '--page-size', '5'], /--legacy and --page-size/],
    ],
  });

  const numbers = 'SELECT DISTINCT "RelationId" FROM "PvTelephoneNumberData"';
  const withNumber = `SELECT "Id" FROM "PvRelationData" WHERE "Id" IN (${numbers}) ORDER BY seq`;

  endToEnd(here, 'RelationGetTelephoneBook_V2', {
    works: {
      'relation phone-book gives every relation with a number, page by page': async ({ json }) => {
        const listed = await json<BookEntry[]>(['relation', 'phone-book', '--page-size', '9']);
        assert.deepEqual(
          listed.map(({ relation }) => relation.Id),
          column(withNumber),
        );
        assert.ok(listed.every(({ TelephoneNumbers }) => TelephoneNumbers.length > 0));
      },
    },
    refuses: [
      [['relation', 'phone-book', '--limit', '1.5'], /--limit/],
      [['relation', 'phone-book', '--columns', 'Number'], /Number/],
    ],
  });

  endToEnd(here, 'RelationGetTelephoneBook', {
    works: {
      'relation phone-book --legacy gives the same and names its replacement, unless --quiet': async ({
        run,
        json,
      }) => {
        const { code, stdout, stderr } = await run(['relation', 'phone-book', '--legacy', '-o', 'ndjson']);
        assert.equal(code, 0);
        assert.match(stderr, /RelationGetTelephoneBook is deprecated; .*RelationGetTelephoneBook_V2/);
        const quiet = await json<BookEntry[]>(['relation', 'phone-book', '--legacy', '--quiet']);
        const lines = stdout.trim().split('\n');
        assert.deepEqual(
          lines.map((line) => JSON.parse(line) as BookEntry),
          quiet,
        );
        assert.deepEqual(
          quiet.map(({ relation }) => relation.Id),
          column(withNumber),
        );
      },
    },
    refuses: [[['relation', 'phone-book', '--legacy', '--limit', '-3'], /--limit/]],
  });
});
