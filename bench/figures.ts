/** A figure that was measured: a median. */
export interface Figure {
  readonly value: number;
  /** Runs that it is the median of. */
  readonly runs: number;
}

/** Why there is no figure. */
export interface NoFigure {
  readonly why: string;
}

/** A figure, or why there is none. */
export type Found = Figure | NoFigure;

/** Whether there is a figure. */
export const isFigure = (found: Found): found is Figure => 'value' in found;

/** Median of some figures; of an even number of them the upper one of the two in the middle. NaN for none. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The median of what was measured; none where a run has no such figure, as on systems that do not tell it. */
export function medianOf(figures: readonly number[]): Found {
  if (figures.length === 0) return { why: 'nothing was run' };
  if (figures.some((each) => !Number.isFinite(each))) return { why: 'this system does not tell it' };
  return { value: median(figures), runs: figures.length };
}

/** One figure made of others, with the fewest of their runs; where one is missing, why. */
export function combine(figures: readonly Found[], make: (...values: number[]) => number): Found {
  const missing = figures.find((each) => !isFigure(each));
  if (missing !== undefined) return missing;
  const all = figures.filter(isFigure);
  return { value: make(...all.map(({ value }) => value)), runs: Math.min(...all.map(({ runs }) => runs)) };
}

/** One figure divided by another. */
export const quotient = (dividend: Found, divisor: Found): Found =>
  combine([dividend, divisor], (above = Number.NaN, below = Number.NaN) => above / below);

/** The figure in text, or a dash. */
export function show(found: Found, digits = 0): string {
  return isFigure(found) && Number.isFinite(found.value) ? found.value.toFixed(digits) : '–';
}

/** Milliseconds as seconds. */
export const seconds = (ms: Found): Found => combine([ms], (value) => value / 1000);
