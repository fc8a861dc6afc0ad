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

/** The clock of a zone at an instant, as if it were UTC: milliseconds since 1970. */
export function wallClock(zone: string, instantMs: number): number {
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

/**
 * Minutes by which a zone is ahead of UTC when its clock shows a time. An hour that comes twice is taken the first time;
 * one that is left out is counted with the offset before the change.
 * @param wallMs the clock as if it were UTC
 */
export function offsetMinutes(zone: string, wallMs: number): number {
  const offsetAt = (instant: number): number => wallClock(zone, instant) - Math.floor(instant / 1000) * 1000;
  // A day before is surely before a change that may lie here, a day after surely behind it.
  const [before, after] = [offsetAt(wallMs - 86_400_000), offsetAt(wallMs + 86_400_000)];
  const fits = (offset: number): boolean => wallClock(zone, wallMs - offset) === Math.floor(wallMs / 1000) * 1000;
  const found = [before, after].find(fits) ?? before;
  return Math.round(found / minuteMs);
}
