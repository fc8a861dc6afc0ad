import type { Sent, Ending } from '../../state/ledger/outcome.js';
import type { RowBase } from '../../formats/edits/base.js';
import type { RowFields } from '../../writes/rows/row-fields.js';
import type { RowPlan, Seen } from '../../writes/rows/rows-text.js';
import { usage } from '../../core/errors/relctl-error.js';
import { compareDecimals, isDecimal, isGuid, sameGuid } from '../../core/text/scalars.js';
import { compareDateTimes } from '../../core/text/time/datetime.js';
import { isDateField, type FieldDescription } from '../../soap/codec/field-rules.js';
import { defined, isList, isRecord, type RecordValue, movedWords, valueForMessage } from '../../core/values/value.js';
import { fieldState } from './for-edit.js';
import type { ActivityValues, ActivityReader } from './found.js';

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

/** What activities are compared by. */
export interface Comparing {
  readonly fields: RowFields;
  readonly found: ActivityReader;
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

const valuesOf = (values: ActivityValues, given: readonly FieldValue[]): readonly FieldValue[] =>
  given.map(({ Id }) => {
    const Value = values.get(Id.toLowerCase());
    return { Id, ...(Value === undefined ? {} : { Value }) };
  });

/** Those that an activity has otherwise; a field without a value is empty. */
const differing = (values: ActivityValues, given: readonly FieldValue[], fields: RowFields): readonly FieldValue[] =>
  given.filter(({ Id, Value = '' }) => {
    const now = values.get(Id.toLowerCase()) ?? '';
    return !isSameFieldValue(fields.descriptionOf(Id), now, Value);
  });

const movedFields = (
  { fields }: Comparing,
  values: ActivityValues,
  from: readonly FieldValue[],
): Parameters<typeof movedWords>[0] => {
  const now = valuesOf(values, from);
  return from.map(({ Id, Value }, index) => ({ name: fields.nameOf(Id), from: Value, to: now[index]?.Value }));
};

/** An activity in words, by the input of a write. */
export const titleOf = ({ activityId }: RecordValue): string => `activity ${textOf(activityId)}`;

function byWords({ fields }: Comparing, search: RecordValue): string {
  const words = fieldValuesIn(search).map(({ Id, Value }) => `${fields.nameOf(Id)} ${valueForMessage(Value)}`);
  return words.length === 0 ? 'among those of its kind' : `by ${words.join(' and ')}`;
}

const copies = (values: readonly FieldValue[]): readonly RecordValue[] => values.map((each) => ({ ...each }));

/** What was changed of an activity since it was exported, of the fields of the file, in words; undefined where nothing was. */
function movedSince(
  { fields, found }: Comparing,
  values: ActivityValues,
  base: RowBase | undefined,
): string | undefined {
  const known = base === undefined ? [] : (fields.ids ?? []).filter((id) => found.isWanted(id.toLowerCase()));
  const moved = known.filter((id) => {
    const state = fieldState(id, fields.descriptionOf(id));
    const text = values.get(id.toLowerCase()) ?? '';
    return base?.hasColumn(state.name) === true && !base.holds({ ...state, text });
  });
  if (moved.length === 0) return undefined;
  return moved.map((id) => `${fields.nameOf(id)} is ${valueForMessage(values.get(id.toLowerCase()))} now`).join('; ');
}

/**
 * The plan of a row by what its activity is like: of the fields only those that it changes are sent, and what they were is
 * told; one that was changed since it was exported is a conflict. Throws `usage` for an activity that the search does not find,
 * and what calls throw.
 */
export async function comparedPlan(plan: RowPlan, comparing: Comparing, base?: RowBase): Promise<RowPlan> {
  const { foundBy, input, changes } = plan;
  if (foundBy === undefined || changes.length === 0) return plan;
  const { fields, found } = comparing;
  const activity = await found.first(foundBy, plan.key);
  if (activity === undefined) throw usage('id', `the search finds no ${titleOf(input)} ${byWords(comparing, foundBy)}`);
  const given = fieldValuesIn(input);
  const wanted = differing(activity.values, given, fields);
  const before = valuesOf(activity.values, wanted);
  const { activityId = null, followUp } = input;
  const moved = wanted.length === 0 ? undefined : movedSince(comparing, activity.values, base);
  const words = `${titleOf(input)} was changed since the export: ${moved ?? ''}`;
  return {
    ...plan,
    ...(moved === undefined ? {} : { ends: { outcome: 'conflict', words } }),
    input: {
      activityId,
      ...defined({ followUp }),
      ...(wanted.length === 0 ? {} : { fieldValues: copies(wanted) }),
    },
    before: { activityId, fieldValues: copies(before) },
    changes: [
      ...wanted.map(({ Id, Value }, index) => ({ name: fields.nameOf(Id), from: before[index]?.Value, to: Value })),
      // The changes of fields come first.
      ...changes.slice(given.length).map((change) => ({ ...change, isUnread: true as const })),
    ],
  };
}

/**
 * The activity again, just before it is written: what the row changes must be as it was when the row was planned. One that is
 * already what the row makes of it needs no write. Throws what calls throw.
 */
export async function comparedAgain(plan: RowPlan, comparing: Comparing): Promise<RowPlan | Ending> {
  const { foundBy, input, before } = plan;
  if (foundBy === undefined || before === undefined) return plan;
  const { fields, found, mostMs } = comparing;
  const activity = await found.fresh(foundBy, plan.key, mostMs);
  if (activity === undefined) {
    const words = `the search does not find ${titleOf(input)} any more ${byWords(comparing, foundBy)}`;
    return { outcome: 'conflict', words };
  }
  const moved = differing(activity.values, fieldValuesIn(before), fields);
  if (moved.length === 0) return plan;
  const isThere = differing(activity.values, fieldValuesIn(input), fields).length === 0;
  if (isThere) return input['followUp'] === undefined ? { outcome: 'unchanged' } : plan;
  const words = movedWords(movedFields(comparing, activity.values, moved));
  return { outcome: 'conflict', words: `${titleOf(input)} was changed by somebody else: ${words}` };
}

/** What became of an activity that was written, by a search for it; `unclear` where that cannot be told. Throws what calls throw. */
export async function seenActivity(sent: Sent, search: RecordValue, comparing: Comparing): Promise<Seen> {
  const { input, before } = sent;
  const { fields, found } = comparing;
  const unclear = (words: string): Seen => ({ is: 'unclear', words: `${words}; look at ${titleOf(input)} in the CRM` });
  const activity = await found.first(search, textOf(input['activityId']));
  if (activity === undefined) return unclear(`the search does not find it ${byWords(comparing, search)}`);
  const { values } = activity;
  const missed = differing(values, fieldValuesIn(input), fields);
  const words =
    missed.length === 0 ? 'its fields are as sent' : movedWords(movedFields(comparing, values, missed), 'was sent as');
  if (input['followUp'] !== undefined) return unclear(`${words}, and no operation reads its follow-up`);
  if (missed.length === 0) return { is: 'as-sent' };
  const isAsBefore = before !== undefined && differing(values, fieldValuesIn(before), fields).length === 0;
  if (isAsBefore) return { is: 'as-before' };
  return unclear(before === undefined ? `${words}, and what it was before is not known` : words);
}

/**
 * Puts the field values of an activity back that were read before they were written; its follow-up stays as it is. Throws
 * `usage` where nothing of it was read.
 */
export function backPlan({ input, before, foundBy }: Sent, fields: RowFields): RowPlan {
  const sent = fieldValuesIn(input);
  const title = titleOf(input);
  if (foundBy === undefined || before === undefined || sent.length === 0)
    throw usage('id', `what ${title} was before was not read: look at it in the CRM`);
  const former = new Map(fieldValuesIn(before).map(({ Id, Value }) => [Id.toLowerCase(), Value]));
  const { activityId = null, followUp } = input;
  return {
    key: textOf(activityId).toLowerCase(),
    title: followUp === undefined ? title : `${title}, without its follow-up`,
    foundBy,
    input: { activityId, fieldValues: sent.map(({ Id }) => ({ Id, Value: former.get(Id.toLowerCase()) ?? '' })) },
    before: { activityId, fieldValues: copies(sent) },
    // A field without a value cannot be taken away again: it is written as an empty one.
    changes: sent.map(({ Id, Value }) => ({
      name: fields.nameOf(Id),
      from: Value,
      to: former.get(Id.toLowerCase()) ?? '',
    })),
  };
}
