import fc from 'fast-check';

const given = (name: string): number | undefined => {
  const text = process.env[name];
  return text === undefined ? undefined : Number(text);
};

/**
 * Tries a property for as long as there is time, on a slow machine with fewer cases: FUZZ_SECONDS for a long run by hand.
 * A failure prints its seed and its path; FUZZ_SEED and FUZZ_PATH try that case alone again.
 * @param seconds in a usual run
 */
export async function fuzz<Case>(property: fc.IRawProperty<Case>, seconds = 5): Promise<void> {
  const [seed, path] = [given('FUZZ_SEED'), process.env['FUZZ_PATH']];
  const run = await fc.check(property, {
    interruptAfterTimeLimit: (given('FUZZ_SECONDS') ?? seconds) * 1000,
    numRuns: 1_000_000_000,
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path, endOnFailure: true }),
  });
  if (given('FUZZ_SECONDS') !== undefined) process.stdout.write(`${run.numRuns} cases, seed ${run.seed}\n`);
  if (run.failed) throw new Error(fc.defaultReportMessage(run), { cause: run.errorInstance });
}
