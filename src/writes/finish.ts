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
import { note, noteInTerminal } from '../kit/host/notes.js';
import { defined } from '../core/values/value.js';
import { addedBefore, type CheckedRows } from './check.js';
import { cellForMessage } from '../formats/readers/input.js';
import { outputFlagsOf } from './flags.js';
import { type BulkRun, unplannedRows, type UnplannedRow } from './rows/planned-rows.js';
import { type RowStates, openLastEntries } from './batch/journal.js';
import type { OpenBatch } from './batch-files.js';
import { beginEntry, type OpenEntry } from '../lists/record/recorded.js';
import { csvQuote } from '../core/text/text.js';
import { openPartFile } from '../state/part-file.js';
import { verificationOf } from '../lists/record/writing.js';
import { ownPrefix, type Target } from './columns.js';

const titles = ['line', 'key', 'outcome', 'number', 'code', 'message', 'id', 'at'].map((name) => `${ownPrefix}${name}`);

const fileTitles = ['size', 'sha256'].map((name) => `${ownPrefix}${name}`);

const tellsRow: ReadonlySet<string> = new Set([...titles, ...fileTitles]);

const [lineTitle, messageTitle] = [`${ownPrefix}line`, `${ownPrefix}message`];

const pieceLength = 65_536;

const quoted = csvQuote(',');

const lineOf = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

const lostWords = ({ operation: name, input }: Sent): string =>
  withRemedy('relctl sent it, and saved no answer', verificationOf({ operation: { name }, input }));

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
  run: BulkRun<S>,
  { wrong, nulls }: CheckedRows,
  { states, isReady }: { readonly states: RowStates; readonly isReady: (part: string) => void },
): Promise<void> {
  const { files, planning, text } = run;
  const sendsFiles = text.files !== undefined;
  const { columns } = planning.input;
  const part = openPartFile(files.results);
  const entries = openLastEntries(files.journal, states);
  const own = sendsFiles ? [...titles, ...fileTitles] : titles;
  // Of results that were fed back, what an earlier run told is told anew: no title may be there twice.
  const isSaid = ({ kind }: Target = { kind: 'ignored' }): boolean => kind !== 'ignored' && kind !== 'base';
  const copied = [...columns.entries()].filter(
    ([index, title]) => !tellsRow.has(title) || isSaid(planning.reading.targets[index]),
  );
  const ownCells = async ({ row, line, cells, plan }: UnplannedRow): Promise<readonly string[]> => {
    const entry = entries.of(row);
    const mistake = wrong.get(row) ?? '';
    // A row that was added by an earlier run stays so: these results may be fed back too.
    if (entry === undefined && addedBefore(run, cells) !== undefined)
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

/**
 * Tells the ledger of a batch that is about to be sent, with its journal, which tells of each row; undefined where no ledger
 * is kept. Throws `local` when it cannot be written: then nothing is sent.
 * @param rows how many rows the input has
 */
export function beginBatch<S>(run: BulkRun<S>, rows: number, { id }: OpenBatch): Promise<OpenEntry | undefined> {
  const { context, files, planning, text, undoes } = run;
  const { pathOf } = context.environment;
  // The journal may be put aside for another batch: it is known again by the id of this one.
  const batch = { id, journal: pathOf(files.journal), results: pathOf(files.results), rows };
  const what = `${text.does === 'add' ? 'add records' : 'change records'} by ${planning.input.name}`;
  return beginEntry(run, { what, operation: text.operation.name, batch, ...defined({ undoes }) });
}

/**
 * What to try when a batch has ended, best first: send what was not carried out, find out what is unknown, mend the rest.
 * @param wrong the rows with a mistake, which stay as they are, whatever is tried
 */
function nextStep<S>(run: BulkRun<S>, tally: Tally, { wrong }: Pick<CheckedRows, 'wrong'>): Remedy {
  const { flags, text, files, lister, undoes } = run;
  if (tally.failed + tally['not sent'] > wrong.size) return { hint: '--resume' };
  if (tally.unknown > 0) {
    if ((text.looking ?? lister) !== undefined && flags['settle'] !== true) return { hint: '--settle' };
    const names = `${files.results} names the record of each unknown row: check it`;
    return { hint: null, advice: `${names}; --resume --retry-unknown sends them all again.` };
  }
  // The rows of an undo are not those of a file.
  if (undoes !== undefined) return { hint: null };
  return { hint: null, advice: 'Correct the remaining rows in a file of their own, and pass it with --file.' };
}

const countNames = new Map(
  outcomes.map((outcome) => [outcome, outcome.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase())]),
);

const BatchSummary = recordWithoutPresence('BatchSummary', 'Outcome of the rows of a file.', {
  Input: inRole('key', req(string, 'The file of rows.')),
  Rows: req(int, 'Number of rows.'),
  ...Object.fromEntries([...countNames].map(([outcome, name]) => [name, req(int, `Rows that are ${outcome}.`)])),
  Results: inRole('words', opt(string, 'The file with the outcome of each row.')),
  Journal: inRole('words', req(string, 'The journal for --resume.')),
  Stopped: inRole('words', opt(string, 'Why relctl did not send the rest.')),
});

/** Opens the summary of a batch, where a format was asked for, before anything is sent. Throws `usage` and `local`. */
export async function openSummary<S>({ context, session, flags }: BulkRun<S>): Promise<RecordOutput | undefined> {
  const hasOutput = flags.output !== undefined || flags.json || flags['output-file'] !== undefined;
  return hasOutput
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

interface BatchEnd {
  readonly rows: number;
  readonly tally: Tally;
  readonly stopped: RelctlError | undefined;
  readonly unwritten: RelctlError | undefined;
}

async function printSummary<S>(
  summary: RecordOutput | undefined,
  { planning, files }: BulkRun<S>,
  { rows, tally, stopped, unwritten }: BatchEnd,
): Promise<void> {
  const counts = Object.fromEntries([...countNames].map(([outcome, name]) => [name, tally[outcome]]));
  const results = unwritten === undefined ? files.results : null;
  const ends = { Results: results, Journal: files.journal, Stopped: stopped?.message ?? null };
  await summary?.write([{ Input: planning.input.name, Rows: rows, ...counts, ...ends }]);
  await summary?.finish();
}

async function failureOf(work: () => Promise<void>): Promise<RelctlError | undefined> {
  try {
    await work();
    return undefined;
  } catch (thrown) {
    return RelctlError.from(thrown);
  }
}

function wordsOf<S>({ files }: BulkRun<S>, { rows, tally, unwritten }: BatchEnd): string {
  const counts = `${rows} ${rows === 1 ? 'row' : 'rows'}: ${tallyWords(tally)}`;
  if (unwritten === undefined) return `${counts}; ${files.results} tells each`;
  return `${counts}; ${files.journal} has each outcome, because relctl could not write the results: ${unwritten.message}`;
}

/** Says what stands for null in results whose rows may be fed back, where --null-as does not say it. */
async function reportNulls<S>({ context, flags, files }: BulkRun<S>, { nulls }: CheckedRows): Promise<void> {
  if (!nulls.isOwn) return;
  const has = `${files.results} has ${nulls.text} where a row has null`;
  await note(context, flags, `${has}: to write its rows again, use --null-as ${nulls.text}`);
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
    entry,
  }: {
    readonly states: RowStates;
    readonly stopped?: RelctlError | undefined;
    readonly summary: RecordOutput | undefined;
    readonly entry?: OpenEntry | undefined;
  },
): Promise<void> {
  const { files, context, flags, planning } = run;
  const { rows } = checked;
  const tally = states.tally(rows);
  await entry?.ends({ outcome: commonOutcome(tally), tally });
  const own = ownFiles(context, flags);
  const unwritten = await failureOf(() =>
    writeResults(run, checked, { states, isReady: (part) => own.add(files.results, { part }) }),
  );
  if (unwritten === undefined) await own.report();
  const end = { rows, tally, stopped, unwritten };
  const words = wordsOf(run, end);
  const unprinted = await failureOf(() => printSummary(summary, run, end));
  // What became of the rows comes before what cannot be printed of it.
  const error = errorOf(run, checked, { ...end, words }) ?? (unprinted && untold(unprinted, words));
  if (error !== undefined) {
    if (unwritten === undefined) await reportNulls(run, checked);
    throw error;
  }
  if (rows === 0) await note(context, flags, `${planning.input.name} has no rows; nothing was sent`);
  else await noteInTerminal(context, flags, words);
}

function errorOf<S>(
  run: BulkRun<S>,
  checked: CheckedRows,
  { tally, words, stopped, unwritten }: BatchEnd & { readonly words: string },
): RelctlError | undefined {
  const kind = kindOf(tally, stopped ?? unwritten);
  if (stopped !== undefined)
    return stopped.but({ ...defined({ kind }), message: `${stopped.message}; ${words}`, hint: '--resume' });
  if (unwritten !== undefined)
    return unwritten.but({ message: words, hint: run.flags['settle'] === true ? '--settle' : '--resume' });
  if (kind === undefined) return undefined;
  return new RelctlError(kind, words, { facts: { code: 'failed-rows' }, ...nextStep(run, tally, checked) });
}
