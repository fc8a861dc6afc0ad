import { randomUUID } from 'node:crypto';
import { openOutput } from '../../cli/output/open-output.js';
import { serviceOf } from '../../cli/session/service-of.js';
import { usage } from '../../errors/usage.js';
import { isThere } from '../../files/given-file.js';
import { shownCell } from '../../inputs/input.js';
import { note } from '../../host/notes.js';
import { openProgressLine } from '../../host/progress.js';
import { shellCommand } from '../../lexical/shell/command.js';
import { isGuid } from '../../lexical/values/guid.js';
import { defined } from '../../plain/defined.js';
import { CheckedRows, failOfMistakes, rowsChecked, tellMistakes, tellTwins } from '../check.js';
import { usualRows } from '../flags.js';
import { outputFlagsOf, type BulkRun } from '../given.js';
import { sourceOf } from '../planned-rows.js';
import { tellChecked } from '../running/progress.js';
import type { PlannedRow } from './planned-row.js';
import { openPlan, type PlanWriter } from './plan-file.js';
import { plannedColumns, PlannedLine, plannedLine, planWords, type FoundRow, type PlanWord } from './planned-line.js';

/** Opens the file of --plan. Throws `usage` for one that is there, without --force, and `local`. */
function openKept<S>({ flags, context, session, text, planning }: BulkRun<S>): PlanWriter | undefined {
  const { plan: file, force } = flags;
  if (file === undefined) return undefined;
  const { pathOf } = context.environment;
  const { input } = planning;
  if (pathOf(file) === pathOf(input.name)) throw usage('--plan', `${file} has the rows: name another file`);
  if (!force && isThere(file)) throw usage('--plan', `${file} exists already`, '--force');
  return openPlan(file, {
    id: randomUUID(),
    madeAt: context.clock.date().toISOString(),
    operation: text.operation.name,
    profile: session.profile.name,
    ...serviceOf(session),
    input: input.name,
    sha256: input.sha256,
    columns: input.columns,
    ...defined({ nullAs: planning.reading.nullAs, meant: planning.meant?.length === 0 ? undefined : planning.meant }),
  });
}

/** What a row comes to now. Of a plan that was kept, its record is looked at again. */
async function foundRow<S>({ text, planning }: BulkRun<S>, found: PlannedRow): Promise<FoundRow> {
  const { plan, mistakes } = found;
  if (plan === undefined || mistakes.length > 0) return { found, word: 'mistake' };
  if (plan.changes.length === 0) return { found, word: 'unchanged' };
  if (plan.ends !== undefined) return { found, word: 'conflict', words: plan.ends.words };
  const now = planning.kept === undefined ? undefined : await text.again?.(plan, planning.shared);
  if (now === undefined || !('outcome' in now)) return { found, word: text.does };
  return { found, word: now.outcome === 'unchanged' ? 'unchanged' : 'conflict', words: now.words };
}

const countOf = (word: PlanWord, count: number): string =>
  `${count} ${word}${count === 1 || word === 'unchanged' ? '' : 's'}`;

/** How many rows come to what: `2 changes, 1 unchanged`. */
const countWords = (counts: ReadonlyMap<PlanWord, number>): string =>
  planWords
    .filter((word) => counts.has(word))
    .map((word) => countOf(word, counts.get(word) ?? 0))
    .join(', ');

/** The command that applies a plan, without an Id that says what its rows are. */
function applying<S>({ context, session }: BulkRun<S>, file: string): string {
  const { argv } = context.environment;
  const end = argv.findIndex((word) => word.startsWith('-'));
  const words = argv.slice(0, end).filter((word) => !isGuid(word));
  return shellCommand([...words, '--from-plan', file, '--profile', session.profile.name]);
}

/** Rows of a plan are shown together, for an output that lays them out: so many, or as many as have so many characters. */
const rowsAtOnce = 500;
const charactersAtOnce = 1024 * 1024;

const charactersOf = ({ cells }: PlannedRow): number => cells.reduce((sum, cell) => sum + shownCell(cell).length, 0);

/** Prints what each row comes to, and keeps it with --plan. Gives what was found wrong, and how many rows come to what. */
async function printRows<S>(
  run: BulkRun<S>,
  kept: PlanWriter | undefined,
): Promise<{ readonly checked: CheckedRows; readonly counts: ReadonlyMap<PlanWord, number> }> {
  const { context, session, flags, planning, text } = run;
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
  const tell = tellChecked(line);
  let waiting: FoundRow[] = [];
  let characters = 0;
  const print = async (): Promise<void> => {
    await output.write(waiting.map(plannedLine));
    waiting = [];
    characters = 0;
  };
  for await (const each of rowsChecked(planning, { ...text, mostRows: flags['max-rows'] ?? usualRows })) {
    const found = await foundRow(run, each);
    checked.take(each);
    tell();
    counts.set(found.word, (counts.get(found.word) ?? 0) + 1);
    kept?.add(each);
    waiting.push(found);
    characters += charactersOf(each);
    if (waiting.length === rowsAtOnce || characters >= charactersAtOnce) await print();
  }
  await line.end();
  await print();
  await output.finish();
  return { checked, counts };
}

/**
 * Shows what each row would do, and sends nothing; with --plan it is kept. Throws `usage` for rows with mistakes, unless
 * --skip-invalid leaves them out: then no plan is kept; and `local`.
 */
export async function showPlan<S>(run: BulkRun<S>): Promise<void> {
  const { context, flags, planning } = run;
  const kept = openKept(run);
  try {
    const { checked, counts } = await printRows(run, kept);
    const isLeft = flags['skip-invalid'] || planning.kept !== undefined;
    if (checked.count > 0 && !isLeft) await failOfMistakes(context, sourceOf(planning), checked);
    if (checked.count > 0) await tellMistakes(context, sourceOf(planning), checked);
    const rows = `${checked.rows} ${checked.rows === 1 ? 'row' : 'rows'}`;
    await note(context, flags, `${rows}${counts.size === 0 ? '' : `: ${countWords(counts)}`}; nothing was sent`);
    await tellTwins(run, checked);
    if (kept === undefined || flags.plan === undefined) return;
    const sha256 = kept.keep();
    await note(
      context,
      flags,
      `the plan is in ${flags.plan}, SHA-256 ${sha256}; apply it by ${applying(run, flags.plan)}`,
    );
  } finally {
    kept?.discard();
  }
}
