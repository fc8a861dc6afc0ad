const unitMs = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;
const units = Object.keys(unitMs) as readonly (keyof typeof unitMs)[];

/** Digits before the point; milliseconds may have as many as a year of them needs, and more. */
const digitsOf = (unit: string): number => (unit === 'ms' ? 15 : 9);

/** Each unit at most once, the larger ones first: 1h30m. */
const parts = new RegExp(`^${units.map((unit) => `(?:(\\d{1,${digitsOf(unit)}}(?:\\.\\d{1,3})?)${unit})?`).join('')}$`);

/**
 * The length of time of a text, in whole milliseconds: `500ms`, `30s`, `5m`, `2h`, `7d`, `1w`, `1.5h`, `1h30m`, in either
 * case. Undefined for anything else, and for a number without a unit.
 */
export function readDuration(text: string): number | undefined {
  const counts = parts.exec(text.toLowerCase())?.slice(1);
  if (counts === undefined || text === '') return undefined;
  const ms = units.reduce((sum, unit, at) => sum + Number(counts[at] ?? 0) * unitMs[unit], 0);
  return Number.isSafeInteger(Math.round(ms)) ? Math.round(ms) : undefined;
}

/** The same, where a number without a unit counts seconds. */
export const readSeconds = (text: string): number | undefined =>
  /^\d{1,9}$/.test(text) ? Number(text) * unitMs.s : readDuration(text);

/** How many a second a text asks for: `10/s`, `30/m`, `0.5/s`; undefined for anything else. */
export function readRate(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?)\/([sm])$/.exec(text) ?? [];
  const rate = Number(digits) / (unit === 'm' ? 60 : 1);
  return rate > 0 ? rate : undefined;
}

/** A length of time in the largest unit that leaves a whole number: `90s`, `2h`. */
export function durationText(ms: number): string {
  const unit = ms === 0 ? 's' : (units.find((each) => each !== 'w' && ms % unitMs[each] === 0) ?? 'ms');
  return `${ms / unitMs[unit]}${unit}`;
}

const ageUnits = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** How long ago something was, in words, in the largest unit that has one of it: `3 hours ago`. */
export function ageText(ms: number): string {
  const [unit, length] = ageUnits.find(([, each]) => ms >= each) ?? ['second', 1000];
  const count = Math.max(0, Math.floor(ms / length));
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
