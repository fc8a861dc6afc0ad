import type { Input } from '../../../src/contract/infer.js';
import type { operations, OperationName } from '../../../src/contract/service.js';
import { known } from '../../../src/sandbox/dataset/known.js';

/** One call of the sandbox, in the words of the contract. */
export interface Call {
  readonly operation: OperationName;
  readonly parameters: Readonly<Record<string, unknown>>;
}

const call = <N extends OperationName>(operation: N, parameters: Input<(typeof operations)[N]>): Call => ({
  operation,
  parameters,
});

const field = (number: number): string => `00000000-0041-4000-8000-${String(number).padStart(12, '0')}`;

const includes = { includeFields: true, includeCounters: true } as const;
const whole = { pageNumber: 1, pageSize: 1000 } as const;
const { activityId, personId, relationshipId, workflowId, userId, activityEntityTypeId } = known;
// The third activity of every data set is a subscription.
const subscriptionId = activityId.replace(/1$/, '3');
const period = { from: '2000-01-01T00:00:00', to: '2999-12-31T23:59:59.9999999Z' } as const;
const line = {
  quantity: '2.500',
  productId: known.productId,
  description: 'As agreed: <5 & >3 "pieces"',
  vatId: known.vatId,
  amount: '12345678901234.50',
  purchaseAmount: '0.10',
} as const;
const product = {
  Id: known.productId,
  ProductGroupId: known.productGroupId,
  Code: '007',
  Name: 'Bäckerei \u{1F35E}',
  Description: ' two  blanks ',
  ProductType: 'Product',
  Unit: 3,
  IsDivisible: true,
  SalesPrice: '12.50',
  IsSalesPriceInclusiveVat: false,
  SalesVatId: known.vatId,
  PurchasePrice: '9.9500',
  IsInactive: false,
  AllowChangePrice: true,
  AllowChangeDescription: false,
  AllowChangeVat: true,
  AutoEnableEdit: false,
} as const;

const reads: readonly Call[] = [
  call('ActivityGetFields', { workflowId }),
  call('ActivitySearchByField', {
    activityEntityTypeId,
    fieldValues: [{ Id: field(1102), Value: '00000000-0042-4000-8000-000000002401' }],
    ...whole,
    ...includes,
  }),
  call('ActivitySearchByFieldInPeriodExact', {
    activityEntityTypeId,
    fieldValues: [],
    dateFieldId: field(1103),
    ...period,
    ...whole,
    ...includes,
  }),
  call('ActivityGetConnectedActivities', { activityId, ...includes }),
  call('ActivityGetInvolveds', { activityId }),
  call('ActivityGetLabels', { activityId, fieldId: field(1106) }),
  call('AttachmentGet', { attachmentId: known.attachmentId }),
  call('AttachmentGet', { attachmentId: known.activityId }),
  call('RelationGet', { relationId: personId, ...includes }),
  call('RelationGet', { relationId: personId, includeFields: false, includeCounters: false }),
  call('RelationGet', { relationId: activityId, ...includes }),
  call('RelationGetAll', { pageNumber: 1, pageSize: 11, ...includes }),
  // The twelfth relation has a control character in its Info.
  call('RelationGetAll', { pageNumber: 12, pageSize: 1, ...includes }),
  call('RelationGetAll', { pageNumber: 2, pageSize: 12, ...includes }),
  call('RelationGetAll', { pageNumber: 3, pageSize: 1000, ...includes }),
  call('RelationGetMarksModified', { relationId: personId, ...period }),
  call('RelationGetActivitiesModified_V2', {
    ...whole,
    relationId: personId,
    ...period,
    ...includes,
    workflowIds: [workflowId, known.subscriptionWorkflowId],
  }),
  call('RelationGetActivitiesModified_V2', { ...whole, relationId: personId, ...period, ...includes }),
  call('RelationGetActivities', { relationId: personId, ...includes }),
  call('RelationGetTelephoneBook', { pageNumber: 1, pageSize: 10 }),
  call('RelationGetTelephoneBook_V2', { pageNumber: 2, pageSize: 1 }),
  call('RelationshipGetAll', { ...whole, includeFields: true }),
  call('RelationshipFieldGetLabels', { relationshipId, fieldId: field(303) }),
  call('ProductGetAllByGroup', { productGroupId: known.productGroupId }),
  call('DatastoreGetWithParentItems_V2', {
    entityTypeId: known.childDatastoreEntityTypeId,
    includeTranslations: true,
  }),
  call('DatastoreGetSbiCodes', {}),
  call('SystemDatastoreGetItems', { systemDatastoreType: 'PaymentMethod' }),
  call('MarkGetAll', {}),
  call('CampaignMarkGetAll', {}),
  call('WorkflowStepGetAll', { workflowId }),
  call('NotificationGetCount', { userId }),
  call('NotificationsGet', { userId }),
  call('NotificationsGet', { userId: known.quietUserId }),
];

const writes: readonly Call[] = [
  call('ActivityUpdate', {
    activityId,
    followUp: { Start: '2026-03-01T09:00:00', End: null, InAgenda: false, OwnerUserId: userId },
    fieldValues: [
      { Id: field(1101), Value: 'Call <back> & "soon"' },
      { Id: field(1104), Value: '0012.50' },
    ],
  }),
  call('ActivityAddProductLine', { activityId, ...line }),
  call('SubscriptionAddProductLine', { activityId: subscriptionId, ...line, period: 3 }),
  call('ActivityAddAttachment', { activityId, fileName: 'é & <b>.txt', base64EncodedFile: 'aGVsbG8=' }),
  call('RelationshipAddLine', {
    RelationshipId: relationshipId,
    entityTypeId: known.lineEntityTypeId,
    datastoreId: known.datastoreEntityTypeId,
    fieldValues: [{ Id: field(401), Value: 'Lassen' }],
  }),
  call('ProductUpdate_V2', { productData: product }),
  call('DatastoreCreateItem_V3', {
    entityTypeId: known.datastoreEntityTypeId,
    fieldValues: [{ Id: field(2101), Value: 'Visserij' }],
    translations: [
      { CultureCode: 'nl-NL', Value: 'Visserij' },
      { CultureCode: 'en-US', Value: 'Fishing' },
    ],
  }),
];

/** What the writes left behind, and what is refused in each of the forms in which the sandbox refuses. */
const afterwards: readonly Call[] = [
  call('ActivitySearchByField', {
    activityEntityTypeId,
    fieldValues: [{ Id: field(1101), Value: 'Call <back> & "soon"' }],
    ...whole,
    ...includes,
  }),
  call('ProductGetAll_V2', {}),
  call('DatastoreGetWithParentItems_V2', {
    entityTypeId: known.datastoreEntityTypeId,
    includeTranslations: true,
  }),
  call('ActivityUpdate', { activityId, fieldValues: [{ Id: userId, Value: 'x' }] }),
  call('NotificationGetCount', { userId: activityId }),
  call('WorkflowStepGetAll', { workflowId: activityId }),
];

/** Calls of every operation: reads, writes, reads of what was written, refusals. To be made in this order. */
export const calls: readonly Call[] = [...reads, ...writes, ...afterwards];
