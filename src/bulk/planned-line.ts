import { inRole, list, opt, recordWithoutPresence, req } from '../contract/build.js';
import { int, string } from '../contract/scalars.js';
import type { RecordValue, Value } from '../plain/value.js';
import { changeRecord, changeWords, PlannedChange } from '../records/dry-run.js';
import { mistakesText } from './reading/read-row.js';
import type { PlannedRow } from './planned-rows.js';
import type { RowPlan } from './rows-text.js';

/** What a row does, as it is shown. */
export const PlannedLine = recordWithoutPresence('PlannedLine', 'What a row of a file will do.', {
  Line: req(int, 'Line of the file.'),
  Plan: req(string, 'change, add, unchanged, conflict or mistake.'),
  Record: inRole('name', opt(string, 'The record that is written to.')),
  What: inRole('words', opt(string, 'What changes, or what is wrong, in words.')),
  Key: inRole('key', opt(string, 'Identifies the record.')),
  Changes: opt(list(PlannedChange), 'What changes.'),
});

/** Columns of a table. */
export const plannedColumns = ['Line', 'Plan', 'Record', 'What'] as const;

/** What a row comes to, as its line says it; the order is that of the counts of a summary. */
export const planWords = ['change', 'add', 'unchanged', 'conflict', 'mistake'] as const;

/** What a row comes to. */
export type PlanWord = (typeof planWords)[number];

/** A row, and what it comes to by the state of its record now. */
export interface FoundRow {
  readonly found: PlannedRow;
  readonly word: PlanWord;
  /** Why it is a conflict. */
  readonly words?: string | undefined;
}

const given = (name: string, value: Value | undefined): RecordValue => (value === undefined ? {} : { [name]: value });

function ofPlan({ key, title, changes, before }: RowPlan): RecordValue {
  const what = changes.map((change) => changeWords(change, before !== undefined)).join('; ');
  return {
    Record: title,
    ...(what === '' ? {} : { What: what }),
    Key: key,
    Changes: changes.map(changeRecord),
  };
}

/** The row as it is shown. */
export function plannedLine({ found, word, words }: FoundRow): RecordValue {
  const { line, plan, mistakes } = found;
  const wrong = mistakesText(mistakes);
  const what = words ?? (wrong === '' ? undefined : wrong);
  return {
    Line: line,
    Plan: word,
    ...(plan === undefined ? {} : ofPlan(plan)),
    ...given('What', what),
  };
}
