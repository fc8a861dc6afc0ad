import assert from 'node:assert/strict';
import { play, type Verdict } from '../../support/since-model/schedule.js';

/** Schedules of the usual run; their seeds are 1 and up. */
const usual = 200;

const numberOf = (name: string): number | undefined => {
  const text = process.env[name];
  return text === undefined || text === '' ? undefined : Number(text);
};

const storyOf = ({ seed, lost, stuck, story }: Verdict): string =>
  [
    `RELCTL_MODEL_SEED=${seed} npx mocha test/lists/since/model.test.ts`,
    ...lost.map((each) => `lost: ${each}`),
    ...(stuck === undefined ? [] : [`stuck: ${stuck}`]),
    ...story,
  ].join('\n');

describe('--since-last, played against a model of a service, a disk and clocks', function () {
  const seed = numberOf('RELCTL_MODEL_SEED');
  const seconds = numberOf('RELCTL_MODEL_SECONDS');
  const most = numberOf('RELCTL_MODEL_SCHEDULES') ?? (seconds === undefined ? usual : Number.POSITIVE_INFINITY);
  this.timeout(0);

  it('loses no change and always gets on, whatever is killed, torn, moved or set back', async () => {
    const first = seed ?? 1;
    const until = seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + seconds * 1000;
    const sum = { schedules: 0, runs: 0, killed: 0, failed: 0, repeats: 0 };
    const bad: Verdict[] = [];
    for (
      let at = first;
      at < first + (seed === undefined ? most : 1) && Date.now() < until && bad.length < 5;
      at += 1
    ) {
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
  });
});
