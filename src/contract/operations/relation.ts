import { defineOperations, list, opt, req } from '../build.js';
import { PvActivityData } from '../records/activity.js';
import {
  PvLineData,
  PvRelationshipData,
  PvRelationshipMarkData,
  PvRelationData,
  TelephoneBookEntry,
} from '../records/relation.js';
import { PvCounterData, PvLabelItemData } from '../records/shared.js';
import { guid } from '../scalars.js';
import {
  ErrorInformation,
  fieldId,
  fieldValues,
  from,
  includeCounters,
  includeFields,
  nilInLists,
  pageNumber,
  pageSize,
  relationId,
  to,
} from './parameters.js';

const phoneBook = {
  access: 'read',
  parameters: { pageNumber, pageSize },
  result: { TelephoneBookEntries: opt(list(TelephoneBookEntry), 'One page of the entries.') },
  paged: 'TelephoneBookEntries',
} as const;

/** Interface document, Endpoints, Relations and relationships. */
export const relationOperations = defineOperations({
  RelationGet: {
    doc: 'Gives one relation.',
    access: 'read',
    parameters: { relationId, includeFields, includeCounters },
    result: {
      Relation: opt(PvRelationData, 'The relation.'),
      Counters: opt(list(PvCounterData), 'Numbers of entries on its tab pages.'),
    },
  },
  RelationGetAll: {
    doc: 'Lists all relations.',
    access: 'read',
    parameters: { pageNumber, pageSize, includeFields, includeCounters },
    result: { Relations: opt(list(PvRelationData), 'One page of the relations.') },
    paged: 'Relations',
  },
  RelationGetMarksModified: {
    doc: 'Lists the marks of a relation that changed in a period.',
    access: 'read',
    parameters: { relationId, from, to },
    result: {
      Relation: opt(PvRelationData, 'The relation.'),
      RelationshipMarks: opt(list(PvRelationshipMarkData), 'Its marks that changed.'),
    },
    omitsMembers: true,
  },
  RelationGetActivitiesModified_V2: {
    doc: 'Lists the activities of a relation that changed in a period.',
    access: 'read',
    parameters: {
      pageNumber,
      pageSize,
      relationId,
      from,
      to,
      includeFields,
      includeCounters,
      workflowIds: opt(list(guid), 'Only activities of these workflows.'),
    },
    result: { Activities: opt(list(PvActivityData), 'One page of the activities.') },
    paged: 'Activities',
    leavesNil: nilInLists,
    omitsMembers: true,
  },
  // Deprecated by Additional rules, 1.
  RelationGetActivities: {
    doc: 'Lists the activities of a relation; an older form.',
    access: 'read',
    parameters: { relationId, includeFields, includeCounters },
    result: { Activities: opt(list(PvActivityData), 'The activities.') },
    leavesNil: nilInLists,
    omitsMembers: true,
    deprecated: 'RelationGetActivitiesModified_V2',
  },
  // Deprecated by Additional rules, 1.
  RelationGetTelephoneBook: {
    ...phoneBook,
    doc: 'Lists relations with their telephone numbers; an older form.',
    deprecated: 'RelationGetTelephoneBook_V2',
  },
  // The document names it as a replacement; its shape is an assumption (docs/assumptions.md).
  RelationGetTelephoneBook_V2: {
    ...phoneBook,
    doc: 'Lists relations with their telephone numbers.',
    source: 'observed',
  },
  RelationshipGetAll: {
    doc: 'Lists all relationships.',
    access: 'read',
    parameters: { pageNumber, pageSize, includeFields },
    result: { Relationships: opt(list(PvRelationshipData), 'One page of the relationships.') },
    paged: 'Relationships',
  },
  RelationshipFieldGetLabels: {
    doc: 'Lists the labels on a field of a relationship.',
    access: 'read',
    parameters: { relationshipId: req(guid, 'The relationship.'), fieldId },
    result: { Labels: opt(list(PvLabelItemData), 'The labels on that field.') },
  },
  // RelationshipId has a capital R.
  RelationshipAddLine: {
    doc: 'Adds a line with field values to a relationship.',
    access: 'add',
    parameters: {
      RelationshipId: req(guid, 'The relationship.'),
      entityTypeId: req(guid, 'The kind of line.'),
      datastoreId: req(guid, 'The datastore that the line belongs to.'),
      fieldValues,
    },
    result: { LineData: opt(PvLineData, 'The line that was added.'), ErrorInformation },
  },
});
