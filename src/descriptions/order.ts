/** A name that stands behind another one than in the other order; undefined for the first of all. */
export interface Moved {
  readonly name: string;
  readonly was: string | undefined;
  readonly is: string | undefined;
}

/** The places of a longest row of numbers that rise. */
function rising(numbers: readonly number[]): ReadonlySet<number> {
  /** Of the rows of each length: the place of the smallest last number. */
  const lasts: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [at, number] of numbers.entries()) {
    const found = lasts.findIndex((last) => (numbers[last] ?? 0) >= number);
    const length = found === -1 ? lasts.length : found;
    before[at] = lasts[length - 1];
    lasts[length] = at;
  }
  const places = new Set<number>();
  for (let at = lasts.at(-1); at !== undefined; at = before[at]) places.add(at);
  return places;
}

/** The fewest of some names that have to be moved to get from one order to another; names of one order only do not count. */
export function movedIn(was: readonly string[], is: readonly string[]): readonly Moved[] {
  const [old, now] = [was.filter((name) => is.includes(name)), is.filter((name) => was.includes(name))];
  const inPlace = rising(now.map((name) => old.indexOf(name)));
  return now.flatMap((name, at) =>
    inPlace.has(at) ? [] : [{ name, was: old[old.indexOf(name) - 1], is: now[at - 1] }],
  );
}
