import type { Operation } from '../../contract/build.js';
import type { OperationName } from '../../contract/service.js';
import type { RecordValue } from '../../soap/values/values.js';
import { ActivityAddAttachment, AttachmentGet } from './attachment.js';
import {
  ActivityGetConnectedActivities,
  ActivityGetFields,
  ActivityGetInvolveds,
  ActivityGetLabels,
} from './activity.js';
import { ActivitySearchByField, ActivitySearchByFieldInPeriodExact } from './activity-search.js';
import { ActivityUpdate } from './activity-update.js';
import {
  DatastoreCreateItem_V3,
  DatastoreGetSbiCodes,
  DatastoreGetWithParentItems_V2,
  SystemDatastoreGetItems,
} from './datastore.js';
import type { Call, Handler, Outcome } from './handler.js';
import { CampaignMarkGetAll, MarkGetAll } from './mark.js';
import { NotificationGetCount, NotificationsGet } from './notification.js';
import { ProductGetAll_V2, ProductGetAllByGroup, ProductUpdate_V2 } from './product.js';
import { ActivityAddProductLine, SubscriptionAddProductLine } from './product-line.js';
import { RelationGet, RelationGetAll, RelationGetMarksModified } from './relation.js';
import { RelationGetActivities, RelationGetActivitiesModified_V2 } from './relation-activities.js';
import { RelationshipAddLine, RelationshipFieldGetLabels, RelationshipGetAll } from './relationship.js';
import { RelationGetTelephoneBook, RelationGetTelephoneBook_V2 } from './telephone-book.js';
import { WorkflowStepGetAll } from './workflow.js';

/** Every operation of the contract has its handler; the compiler sees to it. */
export type Handlers = { readonly [N in OperationName]: Handler<N> };

/** The handlers of the sandbox. */
export const handlers: Handlers = {
  ActivityGetFields,
  ActivitySearchByField,
  ActivitySearchByFieldInPeriodExact,
  ActivityGetConnectedActivities,
  ActivityGetInvolveds,
  ActivityGetLabels,
  ActivityUpdate,
  ActivityAddProductLine,
  SubscriptionAddProductLine,
  ActivityAddAttachment,
  AttachmentGet,
  RelationGet,
  RelationGetAll,
  RelationGetMarksModified,
  RelationGetActivitiesModified_V2,
  RelationGetActivities,
  RelationGetTelephoneBook,
  RelationGetTelephoneBook_V2,
  RelationshipGetAll,
  RelationshipFieldGetLabels,
  RelationshipAddLine,
  ProductGetAllByGroup,
  ProductGetAll_V2,
  ProductUpdate_V2,
  DatastoreCreateItem_V3,
  DatastoreGetWithParentItems_V2,
  DatastoreGetSbiCodes,
  SystemDatastoreGetItems,
  MarkGetAll,
  CampaignMarkGetAll,
  WorkflowStepGetAll,
  NotificationGetCount,
  NotificationsGet,
};

/** A handler whose operation is known by its value only. */
export type AnyHandler = (call: Call, input: RecordValue) => Outcome<RecordValue>;

const byName: ReadonlyMap<string, unknown> = new Map(Object.entries(handlers));

/** The handler of an operation; undefined for one that is not in the contract. */
export function handlerOf(operation: Operation): AnyHandler | undefined {
  const found = byName.get(operation.name);
  // Input is decoded by the plan of the same operation that the handler is typed by, so the two fit; a map of all
  // operations cannot say so.
  return typeof found === 'function' ? (found as AnyHandler) : undefined;
}
