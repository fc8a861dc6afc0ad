/** The known name that a text is, or the only one that it is in another case of letters; undefined for none or several. */
export function inAnyCase<N extends string>(typed: string, known: readonly N[]): N | undefined {
  const exact = known.find((name) => name === typed);
  if (exact !== undefined) return exact;
  const lower = typed.toLowerCase();
  const [only, ...others] = known.filter((name) => name.toLowerCase() === lower);
  return others.length === 0 ? only : undefined;
}

function isTransposition(left: string, right: string, [i, j]: readonly [number, number]): boolean {
  return i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
}

const at = (row: readonly number[], index: number): number => row[index] ?? 0;

function editDistance(left: string, right: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const substitution = at(row, j - 1) + (left[i - 1] === right[j - 1] ? 0 : 1);
      const swap = isTransposition(left, right, [i, j]) ? at(before, j - 2) + 1 : substitution;
      next.push(Math.min(at(row, j) + 1, at(next, j - 1) + 1, substitution, swap));
    }
    before = row;
    row = next;
  }
  return at(row, right.length);
}

/**
 * The known name nearest to what was typed, for "did you mean": at most a third of its letters may differ. Case is not
 * looked at. Undefined when nothing is near.
 * @param most limit of letters that may differ
 */
export function nearest(typed: string, known: readonly string[], most = Number.POSITIVE_INFINITY): string | undefined {
  const lowered = typed.slice(0, 64).toLowerCase();
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(lowered, name.toLowerCase());
    const allowed = Math.min(most, Math.max(1, Math.floor(name.length / 3)));
    if (distance <= allowed && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) {
      best = { name, distance: distance };
    }
  }
  return best?.name;
}

/** What two names have in common that differ in the form of their characters, or in the case of letters, alone. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();

/** True for names that differ in the form of their characters alone: é may be one character or two. */
export const isSameName = (left: string, right: string): boolean => left.normalize('NFC') === right.normalize('NFC');
