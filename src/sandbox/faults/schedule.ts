import { randomness, type Random } from '../dataset/random.js';
import type { Argument } from './kinds/fault-kind.js';
import { operationList, share, whole } from './kinds/forms.js';

const largest = 1_000_000_000;

/** Everything that says which calls a fault applies to. Parser, help and documentation derive from it. */
export const scheduleKeys = {
  every: { form: whole(1, largest), words: 'Every so many calls: the N-th, the 2N-th, …' },
  first: { form: whole(1, largest), words: 'The first so many calls only.' },
  after: { form: whole(0, largest), words: 'Not the first so many calls.' },
  operation: { form: operationList, words: 'Calls of these operations only; others are not counted either.' },
  page: {
    form: whole(0, 2_147_483_647),
    words: 'Calls that ask for this pageNumber only; others are not counted either.',
  },
  share: { form: share, words: 'A part of the calls, drawn by the seed.' },
  seed: {
    form: whole(0, 0xffff_ffff),
    words: 'Seed of all that is drawn: the same seed draws the same; 1 when left out.',
  },
} as const satisfies Readonly<Record<string, Argument>>;

/** Name of a part of a schedule. */
export type ScheduleKey = keyof typeof scheduleKeys;

/** Which calls a fault applies to; all parts must agree. */
export interface Schedule {
  readonly every?: number;
  readonly first?: number;
  readonly after?: number;
  readonly operation?: readonly string[];
  readonly page?: number;
  readonly share?: number;
  readonly seed?: number;
}

/** What a schedule looks at in a call. */
export interface CallFacts {
  readonly operation: string;
  readonly page: number | undefined;
}

/** True when a schedule speaks of this call: only such calls are counted. */
export function isMeant({ operation, page }: Schedule, call: CallFacts): boolean {
  return (operation === undefined || operation.includes(call.operation)) && (page === undefined || page === call.page);
}

/** A stream by the seed, what is drawn with it, and the number of the call: the same in each run. */
export const draws = (seed: number | undefined): ((drawn: string, number: number) => Random) => randomness(seed ?? 1);

/** True when the n-th call meant by a schedule, from 1, gets the fault (pure). */
export function isDue(schedule: Schedule, number: number): boolean {
  const { every = 1, first = Number.POSITIVE_INFINITY, after = 0, share: part = 1, seed } = schedule;
  if (number % every !== 0 || number > first || number <= after) return false;
  return part >= 1 || draws(seed)('share', number).below(1_000_000) < part * 1_000_000;
}
