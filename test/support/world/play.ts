import assert from 'node:assert/strict';

/** What a schedule came to. */
export interface Verdict {
  readonly seed: number;
  /** What is not as it must be, a line each. */
  readonly wrong: readonly string[];
  /** What there was of it, by name. */
  readonly counts: Readonly<Record<string, number>>;
  /** What happened, line by line. */
  readonly story: readonly string[];
}

/** Which schedules are played. */
export interface Played {
  /** Seed of the first; each further one has the next. */
  readonly first: number;
  readonly most: number;
  /** No schedule begins after so many seconds; without, all are played. */
  readonly seconds?: number;
}

/** A kind of schedule: what it is called where one is played again, and what plays it. */
export interface Kind {
  readonly name: string;
  readonly play: (seed: number) => Promise<Verdict>;
}

const storyOf = ({ name }: Kind, { seed, wrong, story }: Verdict): string =>
  [
    `RELCTL_MODEL_SEED=${seed} npx mocha test/long/world.test.ts --grep '${name}'`,
    ...wrong.map((each) => `wrong: ${each}`),
    ...story,
  ].join('\n');

/** Plays schedules one after the other; asserts that nothing is wrong, with the stories of up to five. */
export async function playSchedules(kind: Kind, { first, most, seconds }: Played): Promise<void> {
  const until = seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + seconds * 1000;
  const sum: Record<string, number> = { schedules: 0 };
  const bad: Verdict[] = [];
  for (let at = first; at < first + most && Date.now() < until && bad.length < 5; at += 1) {
    const verdict = await kind.play(at);
    for (const [name, count] of Object.entries({ schedules: 1, ...verdict.counts }))
      sum[name] = (sum[name] ?? 0) + count;
    if (verdict.wrong.length > 0) bad.push(verdict);
  }
  console.log(`      seeds ${first} to ${first + (sum['schedules'] ?? 0) - 1}: ${JSON.stringify(sum)}`);
  assert.equal(bad.length, 0, bad.map((verdict) => storyOf(kind, verdict)).join('\n\n'));
}
