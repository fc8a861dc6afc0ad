import assert from 'node:assert/strict';
import { play, type Verdict } from './schedule.js';

/** Which schedules are played. */
export interface Played {
  /** Seed of the first; each further one has the next. */
  readonly first: number;
  readonly most: number;
  /** No schedule begins after so many seconds; without, all are played. */
  readonly seconds?: number;
}

const storyOf = ({ seed, lost, stuck, story }: Verdict): string =>
  [
    `RELCTL_MODEL_SEED=${seed} npx mocha test/long/since-last-model.test.ts`,
    ...lost.map((each) => `lost: ${each}`),
    ...(stuck === undefined ? [] : [`stuck: ${stuck}`]),
    ...story,
  ].join('\n');

/** Plays schedules one after the other; asserts that none loses a change or gets stuck, with the stories of up to five. */
export async function playSchedules({ first, most, seconds }: Played): Promise<void> {
  const until = seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + seconds * 1000;
  const sum = { schedules: 0, runs: 0, killed: 0, failed: 0, repeats: 0 };
  const bad: Verdict[] = [];
  for (let at = first; at < first + most && Date.now() < until && bad.length < 5; at += 1) {
    const verdict = await play(at);
    sum.schedules += 1;
    sum.runs += verdict.runs;
    sum.killed += verdict.killed;
    sum.failed += verdict.failed;
    sum.repeats += verdict.repeats;
    if (verdict.lost.length > 0 || verdict.stuck !== undefined) bad.push(verdict);
  }
  console.log(`      seeds ${first} to ${first + sum.schedules - 1}: ${JSON.stringify(sum)}`);
  assert.equal(bad.length, 0, bad.map(storyOf).join('\n\n'));
}
