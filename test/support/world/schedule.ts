import assert from 'node:assert/strict';
import type { Lots, MemoryDisk } from './disk.js';
import type { Fate, Ran } from './program.js';

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
interface Played {
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

/** One of some values, drawn by lot. */
export const oneOf = <T>(lots: Lots, values: readonly [T, ...T[]]): T => values[lots(values.length)] ?? values[0];

/** The Id of a record of a kind of records, of which the last digits are its number. */
export const idOf = (kind: number, number: number): string =>
  `00000000-${String(kind).padStart(4, '0')}-4000-8000-${String(number).padStart(12, '0')}`;

/** Exit codes of a run that ended as it should, whatever became of its records: it did all, or said what was in the way. */
export const sound: ReadonlySet<unknown> = new Set([0, 4, 6, 7, 8, 9, 13, 130]);

/** Draws what befalls a run. */
export type DrawnFate<F> = (lots: Lots) => F;

/** It is killed at one of its first calls to the disk. */
export const killedAtCall =
  (most: number): DrawnFate<Fate> =>
  (lots) => ({ killedAtCall: 1 + lots(most) });

/** It is killed at one of its first steps of exchanges. */
export const killedAtStep =
  (most: number): DrawnFate<Fate> =>
  (lots) => ({ killedAtStep: 1 + lots(most) });

/** It gets Ctrl-C at one of its first steps of exchanges. */
export const interruptedAtStep =
  (most: number): DrawnFate<Fate> =>
  (lots) => ({ interruptedAtStep: 1 + lots(most) });

/** The disk is full after some bytes. */
export const fullDisk =
  (most: number): DrawnFate<Fate> =>
  (lots) => ({ room: lots(most) });

/** What befalls a run: each of some fates in one of so many cases, and nothing in the others. */
export const fateAmong = <F extends Fate>(lots: Lots, cases: number, fates: readonly DrawnFate<F>[]): Partial<F> =>
  fates[lots(cases)]?.(lots) ?? {};

/** True where the power fails behind a run: each second time that it was killed, and once in so many times else. */
export const powerFails = (lots: Lots, end: unknown, { else: cases }: { readonly else: number }): boolean =>
  lots(end === 'killed' ? 2 : cases) === 0;

/**
 * Drops the locks of a process that was killed: who takes them over is the matter of another test.
 * @param ending what the name of a lock ends with, before what makes it one of a process
 */
export function dropLocks(disk: MemoryDisk, ending = /\.lock(?:\.|$)/): void {
  for (const path of disk.files().keys()) if (ending.test(path)) disk.take(path);
}

/** Makes the names in a folder durable. */
export function syncFolder(disk: MemoryDisk, path: string): void {
  const handle = disk.openSync(path);
  disk.fsyncSync(handle);
  disk.closeSync(handle);
}

/** What happens in a schedule, line by line, and what of it is not as it must be. */
export class Story {
  readonly #seed: number;
  readonly #lines: string[] = [];
  readonly #wrong: string[] = [];

  constructor(seed: number) {
    this.#seed = seed;
  }

  readonly tell = (line: string): void => void this.#lines.push(line);

  readonly flaw = (words: string): void => {
    this.#wrong.push(words);
    this.tell(`WRONG: ${words}`);
  };

  /** A run begins. */
  begin(number: number, words: readonly string[], fate: Fate): void {
    this.tell(`run ${number} ${words.join(' ')} ${JSON.stringify(fate)}`);
  }

  /** A run has ended. */
  end({ end, stderr }: Ran): void {
    this.tell(`  ends with ${end}: ${stderr.split('\n')[0] ?? ''}`);
  }

  /** What the schedule came to. */
  verdict(counts: Verdict['counts']): Verdict {
    return { seed: this.#seed, wrong: this.#wrong, counts, story: this.#lines };
  }
}
