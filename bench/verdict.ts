import { isFigure, type Found } from './figures.js';
import type { Goal } from './goals.js';
import type { Measured } from './section.js';

/** What became of a section: what it measured, or why it failed. */
export type Outcome = Measured | { readonly failed: string };

/** A goal, its figure, and whether it is met. */
export interface Verdict {
  readonly goal: Goal;
  readonly found: Found;
  readonly verdict: 'met' | 'missed' | 'not measured';
}

function figureOf({ section, figure }: Goal, outcome: Outcome | undefined): Found {
  if (outcome === undefined) return { why: `section ${section} was not run` };
  if ('failed' in outcome) return { why: `section ${section} failed: ${outcome.failed}` };
  const failures = outcome.notes.filter((note) => note.startsWith('failed: ')).join('; ');
  const found = outcome.figures[figure] ?? { why: failures || `section ${section} has no figure ${figure}` };
  return isFigure(found) && !Number.isFinite(found.value) ? { why: 'the figure is not a number' } : found;
}

const isWithin = ({ comparison, bound }: Goal, value: number): boolean =>
  comparison === 'at most' ? value <= bound : value >= bound;

/**
 * Judges goals by what sections measured. The figure is compared as it was measured, not as it is rounded for the page.
 * Without a figure a goal is neither met nor missed.
 */
export function judge(goals: readonly Goal[], outcomes: ReadonlyMap<string, Outcome>): readonly Verdict[] {
  return goals.map((goal) => {
    const found = figureOf(goal, outcomes.get(goal.section));
    if (!isFigure(found)) return { goal, found, verdict: 'not measured' };
    return { goal, found, verdict: isWithin(goal, found.value) ? 'met' : 'missed' };
  });
}

/** Goals that a check fails for: those missed, and those not measured unless they may be. */
export const refusals = (verdicts: readonly Verdict[], mayBeUnmeasured: boolean): readonly Verdict[] =>
  verdicts.filter(({ verdict }) => verdict === 'missed' || (verdict === 'not measured' && !mayBeUnmeasured));
