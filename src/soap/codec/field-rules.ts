import type { OutputOf } from '../../contract/infer.js';
import type { PvFieldData } from '../../contract/records/shared.js';
import { isDateTime } from '../../core/text/time/datetime.js';
import { isDecimal, isGuid, isInteger } from '../../core/text/scalars.js';
import { forMessage } from '../../core/text/text.js';
import type { Field, Fields } from '../../contract/build.js';
import { isList, type RecordValue, type Value } from '../../core/values/value.js';

/** A choice of a record: the names of the fields of each of its branches. */
export interface Choice {
  readonly branches: readonly (readonly string[])[];
  readonly isNeeded: boolean;
}

/** The choices of a record, of each of which one branch alone may be sent. */
export function choicesOf(fields: Fields): readonly Choice[] {
  const groups = new Map<number, { branches: string[][]; isNeeded: boolean }>();
  for (const [name, { choice: at }] of Object.entries(fields)) {
    if (at === undefined) continue;
    const known = groups.get(at.choice) ?? { branches: [], isNeeded: at.isNeeded === true };
    (known.branches[at.branch] ??= []).push(name);
    groups.set(at.choice, known);
  }
  return [...groups.values()];
}

const mostNamed = 12;

function branchWords({ branches }: Choice): string {
  const names = branches.slice(0, mostNamed).map((each) => each.join(' with '));
  return `${names.join(', ')}${branches.length > mostNamed ? ` and ${branches.length - mostNamed} more` : ''}`;
}

/** What a choice allows, in words that go behind a verb such as "give". */
export const choiceWords = (choice: Choice): string =>
  `${choice.isNeeded ? '' : 'at most '}one of ${branchWords(choice)}`;

/** The choice that a field is in. */
export const choiceOf = (fields: Fields, { choice: at }: Field): Choice | undefined =>
  at === undefined
    ? undefined
    : choicesOf(Object.fromEntries(Object.entries(fields).filter(([, { choice }]) => choice?.choice === at.choice)))[0];

const hasValue = (value: Value | undefined): boolean => value !== undefined && !(isList(value) && value.length === 0);

/** What is wrong with a record by a choice of it; undefined when nothing is. */
export function choiceComplaint(choice: Choice, record: RecordValue): string | undefined {
  const present = choice.branches.flatMap((names) => names.filter((name) => hasValue(record[name])).slice(0, 1));
  if (present.length > 1) return `takes ${choiceWords(choice)}, not ${present.join(' and ')}`;
  return present.length === 0 && choice.isNeeded ? `needs ${choiceWords(choice)}` : undefined;
}

/** The description of a field (interface document, PvFieldData). */
export type FieldDescription = OutputOf<typeof PvFieldData>;

const fits: Readonly<Record<string, (text: string) => boolean>> = {
  Datetime: isDateTime,
  Datetime2: isDateTime,
  Bit: (text) => /^(?:true|false|1|0)$/i.test(text),
  Int: (text) => isInteger(text, 'int'),
  SmallInt: (text) => isInteger(text, 'short'),
  BigInt: (text) => isInteger(text, 'long'),
  Decimal: isDecimal,
  Currency: isDecimal,
  Float: isDecimal,
  UniqueIdentifier: isGuid,
};

/** True for a field that holds a moment. */
export const isDateField = ({ Type }: FieldDescription): boolean => Type === 'Datetime' || Type === 'Datetime2';

/** What a field holds, where its cells are read by it. */
export function heldBy(field: FieldDescription): 'decimal' | 'whole' | 'time' | undefined {
  const { Type } = field;
  if (isDateField(field)) return 'time';
  if (fits[Type ?? ''] === isDecimal) return 'decimal';
  return Type === 'Int' || Type === 'SmallInt' || Type === 'BigInt' ? 'whole' : undefined;
}

function tooLong({ Length }: FieldDescription, value: string): string | undefined {
  // Such services count as their databases do: a character outside the first plane is two.
  const isOver = typeof Length === 'number' && Length > 0 && value.length > Length;
  return isOver ? `takes at most ${Length} characters` : undefined;
}

/** Why a value does not fit the type and length of a field; undefined when it does. An empty value fits. */
export function typeComplaint(field: FieldDescription, value: string): string | undefined {
  if (value === '') return undefined;
  const type = field.Type ?? '';
  if (fits[type]?.(value) === false) return `takes a ${type}, not '${forMessage(value)}'`;
  return tooLong(field, value);
}

/** Why a value cannot be written to a field; undefined when it can. */
export function writeComplaint(field: FieldDescription, value: string): string | undefined {
  if (field.IsReadOnly === true) return 'cannot be written';
  if (field.Type === 'Label') return 'holds labels, which are not written as a value';
  if (value === '' && field.IsRequired === true) return 'is required';
  return typeComplaint(field, value);
}
