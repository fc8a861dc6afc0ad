import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { MirrorFlags, ConnectionFlags, CommonFlags } from '../../kit/flags/common.js';
import { openSession, type Session, serviceOf } from '../../kit/session/session.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { shellCommand, shellWord } from '../../core/text/text.js';
import { openMirror, type Mirror } from '../../mirror/mirror.js';
import { tableOf, usualSources, type Source } from '../../mirror/sources.js';
import type { Service } from '../../mirror/open.js';
import { locateMirror } from '../../names/mirror/location.js';
import { attempt, makeFolders } from '../../state/own-file.js';
import { lockUntilClose, type LockFlags } from '../../kit/host/progress.js';

type Flags = Omit<ConnectionFlags, 'envelope'> & MirrorFlags & CommonFlags & LockFlags;

/** A mirror that is locked until the command ends, and the service that it belongs to. */
export interface OpenedMirror {
  readonly session: Session;
  readonly mirror: Mirror;
}

/** Names that a source answers to: its own, that of its table, and those of the lists in it. */
export const namesFor = (source: Source): readonly string[] => [
  source.name,
  source.table,
  ...tableOf(source).lists.map((list) => list.name),
];

/** Adds what each mirror reads to a new one, and to any other what is asked for by name and was removed. */
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
): Promise<OpenedMirror> {
  const session = await openSession(context, flags);
  const mirror = await openFile(context, flags, serviceOf(session));
  addUsual(mirror, names);
  return { session, mirror };
}
