const lastInstantMs = 8.64e15;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(zone, made);
  return made;
}

/** True for the name of a time zone, such as Europe/Amsterdam or UTC. */
export function isZone(text: string): boolean {
  try {
    formatOf(text);
    return true;
  } catch {
    return false;
  }
}

function canonicalZone(timeZone?: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** A zone without summer time as POSIX writes it, such as CET-1: so many hours behind UTC. */
const posix = /^(?:[A-Za-z]{3,}|<[\w+-]{3,}>)([+-]?\d{1,2})(?::?00){0,2}$/;

/** The zone of an offset as POSIX writes it; undefined for any other text. */
function zoneOfOffset(text: string): string | undefined {
  const hours = posix.exec(text)?.[1];
  if (hours === undefined) return undefined;
  // What is behind UTC has a plus there as here.
  return Number(hours) === 0 ? 'UTC' : `Etc/GMT${hours.startsWith('-') ? '-' : '+'}${Math.abs(Number(hours))}`;
}

/**
 * The zone that the variable TZ says, as `date` reads it; undefined for one that is not known. Node takes UTC for a name that
 * it does not know.
 */
export function zoneOfMachine(text: string | undefined): string | undefined {
  const own = canonicalZone() ?? '';
  const name = text === undefined ? own : text === '' ? 'UTC' : zoneOfOffset(text);
  if (name !== undefined) return isZone(name) ? name : undefined;
  return text !== undefined && canonicalZone(text) === own ? text : undefined;
}

/** The clock time of a zone at an instant, in milliseconds since 1970 as if it were UTC. */
export function wallClock(zone: string, instantMs: number): number {
  // The zone of most servers, and no work.
  if (zone === 'UTC' && Math.abs(instantMs) <= lastInstantMs) return Math.floor(instantMs / 1000) * 1000;
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instantMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const date = new Date(0);
  date.setUTCFullYear(part('year'), part('month') - 1, part('day'));
  date.setUTCHours(part('hour'), part('minute'), part('second'));
  return date.getTime();
}

const minuteMs = 60_000;

/** Minutes by which a zone is ahead of UTC at an instant. */
export const offsetAt = (zone: string, instantMs: number): number =>
  Math.round((wallClock(zone, instantMs) - Math.floor(instantMs / 1000) * 1000) / minuteMs);

/**
 * Which instant a clock time means that its zone shows twice, or leaves out: the earlier or the later one. `usual` is the
 * earlier of two, and what a clock would show that nobody had put forward: the later one.
 */
export type Side = 'earlier' | 'later' | 'usual';

/** How far a zone is ahead of UTC when its clock shows a time. */
export interface ClockOffset {
  readonly minutes: number;
  /** The clock shows this time twice, or never. */
  readonly doubt: 'twice' | 'never' | undefined;
}

/**
 * The offset of a zone when its clock shows a time.
 * @param wallMs the clock as if it were UTC
 */
export function offsetOnClock(zone: string, wallMs: number, side: Side = 'usual'): ClockOffset {
  // A day before is surely before a change that may lie here, a day after surely behind it.
  const offsetNear = (instantMs: number): number => wallClock(zone, instantMs) - Math.floor(instantMs / 1000) * 1000;
  const [before, after] = [offsetNear(wallMs - 86_400_000), offsetNear(wallMs + 86_400_000)];
  const fits = (offset: number): boolean => wallClock(zone, wallMs - offset) === Math.floor(wallMs / 1000) * 1000;
  const fitting = [before, after].filter(fits);
  const minutesOf = (offset: number): number => Math.round(offset / minuteMs);
  if (before === after || fitting.length === 1) return { minutes: minutesOf(fitting[0] ?? before), doubt: undefined };
  // The larger offset makes the earlier instant.
  const chosen = { earlier: Math.max(before, after), later: Math.min(before, after), usual: before }[side];
  return { minutes: minutesOf(chosen), doubt: fitting.length === 0 ? 'never' : 'twice' };
}
