import { dirname, join } from 'node:path';
import { attempt } from '../../files/failure.js';
import { takeLock } from '../../files/locks/lock.js';
import type { Context } from '../../host/context.js';
import { showWait, type WaitingFlags } from '../../host/waiting.js';
import { makeFolders } from '../../files/own-file.js';

type LockFlags = WaitingFlags & { readonly 'lock-wait'?: number | undefined };

/**
 * Takes a lock until the command ends. Throws `locked` and `local`.
 * @param what is locked, to begin a sentence: "the mirror is"
 */
async function lock(context: Context, flags: LockFlags, { file, what }: { file: string; what: string }): Promise<void> {
  const options = {
    patienceMs: flags['lock-wait'] ?? 0,
    what,
    signal: context.signal,
    onWait: (wait: { readonly reason: string; readonly ms: number }) => showWait(context, flags, wait),
  };
  context.onClose(await takeLock(file, options));
}

/** Locks a mirror until the command ends: two syncs would write the same tables. Throws `locked` and `local`. */
export async function lockMirror(context: Context, file: string, flags: LockFlags): Promise<void> {
  attempt(file, () => makeFolders(dirname(file)));
  await lock(context, flags, { file: `${file}.lock`, what: 'the mirror is' });
}

/**
 * Locks a folder that is there until the command ends: two exports would put their files among each other. Programs that read
 * every file of a folder pass over a name that begins with a point. Throws `locked` and `local`.
 */
export const lockFolder = (context: Context, folder: string, flags: LockFlags): Promise<void> =>
  lock(context, flags, { file: join(folder, '.relctl.lock'), what: `${folder} is` });
