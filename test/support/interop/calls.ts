import type { Input } from '../../../src/contract/infer.js';
import { operations, type OperationName } from '../../../src/contract/service.js';
import { known } from '../../../src/sandbox/dataset/known.js';
import type { Fields, Operation, RecordType, Type } from '../../../src/contract/build.js';
import { resultEnvelope } from '../../../src/contract/records/shared.js';
import { boolean } from '../../../src/contract/scalars.js';

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

/** JSON as it comes. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A record of JSON. */
interface JsonRecord {
  readonly [name: string]: Json;
}

/** True for records, but not for lists and null. */
export const isRecord = (value: Json | undefined): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Array.isArray gives any[] for a readonly array; this takes that back.
const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Parameters in the shape that SOAP stacks take: lists within their items' name, members that must be there as null. */
export function wireForm(fields: Fields, value: Json): Json {
  if (!isRecord(value)) return value;
  const members = Object.entries(fields).flatMap(([name, { type, presence }]): [string, Json][] => {
    const member = value[name];
    if (member !== undefined) return [[name, wireValue(type, member)]];
    return presence === 'nil' ? [[name, null]] : [];
  });
  return Object.fromEntries(members);
}

function wireValue(type: Type, value: Json): Json {
  if (type.kind === 'record') return wireForm(type.fields, value);
  if (type.kind !== 'list' || !isList(value)) return value;
  return { [type.itemName]: value.map((item) => wireValue(type.item, item)) };
}

/**
 * A result in the form in which relctl prints it: lists without the name of their items, which stacks keep, and `long` as
 * text.
 */
export function printedForm(type: Type, value: Json): Json {
  if (type.kind === 'record' && isRecord(value)) {
    const members = Object.entries(value).map(([name, member]) => {
      // What the contract does not know stays, so that it shows in a comparison.
      return [name, printedForm(type.fields[name]?.type ?? boolean, member)] as const;
    });
    return Object.fromEntries(members);
  }
  if (type.kind === 'scalar' && type.name === 'long' && typeof value === 'number') return String(value);
  if (type.kind !== 'list') return value;
  const items = isRecord(value) ? (value[type.itemName] ?? []) : value;
  return isList(items) ? items.map((item) => printedForm(type.item, item)) : items;
}

/** What becomes of a value of a type; undefined takes it away. */
export type Change = (type: Type, value: Json) => Json | undefined;

/** Changes a value and everything within it, from the inside out. */
export function changed(type: Type, value: Json, change: Change): Json | undefined {
  if (type.kind === 'record' && isRecord(value)) {
    const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
      const known = type.fields[name];
      const after = known === undefined ? member : changed(known.type, member, change);
      return after === undefined ? [] : [[name, after]];
    });
    return change(type, Object.fromEntries(members));
  }
  if (type.kind === 'list' && isList(value)) {
    return change(
      type,
      value.map((item) => changed(type.item, item, change) ?? null),
    );
  }
  return change(type, value);
}

/** A result as a record type: the shape that a whole answer has. */
export const resultType = (operation: Operation): RecordType => ({
  kind: 'record',
  name: `${operation.name}Result`,
  doc: '',
  fields: operation.envelope ? { ...resultEnvelope, ...operation.result } : operation.result,
  presence: 'documented',
});

/** What came of a call, in whatever program: a result, the words of a refusal, or an answer that could not be read. */
export type Answer = { readonly result: Json } | { readonly refused: string } | { readonly unreadable: true };

/** What a client program prints for a call. */
export interface Printed {
  readonly result?: Json;
  readonly fault?: string;
  readonly unreadable?: string;
}

const textAt = (record: JsonRecord, name: string): string | undefined => {
  const text = record[name];
  return typeof text === 'string' && text !== '' ? text : undefined;
};

/** The words of a result that says that the call failed. */
function refusalIn(result: Json): string | undefined {
  if (!isRecord(result)) return undefined;
  const { Result: outcome } = result;
  if (isRecord(outcome ?? null) && isRecord(outcome) && outcome['Succeeded'] === false)
    return textAt(outcome, 'Description') ?? '';
  return textAt(result, 'ErrorInformation');
}

/** How a client hands results over: as they are, or without their record when it has but one member. */
export type Handing = 'whole' | 'unwrapped';

/** What a client program printed about a call, in the form in which relctl prints results. */
export function answerOf({ operation }: Call, printed: Printed, handing: Handing): Answer {
  if (printed.unreadable !== undefined) return { unreadable: true };
  if (printed.fault !== undefined) return { refused: printed.fault };
  const type = resultType(operations[operation]);
  const [only, ...others] = Object.keys(type.fields);
  const isUnwrapped = handing === 'unwrapped' && only !== undefined && others.length === 0;
  // An empty result element is nothing to some.
  const whole = isUnwrapped ? { [only]: printed.result ?? null } : (printed.result ?? {});
  const result = printedForm(type, whole);
  const refused = refusalIn(result);
  return refused === undefined ? { result } : { refused };
}

const made = ['ProductLineData', 'Attachment', 'LineData', 'DatastoreItem'];
const recentMs = 10 * 60 * 1000;

/** Answers without what is new in each run: ids that the service made, and the time at which it was called. */
export function settled(answers: readonly Answer[]): readonly Answer[] {
  const ids = answers.flatMap((answer, index) => {
    if (!('result' in answer) || !/Add|Create/.test(calls[index]?.operation ?? '')) return [];
    const { result } = answer;
    return made.map((name) => {
      const record = isRecord(result) ? result[name] : undefined;
      return isRecord(record) && typeof record['Id'] === 'string' ? record['Id'] : '';
    });
  });
  let text = JSON.stringify(answers);
  for (const [index, id] of ids.filter((each) => each !== '').entries()) text = text.replaceAll(id, `made-${index}`);
  text = text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g, (moment) =>
    Math.abs(Date.parse(moment) - Date.now()) < recentMs ? 'now' : moment,
  );
  // What was written as JSON a moment ago.
  return JSON.parse(text) as readonly Answer[];
}
