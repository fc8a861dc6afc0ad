import { RelctlError } from '../../errors/relctl-error.js';
import { firstMoment } from '../../lexical/time/moment.js';

/**
 * How far a window begins before the bookmark without --overlap, in milliseconds: longer than a call takes, and than the
 * time between the stamp of a change and the moment when other calls see it.
 */
export const usualOverlapMs = 600_000;

/** Clocks that differ by more than this are reported, in milliseconds. */
export const mostSkewMs = 60_000;

/** What an answer says of time. */
export interface AnswerTime {
  /** The Date header; undefined when there is none. */
  readonly date: string | undefined;
  /** Milliseconds from the request, repeats included, to the end of the answer. */
  readonly tookMs: number;
}

/**
 * The latest time when the service can have been asked, by its own clock, in milliseconds since 1970: changes since then may
 * be missing from the answer. Throws `bad-answer` for an answer without a time.
 */
export function askedAt({ date, tookMs }: AnswerTime): number {
  const answeredAt = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isFinite(answeredAt)) return answeredAt - Math.ceil(tookMs);
  const found = date === undefined ? 'has no Date header' : `has a Date header that is no time ('${date}')`;
  throw new RelctlError('bad-answer', `the answer ${found}, so the bookmark stays where it is: it goes by that clock`, {
    facts: { code: 'no-date' },
    advice: 'Give --from and --to in the place of --since-last.',
  });
}

/** Start of the window that follows a bookmark, as a dateTime. */
export function startOf(bookmarkMs: number, overlapMs: number): string {
  const startMs = bookmarkMs - overlapMs;
  return startMs < Date.parse(`${firstMoment}Z`) ? firstMoment : new Date(startMs).toISOString().replace('.000Z', 'Z');
}

/**
 * Throws `bad-answer` when the service's clock is before the start of a window: what was changed since the bookmark may be
 * before it as well.
 * @param atMs the service's clock when it was asked
 */
export function refuseClockBack(
  atMs: number,
  { bookmarkMs, overlapMs }: { bookmarkMs: number; overlapMs: number },
): void {
  if (atMs >= bookmarkMs - overlapMs) return;
  const [now, then] = [new Date(atMs).toISOString(), new Date(bookmarkMs).toISOString()];
  throw new RelctlError(
    'bad-answer',
    `the service's clock (${now}) is before the bookmark (${then}): what changed since may lie before the window`,
    {
      facts: { code: 'clock-back' },
      advice: 'Move the bookmark to the time of the last change that you have: `relctl bookmark set`.',
      hint: 'relctl bookmark list',
    },
  );
}

// A stamp without a zone may be of any zone, and clocks are read in whole seconds.
const zoneSpreadMs = 14 * 3_600_000;
const graceMs = 1000;

/**
 * True when a record with this stamp may come again in a window that starts at this time, so that it must be remembered;
 * also for a stamp that cannot be read.
 */
export function mayComeAgain(stamp: string | undefined, startMs: number): boolean {
  if (stamp === undefined) return true;
  const hasZone = /(?:Z|[+-]\d\d:\d\d)$/.test(stamp);
  const stampMs = Date.parse(hasZone ? stamp : `${stamp}Z`);
  if (!Number.isFinite(stampMs)) return true;
  return stampMs + graceMs + (hasZone ? 0 : zoneSpreadMs) >= startMs;
}
