import { dirname } from 'node:path';
import { attempt } from '../../files/failure.js';
import { takeLock } from '../../files/locks/lock.js';
import type { Context } from '../../host/context.js';
import { showWait, type WaitingFlags } from '../../host/waiting.js';
import { makeFolders } from '../../files/own-file.js';

type LockFlags = WaitingFlags & { readonly 'lock-wait'?: number | undefined };

/** Locks a mirror until the command ends: two syncs would write the same tables. Throws `locked` and `local`. */
export async function lockMirror(context: Context, file: string, flags: LockFlags): Promise<void> {
  attempt(file, () => makeFolders(dirname(file)));
  const options = {
    patienceMs: flags['lock-wait'] ?? 0,
    what: 'the mirror is',
    signal: context.signal,
    onWait: (wait: { readonly reason: string; readonly ms: number }) => showWait(context, flags, wait),
  };
  context.onClose(await takeLock(`${file}.lock`, options));
}
