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
