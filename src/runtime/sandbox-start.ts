import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { RelctlError } from '../errors/relctl-error.js';
import { openSandbox, serveSandbox, type Sandbox } from '../sandbox/sandbox.js';
import type { Context } from './context.js';
import { integerFlag } from './flags/checked.js';
import { datasetOf, type DatasetFlags } from './flags/dataset.js';
import { note } from './notes.js';
import { faultPlan } from './sandbox-faults.js';
import { detach } from './sandbox-detach.js';
import { openLog } from './sandbox-log.js';
import { databaseFile, runningFile, runningSandbox, sandboxFolder, sandboxSettings } from './sandbox-profile.js';

/** Flags of `sandbox start`, as given. */
export interface SandboxFlags extends DatasetFlags {
  readonly port: string;
  readonly mode: 'strict' | 'asmx';
  readonly fault?: readonly string[] | undefined;
  readonly log?: string | undefined;
  readonly detach?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

const bare = (text: unknown): string => String(text).replace(/^plain:/, '');

function profileLine(baseUrl: string, namespace: string): string {
  const { apiKey, databaseId, userId, userName, password } = sandboxSettings;
  return (
    `printf '%s\\n' ${bare(apiKey)} ${bare(password)} | relctl profile add local --base-url ${baseUrl} --namespace ${namespace}` +
    ` --database-id ${String(databaseId)} --user-id ${String(userId)} --user-name ${String(userName)} --api-key-stdin --password-stdin`
  );
}

async function refuseSecond(folder: string): Promise<void> {
  const running = await runningSandbox(folder);
  if (running === undefined) return;
  throw new RelctlError('locked', `the sandbox runs already, at ${running.baseUrl}, as process ${running.pid}`, {
    facts: { url: running.baseUrl },
    hint: 'commands with --profile sandbox talk to it; --db FILE starts another one',
  });
}

/** Tells other commands where the sandbox is, until it ends. */
function announce(context: Context, folder: string, place: { baseUrl: string; namespace: string }): void {
  const file = runningFile(folder);
  writeFileSync(file, `${JSON.stringify({ pid: process.pid, ...place })}\n`, { mode: 0o600 });
  context.onClose(() => rmSync(file, { force: true }));
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function sayWhatIsThere(
  context: Context,
  flags: SandboxFlags,
  { sandbox, wasThere }: { sandbox: Sandbox; wasThere: boolean },
): Promise<void> {
  if (!wasThere || (flags.relations === undefined && flags.seed === undefined)) return;
  const { relations, seed } = sandbox.dataset;
  await note(context, flags, `the data set in ${sandbox.file} stays as it is: ${relations} relations, seed ${seed}`);
}

/** Serves the embedded service until a signal comes. Throws `usage`, `local` and `locked`. */
export async function startSandbox(context: Context, flags: SandboxFlags): Promise<void> {
  const port = integerFlag(flags.port, '--port', { least: 0, most: 65535 }) ?? 0;
  const dataset = datasetOf(flags);
  const faults = faultPlan(flags.fault ?? []);
  const folder = sandboxFolder(context);
  const isUsual = flags.db === undefined;
  if (isUsual) await refuseSecond(folder);
  if (flags.detach === true) return detach(context, flags);
  const file = flags.db === undefined ? databaseFile(folder) : resolve(context.environment.workingFolder, flags.db);
  const wasThere = existsSync(file);
  const log = flags.log === undefined ? undefined : openLog(context, flags.log);
  const sandbox = await openSandbox({ file, mode: flags.mode, ...dataset });
  context.onClose(() => sandbox.close());
  await sayWhatIsThere(context, flags, { sandbox, wasThere });
  const server = await serveSandbox(sandbox, { port, faults, ...(log === undefined ? {} : { log }) });
  context.onClose(() => server.close());
  const place = { baseUrl: server.url, namespace: sandbox.namespace };
  if (isUsual) announce(context, folder, place);
  await context.streams.out.write(
    `The sandbox serves ${sandbox.dataset.relations} relations at ${server.url}/V1/service.asmx\n` +
      `Database: ${sandbox.file}\n\nA profile for it:\n\n  ${profileLine(server.url, sandbox.namespace)}\n\nCtrl-C stops it.\n`,
  );
  await untilAborted(context.signal);
}
