import type { Operation } from '../../contract/build.js';
import type { OperationName } from '../../contract/service.js';
import type { RecordValue } from '../../soap/values.js';
import type { SandboxContext } from '../context.js';
import type { Handler, Outcome } from './handler.js';
import { NotificationGetCount } from './notification.js';
import { RelationGet, RelationGetAll } from './relation.js';
import { RelationshipGetAll } from './relationship.js';

/** Every operation of the contract stands here: with its handler, or as not available. */
export type Handlers = { readonly [N in OperationName]: Handler<N> | 'unavailable' };

/** The handlers of the sandbox. */
export const handlers: Handlers = {
  ActivityGetFields: 'unavailable',
  ActivitySearchByField: 'unavailable',
  ActivitySearchByFieldInPeriodExact: 'unavailable',
  ActivityGetConnectedActivities: 'unavailable',
  ActivityGetInvolveds: 'unavailable',
  ActivityGetLabels: 'unavailable',
  ActivityUpdate: 'unavailable',
  ActivityAddProductLine: 'unavailable',
  SubscriptionAddProductLine: 'unavailable',
  ActivityAddAttachment: 'unavailable',
  AttachmentGet: 'unavailable',
  RelationGet,
  RelationGetAll,
  RelationGetMarksModified: 'unavailable',
  RelationGetActivitiesModified_V2: 'unavailable',
  RelationGetActivities: 'unavailable',
  RelationGetTelephoneBook: 'unavailable',
  RelationGetTelephoneBook_V2: 'unavailable',
  RelationshipGetAll,
  RelationshipFieldGetLabels: 'unavailable',
  RelationshipAddLine: 'unavailable',
  ProductGetAllByGroup: 'unavailable',
  ProductGetAll_V2: 'unavailable',
  ProductUpdate_V2: 'unavailable',
  DatastoreCreateItem_V3: 'unavailable',
  DatastoreGetWithParentItems_V2: 'unavailable',
  DatastoreGetSbiCodes: 'unavailable',
  SystemDatastoreGetItems: 'unavailable',
  MarkGetAll: 'unavailable',
  CampaignMarkGetAll: 'unavailable',
  WorkflowStepGetAll: 'unavailable',
  NotificationGetCount,
  NotificationsGet: 'unavailable',
};

/** A handler whose operation is known by its value only. */
export type AnyHandler = (context: SandboxContext, input: RecordValue) => Outcome<RecordValue>;

const byName: ReadonlyMap<string, unknown> = new Map(Object.entries(handlers));

/** The handler of an operation; undefined when it is not available in this version. */
export function handlerOf(operation: Operation): AnyHandler | undefined {
  const found = byName.get(operation.name);
  // Input is decoded by the plan of the same operation that the handler is typed by, so the two fit; a map of all
  // operations cannot say so.
  return typeof found === 'function' ? (found as AnyHandler) : undefined;
}
