import { PvActivityData, type PvActivityFollowUpData } from '../../contract/records/activity.js';
import type { OutputOf } from '../../contract/infer.js';
import { badPeriod } from '../refusals.js';
import { fieldValuesOf } from '../store/find.js';
import { instantKey } from '../store/instant.js';
import { entityTypeOf } from './activities.js';
import { saveActivity } from './change.js';
import { changedValues, checkWritable, givenValues } from './field-values.js';
import { answered, refuse, type Call, type Handler } from './handler.js';
import { check, known } from './known.js';
import { notify } from './notify.js';

type FollowUp = OutputOf<typeof PvActivityFollowUpData>;

const cleared: FollowUp = {
  Start: null,
  End: null,
  InAgenda: null,
  ReminderPeriodInMinutes: null,
  OwnerUserId: null,
  PlacedInQueueId: null,
};

const key = (moment: string | null | undefined): string | undefined => instantKey(moment ?? '');

/** What is not there in a follow-up that came is cleared (assumptions.ts, "followUp"). */
function newFollowUp(call: Call, given: FollowUp): FollowUp {
  const next = { ...cleared, ...given };
  const { OwnerUserId: owner, PlacedInQueueId: queue } = next;
  if (typeof owner === 'string') check(call.store, 'User', { id: owner, what: 'user' });
  if (typeof queue === 'string') check(call.store, 'Queue', { id: queue, what: 'queue' });
  const [start, end] = [key(next.Start), key(next.End)];
  const isBackwards = start !== undefined && end !== undefined && start > end;
  return isBackwards ? refuse({ ...badPeriod, description: 'The follow-up ends before it starts.' }) : next;
}

/** Interface document, Endpoints, ActivityUpdate. */
export const ActivityUpdate: Handler<'ActivityUpdate'> = (call, input) => {
  const { store } = call;
  const row = known(store, PvActivityData, { id: input.activityId, what: 'activity' });
  const given = givenValues(store, entityTypeOf(store, row.seq), input.fieldValues);
  checkWritable(store, given);
  const FollowUp = input.followUp ? newFollowUp(call, input.followUp) : row.record.FollowUp;
  const Items = changedValues(fieldValuesOf(store, PvActivityData, [row])(row.seq).Items, given);
  const record = { ...row.record, ...(FollowUp === undefined ? {} : { FollowUp }), FieldValues: { Items } };
  saveActivity(call, { seq: row.seq, record }, ['FieldValues.Items']);
  if (input.followUp) notify(call, record);
  return answered(row.record.Info === undefined ? {} : { Info: row.record.Info });
};
