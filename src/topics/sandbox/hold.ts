import { dirname } from 'node:path';
import { RelctlError } from '../../errors/relctl-error.js';
import { attempt } from '../../files/failure.js';
import { takeLock } from '../../files/locks/lock.js';
import { sweepWork } from '../../sandbox/store/create.js';
import { shellWord } from '../../lexical/shell/command.js';
import type { Context } from '../../host/context.js';
import { databaseFile, runningSandbox, sandboxFolder, type RunningRecord } from '../../cli/sandbox/running.js';
import { makeFolders } from '../../files/own-file.js';

/** Locks a database, and removes what killed runs left; gives what releases it. Throws `locked` and `local`. */
export async function holdDatabase(context: Context, database: string): Promise<() => void> {
  const folder = dirname(database);
  attempt(folder, () => makeFolders(folder));
  try {
    const what = `the sandbox database ${database} is`;
    const release = await takeLock(`${database}.lock`, { patienceMs: 0, what, signal: context.signal });
    sweepWork(database);
    return release;
  } catch (thrown) {
    const running = await runningSandbox(database);
    throw running === undefined ? thrown : isServed(context, database, running);
  }
}

/** Removes what a `sandbox start` left that was killed, unless another one has the database since: that has swept. */
export async function sweepDatabase(database: string): Promise<void> {
  try {
    const release = await takeLock(`${database}.lock`, { patienceMs: 0, what: `the sandbox database ${database} is` });
    sweepWork(database);
    release();
  } catch (thrown) {
    if (RelctlError.from(thrown).kind !== 'locked') throw thrown;
  }
}

function isServed(context: Context, database: string, { baseUrl, pid }: RunningRecord): RelctlError {
  const facts = { url: baseUrl, path: database };
  const hint = stopLine(context, database);
  return new RelctlError('locked', `a sandbox serves ${database} already, at ${baseUrl}, as process ${pid}`, {
    facts,
    hint,
  });
}

/** The argument that names a database to other commands, with a space before it; nothing for the usual one. */
export function databaseArgument(context: Context, database: string): string {
  return database === databaseFile(sandboxFolder(context)) ? '' : ` --db ${shellWord(database)}`;
}

/** The command that stops the sandbox that serves a database. */
export const stopLine = (context: Context, database: string): string =>
  `relctl sandbox stop${databaseArgument(context, database)}`;
