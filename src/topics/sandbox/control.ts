import { existsSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { boolean, int, string } from '../../contract/scalars.js';
import { RelctlError, declined, usage } from '../../core/errors/relctl-error.js';
import { canAsk, type Context } from '../../kit/host/context.js';
import { switchFlag, type Values } from '../../kit/flags/define.js';
import type { CommonFlags, OutputFlags } from '../../kit/flags/common.js';
import { note, noteInTerminal, type QuietFlag } from '../../kit/host/notes.js';
import { confirm } from '../../kit/host/prompt.js';
import { printRecords } from '../../kit/output/open-output.js';
import { makeDatabase, type DataOptions } from './make.js';
import { holdDatabase, stopLine } from './detach.js';
import {
  databaseFile,
  databaseOf,
  otherSandboxes,
  runningSandbox,
  sandboxFolder,
  type RunningRecord,
} from '../../kit/sandbox/running.js';
import { isAlive } from '../../state/locks/holder.js';
import { defined } from '../../core/values/value.js';
import { wholeOption, textOption } from '../../kit/flags/kinds.js';

/** Names a database of the embedded service. */
export const databaseFlag = {
  db: textOption({ offers: 'files', summary: 'Database file to use instead of the default.', helpValue: 'FILE' }),
};

/** Flags that say what data the embedded service is made with. */
export const datasetFlags = {
  relations: wholeOption({ least: 3, most: 10_000_000 })({
    summary: 'Number of relations, for new data.',
  }),
  seed: wholeOption({ least: 0, most: 0xffff_ffff })({ summary: 'Seed of the data, for new data.' }),
  ...databaseFlag,
};

type DatasetFlags = Values<typeof datasetFlags>;

/** Size and seed of the data. */
export const datasetOf = ({ relations, seed }: DatasetFlags): DataOptions => defined({ relations, seed });

/** What `sandbox status` prints. */
export const SandboxStatus = recordWithoutPresence(
  'SandboxStatus',
  'A database of the embedded service, and the process that serves it.',
  {
    Running: req(boolean, 'Whether it is served.'),
    Url: inRole('key', opt(string, 'URL of the service.')),
    ProcessId: opt(int, 'The process that serves it.'),
    Database: inRole('words', req(string, 'The file.')),
    DatabaseBytes: opt(int, 'Its size; absent if it does not exist yet.'),
  },
);

const notRunning = (): RelctlError => new RelctlError('not-found', 'no sandbox runs', { hint: 'relctl sandbox start' });

type DatabaseFlag = Values<typeof databaseFlag>;

type Served = readonly (readonly [database: string, running: RunningRecord | undefined])[];

async function served(context: Context, { db }: DatabaseFlag): Promise<Served> {
  if (db !== undefined) {
    const database = databaseOf(context, db);
    return [[database, await runningSandbox(database)]];
  }
  const folder = sandboxFolder(context);
  const usual = databaseFile(folder);
  return [[usual, await runningSandbox(usual)], ...(await otherSandboxes(folder))];
}

/** Prints which sandboxes run, and where. Throws `not-found` when none does. */
export async function showSandboxes(context: Context, flags: OutputFlags & DatabaseFlag): Promise<void> {
  const found = await served(context, flags);
  await printRecords(context, { flags, record: SandboxStatus, shape: 'list' }, () =>
    found.map(([Database, running]) => ({
      Running: running !== undefined,
      Url: running?.baseUrl ?? null,
      ProcessId: running?.pid ?? null,
      Database,
      DatabaseBytes: statSync(Database, { throwIfNoEntry: false })?.size ?? null,
    })),
  );
  if (found.every(([, running]) => running === undefined)) throw notRunning();
}

const patienceMs = 10_000;
const stepMs = 50;

interface Stopping {
  readonly database: string;
  readonly one: RunningRecord;
  /** No database was named, and it is not on the usual one. */
  readonly isChosenHere: boolean;
}

async function toStop(context: Context, flags: DatabaseFlag): Promise<Stopping> {
  const running = (await served(context, flags)).flatMap(([database, one]) =>
    one === undefined ? [] : [{ database, one }],
  );
  const usual = databaseFile(sandboxFolder(context));
  const sandbox = running.find(({ database }) => database === usual) ?? running[0];
  if (sandbox === undefined) throw notRunning();
  if (sandbox.database !== usual && running.length > 1) {
    throw usage(
      '--db',
      `${running.length} sandboxes run; choose the one to stop with --db`,
      running.map(({ database }) => stopLine(context, database)).join(', or '),
    );
  }
  return { ...sandbox, isChosenHere: flags.db === undefined && sandbox.database !== usual };
}

async function reportStopped(
  context: Context,
  flags: QuietFlag,
  { database, one, isChosenHere }: Stopping,
): Promise<void> {
  const only = isChosenHere ? ', the only one' : '';
  const text = `Done: stopped the sandbox at ${one.baseUrl}, on ${database}${only}`;
  await (isChosenHere ? note : noteInTerminal)(context, flags, text);
}

/** Stops a sandbox that runs, and waits until it has. Throws `not-found`, `usage` when it is not clear which, and `local`. */
export async function stopSandbox(context: Context, flags: DatabaseFlag & QuietFlag): Promise<void> {
  const stopping = await toStop(context, flags);
  const { pid } = stopping.one;
  process.kill(pid, 'SIGTERM');
  for (let waited = 0; waited < patienceMs; waited += stepMs) {
    if (!isAlive(pid)) return reportStopped(context, flags, stopping);
    await wait(stepMs, undefined, { signal: context.signal });
  }
  await note(context, flags, 'it is still answering calls');
  throw new RelctlError('local', `the sandbox (process ${pid}) did not stop within ${patienceMs / 1000} seconds`, {
    facts: { code: 'timeout' },
    hint: `kill -9 ${pid}`,
  });
}

/** Flags of `sandbox reset`. */
export const resetFlags = { yes: switchFlag({ char: 'y', summary: 'Do not ask.' }), ...datasetFlags };

type ResetFlags = Values<typeof resetFlags> & CommonFlags;

/** In a terminal existing data are deleted only after a yes. Without a terminal, and with --yes, nothing is asked. Throws `usage`. */
async function confirmLoss(context: Context, flags: ResetFlags, file: string): Promise<void> {
  if (flags.yes || !existsSync(file) || !canAsk(context, flags)) return;
  const message = `All that ${file} holds will be lost. Continue?`;
  if (!(await confirm(context, message))) throw declined('relctl did not change the data');
}

/** Makes the data of the sandbox anew. Throws `locked` while it is served, `usage` without a yes, and `local`. */
export async function resetSandbox(context: Context, flags: ResetFlags): Promise<void> {
  const options = datasetOf(flags);
  const file = databaseOf(context, flags.db);
  context.onClose(await holdDatabase(context, file));
  await confirmLoss(context, flags, file);
  await makeDatabase(context, flags, { file, wanted: options, anew: true });
}
