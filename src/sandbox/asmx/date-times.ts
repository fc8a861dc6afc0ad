import { isDateTime } from '../../lexical/datetime.js';
import { wallClock } from '../../lexical/zone.js';

/** Where the server of the asmx mode stands (assumptions.ts, "Zone of the server"). */
export const serverZone = 'Europe/Amsterdam';

const form = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.(\d+))?)?(Z|z|[+-]\d\d:\d\d)?$/;
const minuteMs = 60_000;
const ticksPerSecond = 10_000_000;

interface Moment {
  /** Clock time as if it were UTC, in whole seconds. */
  readonly wallMs: number;
  /** Hundreds of nanoseconds. */
  readonly ticks: number;
}

const two = (value: number): string => String(value).padStart(2, '0');

function written({ wallMs, ticks }: Moment): string {
  const fraction = String(ticks).padStart(7, '0').replace(/0+$/, '');
  const clock = new Date(wallMs).toISOString().slice(0, 19);
  return fraction === '' ? clock : `${clock}.${fraction}`;
}

/** A fraction of a second in ticks; digits behind the seventh are rounded. */
function ticksOf(fraction: string): number {
  const ticks = Number(fraction.slice(0, 7).padEnd(7, '0'));
  return Number(fraction[7] ?? '0') >= 5 ? ticks + 1 : ticks;
}

function momentOf(date: string, time: string, fraction: string): Moment {
  const ticks = ticksOf(fraction);
  const wallMs = Date.parse(`${date}T${time}Z`);
  return ticks < ticksPerSecond ? { wallMs, ticks } : { wallMs: wallMs + 1000, ticks: 0 };
}

const [first, last] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')];
const bounded = (ms: number): number => Math.min(Math.max(ms, first), last);

/** The clock of the server at a moment with an offset, and the server's own offset. */
function local(moment: Moment, offset: string): string {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6));
  const instant = bounded(moment.wallMs - (offset.startsWith('-') ? -minutes : minutes) * minuteMs);
  const wall = bounded(wallClock(serverZone, instant));
  const own = Math.round((wall - instant) / minuteMs);
  const size = Math.abs(own);
  const sign = own < 0 ? '-' : '+';
  return `${written({ ...moment, wallMs: wall })}${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/**
 * A dateTime as an .asmx service keeps it: a date is its midnight, a fraction has at most seven digits and none of them a
 * last zero, an offset becomes that of the server; no zone stays no zone, UTC stays UTC. Undefined for what it refuses.
 */
export function dateTimeIn(text: string): string | undefined {
  const [, date, time = '00:00:00', fraction = '', zone = ''] = form.exec(text.trim()) ?? [];
  if (date === undefined || !isDateTime(`${date}T${time}${zone.toUpperCase()}`)) return undefined;
  const moment = momentOf(date, time, fraction);
  if (moment.wallMs > last) return undefined;
  if (zone === '') return written(moment);
  return zone.toUpperCase() === 'Z' ? `${written(moment)}Z` : local(moment, zone);
}

/** A dateTime as an .asmx service writes it; what is none stays as it is. */
export function dateTimeOut(text: string): string {
  const [, date, time = '00:00:00', fraction = '', zone = ''] = form.exec(text) ?? [];
  if (date === undefined || !isDateTime(`${date}T${time}${zone.toUpperCase()}`)) return text;
  // Cut, not rounded: it was kept with these digits, and a service never has more than seven.
  return `${written(momentOf(date, time, fraction.slice(0, 7)))}${zone.toUpperCase()}`;
}
