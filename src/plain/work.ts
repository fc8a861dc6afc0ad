/** Work that can be interrupted after each of its steps. */
export type Work<T> = Generator<undefined, T, undefined>;

/** Does all steps of work, one directly after the other. Throws what a step throws. */
export function atOnce<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Does work with a pause after each step but the last. Throws what a step throws. */
export async function inSteps<T>(work: Work<T>, pause: () => Promise<void>): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    await pause();
  }
}
