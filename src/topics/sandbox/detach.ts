import { spawn, type ChildProcess } from 'node:child_process';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { stopLine, sweepDatabase } from './hold.js';

const patienceMs = 120_000;

/** How long a child that is told to stop may take. */
const stoppingMs = 1_500;

/** What a child said that failed: its error, and the line behind that which says what to do, if there is one. */
function complaintOf(text: string, otherwise: string): [reason: string, advice?: string] {
  const [first = '', second = ''] = text.trim().split('\n');
  const reason = first.replace(/^Error: /, '') || otherwise;
  return second === '' || second.startsWith('Try: ') ? [reason] : [reason, second];
}

/** Waits until a child prints its address; gives what it printed. Throws `local` when the child ends instead. */
function serving(child: ChildProcess, signal: AbortSignal): Promise<string> {
  let [said, complained] = ['', ''];
  child.stderr?.on('data', (chunk: Buffer) => (complained += chunk.toString()));
  return new Promise((resolve, reject) => {
    const fail = (reason: string, advice?: string): void => {
      clearTimeout(timer);
      reject(
        new RelctlError('local', `the sandbox did not start: ${reason}`, { facts: { code: 'not-started' }, advice }),
      );
    };
    const stop = (): void => {
      clearTimeout(timer);
      child.kill('SIGTERM');
      // While it makes its data it hears nothing.
      const late = setTimeout(() => child.kill('SIGKILL'), stoppingMs);
      child.once('close', () => clearTimeout(late));
    };
    const timer = setTimeout(() => fail('it took too long'), patienceMs);
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
      else fail(...complaintOf(complained, `exit code ${String(code)}`));
    });
  });
}

/**
 * Starts the same command in a process of its own, waits until that prints its address, prints the same and leaves it
 * running. Throws `local` with the error of that process when it ends instead, and the reason of a signal.
 */
export async function detach(
  context: Context,
  flags: { readonly quiet?: boolean | undefined },
  database: string,
): Promise<void> {
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
