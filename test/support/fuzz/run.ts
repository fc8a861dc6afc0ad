import fc from 'fast-check';

const given = (name: string): number | undefined => {
  const text = process.env[name];
  return text === undefined ? undefined : Number(text);
};

/** The seed of usual runs: what fails in one is what was changed, and not a case that was never drawn before. */
const usualSeed = 1;

/** Cases of a usual run at most: on each machine the same ones, or the first of them. */
const usualCases = 1000;

/**
 * Tries a property for as long as there is time, on a slow machine with fewer cases. A usual run draws the same cases each
 * time; FUZZ_SECONDS makes a long run by hand, with cases of its own. A failure prints its seed and its path; FUZZ_SEED and
 * FUZZ_PATH try that case alone again.
 * @param seconds in a usual run
 */
export async function fuzz<Case>(property: fc.IRawProperty<Case>, seconds = 5): Promise<void> {
  const byHand = given('FUZZ_SECONDS');
  const path = process.env['FUZZ_PATH'];
  const seed = given('FUZZ_SEED') ?? (byHand === undefined ? usualSeed : undefined);
  const run = await fc.check(property, {
    interruptAfterTimeLimit: (byHand ?? seconds) * 1000,
    numRuns: byHand === undefined ? usualCases : 1_000_000_000,
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path, endOnFailure: true }),
  });
  if (byHand !== undefined) process.stdout.write(`${run.numRuns} cases, seed ${run.seed}\n`);
  if (run.failed) throw new Error(fc.defaultReportMessage(run), { cause: run.errorInstance });
}
