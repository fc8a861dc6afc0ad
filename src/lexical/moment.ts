import { isDateTime } from './datetime.js';
import { offsetMinutes, wallClock } from './zone.js';

/** What a moment is counted from. */
export interface MomentPlace {
  readonly nowMs: number;
  /** Time zone for moments that name none. */
  readonly zone: string;
}

const two = (value: number): string => String(value).padStart(2, '0');

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** A clock time with the offset that the zone has then. */
function stamped(wallMs: number, zone: string): string {
  return `${new Date(wallMs).toISOString().slice(0, 19)}${offsetText(offsetMinutes(zone, wallMs))}`;
}

const dayMs = 86_400_000;
const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: dayMs, w: 7 * dayMs };
const namedDays: Readonly<Record<string, number>> = { today: 0, yesterday: -1, tomorrow: 1 };

// The years that a dateTime can say, less a day for whatever zone.
const firstMs = Date.parse('0001-01-02T00:00:00Z');
const lastMs = Date.parse('9999-12-30T00:00:00Z');

const relative = /^([+-])(\d{1,6})([smhdw])$/;
const written = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

function awayOf(text: string): number | undefined {
  const [, sign = '', count, unit = ''] = relative.exec(text) ?? [];
  return count === undefined ? undefined : Number(`${sign}${count}`) * (unitMs[unit] ?? 0);
}

function fromNow(text: string, { nowMs, zone }: MomentPlace): string | undefined {
  const wall = wallClock(zone, nowMs);
  if (text === 'now') return stamped(wall, zone);
  const days = Object.hasOwn(namedDays, text) ? namedDays[text] : undefined;
  if (days !== undefined) return stamped(Math.floor(wall / dayMs) * dayMs + days * dayMs, zone);
  const awayMs = awayOf(text);
  if (awayMs === undefined) return undefined;
  const instant = nowMs + awayMs;
  if (instant < firstMs || instant > lastMs) return undefined;
  return stamped(wallClock(zone, instant), zone);
}

/**
 * The dateTime that a text means: one with a zone as it is; one without, or a date (its midnight), with the offset of the
 * zone; `now`, `today`, `yesterday`, `tomorrow`; `-7d`, `+2h` (s, m, h, d, w). Seconds may be left out. Undefined for
 * anything else.
 */
export function momentOf(text: string, place: MomentPlace): string | undefined {
  const found = fromNow(text, place);
  if (found !== undefined) return found;
  const [, date, time = '00:00', seconds = ':00', given] = written.exec(text) ?? [];
  if (date === undefined || !isDateTime(`${date}T${time}${seconds}`)) return undefined;
  const wallMs = Date.parse(`${date}T${time}${seconds.slice(0, 3)}Z`);
  const moment = `${date}T${time}${seconds}${given ?? offsetText(offsetMinutes(place.zone, wallMs))}`;
  return isDateTime(moment) ? moment : undefined;
}
