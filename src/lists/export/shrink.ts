import { RelctlError } from '../../core/errors/relctl-error.js';

const usualPercent = 50;

/** A smaller list may lose all its rows where no bound was given: that three rows become one is usual. */
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

function excessOf({ before, now, mostPercent }: Shrink): number | undefined {
  if (before === 0 || now >= before || (mostPercent === undefined && before < leastRows)) return undefined;
  const percent = ((before - now) * 100) / before;
  return percent > (mostPercent ?? usualPercent) ? Math.ceil(percent) : undefined;
}

/**
 * Checks that a list did not lose more of its rows than the bound allows: a service may have lost them. Throws `partial`,
 * which names the flag that allows it.
 * @param what where the rows before were counted: `relations.csv, written by relctl,`
 * @param hintFor the command to try, given the flag that allows it
 */
export function refuseShrink(shrink: Shrink, what: string, hintFor: (flag: string) => string): void {
  const percent = excessOf(shrink);
  if (percent === undefined) return;
  const { before, now, counted = 'rows', mostPercent = usualPercent } = shrink;
  throw new RelctlError(
    'partial',
    `the list has ${now} ${counted}, and ${what} had ${before}: ${percent} % fewer; the limit is ${mostPercent} %`,
    { facts: { code: 'shrunk' }, hint: hintFor(`--max-shrink ${percent}`) },
  );
}
