import { isDateTime } from '../../core/text/time/datetime.js';
import { offsetAt, wallClock } from '../../core/text/time/zone.js';

/** Time zone of the server of the asmx mode (assumptions.json, "Zone of the server"). */
const serverZone = 'Europe/Amsterdam';

// The engine has no 24:00:00, which XML Schema allows.
const clock = String.raw`(?<time>(?:[01]\d|2[0-3]):\d\d:\d\d)(?:\.(?<fraction>\d+))?`;
const zone = String.raw`(?<offset>Z|z|[+-]\d\d:\d\d)?`;
const form = new RegExp(String.raw`^(?<date>\d{4}-\d\d-\d\d)(?:T${clock})?${zone}$`);
const forms = [form, new RegExp(String.raw`^(?<month>\d{4}(?:-\d\d)?)${zone}$`), new RegExp(`^${clock}${zone}$`)];
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
/** Before, .NET on Windows takes the standard time of a zone; other lists of zones have local mean times, to the second. */
const zonesFrom = Date.parse('1941-01-01T00:00:00Z');
const standardMinutes = 60;

const ownOffset = (instant: number): number =>
  instant < zonesFrom || instant > last ? standardMinutes : offsetAt(serverZone, instant);

function bounded(moment: Moment): Moment {
  if (moment.wallMs < first) return { wallMs: first, ticks: 0 };
  return moment.wallMs > last ? { wallMs: last, ticks: ticksPerSecond - 1 } : moment;
}

function local({ wallMs, ticks }: Moment, offset: string): string {
  if (offset.toUpperCase() === 'Z') return `${written({ wallMs, ticks })}Z`;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6));
  const instant = wallMs - (offset.startsWith('-') ? -minutes : minutes) * minuteMs;
  const own = ownOffset(instant);
  const size = Math.abs(own);
  const text = written(bounded({ wallMs: instant + own * minuteMs, ticks }));
  return `${text}${own < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** The day on the clock of the server, as a date. */
export const serverDay = (now: Date): string =>
  new Date(wallClock(serverZone, now.getTime())).toISOString().slice(0, 10);

/**
 * A dateTime as an .asmx service keeps it: a date is its midnight, a year or month its first day, a time is one of today; a
 * fraction has at most seven digits and none of them a last zero; an offset, of any size, becomes that of the server; no
 * zone stays no zone, UTC stays UTC. Undefined for what it refuses.
 */
export function dateTimeIn(text: string, today: () => string): string | undefined {
  const bare = text.trim();
  const parts = forms.map((each) => each.exec(bare)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return undefined;
  const { month, time = '00:00:00', fraction = '', offset = '' } = parts;
  const date = parts['date'] ?? (month === undefined ? today() : `${month}-01-01`.slice(0, 10));
  if (!isDateTime(`${date}T${time}`)) return undefined;
  const moment = momentOf(date, time, fraction);
  if (moment.wallMs > last) return undefined;
  return offset === '' ? written(moment) : local(moment, offset);
}

/** A dateTime as an .asmx service writes it; what is none stays as it is. */
export function dateTimeOut(text: string): string {
  const [, date, time = '00:00:00', fraction = '', zone = ''] = form.exec(text) ?? [];
  if (date === undefined || !isDateTime(`${date}T${time}${zone.toUpperCase()}`)) return text;
  // Cut, not rounded: it was kept with these digits, and a service never has more than seven.
  return `${written(momentOf(date, time, fraction.slice(0, 7)))}${zone.toUpperCase()}`;
}
