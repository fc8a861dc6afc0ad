import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Postgres } from '../../postgres/connect.js';

/** How long a sync waits for another one. */
export interface LockWait {
  /** In milliseconds; 0 to fail at once. */
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
  /** Called when a wait begins, to show it. What it gives is called when it is over. */
  readonly onWait?: ((wait: { readonly reason: string; readonly ms: number }) => () => unknown) | undefined;
}

/** Time between two tries, in milliseconds. */
const roundMs = 250;

/** The number of the lock of a schema: 64 bits of its name and ours, so that no other program takes the same. */
function keyOf(schema: string): string {
  const hash = createHash('sha256').update(`relctl mirror ${schema}`).digest();
  return hash.readBigInt64BE(0).toString();
}

/** Who holds the lock, as far as this user may see it. */
async function holderOf(postgres: Postgres, key: string): Promise<string> {
  const row = await postgres.first(
    'SELECT a.pid, a.usename, host(a.client_addr) FROM pg_catalog.pg_locks l ' +
      'JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid ' +
      "WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 " +
      'AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) ' +
      'AND ((l.classid::bigint << 32) | l.objid::bigint) = $1::bigint',
    [key],
  );
  if (row === undefined) return 'another sync';
  const [pid, user, host] = row;
  return `the sync of ${user ?? 'another user'} from ${host ?? 'its own machine'} (backend ${pid ?? 'unknown'})`;
}

/**
 * Takes the lock of a mirror, which the server keeps as long as the connection lives, so that a killed sync gives it back.
 * Throws `locked` after the time to wait, and the reason of the signal.
 */
export async function lockMirror(postgres: Postgres, schema: string, wait: LockWait): Promise<void> {
  const key = keyOf(schema);
  const isTaken = async (): Promise<boolean> =>
    (await postgres.first('SELECT pg_catalog.pg_try_advisory_lock($1::bigint)', [key]))?.[0] === 't';
  let over: (() => unknown) | undefined;
  try {
    for (let left = wait.ms; !(await isTaken()); left -= roundMs) {
      const holder = await holderOf(postgres, key);
      if (left <= 0) {
        throw new RelctlError('locked', `the mirror ${postgres.address.shown} is locked by ${holder}`, {
          facts: { url: postgres.address.shown },
          advice: 'Wait for it to end, or let this one wait: --lock-wait 10m.',
        });
      }
      over ??= wait.onWait?.({ reason: `for ${holder} (the mirror is locked)`, ms: wait.ms });
      await pause(Math.min(roundMs, left), undefined, wait.signal === undefined ? {} : { signal: wait.signal });
    }
  } catch (thrown) {
    wait.signal?.throwIfAborted();
    throw thrown;
  } finally {
    over?.();
  }
}
