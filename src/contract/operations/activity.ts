import { defineOperations, inRole, list, opt, req } from '../build.js';
import {
  Attachment,
  ProductLineData,
  PvActivityData,
  PvActivityFollowUpData,
  PvInvolvedData,
} from '../records/activity.js';
import { PvFieldData, PvLabelItemData } from '../records/shared.js';
import { guid, int, string } from '../scalars.js';
import {
  activityId,
  ErrorInformation,
  fieldId,
  fieldValues,
  from,
  includeCounters,
  includeFields,
  nilInLists,
  pageNumber,
  pageSize,
  productLine,
  to,
} from './parameters.js';

const activities = opt(list(PvActivityData), 'The activities found.');
const activityEntityTypeId = req(guid, 'The kind of activity to search.');

/** Interface document, Endpoints, Activities. */
export const activityOperations = defineOperations({
  ActivityGetFields: {
    doc: 'Lists the configurable fields of the activities of a workflow.',
    access: 'read',
    parameters: { workflowId: req(guid, 'The workflow.') },
    result: { Fields: opt(list(PvFieldData), 'The fields of its activities.') },
  },
  ActivitySearchByField: {
    doc: 'Finds activities by the values of their fields.',
    access: 'read',
    parameters: { activityEntityTypeId, fieldValues, pageNumber, pageSize, includeFields, includeCounters },
    result: { Activities: activities, ErrorInformation },
    paged: 'Activities',
    leavesNil: nilInLists,
    omitsMembers: true,
  },
  ActivitySearchByFieldInPeriodExact: {
    doc: 'Finds activities by the values of their fields, with one date field within a period.',
    access: 'read',
    parameters: {
      activityEntityTypeId,
      fieldValues,
      dateFieldId: req(guid, 'The date field that must lie in the period.'),
      from,
      to,
      pageNumber,
      pageSize,
      includeFields,
      includeCounters,
    },
    result: { Activities: activities, ErrorInformation },
    paged: 'Activities',
    leavesNil: nilInLists,
    omitsMembers: true,
  },
  ActivityGetConnectedActivities: {
    doc: 'Lists the activities that are connected to an activity.',
    access: 'read',
    parameters: { activityId, includeFields, includeCounters },
    result: { Activities: opt(list(PvActivityData), 'The connected activities.') },
    leavesNil: nilInLists,
    omitsMembers: true,
  },
  ActivityGetInvolveds: {
    doc: 'Lists the parties that are involved in an activity.',
    access: 'read',
    parameters: { activityId },
    result: { Involveds: opt(list(PvInvolvedData), 'The parties involved.') },
  },
  ActivityGetLabels: {
    doc: 'Lists the labels on a field of an activity.',
    access: 'read',
    parameters: { activityId, fieldId },
    result: { Labels: opt(list(PvLabelItemData), 'The labels on that field.') },
  },
  // What nil means in followUp (clear or keep) is not documented.
  ActivityUpdate: {
    doc: 'Changes the follow-up and the field values of an activity.',
    access: 'set',
    parameters: {
      activityId,
      followUp: opt(PvActivityFollowUpData, 'The follow-up; all of its fields go out, those without a value as nil.'),
      fieldValues,
    },
    result: { Info: opt(string, 'What the activity is about, after the change.'), ErrorInformation },
  },
  ActivityAddProductLine: {
    doc: 'Adds a product line to an activity.',
    access: 'add',
    parameters: { activityId, ...productLine },
    result: { ProductLineData: opt(ProductLineData, 'The line that was added.') },
  },
  SubscriptionAddProductLine: {
    doc: 'Adds a product line for a period to a subscription.',
    access: 'add',
    parameters: { activityId, ...productLine, period: req(int, 'The period; its unit is not documented.') },
    result: {
      ProductLineData: opt(ProductLineData, 'The line that was added.'),
      ActivityData: opt(PvActivityData, 'The subscription, with its nested records.'),
    },
  },
  ActivityAddAttachment: {
    doc: 'Attaches a file to an activity.',
    access: 'add',
    parameters: {
      activityId,
      fileName: opt(string, 'Name of the file.'),
      base64EncodedFile: inRole('content', opt(string, 'Content of the file, in base64.')),
    },
    result: { Attachment: opt(Attachment, 'The attachment that was made.') },
  },
  AttachmentGet: {
    doc: 'Gives an attachment with its content.',
    access: 'read',
    parameters: { attachmentId: req(guid, 'The attachment.') },
    result: { Attachment: opt(Attachment, 'The attachment.') },
  },
});
