import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { sizeOf, started, until } from './export-lane.js';

/** A run of a batch that is to be killed. */
interface RunToKill {
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly journal: string;
  /** Gives a number below another one. */
  readonly draw: (below: number) => number;
  /** About so many bytes more of the journal are waited for at most. */
  readonly mostBytes: number;
}

/** Lets a batch begin or go on, and kills it at a random point; false when it came to its end before, with exit code 8. */
export async function killedOnce({ words, env, journal, draw, mostBytes }: RunToKill): Promise<boolean> {
  const run = started(words, { env });
  if (draw(5) === 0) {
    // By time: also while it starts, checks its rows, or writes its results.
    await Promise.race([pause(draw(900)), run.ended]);
  } else {
    const goal = Math.max(0, sizeOf(journal)) + draw(mostBytes);
    await until(run, () => sizeOf(journal) > goal);
  }
  run.child.kill('SIGKILL');
  const { signal, code, stderr } = await run.ended;
  assert.ok(signal === 'SIGKILL' || code === 8, stderr);
  return signal === 'SIGKILL';
}
