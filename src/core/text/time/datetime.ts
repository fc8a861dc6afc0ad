import { withoutLastZeros } from '../text.js';

const form = /^(-?(?:[1-9]\d{3,}|0\d{3}))-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;

const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334] as const;

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly fraction: string;
  readonly zoneMinutes: number | undefined;
}

/** Minutes east of UTC of a zone as a dateTime has it; none without one. */
function zoneMinutes(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return zone.startsWith('-') ? -minutes : minutes;
}

function parse(text: string): Parts | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const number = (group: number): number => Number(match[group]);
  return {
    year: number(1),
    month: number(2),
    day: number(3),
    hour: number(4),
    minute: number(5),
    second: number(6),
    fraction: (match[7] ?? '.').slice(1),
    zoneMinutes: match[8] === undefined ? undefined : zoneMinutes(match[8]),
  };
}

const isWithin = (value: number, least: number, most: number): boolean => value >= least && value <= most;

function isTime({ hour, minute, second, fraction }: Parts): boolean {
  const isDayEnd = hour === 24 && minute === 0 && second === 0 && /^0*$/.test(fraction);
  return isDayEnd || (isWithin(hour, 0, 23) && isWithin(minute, 0, 59) && isWithin(second, 0, 59));
}

function isReal(parts: Parts, text: string): boolean {
  const { year, month, day, zoneMinutes: zone } = parts;
  const isDay = year !== 0 && isWithin(month, 1, 12) && isWithin(day, 1, daysIn(year, month));
  const isZone = zone === undefined || (isWithin(zone, -840, 840) && !/:[6-9]\d$/.test(text));
  return isDay && isTime(parts) && isZone;
}

/**
 * True for an XML Schema dateTime on a day that exists: `2026-02-28T09:30:00`, with an optional fraction of any length
 * and an optional zone. Without a zone none is assumed. `24:00:00` is the end of a day, and the start of the next.
 */
export function isDateTime(text: string): boolean {
  const parts = parse(text);
  return parts !== undefined && isReal(parts, text);
}

function dayNumber(year: number, month: number, day: number): number {
  const before = year - 1;
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  const inYear = (daysBefore[month - 1] ?? 0) + (month > 2 && isLeap(year) ? 1 : 0);
  return before * 365 + leapDays + inYear + day;
}

/** An instant: seconds of the calendar in UTC, counted from its first day, and the digits behind the point of the second. */
export type Instant = readonly [seconds: number, fraction: string];

function instant(parts: Parts): Instant {
  const minutes = dayNumber(parts.year, parts.month, parts.day) * 1440 + parts.hour * 60 + parts.minute;
  return [(minutes - (parts.zoneMinutes ?? 0)) * 60 + parts.second, withoutLastZeros(parts.fraction)];
}

/**
 * Negative, zero or positive as left is before, at or after right; exact to the last digit. Undefined when only one of
 * them has a zone, because then nobody can say.
 */
export function compareDateTimes(left: string, right: string): number | undefined {
  const [a, b] = [parse(left), parse(right)];
  if (a === undefined || b === undefined) return undefined;
  if ((a.zoneMinutes === undefined) !== (b.zoneMinutes === undefined)) return undefined;
  const [[leftSeconds, leftFraction], [rightSeconds, rightFraction]] = [instant(a), instant(b)];
  if (leftSeconds !== rightSeconds) return leftSeconds - rightSeconds;
  return leftFraction < rightFraction ? -1 : leftFraction > rightFraction ? 1 : 0;
}

/** The instant that a dateTime names, that of UTC where it has no zone; undefined for another text. */
export function instantOf(text: string): Instant | undefined {
  const parts = parse(text);
  return parts === undefined || !isReal(parts, text) ? undefined : instant(parts);
}

const sortable = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,7})\d*)?)?(Z|[+-]\d\d:\d\d)?$/;

/** A dateTime of UTC that needs no calendar: every month has 28 days. */
const plain =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,7})?Z?$/;

function calendarKey(text: string): string | undefined {
  const parts = sortable.exec(text);
  if (parts === null) return undefined;
  const [, year = '', month, day, hour = '00', minute = '00', second = '00', fraction = '', zone] = parts;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute) - zoneMinutes(zone), Number(second));
  const whole = date.getTime();
  if (Number.isNaN(whole)) return undefined;
  // Only a zone can push a dateTime out of the years 1 to 9999: then it is the first or the last moment there is.
  if (date.getUTCFullYear() < 1) return '0001-01-01T00:00:00.0000000Z';
  if (date.getUTCFullYear() > 9999) return '9999-12-31T23:59:59.9999999Z';
  return `${date.toISOString().slice(0, 19)}.${fraction.padEnd(7, '0')}Z`;
}

/**
 * A dateTime as text that sorts by time: UTC, seven digits of a second. A dateTime without a zone is taken as UTC. Gives
 * undefined for text that is not a dateTime.
 */
export const instantKey = (text: string): string | undefined =>
  plain.test(text) ? `${text.slice(0, 19)}.${text.slice(20).replace('Z', '').padEnd(7, '0')}Z` : calendarKey(text);
