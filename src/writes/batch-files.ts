import { join } from 'node:path';
import {
  type BatchHead,
  continueJournal,
  createJournal,
  type Journal,
  type KeptJournal,
  readJournal,
  statesIn,
} from './batch/journal.js';
import { RowStates } from './batch/row-states.js';
import {
  earlierBatch,
  identity,
  putAside,
  registerBatch,
  registeredFile,
  resultsOf,
  tellsRows,
} from './batch/register.js';
import { tracesFolder } from '../kit/output/own-files.js';
import { type RelctlError, usage } from '../core/errors/relctl-error.js';
import { checkReplaceable } from '../state/output-registry.js';
import { takeLock } from '../state/locks/lock.js';
import { shellWord } from '../core/text/shell/command.js';
import { foldersOf } from '../profiles/store/folders.js';
import type { Context } from '../kit/host/context.js';
import type { BatchFiles, BulkGiven } from './rows/rows-text.js';

/** The files of a batch. Throws `usage` when nothing says where its results go, or they would replace its input. */
export function filesOf({ context, flags }: Pick<BulkGiven, 'context' | 'flags'>): BatchFiles {
  const { file: given, results } = flags;
  // What only shows the rows writes no results.
  if (results === undefined && given === '-' && !flags['dry-run'] && !flags.envelope)
    throw usage('--results', 'rows from stdin need --results', '--results FILE');
  // A folder may be named with the slash that completion writes behind it.
  const folder = typeof flags['dir'] === 'string' ? flags['dir'].replace(/(?<=.)[/\\]+$/, '') : '';
  const rows = given ?? folder;
  const file = results ?? `${rows}.results.csv`;
  const { pathOf } = context.environment;
  if (pathOf(file) === pathOf(rows))
    throw usage('--results', `the results cannot take the place of the rows: ${file} is both`);
  return { results: file, journal: `${file}.journal` };
}

const changes: Readonly<Record<(typeof identity)[number], string>> = {
  operation: 'another operation',
  sha256: 'a file of other content',
  reading: 'columns or flags of another meaning',
  url: 'another service',
  namespace: 'another service',
  database: 'another database',
};

/** True for a batch that ended before its first row was sent. */
const hasNoRows = ({ lines }: KeptJournal): boolean => lines <= 1;

/** The error for a journal that is there although this run is to be a new batch. */
function writtenAlready({ head, file }: KeptJournal, other: (typeof identity)[number] | undefined): RelctlError {
  const told = tellsRows(file);
  if (other !== undefined) {
    const what = `${told} tells of another batch, of ${head.startedAt}: ${changes[other]}`;
    // A line that could be pasted would write the rows that are done once more.
    if (other === 'sha256')
      return usage('--results', what, {
        advice: `Rows that are done there would be written again. Mend those that are left in ${told} and give that by --file; or take the done ones out of this file, and name another file by --results.`,
        hint: '',
      });
    return usage('--results', what, {
      advice: `Name another file for the results, or give up going on with that batch by --restart.`,
      hint: '--results FILE',
    });
  }
  return usage('--file', `${head.input} was written on ${head.startedAt} already; ${told} tells each row's end`, {
    advice: 'Go on with what is left by --resume, or write all rows again by --restart.',
    hint: '--resume',
  });
}

/** Flags that need an earlier run. */
type GoesOn = '--resume' | '--settle';

/** Throws `usage` for going on with a batch that was begun anew since, with results elsewhere: rows may be done there. */
function checkLatest(registered: string, { head, file }: KeptJournal, goesOn: GoesOn): void {
  const latest = earlierBatch(registered, head);
  if (latest === undefined || latest.head.batch === head.batch) return;
  const results = resultsOf(latest.file);
  throw usage(
    goesOn,
    `the batch of ${head.startedAt}, of ${file}, was begun anew on ${latest.head.startedAt}, with its results in ${results}`,
    { hint: `--results ${shellWord(results)}` },
  );
}

/** Throws `usage` for a journal of another batch, for one that was not asked to be continued, and for one begun anew since. */
function checkKept(
  kept: KeptJournal,
  {
    now,
    goesOn,
    registered,
  }: { readonly now: BatchHead; readonly goesOn: GoesOn | undefined; readonly registered: string },
): void {
  const { head, file } = kept;
  const other = identity.find((name) => head[name] !== now[name]);
  if (goesOn === undefined) throw writtenAlready(kept, other);
  if (other === undefined) {
    checkLatest(registered, kept, goesOn);
    return;
  }
  throw usage(goesOn, `the batch of ${head.startedAt} cannot go on: this is ${changes[other]}`, {
    advice: `What became of its rows stands in ${file}.`,
  });
}

/** Throws `usage` where the same rows were written with results elsewhere. */
function checkElsewhere(registered: string, head: BatchHead, goesOn: GoesOn | undefined): void {
  const earlier = earlierBatch(registered, head);
  if (earlier === undefined || (goesOn === undefined && hasNoRows(earlier))) return;
  if (goesOn === undefined)
    throw writtenAlready(earlier, undefined).but({ hint: `--resume --results ${shellWord(resultsOf(earlier.file))}` });
  const results = resultsOf(earlier.file);
  throw usage(goesOn, `the batch of ${earlier.head.startedAt} has its results in ${results}`, {
    hint: `--results ${shellWord(results)}`,
  });
}

/** The flag that asks to go on with an earlier run. Throws `usage` for flags that exclude each other. */
function goesOnBy(flags: BulkGiven['flags']): GoesOn | undefined {
  const goesOn = flags.resume ? '--resume' : flags['settle'] === true ? '--settle' : undefined;
  if (goesOn !== undefined && flags.restart) throw usage('--restart', `${goesOn} and --restart exclude each other`);
  if (flags['retry-unknown'] && goesOn !== '--resume')
    throw usage('--retry-unknown', '--retry-unknown goes with --resume', '--resume --retry-unknown');
  return goesOn;
}

/** A batch that may be written: nobody else writes it, here or with results elsewhere. */
export interface OpenBatch {
  /** The journal of an earlier run that this one goes on with; undefined for a new batch. */
  readonly kept: KeptJournal | undefined;
  /** How its rows stand, by an earlier run and as this one goes on. */
  readonly states: RowStates;
  /** Opens its journal; that of a new batch is made, and one that was there is put aside. Throws `local`. */
  open(): Journal;
}

const lockOf = async (context: Context, file: string): Promise<void> => {
  const release = await takeLock(`${file}.lock`, { what: 'the batch is', patienceMs: 0, signal: context.signal });
  context.onClose(release);
};

/**
 * Locks the files of a batch until the run ends, and finds what an earlier run left of it. Throws `locked`; `usage` for rows
 * that were written already, for nothing to go on with, and for another batch; `local`.
 */
export async function openBatch(
  { context, flags }: Pick<BulkGiven, 'context' | 'flags'>,
  { results, journal }: BatchFiles,
  head: BatchHead,
): Promise<OpenBatch> {
  const goesOn = goesOnBy(flags);
  const { environment, clock } = context;
  const register = join(foldersOf(environment).state, 'batches');
  const registered = registeredFile(register, head);
  await lockOf(context, registered);
  await lockOf(context, results);
  const found = flags.restart ? undefined : readJournal(journal);
  // Where nothing was sent, and going on was not asked for, nothing is in the way of another batch.
  const isIdle = found !== undefined && hasNoRows(found) && goesOn === undefined;
  const kept = isIdle ? undefined : found;
  if (kept !== undefined) checkKept(kept, { now: head, goesOn, registered });
  else if (!flags.restart) checkElsewhere(registered, head, goesOn);
  if (kept === undefined && goesOn !== undefined)
    throw usage(goesOn, `there is no earlier batch: ${journal} is not there`);
  checkReplaceable(results, { folder: tracesFolder(context), force: flags.force });
  const states = kept === undefined ? new RowStates() : statesIn(kept.file);
  return {
    kept,
    states,
    open() {
      if (kept !== undefined) return continueJournal(kept, states);
      const path = environment.pathOf(journal);
      if (!isIdle) putAside(register, path, clock.date().toISOString());
      const made = createJournal(journal, head, states);
      registerBatch(registered, path);
      return made;
    },
  };
}
