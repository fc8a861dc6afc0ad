import { list, opt, req, type NilMember } from '../build.js';
import { PvFieldValueData } from '../records/shared.js';
import { boolean, dateTime, decimal, guid, int, string } from '../scalars.js';

/** Parameters that several operations share, with one wording each (interface document, Endpoints, Limits). */
export const pageNumber = req(int, 'Number of the page; whether the first is 0 or 1 is not documented.');
/** See pageNumber. */
export const pageSize = req(int, 'Rows on a page; the largest size is not documented.');
/** Asks for field values. */
export const includeFields = req(
  boolean,
  'Asks for the values of configurable fields; that it fills FieldValues in lists is assumed.',
);
/** Asks for counters. */
export const includeCounters = req(
  boolean,
  'Asks for the counters of tab pages; that it fills CounterValues in lists is assumed.',
);
/** Start of a period. */
export const from = req(dateTime, 'Start of the period.');
/** End of a period. */
export const to = req(dateTime, 'End of the period.');
/** Field values to match or to write. */
export const fieldValues = opt(list(PvFieldValueData), 'Field values, each with the Id of its field.');
/** The activity to work on. */
export const activityId = req(guid, 'The activity.');
/** The field to look at. */
export const fieldId = req(guid, 'The field.');
/** The relation to look at. */
export const relationId = req(guid, 'The relation.');

/** What both product line operations take, behind the activity. */
export const productLine = {
  quantity: req(decimal, 'How many.'),
  productId: req(guid, 'The product.'),
  description: opt(string, 'Description on the line.'),
  vatId: req(guid, 'The VAT rate.'),
  amount: req(decimal, 'Price of one.'),
  purchaseAmount: req(decimal, 'Purchase price of one.'),
} as const;

/** The message of an operation that reports failures in its result (interface document, Errors, rule 2). */
export const ErrorInformation = opt(string, 'What went wrong; empty or absent when nothing did.');

/** What gives activities whole, or knows of them what lists leave nil. */
const whole = {
  elsewhere:
    'Whether an activity of a user waits in a queue, is to do or is closed, NotificationsGet says as ActivityLocation. ' +
    'An operation of the WSDL such as ActivityGet, once imported, gives an activity whole.',
} as const;

/**
 * What lists of activities leave nil (interface document, PvActivityData). That a parameter of the call fills a member is
 * assumed.
 */
export const nilInLists: Readonly<Record<string, NilMember>> = {
  FollowUp: whole,
  Settings: whole,
  ParentRelationship: whole,
  ChildRelationship: whole,
  FieldValues: { parameter: 'includeFields' },
  AuditData: whole,
  ActivityAuditData: { ...whole, operation: 'NotificationsGet' },
  CounterValues: { parameter: 'includeCounters' },
};
