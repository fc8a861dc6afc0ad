import fc from 'fast-check';
import { anySeed, usualSeed } from '../cases.js';

const given = (name: string): number | undefined => {
  const text = process.env[name];
  return text === undefined ? undefined : Number(text);
};

/** Cases of a usual run at most: on each machine the same ones, or the first of them. */
const usualCases = 1000;

/** Gives what resolves when the case of a property that was begun last is over: at the end of its time fast-check leaves it. */
function followed<Case>(property: fc.IRawProperty<Case>): () => Promise<unknown> {
  const run = property.run.bind(property);
  let last: unknown;
  Object.assign(property, { run: (value: Case): unknown => (last = run(value)) });
  return async () => last;
}

/**
 * Tries a property for as long as there is time, on a slow machine with fewer cases. A usual run draws the same cases each
 * time; FUZZ_SECONDS makes a long run by hand, with cases of its own. A failure prints its seed and its path; FUZZ_SEED and
 * FUZZ_PATH try that case alone again.
 * @param seconds in a usual run
 */
export async function fuzz<Case>(property: fc.IRawProperty<Case>, seconds = 5): Promise<void> {
  const byHand = given('FUZZ_SECONDS');
  const path = process.env['FUZZ_PATH'];
  const seed = given('FUZZ_SEED') ?? (byHand === undefined ? usualSeed : anySeed());
  const over = followed(property);
  const run = await fc.check(property, {
    plugins: [fc.interruptAfterTimeLimit((byHand ?? seconds) * 1000)],
    numRuns: byHand === undefined ? usualCases : 1_000_000_000,
    seed,
    ...(path === undefined ? {} : { path, endOnFailure: true }),
  });
  await over();
  if (byHand !== undefined) process.stdout.write(`${run.numRuns} cases, seed ${run.seed}\n`);
  if (run.failed) throw new Error(fc.defaultReportMessage(run), { cause: run.errorInstance });
}
