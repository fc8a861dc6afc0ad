import { lstatSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { shellWord } from '../../core/text/text.js';
import { foldersOf } from '../../profiles/store/folders.js';
import type { Context } from '../host/context.js';
import { fateOf, type Holder, holderOf, isAlive, thisProcess } from '../../state/locks/holder.js';
import { makeFolders } from '../../state/own-file.js';
import type { HttpHandler } from '../../soap/transport/http.js';
import { orElse } from '../../core/values/value.js';

/** Where the embedded service can be reached. */
export interface SandboxAddress {
  readonly baseUrl: string;
  readonly namespace: string;
}

/** What a `sandbox start` leaves beside its database for other commands to find it by. */
export interface RunningRecord extends SandboxAddress {
  readonly pid: number;
}

/** In a folder that everybody may write to, somebody else may have made one of this name. */
function checkOwn(folder: string): void {
  const { uid, mode } = lstatSync(folder);
  if (process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0)) return;
  throw new RelctlError('local', `${folder} is not a folder that only you can enter`, {
    facts: { path: folder },
    advice: 'Set XDG_STATE_HOME to a folder that only you can enter.',
    hint: `ls -ld ${shellWord(folder)}`,
  });
}

/** Folder of the embedded service's files; one in the temporary folder when the usual one cannot be made. */
export function sandboxFolder(context: Context): string {
  const usual = join(foldersOf(context.environment).state, 'sandbox');
  try {
    makeFolders(usual);
    return usual;
  } catch {
    const temporary = join(tmpdir(), `relctl-sandbox-${process.getuid?.() ?? 'user'}`);
    makeFolders(temporary);
    checkOwn(temporary);
    return temporary;
  }
}

/** The usual database of the embedded service. */
export const databaseFile = (folder: string): string => join(folder, 'sandbox.db');

/** The database that `--db` names, or the usual one; the same path for the same file as long as that is there. */
export function databaseOf(context: Context, path: string | undefined): string {
  if (path === undefined) return databaseFile(sandboxFolder(context));
  const file = context.environment.pathOf(path);
  return orElse(() => realpathSync(file), file);
}

const recordFile = (database: string): string => `${database}.running.json`;

/** In a folder of others somebody may have put a record there, with the number of any process of ours. */
const isOwn = (file: string): boolean => process.getuid === undefined || statSync(file).uid === process.getuid();

/** A process is identified by its start time: the system reuses numbers. */
function isLiving(record: Partial<Holder>, writtenMs: number): boolean | undefined {
  const holder = holderOf(record);
  if (holder === undefined || holder.started === '') return undefined;
  const fate = fateOf(holder, writtenMs);
  return fate === 'out-of-sight' ? undefined : fate === 'living';
}

function readRecord(file: string) {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as Partial<RunningRecord> & { holder?: Partial<Holder> };
    const { pid, baseUrl, namespace, holder = {} } = record;
    const isWhole = typeof pid === 'number' && typeof baseUrl === 'string' && typeof namespace === 'string';
    if (!isWhole || !isOwn(file)) return undefined;
    return { record: { pid, baseUrl, namespace }, isLiving: isLiving(holder, statSync(file).mtimeMs) };
  } catch {
    return undefined;
  }
}

/** Who is at an address: the embedded service, nobody, or somebody who does not answer as it does, or in time. */
type Heard = 'service' | 'nobody' | 'somebody';

async function hear(baseUrl: string): Promise<Heard> {
  const http = await import('node:http');
  return new Promise((resolve) => {
    const request = http.get(`${baseUrl}/V1/service.asmx`, { timeout: 1000, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200 ? 'service' : 'somebody');
    });
    request.on('error', () => resolve('nobody'));
    request.on('timeout', () => {
      resolve('somebody');
      request.destroy();
    });
  });
}

/**
 * The `sandbox start` that serves a database now, if one does. A record left by one that was killed is passed over. One that
 * is busy does not answer in time, and one whose program was replaced by another version cannot show a page.
 */
export async function runningSandbox(database: string): Promise<RunningRecord | undefined> {
  const { record, isLiving } = readRecord(recordFile(database)) ?? {};
  if (record === undefined || isLiving === false || !isAlive(record.pid)) return undefined;
  // A process that is killed lives for some moments when its address is given up.
  const heard = await hear(record.baseUrl);
  return heard === 'service' || (heard === 'somebody' && isLiving === true) ? record : undefined;
}

/** Where it is noted which other databases than the usual one are served: a file a process, with the path. */
const othersFolder = (folder: string): string => join(folder, 'others');

function othersIn(folder: string): readonly { readonly note: string; readonly database: string }[] {
  const read = (note: string) => ({ note, database: readFileSync(note, 'utf8') });
  return orElse(() => readdirSync(folder).map((name) => read(join(folder, name))), []);
}

/** The databases besides the usual one that are served now, each with who serves it. */
export async function otherSandboxes(folder: string): Promise<ReadonlyMap<string, RunningRecord>> {
  const records = new Map<string, RunningRecord>();
  for (const { note, database } of othersIn(othersFolder(folder))) {
    const running = await runningSandbox(database);
    if (running === undefined) rmSync(note, { force: true });
    else records.set(database, running);
  }
  return records;
}

/** Tells other commands where the sandbox is that serves a database, until this command ends. */
export function announce(context: Context, database: string, address: SandboxAddress): void {
  const write = (file: string, text: string): void => {
    writeFileSync(file, text, { mode: 0o600 });
    context.onClose(() => rmSync(file, { force: true }));
  };
  write(recordFile(database), `${JSON.stringify({ pid: process.pid, ...address, holder: thisProcess() })}\n`);
  const folder = sandboxFolder(context);
  for (const { note } of othersIn(othersFolder(folder))) {
    if (!isAlive(Number(basename(note)))) rmSync(note, { force: true });
  }
  if (database === databaseFile(folder)) return;
  makeFolders(othersFolder(folder));
  write(join(othersFolder(folder), String(process.pid)), database);
}

/** Stands for the address of a service that has none. */
const noAddress = 'http://127.0.0.1:0';

/**
 * The embedded service for one command: the `sandbox start` that serves the usual database, or one in this process, which
 * `answer` calls and which is closed with the command.
 */
export async function connectSandbox(context: Context): Promise<SandboxAddress & { readonly answer?: HttpHandler }> {
  const file = databaseFile(sandboxFolder(context));
  const running = await runningSandbox(file);
  if (running !== undefined) return running;
  const service = await context.openService(file);
  context.onClose(() => service.close());
  return { baseUrl: noAddress, namespace: service.namespace, answer: service.answer };
}
