import { printEnvelope, reportRead } from '../kit/calls/envelope.js';
import { openOutput } from '../kit/output/open-output.js';
import { cellForMessage } from '../formats/readers/input.js';
import { note } from '../kit/host/notes.js';
import { openProgressLine, reportChecked } from '../kit/host/progress.js';
import { CheckedRows, failOfMistakes, rowsChecked, reportMistakes, reportTwins } from './check.js';
import { outputFlagsOf } from './flags.js';
import type { RowPlan } from './rows/rows-text.js';
import { type BulkRun, type PlannedRow } from './rows/planned-rows.js';
import { inRole, list, opt, recordWithoutPresence, req } from '../contract/build.js';
import { int, string } from '../contract/scalars.js';
import { defined, type RecordValue } from '../core/values/value.js';
import { changeRecord, changeWords, PlannedChange } from '../lists/record/dry-run.js';
import { mistakesText } from './rows/read-row.js';

const PlannedLine = recordWithoutPresence('PlannedLine', 'A row of a file and its effect.', {
  Line: req(int, 'Line of the file.'),
  Plan: req(string, 'change, add, unchanged, conflict or mistake.'),
  Record: inRole('name', opt(string, 'The record that the row changes.')),
  What: inRole('words', opt(string, 'What changes, or the mistake.')),
  Key: inRole('key', opt(string, 'Identifies the record.')),
  Changes: opt(list(PlannedChange), 'What changes.'),
});

const plannedColumns = ['Line', 'Plan', 'Record', 'What'] as const;

/** What a row comes to, as its line says it; the order is that of the counts of a summary. */
const planWords = ['change', 'add', 'unchanged', 'conflict', 'mistake'] as const;

type PlanWord = (typeof planWords)[number];

interface DryRunRow {
  readonly row: PlannedRow;
  readonly word: PlanWord;
  readonly words?: string | undefined;
}

function ofPlan({ key, title, changes, before }: RowPlan): RecordValue {
  const what = changes.map((change) => changeWords(change, before !== undefined)).join('; ');
  return {
    Record: title,
    ...(what === '' ? {} : { What: what }),
    Key: key,
    Changes: changes.map(changeRecord),
  };
}

function plannedLine({ row, word, words }: DryRunRow): RecordValue {
  const { line, plan, mistakes } = row;
  const wrong = mistakesText(mistakes);
  const what = words ?? (wrong === '' ? undefined : wrong);
  return { Line: line, Plan: word, ...(plan && ofPlan(plan)), ...defined({ What: what }) };
}

/** What a row comes to now. For an undo its record is looked at again. */
async function dryRunRow<S>({ text, planning, undoes }: BulkRun<S>, row: PlannedRow): Promise<DryRunRow> {
  const { plan, mistakes } = row;
  if (plan === undefined || mistakes.length > 0) return { row, word: 'mistake' };
  if (plan.changes.length === 0) return { row, word: 'unchanged' };
  if (plan.ends !== undefined) return { row, word: 'conflict', words: plan.ends.words };
  const now = undoes === undefined ? undefined : await text.again?.(plan, planning.shared);
  if (now === undefined || !('outcome' in now)) return { row, word: text.does };
  return { row, word: now.outcome === 'unchanged' ? 'unchanged' : 'conflict', words: now.words };
}

const countOf = (word: PlanWord, count: number): string =>
  `${count} ${word}${count === 1 || word === 'unchanged' ? '' : 's'}`;

const countWords = (counts: ReadonlyMap<PlanWord, number>): string =>
  planWords
    .filter((word) => counts.has(word))
    .map((word) => countOf(word, counts.get(word) ?? 0))
    .join(', ');

/** Rows are shown together, for an output that lays them out: so many, or as many as have so many characters. */
const rowsAtOnce = 500;
const charactersAtOnce = 1024 * 1024;

const charactersOf = ({ cells }: PlannedRow): number =>
  cells.reduce((sum, cell) => sum + cellForMessage(cell).length, 0);

async function printRows<S>(
  run: BulkRun<S>,
): Promise<{ readonly checked: CheckedRows; readonly counts: ReadonlyMap<PlanWord, number> }> {
  const { context, session, flags } = run;
  const request = {
    flags: outputFlagsOf(flags),
    record: PlannedLine,
    shape: 'list',
    table: plannedColumns,
    isOnce: true,
  } as const;
  const output = await openOutput(context, session, request);
  const checked = new CheckedRows();
  const counts = new Map<PlanWord, number>();
  const line = openProgressLine(context, flags);
  const report = reportChecked(line);
  let waiting: DryRunRow[] = [];
  let characters = 0;
  const print = async (): Promise<void> => {
    await output.write(waiting.map(plannedLine));
    waiting = [];
    characters = 0;
  };
  for await (const each of rowsChecked(run)) {
    const row = await dryRunRow(run, each);
    checked.take(each);
    report();
    counts.set(row.word, (counts.get(row.word) ?? 0) + 1);
    waiting.push(row);
    characters += charactersOf(each);
    if (waiting.length === rowsAtOnce || characters >= charactersAtOnce) await print();
  }
  await line.end();
  await print();
  await output.finish();
  return { checked, counts };
}

/**
 * Prints the request of the first row that would be sent, and sends nothing. Throws `usage` for a row with mistakes before it,
 * and what calls throw.
 */
export async function showRequest<S>(run: BulkRun<S>): Promise<void> {
  const { planning, text, context, flags } = run;
  const checked = new CheckedRows();
  for await (const each of rowsChecked(run)) {
    checked.take(each);
    if (checked.count > 0) return failOfMistakes(context, planning.input.name, checked);
    const { plan } = each;
    if (plan === undefined || plan.changes.length === 0 || plan.ends !== undefined) continue;
    const now = (await text.again?.(plan, planning.shared)) ?? plan;
    if ('outcome' in now) continue;
    await printEnvelope(run, { operation: text.operation, input: now.input });
    return note(context, flags, `the request of line ${each.line} of ${planning.input.name}; nothing was sent`);
  }
  await note(context, flags, `${planning.input.name} has no row to send`);
}

/** Shows what each row would do. Throws `usage` for mistakes, unless --skip-invalid leaves them out; and `local`. */
export async function showRows<S>(run: BulkRun<S>): Promise<void> {
  const { context, flags, planning, undoes } = run;
  const { checked, counts } = await printRows(run);
  const isSkipped = flags['skip-invalid'] || undoes !== undefined;
  if (checked.count > 0 && !isSkipped) await failOfMistakes(context, planning.input.name, checked);
  if (checked.count > 0) await reportMistakes(context, planning.input.name, checked);
  const rows = `${checked.rows} ${checked.rows === 1 ? 'row' : 'rows'}`;
  await note(context, flags, `${rows}${counts.size === 0 ? '' : `: ${countWords(counts)}`}; nothing was sent`);
  await reportRead(run);
  await reportTwins(run, checked);
}
