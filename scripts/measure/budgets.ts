import type { Counts } from './counts.js';

/**
 * What is above its budget or has none, one line each.
 * @param budget the highest that each count may be
 */
export const overBudget = (counts: Counts, budget: Counts): readonly string[] =>
  Object.entries(counts).flatMap(([what, count]) => {
    const most = budget[what];
    if (most === undefined) return [`${what}: ${count}, and measure.json has no budget for it`];
    return count > most ? [`${what}: ${count}, ${count - most} more than the budget of ${most}`] : [];
  });

/** The budget without what is counted no more, and lowered to what is counted; never higher, and nothing new in it. */
export const lowered = (counts: Counts, budget: Counts): Counts =>
  Object.fromEntries(
    Object.entries(budget).flatMap(([what, most]) => {
      const count = counts[what];
      return count === undefined ? [] : [[what, Math.min(count, most)]];
    }),
  );
