import { isDateTime } from './datetime.js';
import { offsetAt, offsetOnClock, wallClock, type ClockOffset, type Side } from './zone.js';

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

/** What a moment is counted from. */
export interface MomentOptions {
  readonly nowMs: number;
  /** Time zone for moments that name none. */
  readonly zone: string;
  /** Which instant a clock time means that the zone shows twice, or leaves out. */
  readonly side?: Side;
}

/** The dateTime that a text means. */
export interface Moment {
  readonly text: string;
  /** The clock of the zone shows what was written twice, or never: another instant may be meant. */
  readonly doubt: ClockOffset['doubt'];
}

/** The first moment that a dateTime can say; what has no time has this one. */
export const firstMoment = '0001-01-01T00:00:00';

const two = (value: number): string => String(value).padStart(2, '0');

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

const clockText = (wallMs: number): string => new Date(wallMs).toISOString().slice(0, 19);

const stampOf = (instantMs: number, zone: string, fraction = ''): string =>
  `${clockText(wallClock(zone, instantMs))}${fraction}${offsetText(offsetAt(zone, instantMs))}`;

function onClock(wallMs: number, { zone, side }: MomentOptions, fraction = ''): Moment {
  const { minutes, doubt } = offsetOnClock(zone, wallMs, side);
  // A time that the clock leaves out is written as the clock shows that instant.
  if (doubt === 'never') return { text: stampOf(wallMs - minutes * 60_000, zone, fraction), doubt };
  return { text: `${clockText(wallMs)}${fraction}${offsetText(minutes)}`, doubt };
}

const dayMs = 86_400_000;
const namedDays: Readonly<Record<string, number>> = { today: 0, yesterday: -1, tomorrow: 1 };

// The years that a dateTime can say, less a day for whatever zone.
const firstMs = Date.parse('0001-01-02T00:00:00Z');
const lastMs = Date.parse('9999-12-30T00:00:00Z');

/** A time as people write it: its date, its time, its seconds and its zone, of which the date has to be there. */
export const writtenTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

function awayOf(text: string): number | undefined {
  const ms = /^[+-]/.test(text) ? readDuration(text.slice(1)) : undefined;
  // A dateTime of now has whole seconds.
  if (ms === undefined || ms % 1000 !== 0) return undefined;
  return text.startsWith('-') ? -ms : ms;
}

function fromNow(text: string, options: MomentOptions): Moment | undefined {
  const { nowMs } = options;
  if (text === 'now') return { text: stampOf(nowMs, options.zone), doubt: undefined };
  const days = Object.hasOwn(namedDays, text) ? namedDays[text] : undefined;
  if (days !== undefined) return onClock((Math.floor(wallClock(options.zone, nowMs) / dayMs) + days) * dayMs, options);
  const awayMs = awayOf(text);
  if (awayMs === undefined) return undefined;
  const instant = nowMs + awayMs;
  if (instant < firstMs || instant > lastMs) return undefined;
  return { text: stampOf(instant, options.zone), doubt: undefined };
}

function asWritten(text: string, momentOptions: MomentOptions): Moment | undefined {
  const [, date, time = '00:00', seconds = ':00', offset] = writtenTime.exec(text) ?? [];
  if (date === undefined || !isDateTime(`${date}T${time}${seconds}`)) return undefined;
  const wallMs = Date.parse(`${date}T${time}${seconds.slice(0, 3)}Z`);
  const fraction = seconds.slice(3);
  const clock = `${clockText(wallMs)}${fraction}`;
  if (offset !== undefined) return { text: `${clock}${offset}`, doubt: undefined };
  // With the offset of a zone it would lie before itself, or behind.
  return clock === firstMoment ? { text: clock, doubt: undefined } : onClock(wallMs, momentOptions, fraction);
}

/**
 * The dateTime that a text means: one with a zone as it is; one without, or a date (its midnight), with the offset of the
 * zone; `now`, `today`, `yesterday`, `tomorrow`; `-7d`, `+2h`, `-1h30m`. Seconds may be left out, and 24:00 is told as
 * the start of the next day, because .NET takes no 24:00:00. The first moment of year 1 has no zone. Undefined for anything
 * else.
 */
export function readMoment(text: string, options: MomentOptions): Moment | undefined {
  const moment = fromNow(text, options) ?? asWritten(text, options);
  return moment !== undefined && isDateTime(moment.text) ? moment : undefined;
}

/** The text of such a moment alone. */
export const momentOf = (text: string, options: MomentOptions): string | undefined => readMoment(text, options)?.text;
