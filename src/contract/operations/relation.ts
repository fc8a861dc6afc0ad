import { list, operation, opt } from '../build.js';
import { PvActivityData } from '../records/activity.js';
import { PvRelationshipMarkData } from '../records/mark.js';
import { PvRelationData, TelephoneBookEntry } from '../records/relation.js';
import { PvCounterData } from '../records/shared.js';
import { guid } from '../scalars.js';
import { from, includeCounters, includeFields, pageNumber, pageSize, relationId, to } from './parameters.js';

/** Interface document, Endpoints, Relations and relationships. */
export const RelationGet = operation({
  name: 'RelationGet',
  doc: 'Gives one relation.',
  access: 'read',
  parameters: { relationId, includeFields, includeCounters },
  result: {
    Relation: opt(PvRelationData, 'The relation.'),
    Counters: opt(list(PvCounterData), 'Numbers of entries on its tab pages.'),
  },
});

/** Interface document, Endpoints, Relations and relationships. */
export const RelationGetAll = operation({
  name: 'RelationGetAll',
  doc: 'Lists all relations.',
  access: 'read',
  parameters: { pageNumber, pageSize, includeFields, includeCounters },
  result: { Relations: opt(list(PvRelationData), 'One page of the relations.') },
  paged: 'Relations',
});

/** Interface document, Endpoints, Relations and relationships. */
export const RelationGetMarksModified = operation({
  name: 'RelationGetMarksModified',
  doc: 'Lists the marks of a relation that changed in a period.',
  access: 'read',
  parameters: { relationId, from, to },
  result: {
    Relation: opt(PvRelationData, 'The relation.'),
    RelationshipMarks: opt(list(PvRelationshipMarkData), 'Its marks that changed.'),
  },
});

/** Interface document, Endpoints, Relations and relationships. */
export const RelationGetActivitiesModified_V2 = operation({
  name: 'RelationGetActivitiesModified_V2',
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
});

/** Interface document, Endpoints, Relations and relationships; Additional rules, 1. */
export const RelationGetActivities = operation({
  name: 'RelationGetActivities',
  doc: 'Lists the activities of a relation; an older form.',
  access: 'read',
  parameters: { relationId, includeFields, includeCounters },
  result: { Activities: opt(list(PvActivityData), 'The activities.') },
  deprecated: 'RelationGetActivitiesModified_V2',
});

const phoneBook = {
  access: 'read',
  parameters: { pageNumber, pageSize },
  result: { TelephoneBookEntries: opt(list(TelephoneBookEntry), 'One page of the entries.') },
  paged: 'TelephoneBookEntries',
} as const;

/** Interface document, Endpoints, Relations and relationships; Additional rules, 1. */
export const RelationGetTelephoneBook = operation({
  ...phoneBook,
  name: 'RelationGetTelephoneBook',
  doc: 'Lists relations with their telephone numbers; an older form.',
  deprecated: 'RelationGetTelephoneBook_V2',
});

/** Named as a replacement by the interface document; its shape is an assumption (docs/assumptions.md). */
export const RelationGetTelephoneBook_V2 = operation({
  ...phoneBook,
  name: 'RelationGetTelephoneBook_V2',
  doc: 'Lists relations with their telephone numbers.',
  source: 'observed',
});
