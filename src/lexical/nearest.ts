function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

/**
 * The known name nearest to what was typed, for "did you mean": at most a third of its letters may differ. Case is not
 * looked at. Undefined when nothing is near.
 */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const wanted = typed.slice(0, 64).toLowerCase();
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    const found = distance(wanted, name.toLowerCase());
    if (found <= Math.max(1, Math.floor(name.length / 3)) && found < (best?.distance ?? Number.POSITIVE_INFINITY)) {
      best = { name, distance: found };
    }
  }
  return best?.name;
}
