import { PvActivityData } from '../../contract/records/activity.js';
import { isGuid } from '../../lexical/guid.js';
import { invalidField } from '../refusals.js';
import { readWhere, type Condition } from '../store/find.js';
import { instantKey } from '../store/instant.js';
import type { Cell, Store } from '../store/open.js';
import type { PageRequest } from '../store/pages.js';
import { listed } from './activities.js';
import { fieldsOf, givenValues, type ReceivedValues } from './field-values.js';
import { answered, refuse, type Handler } from './handler.js';
import { checkEntityType, idOf } from './known.js';
import { pageOf } from './paging.js';
import { periodOf, type Period } from './period.js';

interface Search {
  readonly activityEntityTypeId?: string | null;
  readonly fieldValues?: ReceivedValues;
}

const hasValue =
  'EXISTS (SELECT 1 FROM "PvActivityData_FieldValues_Items" f WHERE f.owner = "PvActivityData".seq AND f."Id" = ? AND f."Value" = ?)';
const hasNoValue =
  'NOT EXISTS (SELECT 1 FROM "PvActivityData_FieldValues_Items" f WHERE f.owner = "PvActivityData".seq AND f."Id" = ? AND f."Value" <> ?)';

/** Ids are kept in lower case; all other text is compared to the letter. */
const comparable = (value: string): string => (isGuid(value) ? value.toLowerCase() : value);

/** What a search asks for (assumptions.ts, "Searching by field"). Refuses an entity type or a field that is not there. */
function conditionOf(store: Store, search: Search): { where: string; values: readonly Cell[] } {
  checkEntityType(store, search.activityEntityTypeId, 'Activity');
  const entityTypeId = idOf(search.activityEntityTypeId);
  const given = givenValues(store, entityTypeId, search.fieldValues);
  const parts = given.map(({ value = '' }) => (value === '' ? hasNoValue : hasValue));
  return {
    where: ['"EntityTypeId" = ?', ...parts].join(' AND '),
    values: [entityTypeId, ...given.flatMap(({ id, value = '' }) => [id, comparable(value)])],
  };
}

/** Interface document, Endpoints, ActivitySearchByField. */
export const ActivitySearchByField: Handler<'ActivitySearchByField'> = ({ store }, input) => {
  const condition: Condition = { ...conditionOf(store, input), page: pageOf(input) };
  return answered({ Activities: listed(store, readWhere(store, PvActivityData, condition), input) });
};

function checkDateField(store: Store, search: Search, dateFieldId: string): void {
  const fields = fieldsOf(store, idOf(search.activityEntityTypeId));
  const field = fields.find(({ Id }) => idOf(Id) === dateFieldId);
  if (field?.Type === 'Datetime' || field?.Type === 'Datetime2') return;
  refuse({ ...invalidField, description: `The field ${dateFieldId} is no date field here.` });
}

/** Rows whose date lies in the period. Dates are kept as they were written, so SQL cannot compare them. */
function within(
  store: Store,
  condition: { where: string; values: readonly Cell[] },
  { period, dateFieldId }: { period: Period; dateFieldId: string },
): readonly number[] {
  const sql = `SELECT "PvActivityData".seq, d."Value" FROM "PvActivityData"
    JOIN "PvActivityData_FieldValues_Items" d ON d.owner = "PvActivityData".seq AND d."Id" = ?
    WHERE ${condition.where} ORDER BY "PvActivityData".seq`;
  const rows = store.statement(sql).all(dateFieldId, ...condition.values);
  return rows.flatMap(([seq, value]) => {
    const key = instantKey(String(value));
    return key !== undefined && key >= period.from && key <= period.to ? [Number(seq)] : [];
  });
}

const cut = (seqs: readonly number[], { pageNumber, pageSize }: PageRequest): readonly number[] =>
  seqs.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);

/** Interface document, Endpoints, ActivitySearchByFieldInPeriodExact; Additional rules, 3. */
export const ActivitySearchByFieldInPeriodExact: Handler<'ActivitySearchByFieldInPeriodExact'> = ({ store }, input) => {
  const condition = conditionOf(store, input);
  const dateFieldId = idOf(input.dateFieldId);
  checkDateField(store, input, dateFieldId);
  const seqs = cut(within(store, condition, { period: periodOf(input), dateFieldId }), pageOf(input));
  const rows = readWhere(store, PvActivityData, {
    where: 'seq IN (SELECT value FROM json_each(?))',
    values: [JSON.stringify(seqs)],
  });
  return answered({ Activities: listed(store, rows, input) });
};
