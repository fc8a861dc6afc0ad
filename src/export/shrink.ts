import { RelctlError } from '../errors/relctl-error.js';

/** Without a bound of its own, a list may lose so much of what it was, in per cent. */
const usualPercent = 50;

/** Smaller lists may lose all where nobody gave a bound: three rows become one on any day. */
const leastRows = 100;

/** How many rows a list had, and has. */
export interface Shrink {
  readonly before: number;
  readonly now: number;
  /** What was counted now; `rows` when absent. */
  readonly counted?: string;
  /** Most that it may lose, in per cent; the usual bound when undefined. */
  readonly mostPercent: number | undefined;
}

/** The least whole per cent that allows what was lost; undefined when the bound allows it. */
function excessOf({ before, now, mostPercent }: Shrink): number | undefined {
  if (before === 0 || now >= before || (mostPercent === undefined && before < leastRows)) return undefined;
  const percent = ((before - now) * 100) / before;
  return percent > (mostPercent ?? usualPercent) ? Math.ceil(percent) : undefined;
}

/**
 * The one rule for lists that shrink: more than so many per cent fewer rows than before looks like a service that lost them.
 * Throws `partial`, which names the flag that allows it.
 * @param what what the rows before are known from: `relations.csv, as relctl wrote it,`
 * @param hintFor the command to try, given the flag that allows it
 */
export function refuseShrink(shrink: Shrink, what: string, hintFor: (flag: string) => string): void {
  const percent = excessOf(shrink);
  if (percent === undefined) return;
  const { before, now, counted = 'rows', mostPercent = usualPercent } = shrink;
  throw new RelctlError(
    'partial',
    `the list has ${now} ${counted}, and ${what} had ${before}: ${percent} % fewer, and more than ${mostPercent} % is refused`,
    { facts: { code: 'shrunk' }, hint: hintFor(`--max-shrink ${percent}`) },
  );
}
