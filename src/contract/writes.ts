import { isRecord, type RecordValue } from '../core/values/value.js';
import type { OperationName } from './service.js';

/** What the service offers beside a write: how to find out whether it was done, and why nothing undoes it. */
export interface WriteFacts {
  /** What it writes to, in words that an Id goes behind. */
  readonly record: string;
  /** Paths of the members of the input that identify the record: the first with a text counts. */
  readonly identifiedBy: readonly string[];
  readonly adds?: string;
  /** The words of a command that reads the record, before its Id; or why no command does. */
  readonly verification: { readonly read: readonly string[] } | { readonly unread: string };
  /** Why it cannot be undone where nothing was read before it, and what to do, in words that the record goes behind. */
  readonly noUndo: { readonly why: string; readonly instead: string };
}

/** What is added to a record can neither be read nor removed. */
const addition = (text: {
  readonly record: string;
  readonly member: string;
  readonly adds: string;
  readonly one: string;
}): WriteFacts => ({
  record: text.record,
  identifiedBy: [text.member],
  adds: text.adds,
  verification: { unread: 'no operation lists them' },
  noUndo: { why: `no operation removes ${text.one}`, instead: 'remove it in the CRM, from' },
});

const productLine = { member: 'activityId', adds: 'product lines', one: 'a product line' } as const;

const writes: Readonly<Partial<Record<OperationName, WriteFacts>>> = {
  ProductUpdate_V2: {
    record: 'product',
    identifiedBy: ['productData.Code', 'productData.Id'],
    verification: { read: ['product', 'get'] },
    noUndo: {
      why: 'relctl did not read the former values of the product',
      instead: 'write its former values with `relctl product update`:',
    },
  },
  ActivityUpdate: {
    record: 'activity',
    identifiedBy: ['activityId'],
    verification: {
      unread: 'no operation returns an activity by its Id; `relctl activity search` finds it by its fields',
    },
    noUndo: {
      why: 'relctl did not read the former values of the activity',
      instead: 'write its former values with `relctl activity update`:',
    },
  },
  ActivityAddProductLine: addition({ record: 'activity', ...productLine }),
  SubscriptionAddProductLine: addition({ record: 'subscription', ...productLine }),
  ActivityAddAttachment: addition({
    record: 'activity',
    member: 'activityId',
    adds: 'attachments',
    one: 'an attachment',
  }),
  RelationshipAddLine: addition({ record: 'relationship', member: 'RelationshipId', adds: 'lines', one: 'a line' }),
  DatastoreCreateItem_V3: {
    record: 'the datastore of entity type',
    identifiedBy: ['entityTypeId'],
    verification: { read: ['datastore', 'items'] },
    noUndo: {
      why: 'no operation removes an entry of a datastore',
      instead: 'make it inactive in the CRM, in',
    },
  },
};

/** What the contract says of a write, by the name of its operation; undefined for any other operation. */
export const writeFactsOf = (operation: string): WriteFacts | undefined =>
  (writes as Readonly<Record<string, WriteFacts>>)[operation];

/** The text by which the input of a write identifies the record it writes to; undefined where it has none. */
export function recordIdIn(input: RecordValue, { identifiedBy }: WriteFacts): string | undefined {
  for (const path of identifiedBy) {
    const [name = '', member] = path.split('.');
    const value = input[name];
    const id = member === undefined ? value : isRecord(value) ? value[member] : undefined;
    if (typeof id === 'string' && id !== '') return id;
  }
  return undefined;
}
