import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type MirrorFlags,
  type ConnectionFlags,
  type CommonFlags,
  connectionFlags,
  mirrorFlags,
  mirrorLockFlags,
} from '../../kit/flags/common.js';
import { openSession, type Session, serviceOf } from '../../kit/session/session.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { shellCommand, shellWord } from '../../core/text/text.js';
import { openMirror, type Mirror } from '../../mirror/mirror.js';
import { tableOf, usualSources, type Source } from '../../mirror/sources.js';
import type { Service } from '../../mirror/open.js';
import { locateMirror } from '../../names/mirror/location.js';
import { attempt, makeFolders } from '../../state/own-file.js';
import { lockUntilClose, type LockFlags } from '../../kit/host/progress.js';
import type { Values } from '../../kit/flags/define.js';
import { profileNames } from '../../names/profile-names.js';
import { noteInTerminal } from '../../kit/host/notes.js';
import type { RecordValue } from '../../core/values/value.js';

type Flags = Omit<ConnectionFlags, 'envelope'> & MirrorFlags & CommonFlags & LockFlags;

/** Names that a source answers to: its own, that of its table, and those of the lists in it. */
export const namesFor = (source: Source): readonly string[] => [
  source.name,
  source.table,
  ...tableOf(source).lists.map((list) => list.name),
];

function addUsual(mirror: Mirror, names: readonly string[]): void {
  const there = new Set(mirror.sources().map(({ name }) => name));
  const sources = usualSources.filter(
    (source) => there.size === 0 || namesFor(source).some((name) => names.includes(name)),
  );
  const missing = sources.filter(({ name }) => !there.has(name));
  // All at once: a mirror with some of them would count as one from which the others were removed.
  if (missing.length > 0) mirror.add(...missing);
}

/** Throws `local` for a folder of --mirror that is not there: a slip in a path would make it, for a copy of everything. */
function checkFolder({ environment }: Context, file: string): void {
  const folder = dirname(file);
  if (existsSync(folder)) return;
  throw new RelctlError('local', `${file} cannot be written: the folder does not exist`, {
    facts: { foreignCode: 'ENOENT', path: file },
    hint: `mkdir -p ${shellWord(folder)} && ${shellCommand(environment.argv)}`,
  });
}

/** Locks a mirror until the command ends: two syncs would write the same tables. Throws `locked` and `local`. */
export function lockMirror(context: Context, file: string, flags: LockFlags): Promise<void> {
  attempt(file, () => makeFolders(dirname(file)));
  return lockUntilClose(context, flags, { lock: `${file}.lock`, what: 'the mirror is' });
}

async function openFile(context: Context, flags: Flags, service: Service): Promise<Mirror> {
  const location = locateMirror(context, flags);
  if (flags.mirror !== undefined) checkFolder(context, location.file);
  await lockMirror(context, location.file, flags);
  const mirror = await openUnheld(context, flags, () => openMirror({ ...location, service }));
  context.onClose(() => mirror.close());
  return mirror;
}

const againMs = 500;

async function openUnheld(context: Context, flags: Flags, open: () => Mirror): Promise<Mirror> {
  const { clock, signal } = context;
  const endMs = clock.nowMs() + (flags['lock-wait'] ?? 0);
  for (;;) {
    try {
      return open();
    } catch (thrown) {
      if (RelctlError.from(thrown).facts.code !== 'held' || clock.nowMs() >= endMs) throw thrown;
      await pause(againMs, undefined, { signal }).catch(() => Promise.reject(RelctlError.from(signal.reason)));
    }
  }
}

/**
 * Opens the mirror of a profile to change it, and makes one where there is none. Throws `profile` for a mirror of another
 * service, `locked` and `local`.
 * @param names names of sources that are wanted
 */
export async function openToWrite(
  context: Context,
  flags: Flags,
  names: readonly string[] = [],
): Promise<{ readonly session: Session; readonly mirror: Mirror }> {
  const session = await openSession(context, flags);
  const mirror = await openFile(context, flags, serviceOf(session));
  addUsual(mirror, names);
  return { session, mirror };
}

/** Flags of `mirror add`: it changes no more than the mirror, and fields may be looked up. */
export const addFlags = {
  profile: connectionFlags.profile,
  timeout: connectionFlags.timeout,
  set: connectionFlags.set,
  trace: connectionFlags.trace,
  record: connectionFlags.record,
  ...mirrorFlags,
  ...mirrorLockFlags,
};

type AddFlags = Values<typeof addFlags> & CommonFlags;

/** What a mirror is to read beside what it reads already. */
export interface Addition {
  readonly kind: string;
  /** Ids that end it; names of the profile stand for them where it has any. */
  readonly ids: readonly string[];
  readonly more?: readonly string[];
  readonly table: string;
  readonly input: RecordValue;
}

/** A request as a text that is the same for the same request: case does not count in GUIDs. */
const requestOf = ({ table, input }: Pick<Source, 'table' | 'input'>): string =>
  `${table} ${JSON.stringify(input).replace(/"[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}"/gi, (id) => id.toLowerCase())}`;

function namesOf(addition: Addition, nameOf: (id: string) => string | undefined): readonly string[] {
  const { kind, ids, more = [] } = addition;
  const named = (id: string): string => nameOf(id) ?? id.toLowerCase();
  const nameBy = (of: (id: string) => string): string => [kind, ...ids.map(of), ...more].join(' ');
  // The name may stand for another Id than when a source was named by it.
  return [nameBy(named), nameBy((id) => id.toLowerCase())];
}

function addOne(
  { context, session, mirror }: { readonly context: Context; readonly session: Session; readonly mirror: Mirror },
  addition: Addition,
): readonly [string, boolean] {
  const there = mirror.sources();
  const same = there.find((source) => requestOf(source) === requestOf(addition));
  if (same !== undefined) return [same.name, false];
  const names = namesOf(addition, profileNames(context, session));
  const name = names.find((each) => there.every((source) => source.name !== each));
  if (name === undefined) {
    throw usage(undefined, `the mirror has a source '${names[0] ?? ''}' already, which reads something else`, {
      hint: `relctl mirror remove ${shellWord(names[0] ?? '')}`,
    });
  }
  mirror.add({ name, table: addition.table, input: addition.input });
  return [name, true];
}

async function reportSource(
  context: Context,
  flags: AddFlags,
  done: { words: string; names: readonly string[] },
): Promise<void> {
  const profile = flags.profile === undefined ? '' : ` --profile ${shellWord(flags.profile)}`;
  await noteInTerminal(
    context,
    flags,
    `${done.words}: relctl mirror sync ${done.names.map(shellWord).join(' ')}${profile}`,
  );
}

/** Says to people what was added, or was there before. */
export function reportAdded(
  context: Context,
  flags: AddFlags,
  { names, isNew }: { readonly names: readonly string[]; readonly isNew: boolean },
): Promise<void> {
  const them = names.length === 1 ? 'it' : 'them';
  const done = isNew ? `Done: added ${names.join(', ')}` : `${names.join(', ')}: added before`;
  return reportSource(context, flags, { words: `${done}. To read ${them}`, names });
}

/**
 * Adds lists to what a mirror reads; those that it reads already stay as they are. Throws `usage` for a name that stands for
 * another request, and what opening the mirror throws.
 * @param additionsOf makes them, when the session is open
 */
export async function addSources(
  context: Context,
  flags: AddFlags,
  additionsOf: (session: Session) => readonly Addition[] | Promise<readonly Addition[]>,
): Promise<void> {
  const { session, mirror } = await openToWrite(context, flags);
  const additions = await additionsOf(session);
  const done = additions.map((addition) => addOne({ context, session, mirror }, addition));
  const names = done.map(([name]) => name);
  await reportAdded(context, flags, { names, isNew: done.some(([, isAdded]) => isAdded) });
}

/**
 * Changes what is asked for beside the records of a list that each mirror reads. Throws what opening the mirror throws.
 * @param includes parameters of the operation
 */
export async function includeInSource(
  context: Context,
  flags: AddFlags,
  { name, includes }: { readonly name: string; readonly includes: RecordValue },
): Promise<void> {
  const { mirror } = await openToWrite(context, flags, [name]);
  const before = mirror.sources().find((source) => source.name === name);
  const input = { ...before?.input, ...includes };
  const isSame = before !== undefined && requestOf(before) === requestOf({ ...before, input });
  if (!isSame) mirror.replace({ name, table: before?.table ?? name, input });
  const words = isSame
    ? `${name}: already in the mirror. To read it`
    : `Done: changed the parameters of ${name}. To read it`;
  await reportSource(context, flags, { words, names: [name] });
}
