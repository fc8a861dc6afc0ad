import { PvActivityData } from '../../contract/records/activity.js';
import { isDateField } from '../../soap/codec/field-rules.js';
import { isGuid } from '../../core/text/scalars.js';
import { instantKey } from '../../core/text/time/datetime.js';
import type { Store } from '../store/open.js';
import { limitOf, type PageRequest, type FieldValues, fieldValuesOf, positionsWhere } from '../store/records.js';
import type { RowPosition } from '../store/rows.js';
import { fieldValues, listFor, tableFor } from '../store/schema.js';
import { fieldsOf, type FieldInput, readFieldValues, type ReceivedValues } from './field-values.js';
import { checkEntityType, idOf, refuse, type Period } from './handler.js';

interface Search {
  readonly entityTypeId: string;
  readonly given: readonly FieldInput[];
  readonly dateFieldId?: string;
}

/** The condition for activities of one entity type. */
export const ofEntityType = '"EntityTypeSeq" = (SELECT seq FROM "EntityType" WHERE Id = ?)';

/** The search that a request describes. Throws `refused` for an entity type or a field that is unknown. */
export function searchOf(
  store: Store,
  input: { readonly activityEntityTypeId?: string | null; readonly fieldValues?: ReceivedValues },
): Search {
  checkEntityType(store, input.activityEntityTypeId, 'Activity');
  const entityTypeId = idOf(input.activityEntityTypeId);
  return { entityTypeId, given: readFieldValues(store, entityTypeId, input.fieldValues) };
}

type Items = FieldValues['Items'];

/** Ids are stored in lower case; all other text is compared exactly. */
const comparable = (value: string): string => (isGuid(value) ? value.toLowerCase() : value);

const fits = (items: Items, inputs: readonly FieldInput[]): boolean =>
  inputs.every(({ id, value = '' }) => {
    const ofField = items.filter((item) => item.Id === id);
    if (value === '') return ofField.every((item) => (item.Value ?? '') === '');
    return ofField.some((item) => item.Value === comparable(value));
  });

function fitting(fieldInputs: readonly FieldInput[]): { readonly where: string; readonly values: readonly string[] } {
  const items = listFor(PvActivityData.name, fieldValues).name;
  const ofField = `EXISTS (SELECT 1 FROM "${items}" i WHERE i.owner = "PvActivityData".seq AND i."Id" = ? AND i."Value"`;
  // The same text whichever of them are empty: each text is a statement that is kept.
  const one = `CASE ? WHEN '' THEN NOT ${ofField} <> '') ELSE ${ofField} = ?) END`;
  return {
    where: ['TRUE', ...fieldInputs.map(() => one)].join(' AND '),
    values: fieldInputs.flatMap(({ id, value = '' }) => [value, id, id, comparable(value)]),
  };
}

interface DatedActivity {
  readonly seq: number;
  readonly date: string | undefined;
}

const atOnce = 500;

/** The values of a field of stored activities, by their seqs; the first where there are several. */
function valuesOf(store: Store, seqs: readonly number[], fieldId: string): ReadonlyMap<number, string> {
  const { name } = listFor(PvActivityData.name, fieldValues);
  const sql = `SELECT owner, "Value" FROM "${name}" WHERE owner IN (SELECT value FROM json_each(?)) AND "Id" = ? ORDER BY owner, position DESC`;
  const rows = store.statement(sql).all(JSON.stringify(seqs), fieldId);
  return new Map(rows.map(([owner, value]) => [Number(owner), String(value ?? '')]));
}

/** Which of some activities a search finds: those that are whole were found by SQL, of the others the values are made. */
function* searchAmong(
  store: Store,
  positions: readonly RowPosition[],
  { given: conditions, dateFieldId }: Pick<Search, 'given' | 'dateFieldId'>,
): Generator<DatedActivity> {
  const stored = positions.filter(({ isOutline }) => !isOutline).map(({ seq }) => seq);
  const dates = dateFieldId === undefined ? undefined : valuesOf(store, stored, dateFieldId);
  for (const position of positions) {
    const { seq, isOutline } = position;
    if (!isOutline) yield { seq, date: dates?.get(seq) };
    else {
      const { Items } = fieldValuesOf(store, PvActivityData, position);
      if (!fits(Items, conditions)) continue;
      yield { seq, date: Items.find(({ Id }) => Id === dateFieldId)?.Value ?? undefined };
    }
  }
}

function* searchActivities(store: Store, search: Search): Generator<DatedActivity> {
  const { outline } = tableFor(PvActivityData.name);
  const { where: wholeFit, values } = fitting(search.given);
  const isFit = outline === undefined ? wholeFit : `("PvActivityData"."${outline.mark}" IS NULL OR ${wholeFit})`;
  const where = `${ofEntityType} AND "PvActivityData".seq > ? AND ${isFit}`;
  for (let after: number | undefined = 0; after !== undefined;) {
    const limit = { before: 0, rows: atOnce };
    const positions = positionsWhere(store, PvActivityData, {
      where,
      values: [search.entityTypeId, after, ...values],
      limit,
    });
    yield* searchAmong(store, positions, search);
    after = positions.length < atOnce ? undefined : positions.at(-1)?.seq;
  }
}

/** The same search with a date field. Throws `refused` unless the field is one of the entity type. */
export function byDate(store: Store, search: Search, dateFieldId: string): Search {
  const field = fieldsOf(store, search.entityTypeId).find(({ Id }) => idOf(Id) === dateFieldId);
  if (field !== undefined && isDateField(field)) return { ...search, dateFieldId };
  return refuse('InvalidField', `The field ${dateFieldId} is not a date field.`);
}

/** Those whose date lies in the period. Dates are kept as they were written, so SQL cannot compare them. */
const isWithin =
  ({ from, to }: Period) =>
  ({ date }: DatedActivity): boolean => {
    const key = instantKey(date ?? '');
    return key !== undefined && key >= from && key <= to;
  };

/** The seqs on one page of what a search finds, within a period if there is one. All pages before it are searched too. */
export function seqsSearched(
  store: Store,
  search: Search & { readonly period?: Period },
  page: PageRequest,
): readonly number[] {
  const isInPeriod = search.period === undefined ? () => true : isWithin(search.period);
  const { before, rows } = limitOf(page);
  const seqs: number[] = [];
  let passed = 0;
  for (const each of searchActivities(store, search)) {
    if (!isInPeriod(each)) continue;
    if (passed < before) passed += 1;
    else seqs.push(each.seq);
    if (seqs.length === rows) break;
  }
  return seqs;
}
