import type { QuietFlag } from '../../kit/host/notes.js';
import { spawn, type ChildProcess } from 'node:child_process';
import { RelctlError, type Remedy } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { dirname } from 'node:path';
import { attempt, makeFolders } from '../../state/own-file.js';
import { takeLock } from '../../state/locks/lock.js';
import { sweepWork } from '../../sandbox/store/create.js';
import { shellWord } from '../../core/text/text.js';
import { databaseFile, runningSandbox, sandboxFolder, type RunningRecord } from '../../kit/sandbox/running.js';

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
async function sweepDatabase(database: string): Promise<void> {
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
  return new RelctlError('locked', `a sandbox already serves ${database}, at ${baseUrl}, as process ${pid}`, {
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

const patienceMs = 120_000;

const stoppingMs = 1_500;

type Complaint = Remedy & { readonly reason: string };

/** What a child said that failed: its error, the line behind that, and what it would try; that is detached once more. */
function complaintOf(text: string, otherwise: string): Complaint {
  const [first = '', ...lines] = text
    .trim()
    .split('\n')
    .map((line) => line.trim());
  const tried = lines.find((line) => line.startsWith('Try: '))?.slice('Try: '.length);
  return {
    reason: first.replace(/^Error: /, '') || otherwise,
    advice: lines.find((line) => !line.startsWith('Try: ') && !line.startsWith('code ')),
    hint: tried?.startsWith('relctl sandbox start') === true ? `${tried} --detach` : tried,
  };
}

/** Waits until a child prints its address; gives what it printed. Throws `local` when the child ends instead. */
function serving(child: ChildProcess, signal: AbortSignal): Promise<string> {
  let [said, complained] = ['', ''];
  child.stderr?.on('data', (chunk: Buffer) => (complained += chunk.toString()));
  return new Promise((resolve, reject) => {
    const fail = ({ reason, ...remedy }: Complaint): void => {
      clearTimeout(timer);
      const facts = { code: 'not-started' } as const;
      reject(new RelctlError('local', `the sandbox did not start: ${reason}`, { facts, ...remedy }));
    };
    const stop = (): void => {
      clearTimeout(timer);
      child.kill('SIGTERM');
      // While it makes its data it hears nothing.
      const late = setTimeout(() => child.kill('SIGKILL'), stoppingMs);
      child.once('close', () => clearTimeout(late));
    };
    const timer = setTimeout(() => fail({ reason: 'it took too long' }), patienceMs);
    signal.addEventListener('abort', stop, { once: true });
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      // One that was told to stop may still say where it would have been.
      if (!said.includes('Ctrl-C') || signal.aborted) return;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(said);
    });
    child.on('close', (code) => {
      if (signal.aborted) reject(RelctlError.from(signal.reason));
      else fail(complaintOf(complained, `exit code ${String(code)}`));
    });
  });
}

/** Starts the command in a process of its own, and leaves it when it serves. Throws `local` with its error, and the signal's reason. */
export async function detach(context: Context, flags: QuietFlag, database: string): Promise<void> {
  const { program, argv } = context.environment;
  const args = argv.filter((argument) => argument !== '--detach');
  const child = spawn(process.execPath, [program, ...args], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = await serving(child, context.signal).catch(async (thrown: unknown) => {
    if (child.signalCode === 'SIGKILL') await sweepDatabase(database);
    throw thrown;
  });
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
  if (flags.quiet === true) return;
  await context.streams.out.write(said.replace('Ctrl-C stops it.', `${stopLine(context, database)} stops it.`));
}
