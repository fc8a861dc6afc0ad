import {
  endsBatch,
  kindOfBatch,
  outcomes,
  type Tally,
  tallyWords,
  type Entry,
  type Sent,
  withRemedy,
} from '../state/ledger/outcome.js';
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
import { cellForMessage } from '../formats/readers/input.js';
import { outputFlagsOf } from './rows/rows-text.js';
import { type BulkRun, unplannedRows, sourceOf, type UnplannedRow } from './rows/planned-rows.js';
import { headIn, statesIn, type RowStates, openLastEntries } from './batch/journal.js';
import { beginEntry } from '../lists/record/recorded.js';
import { csvQuote } from '../core/text/separated/csv-quote.js';
import { openPartFile } from '../state/part-file.js';
import { verificationOf } from '../lists/record/writing.js';
import { ownPrefix } from './columns.js';

const titles = ['line', 'key', 'outcome', 'number', 'code', 'message', 'id', 'at'].map((name) => `${ownPrefix}${name}`);

const fileTitles = ['size', 'sha256'].map((name) => `${ownPrefix}${name}`);

const tellsRow: ReadonlySet<string> = new Set([...titles, ...fileTitles]);

const [lineTitle, messageTitle] = [`${ownPrefix}line`, `${ownPrefix}message`];

const pieceLength = 65_536;

const quoted = csvQuote(',');

const lineOf = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

const lostWords = ({ operation: name, input }: Sent): string =>
  withRemedy('it was sent, and no answer was kept', verificationOf({ operation: { name }, input }));

function cellsOf(entry: Entry | undefined, mistake: string): readonly string[] {
  if (entry === undefined) return ['not sent', '', '', mistake, '', ''];
  if ('sends' in entry) return ['unknown', '', '', lostWords(entry.sends), '', entry.at];
  const { outcome, number, code, words, id } = entry.ends;
  return [outcome, String(number ?? ''), code ?? '', words ?? '', id ?? '', entry.at];
}

const keyIn = (entry: Entry | undefined): string | undefined =>
  entry !== undefined && 'sends' in entry ? entry.sends.key : entry?.key;

function fileCells(entry: Entry | undefined): readonly string[] {
  const said = entry !== undefined && 'ends' in entry ? entry.ends : entry?.sends;
  return [String(said?.file?.size ?? ''), said?.file?.sha256 ?? ''];
}

/**
 * Writes what became of each row, and the row as it was given, so that rows that failed can be mended and fed back. The file is
 * whole or as before. Throws `local`, and what reading the input throws.
 * @param isReady called with the path of the complete file, before it gets its name
 */
async function writeResults<S>(
  { files, planning, text: { does, sendsFiles = false } }: BulkRun<S>,
  { wrong, nulls }: CheckedRows,
  { states, isReady }: { readonly states: RowStates; readonly isReady: (part: string) => void },
): Promise<void> {
  const { columns } = planning.input;
  const part = openPartFile(files.results);
  const entries = openLastEntries(files.journal, states);
  const own = sendsFiles ? [...titles, ...fileTitles] : titles;
  // Of results that were fed back, what an earlier run told is told anew: no title may be there twice.
  const isCopied = (title: string): boolean => !tellsRow.has(title) || planning.meant?.includes(title) === true;
  const copied = [...columns.entries()].filter(([, title]) => isCopied(title));
  const ownCells = async ({ row, line, cells, plan }: UnplannedRow): Promise<readonly string[]> => {
    const entry = entries.of(row);
    const mistake = wrong.get(row) ?? '';
    // A row that was added by an earlier run stays so: these results may be fed back too.
    if (entry === undefined && addedBefore(planning, cells, { does }) !== undefined)
      return own.map((title) => {
        if (title === messageTitle) return mistake;
        return title === lineTitle ? String(line) : cellForMessage(cells[columns.indexOf(title)]);
      });
    // What became of a record may be that its row cannot be planned any more.
    const key = keyIn(entry) ?? (await plan()).plan?.key ?? '';
    return [String(line), key, ...cellsOf(entry, mistake), ...(sendsFiles ? fileCells(entry) : [])];
  };
  try {
    let text = lineOf([...own, ...copied.map(([, title]) => title)]);
    for await (const row of unplannedRows(planning)) {
      const copies = copied.map(([index]) => row.cells[index]);
      text += lineOf([
        ...(await ownCells(row)),
        ...copies.map((cell) => (cell === null ? nulls.text : cellForMessage(cell))),
      ]);
      if (text.length < pieceLength) continue;
      part.write(Buffer.from(text));
      text = '';
    }
    part.write(Buffer.from(text));
    part.putAs(files.results, isReady);
  } finally {
    entries.close();
    part.discard();
  }
}

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
  run: BulkRun<S>,
  checked: CheckedRows,
  states: RowStates,
): Promise<RelctlError | undefined> {
  const own = ownFiles(run.context, run.flags);
  try {
    await writeResults(run, checked, { states, isReady: (part) => own.add(run.files.results, { part }) });
  } catch (thrown) {
    return RelctlError.from(thrown);
  }
  await own.report();
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

async function reportEnd<S>({ context, flags, planning }: BulkRun<S>, words: string | undefined): Promise<void> {
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
  await reportEnd(run, rows === 0 ? undefined : words);
}
