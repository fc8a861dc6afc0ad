import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { opt, recordWithoutPresence, req } from '../contract/build.js';
import { boolean, int, string } from '../contract/scalars.js';
import { RelctlError } from '../errors/relctl-error.js';
import { openSandbox } from '../sandbox/sandbox.js';
import { removeStore } from '../sandbox/store/create.js';
import type { Context } from './context.js';
import { datasetOf, type DatasetFlags } from './flags/dataset.js';
import type { OutputFlags } from './flags/output.js';
import { note } from './notes.js';
import { openOutput } from './record-output.js';
import { databaseFile, runningSandbox, sandboxFolder } from './sandbox-profile.js';

const SandboxStatus = recordWithoutPresence('SandboxStatus', 'Whether the embedded service runs.', {
  Running: req(boolean, 'It runs.'),
  Url: opt(string, 'Where it can be reached.'),
  ProcessId: opt(int, 'Its process.'),
  Database: req(string, 'Its usual database file.'),
  DatabaseBytes: opt(int, 'Size of that file; absent when it was not made yet.'),
});

const notRunning = (): RelctlError => new RelctlError('not-found', 'no sandbox runs', { hint: 'relctl sandbox start' });

/** Prints where the sandbox runs. Throws `not-found` when it does not. */
export async function showSandbox(context: Context, flags: OutputFlags): Promise<void> {
  const folder = sandboxFolder(context);
  const output = await openOutput(context, undefined, { flags, record: SandboxStatus, shape: 'single' });
  const running = await runningSandbox(folder);
  const Database = databaseFile(folder);
  const size = statSync(Database, { throwIfNoEntry: false })?.size;
  await output.write([
    {
      Running: running !== undefined,
      Url: running?.baseUrl ?? null,
      ProcessId: running?.pid ?? null,
      Database,
      DatabaseBytes: size ?? null,
    },
  ]);
  await output.finish();
  if (running === undefined) throw notRunning();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const patienceMs = 10_000;
const stepMs = 50;

/** Stops the sandbox that runs, and waits until it has. Throws `not-found` and `local`. */
export async function stopSandbox(context: Context, flags: { readonly quiet?: boolean | undefined }): Promise<void> {
  const running = await runningSandbox(sandboxFolder(context));
  if (running === undefined) throw notRunning();
  process.kill(running.pid, 'SIGTERM');
  for (let waited = 0; waited < patienceMs; waited += stepMs) {
    if (!isAlive(running.pid)) return;
    await wait(stepMs, undefined, { signal: context.signal });
  }
  await note(context, flags, 'it is still answering calls');
  throw new RelctlError(
    'local',
    `the sandbox (process ${running.pid}) did not stop within ${patienceMs / 1000} seconds`,
    {
      facts: { code: 'timeout' },
      hint: `kill -9 ${running.pid}`,
    },
  );
}

/** Makes the data of the sandbox anew. Throws `locked` while it runs, `usage` and `local`. */
export async function resetSandbox(context: Context, flags: DatasetFlags): Promise<void> {
  const dataset = datasetOf(flags);
  const folder = sandboxFolder(context);
  const running = flags.db === undefined ? await runningSandbox(folder) : undefined;
  if (running !== undefined) {
    throw new RelctlError('locked', `the sandbox runs, at ${running.baseUrl}; its data cannot be made anew under it`, {
      facts: { url: running.baseUrl },
      hint: 'relctl sandbox stop',
    });
  }
  const file = flags.db === undefined ? databaseFile(folder) : resolve(context.environment.workingFolder, flags.db);
  removeStore(file);
  const sandbox = await openSandbox({ file, ...dataset });
  sandbox.close();
}
