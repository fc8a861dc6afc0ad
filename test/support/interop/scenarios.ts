import type { OutputOf } from '../../../src/contract/infer.js';
import type { PvRelationData } from '../../../src/contract/records/relation.js';
import type { OperationName } from '../../../src/contract/service.js';
import type { Json } from './shapes.js';

/** A command of relctl, what a server answers to its calls, and what must come of it. */
export interface Scenario {
  readonly words: string;
  readonly operation: OperationName;
  readonly args: readonly string[];
  /** What relctl is given, and the server ought to be called with; credentials go beside it. */
  readonly parameters: Json;
  /** Results by number of the page, or one; in the words of the contract. */
  readonly answers: readonly Json[];
  /** The words of a fault instead. */
  readonly fault?: string;
  readonly printed: Json;
  readonly code: 0 | 4;
}

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const call = (operation: string): readonly string[] => ['call', operation, '--input', '-', '--yes'];

const relation = (number: number, more: OutputOf<typeof PvRelationData>): Json => ({
  Id: id(number),
  EntityTypeId: id(1),
  IsRoot: false,
  IsDummy: false,
  IsInactive: true,
  // Parts of a record of the contract are JSON.
  ...(more as { readonly [name: string]: Json }),
});

const odd = ' <&> "é\u{1F35E}" ]]>\n\ttwo  blanks ';
const relations = [
  relation(1, { Info: odd, DisplayName: '007', FieldValues: { Items: [{ Id: id(9), Value: '' }, { Id: id(8) }] } }),
  relation(2, { Info: '', FieldValues: null, CounterValues: null }),
  relation(3, { CounterValues: [{ TabPageType: 'Marks', Value: -3 }], FieldValues: { Items: [] } }),
];
const line = {
  Id: id(4),
  Quantity: '2.500',
  Amount: '12345678901234.50',
  TotalAmount: '0.10',
  PurchaseAmount: '-1',
  VatId: id(5),
  ProductId: id(6),
  Period: 0,
};
const pages = { pageSize: 2, includeFields: true, includeCounters: true };
const succeeded = { Succeeded: true, Number: 0 };

/** What relctl is made to ask of servers that others wrote. */
export const scenarios: readonly Scenario[] = [
  {
    words: 'pages to an empty one',
    operation: 'RelationGetAll',
    args: ['relation', 'list', '--page-size', '2', '--include-fields', '--include-counters'],
    parameters: [1, 2, 3, 4].map((pageNumber) => ({ pageNumber, ...pages })),
    // Behind an empty page one more is looked at.
    answers: [
      { Relations: relations.slice(0, 2) },
      { Relations: relations.slice(2) },
      { Relations: [] },
      { Relations: [] },
    ],
    printed: relations,
    code: 0,
  },
  {
    words: 'the result envelope',
    operation: 'NotificationGetCount',
    args: call('NotificationGetCount'),
    parameters: { userId: id(11) },
    answers: [{ Result: succeeded, NumberOfNotifications: 7 }],
    printed: { Result: succeeded, NumberOfNotifications: 7 },
    code: 0,
  },
  {
    words: 'a failure in the result envelope',
    operation: 'SystemDatastoreGetItems',
    args: call('SystemDatastoreGetItems'),
    parameters: { systemDatastoreType: 'LegalEntity' },
    answers: [{ Result: { Succeeded: false, Number: 12, Code: 'Shut', Description: 'The <list> is & stays "shut"' } }],
    printed: 'The <list> is & stays "shut"',
    code: 4,
  },
  {
    words: 'nil, empty and left out in a request',
    operation: 'ActivityUpdate',
    args: call('ActivityUpdate'),
    parameters: {
      activityId: id(12),
      followUp: {
        Start: '2026-01-31T09:30:00.1234567',
        End: null,
        InAgenda: false,
        ReminderPeriodInMinutes: null,
        OwnerUserId: id(11),
        PlacedInQueueId: null,
      },
      fieldValues: [{ Id: id(13), Value: odd }, { Id: id(14), Value: '' }, { Id: id(15) }],
    },
    answers: [{ Info: 'done' }],
    printed: { Info: 'done' },
    code: 0,
  },
  {
    words: 'decimals to the digit',
    operation: 'ActivityAddProductLine',
    args: call('ActivityAddProductLine'),
    parameters: {
      activityId: id(12),
      quantity: '2.500',
      productId: id(6),
      vatId: id(5),
      amount: '12345678901234.50',
      purchaseAmount: '-1',
    },
    answers: [{ ProductLineData: line }],
    printed: { ProductLineData: line },
    code: 0,
  },
  {
    words: 'a list of guids in a request, none in the answer',
    operation: 'RelationGetActivitiesModified_V2',
    args: call('RelationGetActivitiesModified_V2'),
    parameters: {
      pageNumber: 1,
      ...pages,
      relationId: id(1),
      from: '2026-01-01T00:00:00Z',
      to: '2026-12-31T23:59:59+01:00',
      workflowIds: [id(21), id(22)],
    },
    answers: [{ Activities: [] }],
    printed: { Activities: [] },
    code: 0,
  },
  {
    words: 'an empty result',
    operation: 'ProductUpdate_V2',
    args: call('ProductUpdate_V2'),
    parameters: {},
    answers: [{}],
    printed: {},
    code: 0,
  },
  {
    words: 'a fault',
    operation: 'WorkflowStepGetAll',
    args: call('WorkflowStepGetAll'),
    parameters: { workflowId: id(23) },
    answers: [],
    fault: 'No <such> workflow & "é"',
    printed: 'No <such> workflow & "é"',
    code: 4,
  },
];
