import { PvActivityData } from '../../contract/records/activity.js';
import { isGuid } from '../../lexical/values/guid.js';
import { instantKey } from '../../lexical/time/instant-key.js';
import type { Store } from '../store/open.js';
import type { PageRequest } from '../store/pages.js';
import { fieldValuesOf, type FieldValuesBySeq, placesWhere, readWhere } from '../store/records.js';
import type { Stored } from '../store/rows.js';
import type { Activity } from './activities.js';
import { fieldsOf, type GivenValue, givenValues, type ReceivedValues } from './field-values.js';
import { checkEntityType, idOf, refuse } from './handler.js';
import type { Period } from './paging.js';

/** What activities to look for. */
interface Search {
  readonly entityTypeId: string;
  readonly given: readonly GivenValue[];
}

/** The condition for activities of one entity type. */
export const ofEntityType = '"EntityTypeSeq" = (SELECT seq FROM "EntityType" WHERE Id = ?)';

/** The search that a request describes. Throws `refused` for an entity type or a field that is unknown. */
export function searchOf(
  store: Store,
  asked: { readonly activityEntityTypeId?: string | null; readonly fieldValues?: ReceivedValues },
): Search {
  checkEntityType(store, asked.activityEntityTypeId, 'Activity');
  const entityTypeId = idOf(asked.activityEntityTypeId);
  return { entityTypeId, given: givenValues(store, entityTypeId, asked.fieldValues) };
}

type Items = ReturnType<FieldValuesBySeq>['Items'];

/** Ids are stored in lower case; all other text is compared exactly. */
const comparable = (value: string): string => (isGuid(value) ? value.toLowerCase() : value);

/** True when a record has all values that were given (assumptions.json, "Searching by field"). */
const fits = (items: Items, given: readonly GivenValue[]): boolean =>
  given.every(({ id, value = '' }) => {
    const ofField = items.filter((item) => item.Id === id);
    if (value === '') return ofField.every((item) => (item.Value ?? '') === '');
    return ofField.some((item) => item.Value === comparable(value));
  });

interface Found {
  readonly seq: number;
  readonly items: Items;
}

const atOnce = 500;

/** The activities that a search finds, in the order of creation; no more is read than is taken. */
export function* found(store: Store, { entityTypeId, given }: Search): Generator<Found> {
  const where = `${ofEntityType} AND "PvActivityData".seq > ?`;
  for (let after: number | undefined = 0; after !== undefined;) {
    const page = { pageNumber: 1, pageSize: atOnce };
    const places = placesWhere(store, PvActivityData, { where, values: [entityTypeId, after], page });
    const values = fieldValuesOf(store, PvActivityData, places);
    for (const { seq } of places) {
      const items = values(seq).Items;
      if (fits(items, given)) yield { seq, items };
    }
    after = places.length < atOnce ? undefined : places.at(-1)?.seq;
  }
}

/** Throws `refused` unless the field is a date field of the entity type. */
export function checkDateField(store: Store, { entityTypeId }: Search, dateFieldId: string): void {
  const field = fieldsOf(store, entityTypeId).find(({ Id }) => idOf(Id) === dateFieldId);
  if (field?.Type === 'Datetime' || field?.Type === 'Datetime2') return;
  refuse('InvalidField', `The field ${dateFieldId} is no date field here.`);
}

/** Those whose date lies in the period. Dates are kept as they were written, so SQL cannot compare them. */
export function* inPeriod(
  all: Iterable<Found>,
  { period, dateFieldId }: { readonly period: Period; readonly dateFieldId: string },
): Generator<Found> {
  for (const each of all) {
    const date = each.items.find(({ Id }) => Id === dateFieldId)?.Value;
    const key = instantKey(date ?? '');
    if (key !== undefined && key >= period.from && key <= period.to) yield each;
  }
}

/** One page of what was found. */
export function readFound(
  store: Store,
  all: Iterable<Found>,
  { pageNumber, pageSize }: PageRequest,
): readonly Stored<Activity>[] {
  const seqs: number[] = [];
  let left = (pageNumber - 1) * pageSize;
  for (const { seq } of all) {
    left -= 1;
    if (left < 0) seqs.push(seq);
    if (seqs.length === pageSize) break;
  }
  const where = 'seq IN (SELECT value FROM json_each(?))';
  return readWhere(store, PvActivityData, { where, values: [JSON.stringify(seqs)] });
}
