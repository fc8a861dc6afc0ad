import assert from 'node:assert/strict';
import { known } from '../../src/sandbox/dataset/known.js';
import { endToEnd, place } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';
import { valuesOf } from '../support/thrown.js';

interface Entry {
  readonly Id: string;
}

interface Notification extends Entry {
  readonly ActivityLocation: string;
  readonly Activity: { readonly Id: string; readonly FollowUp: unknown };
}

const { workflowId, userId, quietUserId } = known;
const otherUserId = '00000000-0000-4000-8000-000000000012';
const ids = (entries: readonly Entry[]): readonly string[] => entries.map(({ Id }) => Id);

describe('The commands about marks, workflows and notifications', () => {
  const here = place();
  const column = (sql: string, ...values: readonly string[]): readonly unknown[] => here.rows(sql, ...values).flat();

  endToEnd(here, 'MarkGetAll', {
    works: {
      'mark list gives all marks': async ({ json }) => {
        const listed = ids(await json<Entry[]>(['mark', 'list']));
        assert.deepEqual(listed, column('SELECT "Id" FROM "PvMarkData" ORDER BY seq'));
        assert.equal(listed.length, 16);
      },
    },
    refuses: [
      [['mark', 'list', '--limit', '0'], /--limit/],
      [['mark', 'list', '--campagne'], /unknown flag --campagne.*\n.*--campaign/],
    ],
  });

  endToEnd(here, 'CampaignMarkGetAll', {
    works: {
      'mark list --campaign gives those of campaigns only': async ({ json }) => {
        const listed = ids(await json<Entry[]>(['mark', 'list', '--campaign']));
        assert.deepEqual(listed, column('SELECT "Id" FROM "PvMarkData" WHERE "IsCampaign" = 1 ORDER BY seq'));
        assert.equal(listed.length, 4);
      },
    },
    refuses: [[['mark', 'list', '--campaign', '--columns', 'Nme'], /Nme.*\n.*Name/]],
  });

  endToEnd(here, 'WorkflowStepGetAll', {
    works: {
      'workflow steps gives the steps of a workflow in their order': async ({ json, run }) => {
        const [steps, missing] = await Promise.all([
          json<(Entry & { Type: string; Code: string })[]>(['workflow', 'steps', workflowId]),
          run(['workflow', 'steps', userId]),
        ]);
        assert.deepEqual(valuesOf(steps, 'Type', 'Code'), [
          ['StartStep', 'START'],
          ['QueueStep', 'WACHT'],
          ['ActionStep', '010'],
          ['EndStep', 'EIND'],
        ]);
        assert.deepEqual([missing.code, missing.stdout], [5, '']);
        assert.match(missing.stderr, /There is no workflow/);
      },
    },
    refuses: [
      [
        ['workflow', 'steps', 'Abonnement'],
        /ID: 'Abonnement' is not a GUID, and profile .* has no workflow of that name/,
      ],
      [['workflow', 'steps'], /ID is missing/],
    ],
  });

  const notifications = 'SELECT "Id" FROM "PvNotificationData" WHERE "UserId" = ? ORDER BY seq';

  endToEnd(here, 'NotificationGetCount', {
    works: {
      "notification count counts those of the profile's user, or of --user": async ({ json, run }) => {
        const [own, other, quiet, unknown] = await Promise.all([
          json(['notification', 'count']),
          json(['notification', 'count', '--user', otherUserId]),
          json(['notification', 'count', '--user', quietUserId]),
          run(['notification', 'count', '--user', workflowId]),
        ]);
        const [ofOwn, ofOther] = [userId, otherUserId].map((user) => column(notifications, user).length);
        assert.deepEqual(
          [own, other, quiet],
          [ofOwn, ofOther, 0].map((NumberOfNotifications) => ({ NumberOfNotifications })),
        );
        assert.equal(unknown.code, 5);
        assert.match(unknown.stderr, /There is no user .*\n.*code UnknownUser, number 404/);
      },
    },
    refuses: [[['notification', 'count', '--user', 'bram'], /--user: 'bram' is not a GUID, .* no user of that name/]],
  });

  endToEnd(here, 'NotificationsGet', {
    works: {
      "notification list gives those of the profile's user, or of --user, each with its activity": async ({ json }) => {
        const [own, other, quiet] = await Promise.all([
          json<Notification[]>(['notification', 'list']),
          json<Notification[]>(['notification', 'list', '--user', otherUserId]),
          json<Notification[]>(['notification', 'list', '--user', quietUserId]),
        ]);
        assert.deepEqual(ids(own), column(notifications, userId));
        assert.deepEqual([ids(other), quiet], [column(notifications, otherUserId), []]);
        assert.deepEqual(new Set(own.map((each) => each.ActivityLocation)), new Set(['Queue', 'Todo', 'Closed']));
        const sql = 'SELECT "ActivityId" FROM "PvNotificationData" WHERE "Id" = ?';
        assert.deepEqual([own[0]?.Activity.Id], column(sql, own[0]?.Id ?? ''));
        assert.equal(own[0]?.Activity.FollowUp, null);
      },
    },
    refuses: [
      [['notification', 'list', '--user', ''], /--user takes a GUID/],
      [['notification', 'list', '--columns', 'Activity.Nummer'], /Activity\.Nummer/],
    ],
  });

  describe('without a user in the profile and without --user', () => {
    it('ask for one by the name of the flag', async () => {
      assert.equal((await here.run(['profile', 'edit', 'local', '--unset', 'userId'])).code, 0);
      for (const verb of ['count', 'list']) {
        await ends(here.run(['notification', verb]), 2, /which user\?.*\n.*--user with the Id/);
      }
      assert.equal((await here.run(['notification', 'count', '--user', otherUserId])).code, 0);
    });
  });
});
