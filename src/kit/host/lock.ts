import { takeLock } from '../../state/locks/lock.js';
import type { Context } from './context.js';
import { showWait, type WaitingFlags } from './waiting.js';

/** The flags of a command that locks something. */
export type LockFlags = WaitingFlags & { readonly 'lock-wait'?: number | undefined };

/** Locks something until the command ends. Throws `locked` and `local`. */
export async function lockUntilClose(
  context: Context,
  flags: LockFlags,
  { lock, what }: { readonly lock: string; readonly what: string },
): Promise<void> {
  const { signal } = context;
  const patienceMs = flags['lock-wait'] ?? 0;
  context.onClose(await takeLock(lock, { patienceMs, what, signal, onWait: (wait) => showWait(context, flags, wait) }));
}
