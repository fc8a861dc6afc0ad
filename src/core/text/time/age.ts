const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** How long ago something was, in words, in the largest unit that has one of it: `3 hours ago`. */
export function ageText(ms: number): string {
  const [unit, length] = units.find(([, each]) => ms >= each) ?? ['second', 1000];
  const count = Math.max(0, Math.floor(ms / length));
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
