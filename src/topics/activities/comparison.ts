import type { Sent, Ending } from '../../state/ledger/outcome.js';
import type { RowBase } from '../../formats/edits/base.js';
import type { RowFields } from '../../writes/rows/row-fields.js';
import type { RowPlan, RowValues, Seen } from '../../writes/rows/rows-text.js';
import { usage } from '../../core/errors/relctl-error.js';
import { compareDecimals, isDecimal, isGuid, sameGuid } from '../../core/text/scalars.js';
import { compareDateTimes } from '../../core/text/time/datetime.js';
import { isDateField, type FieldDescription } from '../../soap/codec/field-rules.js';
import { defined, isList, isRecord, type RecordValue, movedWords, valueForMessage } from '../../core/values/value.js';
import { fieldState } from './for-edit.js';
import type { ActivityValues, ActivityReader } from './reader.js';

const numbers: ReadonlySet<string> = new Set(['Int', 'SmallInt', 'BigInt', 'Decimal', 'Currency', 'Float']);

const bitOf = (text: string): boolean | undefined =>
  /^(?:true|1)$/i.test(text) ? true : /^(?:false|0)$/i.test(text) ? false : undefined;

function isSameOfType(description: FieldDescription, left: string, right: string): boolean {
  if (isDateField(description)) return compareDateTimes(left, right) === 0;
  if (description.Type === 'Bit') return bitOf(left) !== undefined && bitOf(left) === bitOf(right);
  const isNumber = numbers.has(description.Type ?? '') && isDecimal(left) && isDecimal(right);
  return isNumber && compareDecimals(left, right) === 0;
}

/**
 * True for two texts that are the same value of a field: to the letter, or by its type, as 12.5 is 12.50 in a field of decimals.
 * @param description undefined where it was not looked up: then only GUIDs may be spelled otherwise
 */
function isSameFieldValue(description: FieldDescription | undefined, left: string, right: string): boolean {
  if (left === right) return true;
  if (isGuid(left) && isGuid(right)) return sameGuid(left, right);
  return description !== undefined && isSameOfType(description, left, right);
}

/** What the rows of activities are planned and compared by. */
export interface Activities {
  readonly fields: RowFields;
  readonly readTime: (text: string, flag: string) => string;
  /** Gives the search that finds the activity of a row, where the command line says it. Throws `RowMistakes`. */
  readonly searchFor: ((row: RowValues) => Promise<RecordValue>) | undefined;
  readonly reader: ActivityReader;
  /** How old the reading may be by which an activity is written, in milliseconds. */
  readonly mostMs: number;
}

interface FieldValue {
  readonly Id: string;
  readonly Value?: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function fieldValuesIn(record: RecordValue | undefined): readonly FieldValue[] {
  const values = record?.['fieldValues'];
  if (!isList(values)) return [];
  return values.filter(isRecord).map(({ Id, Value }) => ({
    Id: textOf(Id),
    ...(typeof Value === 'string' ? { Value } : {}),
  }));
}

const valueOf = (values: ActivityValues, id: string): string | undefined => values.get(id.toLowerCase());

/** Those that an activity has otherwise; a field without a value is empty. */
const differing = (values: ActivityValues, others: readonly FieldValue[], fields: RowFields): readonly FieldValue[] =>
  others.filter(({ Id, Value = '' }) => !isSameFieldValue(fields.descriptionOf(Id), valueOf(values, Id) ?? '', Value));

const differenceWords = (
  { fields }: Activities,
  { values, others }: { readonly values: ActivityValues; readonly others: readonly FieldValue[] },
  verb?: string,
): string =>
  movedWords(
    others.map(({ Id, Value }) => ({ name: fields.nameOf(Id), from: Value, to: valueOf(values, Id) })),
    verb,
  );

const titleOf = ({ activityId }: RecordValue): string => `activity ${textOf(activityId)}`;

function searchWords({ fields }: Activities, search: RecordValue): string {
  const words = fieldValuesIn(search).map(({ Id, Value }) => `${fields.nameOf(Id)} ${valueForMessage(Value)}`);
  return words.length === 0 ? 'among those of its kind' : `by ${words.join(' and ')}`;
}

const recordsOf = (values: readonly FieldValue[]): readonly RecordValue[] => values.map((each) => ({ ...each }));

/** What was changed of an activity since it was exported, of the fields of the file, in words; undefined where nothing was. */
function movedSince(
  { fields, reader }: Activities,
  values: ActivityValues,
  base: RowBase | undefined,
): string | undefined {
  if (base === undefined) return undefined;
  const moved = (fields.ids ?? []).filter((id) => {
    if (!reader.isNeeded(id.toLowerCase())) return false;
    const state = fieldState(id, fields.descriptionOf(id));
    return base.hasColumn(state.name) && !base.holds({ ...state, text: valueOf(values, id) ?? '' });
  });
  if (moved.length === 0) return undefined;
  return moved.map((id) => `${fields.nameOf(id)} is ${valueForMessage(valueOf(values, id))} now`).join('; ');
}

/**
 * The plan of a row by what its activity is like: of the fields only those that it changes are sent, and what they were is
 * told; one that was changed since it was exported is a conflict. Throws `usage` for an activity that the search does not find,
 * and what calls throw.
 */
export async function comparedPlan(plan: RowPlan, activities: Activities, base?: RowBase): Promise<RowPlan> {
  const { foundBy: searchInput, input, changes } = plan;
  if (searchInput === undefined || changes.length === 0) return plan;
  const { fields, reader } = activities;
  const activity = await reader.first(searchInput, plan.key);
  if (activity === undefined)
    throw usage('id', `the search finds no ${titleOf(input)} ${searchWords(activities, searchInput)}`);
  const { values } = activity;
  const sent = fieldValuesIn(input);
  const changing = differing(values, sent, fields);
  const before = changing.map(({ Id }) => ({ Id, ...defined({ Value: valueOf(values, Id) }) }));
  const { activityId = null, followUp } = input;
  const moved = changing.length === 0 ? undefined : movedSince(activities, values, base);
  const words = `${titleOf(input)} changed since the export: ${moved ?? ''}`;
  return {
    ...plan,
    ...(moved === undefined ? {} : { ends: { outcome: 'conflict', words } }),
    input: {
      activityId,
      ...defined({ followUp }),
      ...(changing.length === 0 ? {} : { fieldValues: recordsOf(changing) }),
    },
    before: { activityId, fieldValues: recordsOf(before) },
    changes: [
      ...changing.map(({ Id, Value }) => ({ name: fields.nameOf(Id), from: valueOf(values, Id), to: Value })),
      // The changes of fields come first.
      ...changes.slice(sent.length).map((change) => ({ ...change, isUnread: true as const })),
    ],
  };
}

/**
 * The activity again, just before it is written: what the row changes must be as it was when the row was planned. One that is
 * already what the row makes of it needs no write. Throws what calls throw.
 */
export async function comparedAgain(plan: RowPlan, activities: Activities): Promise<RowPlan | Ending> {
  const { foundBy: searchInput, input, before } = plan;
  if (searchInput === undefined || before === undefined) return plan;
  const { fields, reader, mostMs } = activities;
  const activity = await reader.fresh(searchInput, plan.key, mostMs);
  if (activity === undefined) {
    const words = `the search does not find ${titleOf(input)} anymore ${searchWords(activities, searchInput)}`;
    return { outcome: 'conflict', words };
  }
  const { values } = activity;
  const moved = differing(values, fieldValuesIn(before), fields);
  if (moved.length === 0) return plan;
  const isThere = differing(values, fieldValuesIn(input), fields).length === 0;
  if (isThere) return input['followUp'] === undefined ? { outcome: 'unchanged' } : plan;
  const words = differenceWords(activities, { values, others: moved });
  return { outcome: 'conflict', words: `${titleOf(input)} was changed by somebody else: ${words}` };
}

const unclear = (input: RecordValue, words: string): Seen => ({
  is: 'unclear',
  words: `${words}; check ${titleOf(input)} in the CRM`,
});

/** What became of an activity that was written, by a search for it; `unclear` where that cannot be told. Throws what calls throw. */
export async function seenActivity(
  { input, before, foundBy: searchInput }: Sent,
  activities: Activities,
): Promise<Seen> {
  const { fields, reader } = activities;
  if (searchInput === undefined)
    return unclear(
      input,
      'relctl cannot find its activity without --entity-type, and --find-by with a column of the file',
    );
  const activity = await reader.first(searchInput, textOf(input['activityId']));
  if (activity === undefined)
    return unclear(input, `the search does not find it ${searchWords(activities, searchInput)}`);
  const { values } = activity;
  const missed = differing(values, fieldValuesIn(input), fields);
  const words =
    missed.length === 0
      ? 'its fields have the sent values'
      : differenceWords(activities, { values, others: missed }, 'was sent as');
  if (input['followUp'] !== undefined) return unclear(input, `${words}, and no operation reads its follow-up`);
  if (missed.length === 0) return { is: 'as-sent' };
  if (before === undefined) return unclear(input, `${words}, and relctl does not know its former values`);
  const isAsBefore = differing(values, fieldValuesIn(before), fields).length === 0;
  return isAsBefore ? { is: 'as-before' } : unclear(input, words);
}

/**
 * Puts the field values of an activity back that were read before they were written; its follow-up stays as it is. Throws
 * `usage` where nothing of it was read.
 */
export function backPlan({ input, before, foundBy: searchInput }: Sent, fields: RowFields): RowPlan {
  const sent = fieldValuesIn(input);
  const title = titleOf(input);
  if (searchInput === undefined || before === undefined || sent.length === 0)
    throw usage('id', `relctl did not read the former values of ${title}: check it in the CRM`);
  const former = new Map(fieldValuesIn(before).map(({ Id, Value }) => [Id.toLowerCase(), Value]));
  const { activityId = null, followUp } = input;
  return {
    key: textOf(activityId).toLowerCase(),
    title: followUp === undefined ? title : `${title}, without its follow-up`,
    foundBy: searchInput,
    input: { activityId, fieldValues: sent.map(({ Id }) => ({ Id, Value: former.get(Id.toLowerCase()) ?? '' })) },
    before: { activityId, fieldValues: recordsOf(sent) },
    // A field without a value cannot be taken away again: it is written as an empty one.
    changes: sent.map(({ Id, Value }) => ({
      name: fields.nameOf(Id),
      from: Value,
      to: former.get(Id.toLowerCase()) ?? '',
    })),
  };
}
