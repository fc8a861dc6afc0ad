import groups from './data/known-ids.json' with { type: 'json' };

/** Groups of ids that are the same in every data set: second part of the GUID, and where counting starts. */
export type KnownGroup = keyof typeof groups;

/** The n-th fixed id of a group, counted from one. Decimal digits only, so that people can read and type it. */
export function knownId(group: KnownGroup, number: number): string {
  const { part, start } = groups[group];
  return `00000000-${part}-4000-8000-${String(start + number).padStart(12, '0')}`;
}

/** The id that clients of such services send for "none". */
export const emptyId = '00000000-0000-0000-0000-000000000000';

/** Credentials of the sandbox. They open nothing but the sandbox, so they may stand in examples. */
export const knownCredentials = {
  ApiKey: knownId('credentials', 1),
  DatabaseId: knownId('credentials', 2),
  UserId: knownId('user', 1),
  UserName: 'sandbox',
  // A word that no other text holds, or every message of the sandbox would have it masked.
  Password: 'zandbak',
} as const;

/** Ids that examples and tests may count on, whatever the size and the seed of the data set. */
export const known = {
  credentials: knownCredentials,
  /** First relation of the first page: the organisation that owns the database (`IsRoot`). */
  firstRelationId: knownId('relation', 1),
  /** A person with relationships, activities, marks and a telephone number. */
  personId: knownId('relation', 2),
  /** An organisation that is not the root. */
  organisationId: knownId('relation', 3),
  /** The relationship between `organisationId` and `personId`. */
  relationshipId: knownId('relationship', 2),
  /** An activity that has everything: involveds, labels, product lines, an attachment, connected activities. */
  activityId: knownId('activity', 1),
  /** An activity that is a subscription. */
  subscriptionId: knownId('activity', 3),
  attachmentId: knownId('attachment', 1),
  /** Workflow with fields and steps, of activities of type `activityEntityTypeId`. */
  workflowId: knownId('workflow', 1),
  subscriptionWorkflowId: knownId('workflow', 3),
  activityEntityTypeId: knownId('entityType', 11),
  personEntityTypeId: knownId('entityType', 1),
  organisationEntityTypeId: knownId('entityType', 2),
  relationshipEntityTypeId: knownId('entityType', 3),
  /** Lines that RelationshipAddLine adds. */
  lineEntityTypeId: knownId('entityType', 4),
  /** A datastore without a parent, with translations, and one whose items have parents. */
  datastoreEntityTypeId: knownId('entityType', 21),
  childDatastoreEntityTypeId: knownId('entityType', 22),
  productGroupId: knownId('productGroup', 1),
  productId: knownId('product', 1),
  vatId: knownId('vat', 1),
  markId: knownId('mark', 1),
  /** A user with notifications in all three locations. */
  userId: knownId('user', 1),
  /** A user without any. */
  quietUserId: knownId('user', 5),
} as const;
