import { endsBatch, kindOfBatch, outcomes, type Tally, tallyWords } from '../state/ledger/outcome.js';
import { openOutput } from '../kit/output/open-output.js';
import { ownFiles } from '../kit/output/own-files.js';
import type { RecordOutput } from '../kit/output/record-output.js';
import { inRole, opt, recordWithoutPresence, req } from '../contract/build.js';
import { int, string } from '../contract/scalars.js';
import type { Kind } from '../core/errors/kinds.js';
import { RelctlError, type Remedy, untold } from '../core/errors/relctl-error.js';
import { note } from '../kit/host/notes.js';
import { defined, type RecordValue } from '../core/values/value.js';
import { addedBefore, type CheckedRows } from './check.js';
import type { Cell } from '../formats/readers/input.js';
import { outputFlagsOf } from './rows/rows-text.js';
import { type BulkRun, givenRows, sourceOf } from './rows/planned-rows.js';
import { writeResults } from './results.js';
import { headIn, statesIn, type RowStates } from './batch/journal.js';
import { beginEntry } from '../lists/record/recorded.js';

/** The outcome that all rows have that needed a write, `unchanged` where none did; `partly` where there are several. */
function commonOutcome(tally: Tally): (typeof outcomes)[number] | 'partly' {
  const [first = 'unchanged', second] = outcomes.filter((outcome) => outcome !== 'unchanged' && tally[outcome] > 0);
  return second === undefined ? first : 'partly';
}

/** How many rows there are of each outcome; undefined for a journal that cannot be read: the summary, which reads it too, says so. */
function tallyIn(journal: string, rows: number): Tally | undefined {
  try {
    return statesIn(journal).tally(rows);
  } catch {
    return undefined;
  }
}

/** Tells the ledger how a batch ended. Never throws: what cannot be told is a note, or left open, as after a kill. */
export type EndOfEntry = () => Promise<void>;

/**
 * Tells the ledger of a batch that is about to be sent, with its journal, which tells of each row. Gives what tells it how the
 * batch ended; undefined where no ledger is kept. Throws `local` when it cannot be written: then nothing is sent.
 * @param rows how many rows the input has
 */
export async function beginBatch<S>(run: BulkRun<S>, rows: number): Promise<EndOfEntry | undefined> {
  const { context, files, planning, text, undoes } = run;
  const { pathOf } = context.environment;
  const [journal, results] = [pathOf(files.journal), pathOf(files.results)];
  // The journal may be put aside for another batch: it is known again by the id of this one.
  const batch = { id: headIn(journal)?.batch ?? '', journal, results, rows };
  const does = text.does === 'add' ? 'add records' : 'change records';
  const what = `${does} by ${planning.input.name}`;
  const entry = await beginEntry(run, { what, operation: text.operation.name, batch, ...defined({ undoes }) });
  if (entry === undefined) return undefined;
  return async () => {
    const tally = tallyIn(files.journal, rows);
    if (tally !== undefined) await entry.ends({ outcome: commonOutcome(tally), tally });
  };
}

type Ended<S> = Pick<BulkRun<S>, 'flags' | 'text' | 'files' | 'undoes' | 'lister'>;

function ofUnknown<S>({ flags, text, files, lister }: Ended<S>): Remedy {
  if ((text.looking ?? lister) !== undefined && flags['settle'] !== true) return { hint: '--settle' };
  const names = `${files.results} names the record of each unknown row: look at it there`;
  return { hint: null, advice: `${names}; --resume --retry-unknown sends all of them again.` };
}

/**
 * What to try when a batch has ended, best first: send what was not carried out, find out what is unknown, mend the rest.
 * @param checked a row with a mistake stays as it is, whatever is tried
 */
function nextStep<S>(run: Ended<S>, tally: Tally, { wrong }: Pick<CheckedRows, 'wrong'>): Remedy {
  if (tally.failed + tally['not sent'] > wrong.size) return { hint: '--resume' };
  if (tally.unknown > 0) return ofUnknown(run);
  // The rows of an undo are not those of a file.
  if (run.undoes !== undefined) return { hint: null };
  return { hint: null, advice: 'Mend the rows that are left in a file of their own, and give it by --file.' };
}

const countNames = new Map(
  outcomes.map((outcome) => [outcome, outcome.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase())]),
);

const BatchSummary = recordWithoutPresence('BatchSummary', 'What became of the rows of a file.', {
  Input: inRole('key', req(string, 'The file of rows.')),
  Rows: req(int, 'How many it has.'),
  ...Object.fromEntries([...countNames].map(([outcome, name]) => [name, req(int, `Rows that are ${outcome}.`)])),
  Results: inRole('words', opt(string, 'The file that tells what became of each row.')),
  Journal: inRole('words', req(string, 'The journal that --resume goes on with.')),
  Stopped: inRole('words', opt(string, 'Why the rest was not sent.')),
});

/** Opens the summary of a batch, where a format was asked for, before anything is sent. Throws `usage` and `local`. */
export async function openSummary<S>({ context, session, flags }: BulkRun<S>): Promise<RecordOutput | undefined> {
  const isAsked = flags.output !== undefined || flags.json || flags['output-file'] !== undefined;
  return isAsked
    ? openOutput(context, session, {
        flags: outputFlagsOf(flags),
        record: BatchSummary,
        shape: 'single',
        isOnce: true,
      })
    : undefined;
}

function kindOf(tally: Tally, stopped: RelctlError | undefined): Kind | undefined {
  if (stopped === undefined) return kindOfBatch(tally);
  // Such a failure says more than that rows were not sent.
  if (endsBatch(stopped)) return stopped.kind;
  // Where nothing was done, what kept the first rows from it is what all rows have in common.
  return tally.done + tally.unchanged + tally.unknown === 0 ? stopped.kind : 'partial';
}

async function putResults<S>(
  { files, planning, context, flags, text }: BulkRun<S>,
  { wrong, nulls }: CheckedRows,
  states: RowStates,
): Promise<RelctlError | undefined> {
  const { results: file, journal } = files;
  const own = ownFiles(context, flags);
  try {
    const [rows, hasFiles, nullText] = [givenRows(planning), text.sendsFiles === true, nulls.text];
    const isReady = (part: string): void => own.add(file, { part });
    // A row that was added by an earlier run stays so: these results may be fed back too.
    const wasAdded = (cells: readonly Cell[]): boolean => addedBefore(planning, cells, text) !== undefined;
    const { input, meant = [] } = planning;
    await writeResults({ file, input, journal, states, rows, wrong, hasFiles, wasAdded, meant, nullText, isReady });
  } catch (thrown) {
    return RelctlError.from(thrown);
  }
  await own.tell();
  return undefined;
}

interface BatchEnd {
  readonly tally: Tally;
  /** How many rows there are of each outcome, and where each is told, in words. */
  readonly words: string;
  readonly stopped: RelctlError | undefined;
  readonly unwritten: RelctlError | undefined;
  readonly next: Remedy;
}

function summaryOf<S>(
  { files, planning }: BulkRun<S>,
  rows: number,
  { tally, stopped, unwritten }: BatchEnd,
): RecordValue {
  return {
    Input: planning.input.name,
    Rows: rows,
    ...Object.fromEntries([...countNames].map(([outcome, name]) => [name, tally[outcome]])),
    Results: unwritten === undefined ? files.results : null,
    Journal: files.journal,
    Stopped: stopped?.message ?? null,
  };
}

function errorOf({ tally, words, stopped, unwritten, next }: BatchEnd, again: string): RelctlError | undefined {
  const kind = kindOf(tally, stopped ?? unwritten);
  if (stopped !== undefined)
    return stopped.but({ ...defined({ kind }), message: `${stopped.message}; ${words}`, hint: '--resume' });
  if (unwritten !== undefined) return unwritten.but({ message: words, hint: again });
  return kind === undefined ? undefined : new RelctlError(kind, words, { facts: { code: 'failed-rows' }, ...next });
}

const nullWords = (results: string, text: string): string =>
  `${results} has ${text} where a row says null: feed its rows back with --null-as ${text}`;

function wordsOf(
  { files }: Pick<BulkRun<unknown>, 'files'>,
  counts: string,
  unwritten: RelctlError | undefined,
): string {
  if (unwritten === undefined) return `${counts}; ${files.results} tells each`;
  return `${counts}; ${files.journal} tells each, for the results were not written: ${unwritten.message}`;
}

/** Prints the summary; gives why it cannot be: what became of the rows comes first. */
async function printed(summary: RecordOutput | undefined, row: RecordValue): Promise<RelctlError | undefined> {
  try {
    await summary?.write([row]);
    await summary?.finish();
    return undefined;
  } catch (thrown) {
    return RelctlError.from(thrown);
  }
}

async function tellEnd<S>({ context, flags, planning }: BulkRun<S>, words: string | undefined): Promise<void> {
  if (words === undefined) await note(context, flags, `${sourceOf(planning)} has no rows; nothing was sent`);
  else if (context.streams.err.isTerminal) await note(context, flags, words);
}

/**
 * Writes what became of the rows, and says it. Throws the error that the batch ends with, when some rows are neither done nor
 * unchanged, and `local` when the results cannot be written.
 */
export async function finishBatch<S>(
  run: BulkRun<S>,
  checked: CheckedRows,
  {
    states,
    stopped,
    summary,
  }: {
    readonly states: RowStates;
    readonly stopped: RelctlError | undefined;
    readonly summary: RecordOutput | undefined;
  },
): Promise<void> {
  const { files, context, flags } = run;
  const { rows } = checked;
  const tally = states.tally(rows);
  const unwritten = await putResults(run, checked, states);
  const words = wordsOf(run, `${rows} ${rows === 1 ? 'row' : 'rows'}: ${tallyWords(tally)}`, unwritten);
  const end = { tally, words, stopped, unwritten, next: nextStep(run, tally, checked) };
  const unprinted = await printed(summary, summaryOf(run, rows, end));
  const error =
    errorOf(end, flags['settle'] === true ? '--settle' : '--resume') ?? (unprinted && untold(unprinted, words));
  if (error !== undefined && checked.nulls.isOwn && unwritten === undefined)
    await note(context, flags, nullWords(files.results, checked.nulls.text));
  if (error !== undefined) throw error;
  await tellEnd(run, rows === 0 ? undefined : words);
}
