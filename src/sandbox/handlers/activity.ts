import type { OutputOf } from '../../contract/infer.js';
import {
  PvNotificationData,
  Attachment,
  PvActivityData,
  type PvActivityFollowUpData,
  PvInvolvedData,
} from '../../contract/records/activity.js';
import type { Store } from '../store/open.js';
import { PvFieldData, PvLabelItemData } from '../../contract/records/shared.js';
import { isBase64 } from '../../core/text/base64.js';
import { type Call, check, handlersOf, idOf, isKnown, known, refuse, pageOf, readPeriod } from './handler.js';
import { instantKey } from '../../core/text/time/datetime.js';
import { contentOf, insertContent } from '../store/open.js';
import {
  limitOf,
  fieldValuesOf,
  findById,
  insertRecord,
  recordsAt,
  recordsWhere,
  seqsWhere,
} from '../store/records.js';
import { entityTypeOf, listed, notify, nowText, saveActivity } from './activity-lists.js';
import { changedValues, checkWritable, readFieldValues } from './field-values.js';
import { byDate, ofEntityType, searchOf, seqsSearched } from './activity-search.js';
import { defined } from '../../core/values/value.js';

/** Labels of a field, on an activity or on its attachments (assumptions.json, "Labels"). */
const labelled =
  '"FieldId" = ? AND "RecordId" IN (SELECT ? UNION SELECT "Id" FROM "Attachment" WHERE "ActivitySeq" = ?)';

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

/** The follow-up to store: members that are not given are cleared (assumptions.json, "followUp"). Throws `refused`. */
function newFollowUp(call: Call, up: FollowUp): FollowUp {
  const next = { ...cleared, ...up };
  const { OwnerUserId: owner, PlacedInQueueId: queue } = next;
  if (typeof owner === 'string') check(call.store, 'User', { id: owner, what: 'user' });
  if (typeof queue === 'string') check(call.store, 'Queue', { id: queue, what: 'queue' });
  const [start, end] = [key(next.Start), key(next.End)];
  const isBackwards = start !== undefined && end !== undefined && start > end;
  return isBackwards ? refuse('InvalidPeriod', 'The follow-up ends before it starts.') : next;
}

/** Extension of a file name with its dot; empty for a name that begins with its only dot. */
const endingOf = (name: string): string => /[^.](\.[^.]*)$/.exec(name)?.[1] ?? '';

/** The user of a request. Throws `refused` for an unknown one: a count of 0 would hide a mistyped id. */
function userOf(store: Store, text: string | null | undefined): string {
  const userId = idOf(text);
  if (isKnown(store, 'User', userId)) return userId;
  return refuse('UnknownUser', `There is no user ${userId}.`);
}

/** Operations on activities, attachments and notifications (interface document, Endpoints). */
export const activityHandlers = handlersOf({
  ActivityGetFields: ({ store }, input) => {
    check(store, 'Workflow', { id: input.workflowId, what: 'workflow' });
    const where = '"EntityTypeId" = (SELECT EntityTypeId FROM "Workflow" WHERE Id = ?)';
    return { Fields: recordsWhere(store, PvFieldData, { where, values: [idOf(input.workflowId)] }) };
  },
  ActivityGetConnectedActivities: ({ store }, input) => {
    const { seq } = known(store, PvActivityData, { id: input.activityId, what: 'activity' });
    const where = 'seq IN (SELECT ConnectedSeq FROM "ActivityConnection" WHERE ActivitySeq = ?)';
    return { Activities: listed(store, seqsWhere(store, PvActivityData, { where, values: [seq] }), input) };
  },
  ActivityGetInvolveds: ({ store }, input) => {
    const { seq } = known(store, PvActivityData, { id: input.activityId, what: 'activity' });
    return { Involveds: recordsWhere(store, PvInvolvedData, { where: '"ActivitySeq" = ?', values: [seq] }) };
  },
  ActivityGetLabels: ({ store }, input) => {
    const { seq } = known(store, PvActivityData, { id: input.activityId, what: 'activity' });
    known(store, PvFieldData, { id: input.fieldId, what: 'field' });
    const values = [idOf(input.fieldId), idOf(input.activityId), seq];
    return { Labels: recordsWhere(store, PvLabelItemData, { where: labelled, values }) };
  },
  ActivitySearchByField: ({ store }, input) => {
    const page = pageOf(input);
    const search = searchOf(store, input);
    if (search.given.length > 0) return { Activities: listed(store, seqsSearched(store, search, page), input) };
    const condition = { where: ofEntityType, values: [search.entityTypeId], limit: limitOf(page) };
    const seqs = seqsWhere(store, PvActivityData, condition);
    return { Activities: listed(store, seqs, input) };
  },
  // Additional rules, 3.
  ActivitySearchByFieldInPeriodExact: ({ store }, input) => {
    const search = byDate(store, searchOf(store, input), idOf(input.dateFieldId));
    const seqs = seqsSearched(store, { ...search, period: readPeriod(input) }, pageOf(input));
    return { Activities: listed(store, seqs, input) };
  },
  ActivityUpdate: (call, input) => {
    const { store } = call;
    const row = known(store, PvActivityData, { id: input.activityId, what: 'activity' });
    const inputs = readFieldValues(store, entityTypeOf(store, row.seq), input.fieldValues);
    checkWritable(store, inputs);
    const FollowUp = input.followUp ? newFollowUp(call, input.followUp) : row.record.FollowUp;
    const Items = changedValues(fieldValuesOf(store, PvActivityData, row).Items, inputs);
    const record = { ...row.record, ...defined({ FollowUp }), FieldValues: { Items } };
    saveActivity(call, { seq: row.seq, record }, ['FieldValues.Items']);
    if (input.followUp) notify(call, { seq: row.seq, record });
    return defined({ Info: row.record.Info });
  },
  ActivityAddAttachment: (call, input) => {
    const activity = known(call.store, PvActivityData, { id: input.activityId, what: 'activity' });
    const FileName = input.fileName ?? '';
    const { content } = call;
    // Its pieces are another table's.
    const Base64EncodedFile = content === undefined ? (input.base64EncodedFile ?? '') : null;
    if (FileName === '') refuse('InvalidFile', 'A file needs a name.');
    if (!(content?.isBase64 ?? isBase64(Base64EncodedFile ?? ''))) {
      refuse('InvalidFile', 'The content of the file is not base64.');
    }
    const now = nowText(call);
    const value = {
      Id: call.newId(),
      CreationDate: now,
      ModificationDate: now,
      FileName,
      Version: '1.0',
      Extension: endingOf(FileName),
      ExternalDmsType: 0,
    };
    const seq = insertRecord(call.store, Attachment, {
      value: { ...value, Base64EncodedFile },
      extra: { ActivityId: idOf(activity.record.Id), ActivitySeq: activity.seq },
    });
    if (content !== undefined) insertContent(call.store, seq, content.open());
    saveActivity(call, activity);
    return { Attachment: value };
  },
  AttachmentGet: ({ store, place: placeContent }, input) => {
    const { record = null, seq } = findById(store, Attachment, idOf(input.attachmentId)) ?? {};
    const content = seq === undefined ? undefined : contentOf(store, seq);
    if (content === undefined) return { Attachment: record };
    const standIn = `[${content.length} characters]`;
    const member = 'Base64EncodedFile';
    placeContent({ ...content, member, standIn });
    return { Attachment: record && { ...record, [member]: standIn } };
  },
  NotificationGetCount: ({ store }, input) => {
    const sql = 'SELECT count(*) FROM "PvNotificationData" WHERE "UserId" = ?';
    const [count] = store.statement(sql).first(userOf(store, input.userId)) ?? [];
    return { NumberOfNotifications: Number(count) };
  },
  // Activities are as in lists.
  NotificationsGet: ({ store }, input) => {
    const sql = 'SELECT seq, "ActivitySeq" FROM "PvNotificationData" WHERE "UserId" = ? ORDER BY seq';
    const rows = store.statement(sql).all(userOf(store, input.userId));
    const seqs = rows.map(([seq]) => Number(seq));
    const there = seqsWhere(store, PvActivityData, {
      where: 'seq IN (SELECT value FROM json_each(?))',
      values: [JSON.stringify(rows.map(([, activity]) => activity))],
    });
    const activities = new Map(listed(store, there, {}).map((activity, at) => [there[at], activity]));
    const notifications = recordsAt(store, PvNotificationData, { seqs, withFields: false });
    return {
      Notifications: notifications.map((notification, at) => ({
        ...notification,
        Activity: activities.get(Number(rows[at]?.[1])) ?? null,
      })),
    };
  },
});
