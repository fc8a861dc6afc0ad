import fc from 'fast-check';

/**
 * The seed of properties in usual runs: what fails in one is what was changed, and not a case that was never drawn before.
 * CASES=random draws others, and CASES=NUMBER those of a seed that a failure told.
 */
export const usualSeed = 1;

/** A seed that nobody chose. */
export const anySeed = (): number => Math.floor(Math.random() * 2 ** 31);

const { CASES: given = '' } = process.env;
fc.configureGlobal({ seed: given === 'random' ? anySeed() : given === '' ? usualSeed : Number(given) });

/** Numbers that look drawn by lot and are the same for the same seed (mulberry32). */
export function lots(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
