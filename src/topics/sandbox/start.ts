import { isWatched } from '../../formats/streams.js';
import { once } from 'node:events';
import { existsSync, closeSync, writeSync } from 'node:fs';
import { FaultPlan } from '../../sandbox/faults/plan.js';
import { readPublicUrl, serviceLink } from '../../sandbox/http/access.js';
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.js';
import { serveSandbox } from '../../sandbox/http/serve.js';
import type { Context } from '../../kit/host/context.js';
import { switchFlag, type Values, type OfferedWords, repeated } from '../../kit/flags/define.js';
import { choiceOption, folderOption, outputFileOption, wholeOption, textOption } from '../../kit/flags/kinds.js';
import type { CommonFlags } from '../../kit/flags/common.js';
import { datasetFlags, datasetOf } from './control.js';
import { note } from '../../kit/host/notes.js';
import { checkAlone, checkRecording, recordingFile, serveRecording } from './replay.js';
import { detach, databaseArgument, holdDatabase } from './detach.js';
import { areMany, makeDatabase, type DataOptions } from './make.js';
import { announce, databaseOf, type SandboxAddress } from '../../kit/sandbox/running.js';
import { sandboxSettings } from '../../profiles/store/store.js';
import { openToAdd } from '../../state/added-file.js';
import type { LogWriter } from '../../sandbox/http/log.js';
import { faultKinds, faultNames, findFault, scheduleKeys } from '../../sandbox/faults/spec.js';
import type { Argument } from '../../sandbox/faults/kinds/fault-kind.js';

/** What `sandbox start --help` says of the faults. */
export const faultHelp =
  'With --fault it injects faults, to test scripts and other clients. A SPEC lists faults, and after semicolons ' +
  'when they happen: latency=200ms,jitter=50ms;every=3;operation=RelationGetAll. Schedules: every, first, after, ' +
  'operation, page, share, seed. While it runs, GET, POST and DELETE of /faults change the plan, and the header ' +
  `x-sandbox-fault: SPEC sets the faults of one request. relctl help sandbox describes them.\n\n${faultNames()}`;

/** A name as it is typed on: with `=` where a value follows. */
const typedOn = ([name, value]: readonly [string, Argument | undefined]): string =>
  value === undefined ? name : `${name}=`;

/** What may stand where a name does: faults and arguments of the last one, or behind a semicolon when they happen. */
function namesAt(items: readonly string[], isSchedule: boolean): readonly (readonly [string, Argument | undefined])[] {
  if (isSchedule) return Object.entries(scheduleKeys);
  const last = items.map((item) => findFault(item.split('=', 1)[0] ?? '')).findLast((kind) => kind !== undefined);
  const names = new Set(items.map((item) => item.split('=', 1)[0]));
  const faults = faultKinds.map(({ name, value }) => [name, value] as const);
  return [...Object.entries(last?.args ?? {}), ...faults].filter(([name]) => !names.has(name));
}

/** What may follow in a line of a fault plan: names of faults, of their arguments and of schedules, and known values. */
function offerFaults(typed: string): OfferedWords {
  const isSchedule = typed.includes(';');
  const start = isSchedule ? typed.lastIndexOf(';') + 1 : typed.lastIndexOf(',') + 1;
  const names = namesAt(typed.slice(0, start).split(/[,;]/), isSchedule);
  const item = typed.slice(start);
  const at = item.indexOf('=') + 1;
  if (at === 0) return { kept: typed.slice(0, start), words: names.map(typedOn) };
  const argument = names.find(([name]) => name === item.slice(0, at - 1))?.[1];
  const comma = isSchedule ? item.lastIndexOf(',') + 1 : 0;
  return { kept: typed.slice(0, start + Math.max(at, comma)), words: argument?.form.values ?? [] };
}

/** Opens the request log: a line of JSON a request, for its owner only, closed with the command. Throws `local`. */
function openLog(context: Context, file: string): LogWriter {
  const handle = openToAdd(context.environment.pathOf(file));
  context.onClose(() => closeSync(handle));
  return {
    nowMs: context.clock.nowMs,
    write: (entry) => {
      try {
        writeSync(handle, `${JSON.stringify(entry)}\n`);
      } catch {
        // A full disk must not end the service: the requests are answered, and the log has a gap.
      }
    },
  };
}

/** Flags of `sandbox start`. */
export const startFlags = {
  port: wholeOption({ least: 0, most: 65_535 })({
    summary: 'Port to listen on; 0 chooses a free one.',
    default: 8050,
  }),
  mode: choiceOption(['strict', 'asmx'])({
    summary: 'Validate requests strictly, or as leniently as a .NET .asmx service.',
    helpValue: 'strict|asmx',
    default: 'strict',
  }),
  fault: textOption({
    offers: offerFaults,
    summary: 'Inject faults: a line of a fault plan; may be repeated.',
    helpValue: 'SPEC',
    ...repeated,
  }),
  log: outputFileOption({
    summary: 'Log each request and its effect to this file, as a line of JSON; secrets are masked.',
  }),
  'public-url': textOption({
    summary: 'URL at which others reach the sandbox through a forwarded port or a proxy: for links, WSDL and Host.',
    helpValue: 'URL',
  }),
  replay: folderOption({ summary: 'Answer calls from a recording (--record) instead of a database.' }),
  detach: switchFlag({ summary: 'Run it in the background; `sandbox stop` stops it.' }),
  ...datasetFlags,
};

type SandboxFlags = Values<typeof startFlags> & CommonFlags;

const bare = (text: unknown): string => String(text).replace(/^plain:/, '');

/** The command that adds a profile: one line for programs, lines that can be pasted as one command for a terminal. */
function profileLine(baseUrl: string, namespace: string, isPasted: boolean): string {
  const { apiKey, databaseId, userId, userName, password } = sandboxSettings;
  const parts = [
    `printf '%s\\n' ${bare(apiKey)} ${bare(password)} |`,
    `relctl profile add local --base-url ${baseUrl}`,
    `--namespace ${namespace}`,
    `--database-id ${String(databaseId)}`,
    `--user-id ${String(userId)} --user-name ${String(userName)}`,
    '--api-key-stdin --password-stdin',
  ];
  return parts.join(isPasted ? ' \\\n    ' : ' ');
}

async function reportRunning(
  context: Context,
  flags: SandboxFlags,
  { sandbox, wanted: options }: { sandbox: Pick<Sandbox, 'file' | 'dataset'>; wanted: DataOptions },
): Promise<void> {
  const { relations, seed } = sandbox.dataset;
  if ((options.relations ?? relations) === relations && (options.seed ?? seed) === seed) return;
  const dataFlags = Object.entries(options).map(([name, value]) => ` --${name} ${value}`);
  const anew = `relctl sandbox reset${databaseArgument(context, sandbox.file)}${dataFlags.join('')}`;
  const there = `${relations} relations, seed ${seed}`;
  await note(context, flags, `the data in ${sandbox.file} do not change: ${there}; to create them again: ${anew}`);
}

/** The same before the process that serves is started: what that writes to stderr is not shown. */
async function reportServedData(context: Context, flags: SandboxFlags, { file, wanted: data }: Wish): Promise<void> {
  if (Object.keys(data).length === 0 || !existsSync(file)) return;
  const sandbox = await openSandbox({ file });
  sandbox.close();
  await reportRunning(context, flags, { sandbox, wanted: data });
}

const wishOf = (context: Context, flags: SandboxFlags) => ({
  port: flags.port,
  file: databaseOf(context, flags.db),
  wanted: datasetOf(flags),
  faults: new FaultPlan(flags.fault ?? []),
  publicUrl: flags['public-url'] === undefined ? undefined : readPublicUrl(flags['public-url']),
});

type Wish = ReturnType<typeof wishOf>;

/** Tells other commands, and the user, where something is served until the command ends. Gives what the user is told. */
function startText(
  context: Context,
  file: string,
  { place: address, what }: { place: SandboxAddress; what: string },
): string {
  announce(context, file, address);
  const line = profileLine(address.baseUrl, address.namespace, isWatched(context.streams.out));
  return `The sandbox ${what}\n\nA profile for it:\n\n  ${line}\n\nCtrl-C stops it.\n`;
}

async function serve(context: Context, flags: SandboxFlags, wish: Wish): Promise<string> {
  const { port, file, wanted: data, faults, publicUrl } = wish;
  const log = flags.log === undefined ? {} : { log: openLog(context, flags.log) };
  const onMuchMemory = (): void => context.collectGarbage();
  const sandbox = await openSandbox({
    file,
    mode: flags.mode,
    onMuchMemory,
    ...data,
    ...(publicUrl && { publicUrl }),
  });
  context.onClose(() => sandbox.close());
  await reportRunning(context, flags, { sandbox, wanted: data });
  const server = await serveSandbox(sandbox, { port, faults, ...log });
  context.onClose(() => server.close());
  const outside = publicUrl === undefined ? '' : `For others: ${publicUrl.origin}${serviceLink({ publicUrl })}\n`;
  const { namespace, dataset } = sandbox;
  const what = `serves ${dataset.relations} relations at ${server.url}/V1/service.asmx\n${outside}Database: ${sandbox.file}`;
  return startText(context, file, { place: { baseUrl: server.url, namespace }, what });
}

async function replay(context: Context, folder: string, port: number): Promise<string> {
  const { server, recording } = await serveRecording(context, folder, port);
  context.onClose(() => server.close());
  const { namespace, calls } = recording;
  const count = [...calls.values()].reduce((sum, each) => sum + each, 0);
  const calledAt = `${count === 1 ? 'call' : 'calls'} at ${server.url}/V1/service.asmx`;
  const what = `answers ${count} recorded ${calledAt}\nRecording: ${context.environment.pathOf(folder)}`;
  return startText(context, recordingFile(context, folder), { place: { baseUrl: server.url, namespace }, what });
}

async function serveUntilSignal(context: Context, text: string): Promise<void> {
  await context.streams.out.write(text);
  if (!context.signal.aborted) await once(context.signal, 'abort');
}

/** The same for a recording, which one process serves at a time, as it does a database. */
async function startReplay(context: Context, flags: SandboxFlags, folder: string): Promise<void> {
  checkAlone(flags);
  const file = recordingFile(context, folder);
  checkRecording(context, folder);
  const release = await holdDatabase(context, file);
  context.onClose(release);
  if (!flags.detach) return serveUntilSignal(context, await replay(context, folder, flags.port));
  release();
  return detach(context, flags, file);
}

/** Serves the embedded service until a signal comes. Throws `usage`, `local` and `locked`. */
export async function startSandbox(context: Context, flags: SandboxFlags): Promise<void> {
  if (flags.replay !== undefined) return startReplay(context, flags, flags.replay);
  const wish = wishOf(context, flags);
  const release = await holdDatabase(context, wish.file);
  context.onClose(release);
  const { file, wanted: data } = wish;
  // Data that take long are made first: the making can be watched, and interrupted.
  if (areMany(data) && !existsSync(file)) await makeDatabase(context, flags, { file, wanted: data, anew: false });
  if (flags.detach) {
    await reportServedData(context, flags, wish);
    // The process that serves takes the lock itself.
    release();
    return detach(context, flags, file);
  }
  return serveUntilSignal(context, await serve(context, flags, wish));
}
