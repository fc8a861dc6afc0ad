import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RelctlError } from '../errors/relctl-error.js';
import { foldersOf } from '../profiles/folders.js';
import type { StoredProfile } from '../profiles/store.js';
import type { Context } from './context.js';

/** Where the embedded service can be reached. */
export interface SandboxPlace {
  readonly baseUrl: string;
  readonly namespace: string;
}

/** What `sandbox start` leaves for other commands to find it by. */
export interface RunningRecord extends SandboxPlace {
  readonly pid: number;
}

/** Settings of the built-in profile. Its credentials open nothing but the embedded service. */
export const sandboxSettings: StoredProfile = {
  apiKey: 'plain:00000000-0000-4000-8000-000000000001',
  databaseId: '00000000-0000-4000-8000-000000000002',
  userId: '00000000-0000-4000-8000-000000000011',
  userName: 'sandbox',
  password: 'plain:zandbak',
};

/** In a folder that everybody may write to, somebody else may have made one of this name. */
function checkOwn(folder: string): void {
  const { uid, mode } = lstatSync(folder);
  if (process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0)) return;
  throw new RelctlError('local', `${folder} is not a folder that only you can enter`, {
    facts: { path: folder },
    hint: 'Set XDG_STATE_HOME to a folder of your own.',
  });
}

/** Folder of the embedded service's files; one in the temporary folder when the usual one cannot be made. */
export function sandboxFolder(context: Context): string {
  const { platform, variables } = context.environment;
  const usual = join(foldersOf(platform, variables).state, 'sandbox');
  try {
    mkdirSync(usual, { recursive: true, mode: 0o700 });
    return usual;
  } catch {
    const spare = join(tmpdir(), `relctl-sandbox-${process.getuid?.() ?? 'user'}`);
    mkdirSync(spare, { recursive: true, mode: 0o700 });
    checkOwn(spare);
    return spare;
  }
}

/** The database file of the embedded service. */
export const databaseFile = (folder: string): string => join(folder, 'sandbox.db');

/** The file that tells of a running `sandbox start`. */
export const runningFile = (folder: string): string => join(folder, 'running.json');

function readRecord(file: string): RunningRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as Partial<RunningRecord>;
    const { pid, baseUrl, namespace } = record;
    const isWhole = typeof pid === 'number' && typeof baseUrl === 'string' && typeof namespace === 'string';
    return isWhole ? { pid, baseUrl, namespace } : undefined;
  } catch {
    return undefined;
  }
}

/** True when something at the address answers as the embedded service does. */
function answers(baseUrl: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.get(`${baseUrl}/V1/service.asmx`, { timeout: 1000, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
    request.on('timeout', () => request.destroy());
  });
}

/** The `sandbox start` that runs now, if one does. A record left by one that was killed is passed over. */
export async function runningSandbox(folder: string): Promise<RunningRecord | undefined> {
  const record = readRecord(runningFile(folder));
  if (record === undefined) return undefined;
  try {
    process.kill(record.pid, 0);
  } catch {
    return undefined;
  }
  return (await answers(record.baseUrl)) ? record : undefined;
}

/**
 * The embedded service for one command: the running one, or one of its own in this process, on the same database. It is
 * closed with the command.
 */
export async function connectSandbox(context: Context): Promise<SandboxPlace> {
  const folder = sandboxFolder(context);
  const running = await runningSandbox(folder);
  if (running !== undefined) return running;
  const { openSandbox, serveSandbox } = await import('../sandbox/sandbox.js');
  const sandbox = await openSandbox({ file: databaseFile(folder) });
  context.onClose(() => sandbox.close());
  const server = await serveSandbox(sandbox);
  context.onClose(() => server.close());
  return { baseUrl: server.url, namespace: sandbox.namespace };
}
