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
