import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from '../../files/failure.js';
import { takeLock } from '../../files/lock.js';
import type { Context } from '../../host/context.js';
import { showWait, type WaitingFlags } from '../../host/waiting.js';

/** Locks a mirror until the command ends: two syncs would write the same tables. Throws `locked` and `local`. */
export async function lockMirror(
  context: Context,
  file: string,
  flags: WaitingFlags & { readonly 'lock-wait'?: number | undefined },
): Promise<void> {
  attempt(file, () => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }));
  const options = {
    patienceMs: flags['lock-wait'] ?? 0,
    what: 'the mirror is',
    signal: context.signal,
    onWait: (wait: { readonly reason: string; readonly ms: number }) => showWait(context, flags, wait),
  };
  context.onClose(await takeLock(`${file}.lock`, options));
}
