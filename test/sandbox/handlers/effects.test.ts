import assert from 'node:assert/strict';
import { PvRelationshipData } from '../../../src/contract/records/relation.js';
import { fieldId, known, knownId } from '../../../src/sandbox/dataset/known.js';
import { activityHandlers } from '../../../src/sandbox/handlers/activity.js';
import type { Call } from '../../../src/sandbox/handlers/handler.js';
import { relationHandlers } from '../../../src/sandbox/handlers/relation.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { findById } from '../../../src/sandbox/store/records.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

const { RelationGet, RelationshipAddLine } = relationHandlers;

const { ActivityUpdate, NotificationGetCount, NotificationsGet } = activityHandlers;

describe('What a write changes, others see:', () => {
  let sandbox: Sandbox;
  let call: Call;
  beforeEach(async () => {
    sandbox = await temporarySandbox(40);
    call = { ...sandbox, now: () => new Date('2026-05-06T07:08:09Z'), userId: known.userId, place: () => undefined };
  });
  afterEach(() => sandbox.close());

  it('a line of a relationship is counted, and changes the relationship', () => {
    const lines = (): number | null | undefined => {
      const { Counters } = RelationGet(call, { relationId: known.personId, includeCounters: true });
      return Counters?.find((counter) => counter?.TabPageType === 'Lines')?.Value;
    };
    const before = lines() ?? 0;
    const fieldValues = [{ Id: fieldId(4, 'Course'), Value: 'Veilig werken' }];
    const { relationshipId: RelationshipId, lineEntityTypeId: entityTypeId } = known;
    const datastoreId = known.datastoreEntityTypeId;
    RelationshipAddLine(call, { RelationshipId, entityTypeId, datastoreId, fieldValues });
    assert.equal(lines(), before + 1);
    const audit = findById(sandbox.store, PvRelationshipData, known.relationshipId)?.record.AuditData;
    assert.deepEqual([audit?.ModifiedAt, audit?.ModifiedByUser], ['2026-05-06T07:08:09Z', known.userId]);
  });

  describe('the notification of an activity', () => {
    const other = knownId('user', 2);
    const told = (userId: string, activityId = known.activityId): readonly unknown[] => {
      const { Notifications } = NotificationsGet(call, { userId });
      const count = NotificationGetCount(call, { userId }).NumberOfNotifications;
      assert.equal(count, Notifications?.length);
      return (Notifications ?? []).flatMap((each) =>
        each?.Activity?.Id === activityId ? [each.ActivityLocation] : [],
      );
    };
    const follow = (owner: string | null, inQueue: string | null, activityId = known.activityId): void => {
      const followUp = { OwnerUserId: owner, PlacedInQueueId: inQueue };
      ActivityUpdate(call, { activityId, followUp, fieldValues: [] });
    };

    it('goes with the activity to a new owner', () => {
      assert.deepEqual([told(known.userId), told(other)], [['Todo'], []]);
      follow(other, null);
      assert.deepEqual([told(known.userId), told(other)], [[], ['Todo']]);
    });

    it('goes away with the last owner, and comes back with the next', () => {
      follow(null, null);
      assert.deepEqual(told(known.userId), []);
      follow(known.userId, null);
      assert.deepEqual(told(known.userId), ['Todo']);
    });

    it('stays as it is when nothing but field values is written', () => {
      const fieldValues = [{ Id: fieldId(11, 'Subject'), Value: 'Nieuw' }];
      ActivityUpdate(call, { activityId: known.activityId, fieldValues });
      assert.deepEqual(told(known.userId), ['Todo']);
    });
  });
});
