import { spawnSync } from 'node:child_process';

/** Words before a command that give it processes and a /proc of its own, as a container has; its end is theirs. */
const ways = [[], ['--map-root-user']].map((more) => [
  ...['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'],
  ...more,
]);

/** The words, or why there are none. */
export type Container = { readonly words: readonly string[] } | { readonly reason: string };

let known: Container | undefined;

function tried(): Container {
  let reason = '';
  for (const words of ways) {
    const { error, status, stderr } = spawnSync('unshare', [...words.slice(1), 'true'], { encoding: 'utf8' });
    if (status === 0) return { words };
    reason = error === undefined ? stderr.trim() : 'unshare is not installed';
  }
  return { reason: `no process can be given a pid namespace of its own: ${reason}` };
}

/** The words to put before a command for it to run like in a container of its own, or why that cannot be had. */
export const container = (): Container => (known ??= tried());
