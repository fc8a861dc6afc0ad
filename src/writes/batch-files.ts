import { join } from 'node:path';
import {
  type BatchHead,
  continueJournal,
  createJournal,
  type Journal,
  type ReadJournal,
  readBatchJournal,
  statesIn,
  RowStates,
  asideOf,
  headIn,
} from './batch/journal.js';
import { registryFolder } from '../kit/output/own-files.js';
import { RelctlError, usage, codeOf } from '../core/errors/relctl-error.js';
import { checkReplaceable } from '../state/output-registry.js';
import { takeLock } from '../state/locks/lock.js';
import { shellWord } from '../core/text/text.js';
import { foldersOf } from '../profiles/store/folders.js';
import type { Context } from '../kit/host/context.js';
import type { BatchFiles, BatchInput } from './rows/rows-text.js';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { attempt, makeFolders } from '../state/own-file.js';
import { writeWhole } from '../state/part-file.js';
import { isObject } from '../core/values/value.js';

/** What two batches have in common that write the same rows to the same service. */
export const identity = ['operation', 'sha256', 'reading', 'url', 'namespace', 'database'] as const;

function nameOf(head: BatchHead): string {
  const text = JSON.stringify(identity.map((name) => head[name]));
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** The file that stands for a batch; its lock has the same name with `.lock` behind it. Throws `local`. */
export function registeredFile(folder: string, head: BatchHead): string {
  attempt(folder, () => makeFolders(folder));
  return join(folder, `${nameOf(head)}.json`);
}

/** The paths that a file of the register holds; none where there is no such file. Throws `local` for one that cannot be read. */
function journalsIn(file: string): readonly string[] {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const journals = isObject(content) ? [content['journal'], content['before']] : [];
    const paths = journals.filter((path) => typeof path === 'string');
    if (paths.length > 0) return paths;
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return [];
  }
  // Not known is not never: the rows may have been written.
  throw new RelctlError('local', `${file} cannot be read, and may have earlier writes of these rows`, {
    facts: { path: file, code: 'register' },
    advice: 'Make it readable, or delete it if you are sure that they were not.',
  });
}

/** The journal of an earlier batch that wrote the same; undefined when there was none, or its journal is not there any more. Throws `local`. */
export function earlierBatch(file: string, head: BatchHead): ReadJournal | undefined {
  for (const journal of journalsIn(file)) {
    const previous = readBatchJournal(journal);
    if (previous !== undefined && identity.every((name) => previous.head[name] === head[name])) return previous;
  }
  return undefined;
}

/**
 * Keeps where the journal of a batch is, before its first row is sent. Throws `local`.
 * @param journal its path, which does not depend on the working folder
 */
export function registerBatch(file: string, journal: string): void {
  writeWhole(file, JSON.stringify({ journal }));
}

/**
 * Puts the journal of an earlier batch aside, if there is one: it says what was written, and is kept, and the register says
 * where. Throws `local`.
 * @param journal its path, which does not depend on the working folder
 * @param now the time as ISO text
 */
export function putAside(folder: string, journal: string, now: string): void {
  if (!existsSync(journal)) return;
  const aside = asideOf(journal, now);
  const head = headIn(journal);
  const registered = head === undefined ? undefined : registeredFile(folder, head);
  // A batch that was written again since stands by its later journal. Both paths: a kill may come before the file has moved.
  if (registered !== undefined && journalsIn(registered).includes(journal))
    writeWhole(registered, JSON.stringify({ journal: aside, before: journal }));
  attempt(aside, () => renameSync(journal, aside));
}

/** The results that a journal stands beside. */
export const resultsOf = (journal: string): string => journal.replace(/\.journal$/, '');

/** The file that tells each row's end: the results, or the journal where there are none beside it. */
function listsRows(journal: string): string {
  const results = resultsOf(journal);
  return existsSync(results) ? results : journal;
}

/** The files of a batch. Throws `usage` when nothing says where its results go, or they would replace its input. */
export function filesOf({ context, flags }: Pick<BatchInput, 'context' | 'flags'>): BatchFiles {
  const { file: rowsFile, results } = flags;
  // What only shows the rows writes no results.
  if (results === undefined && rowsFile === '-' && !flags['dry-run'] && !flags.envelope)
    throw usage('--results', 'rows from stdin need --results', '--results FILE');
  // A folder may be named with the slash that completion writes behind it.
  const folder = typeof flags['dir'] === 'string' ? flags['dir'].replace(/(?<=.)[/\\]+$/, '') : '';
  const rows = rowsFile ?? folder;
  const file = results ?? `${rows}.results.csv`;
  const { pathOf } = context.environment;
  if (pathOf(file) === pathOf(rows)) throw usage('--results', `the results cannot replace the rows: ${file} is both`);
  return { results: file, journal: `${file}.journal` };
}

const changes: Readonly<Record<(typeof identity)[number], string>> = {
  operation: 'another operation',
  sha256: 'a file with other content',
  reading: 'columns or flags with another meaning',
  url: 'another service',
  namespace: 'another service',
  database: 'another database',
};

const hasNoRows = ({ lines }: ReadJournal): boolean => lines <= 1;

function writtenAlready({ head, file }: ReadJournal, other: (typeof identity)[number] | undefined): RelctlError {
  const source = listsRows(file);
  if (other !== undefined) {
    const what = `${source} belongs to another batch, of ${head.startedAt}: ${changes[other]}`;
    // A line that could be pasted would write the rows that are done once more.
    if (other === 'sha256')
      return usage('--results', what, {
        advice: `relctl would write its done rows again. Correct the other rows in ${source} and pass it with --file; or remove the done rows from this file, and choose another file with --results.`,
        hint: null,
      });
    return usage('--results', what, {
      advice: `Choose another file for the results, or use --restart to give up resuming that batch.`,
      hint: '--results FILE',
    });
  }
  return usage('--file', `${head.input} was already written on ${head.startedAt}; ${source} has the outcomes`, {
    advice: 'Continue with the remaining rows with --resume, or write all rows again with --restart.',
    hint: '--resume',
  });
}

type GoesOn = '--resume' | '--settle';

interface Beginning {
  readonly head: BatchHead;
  readonly goesOn: GoesOn | undefined;
  /** The file that stands for the batch. */
  readonly registered: string;
}

function checkSame(journal: ReadJournal, { head, goesOn }: Beginning): void {
  const other = identity.find((name) => journal.head[name] !== head[name]);
  if (goesOn === undefined) throw writtenAlready(journal, other);
  if (other === undefined) return;
  throw usage(goesOn, `relctl cannot resume the batch of ${journal.head.startedAt}: this is ${changes[other]}`, {
    advice: `The outcome of its rows is in ${journal.file}.`,
  });
}

/**
 * Throws `usage` where an earlier run is in the way of a batch: with these results, or with results elsewhere, where rows may
 * be done; for nothing to go on with; and for another batch than the one to go on with.
 * @param journal that of an earlier run with these results
 */
function checkEarlier(journal: ReadJournal | undefined, beginning: Beginning): void {
  const { head, goesOn, registered } = beginning;
  if (journal !== undefined) checkSame(journal, beginning);
  const latest = earlierBatch(registered, head);
  if (latest === undefined) {
    if (goesOn === undefined || journal !== undefined) return;
    throw usage(goesOn, 'there is no earlier batch of these rows: there is no journal next to the results');
  }
  if (latest.head.batch === journal?.head.batch) return;
  const results = shellWord(resultsOf(latest.file));
  if (goesOn !== undefined)
    throw usage(goesOn, `the batch of ${latest.head.startedAt} has its results in ${resultsOf(latest.file)}`, {
      hint: `--results ${results}`,
    });
  if (!hasNoRows(latest)) throw writtenAlready(latest, undefined).but({ hint: `--resume --results ${results}` });
}

function goesOnBy(flags: BatchInput['flags']): GoesOn | undefined {
  const goesOn = flags.resume ? '--resume' : flags['settle'] === true ? '--settle' : undefined;
  if (goesOn !== undefined && flags.restart)
    throw usage('--restart', `${goesOn} and --restart cannot be used together`);
  if (flags['retry-unknown'] && goesOn !== '--resume')
    throw usage('--retry-unknown', '--retry-unknown needs --resume', '--resume --retry-unknown');
  return goesOn;
}

/** A batch that may be written: nobody else writes it, here or with results elsewhere. */
export interface OpenBatch {
  readonly id: string;
  /** The journal of an earlier run that this one goes on with; undefined for a new batch. */
  readonly previous: ReadJournal | undefined;
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
  { context, flags }: Pick<BatchInput, 'context' | 'flags'>,
  { results, journal }: BatchFiles,
  head: BatchHead,
): Promise<OpenBatch> {
  const goesOn = goesOnBy(flags);
  const { environment, clock } = context;
  const register = join(foldersOf(environment).state, 'batches');
  const registered = registeredFile(register, head);
  await lockOf(context, registered);
  await lockOf(context, results);
  const earlier = flags.restart ? undefined : readBatchJournal(journal);
  // Where nothing was sent, nothing is in the way of another batch.
  const isIdle = earlier !== undefined && hasNoRows(earlier) && goesOn === undefined;
  const previous = isIdle ? undefined : earlier;
  if (!flags.restart) checkEarlier(previous, { head, goesOn, registered });
  checkReplaceable(results, { folder: registryFolder(context), force: flags.force });
  const states = previous === undefined ? new RowStates() : statesIn(previous.file);
  return {
    id: (previous?.head ?? head).batch,
    previous,
    states,
    open() {
      if (previous !== undefined) return continueJournal(previous, states);
      const path = environment.pathOf(journal);
      if (!isIdle) putAside(register, path, clock.date().toISOString());
      const made = createJournal(journal, head, states);
      registerBatch(registered, path);
      return made;
    },
  };
}
