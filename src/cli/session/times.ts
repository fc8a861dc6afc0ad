import { compareDateTimes } from '../../lexical/time/datetime.js';
import { readMoment, type Moment } from '../../lexical/time/moment.js';
import type { Side } from '../../lexical/time/zone.js';
import type { ResolvedProfile } from '../../profiles/resolve.js';
import type { Context } from '../../host/context.js';
import { noTime } from '../flags/readers.js';
import { note, type QuietFlag } from '../../host/notes.js';
import type { Session, SessionPlace } from './session.js';
import { usage } from '../../errors/relctl-error.js';

/** The zone of moments that name none: the profile's, or the machine's. */
export function zoneName(profile: ResolvedProfile): string {
  // Rows of a file ask for each of their times, and the machine takes long to tell.
  const known = zones.get(profile) ?? zoneIn(profile);
  zones.set(profile, known);
  return known;
}

const zones = new WeakMap<ResolvedProfile, string>();

/** The zone of this machine. */
export const machineZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

function zoneIn(profile: ResolvedProfile): string {
  const zone = profile.values.timeZone?.value;
  return zone === undefined ? machineZone() : String(zone);
}

/** A time as it was given. */
export interface GivenTime {
  readonly text: string;
  readonly flag: string;
  /** Which instant is meant by a clock time that comes twice, or never. */
  readonly side?: Side;
}

/** The moment that is meant in the zone of a profile. Throws `usage` that names the flag. */
export function momentFor(
  context: Context,
  profile: ResolvedProfile,
  { text, flag, side = 'usual' }: GivenTime,
): Moment {
  const moment = readMoment(text, { nowMs: context.clock.date().getTime(), zone: zoneName(profile), side });
  if (moment !== undefined) return moment;
  throw noTime(text, flag);
}

/** Reads times for a session. Throws `usage` that names the flag. */
export const timeReader =
  (context: Context, session: Session) =>
  (text: string, flag: string): string =>
    momentFor(context, session.profile, { text, flag }).text;

const doubts = { twice: 'comes twice in', never: 'does not exist in' } as const;

/** What is said of a clock time that can mean two instants; undefined for any other. */
function doubtOf({ text, doubt }: Moment, { flag, text: given, side }: GivenTime, zone: string): string | undefined {
  if (doubt === undefined) return undefined;
  const which = side === 'later' ? 'later' : 'earlier';
  return `${flag} ${given} ${doubts[doubt]} ${zone}, where clocks change then: the ${which} instant is taken, ${text}`;
}

/** Where a time is read. */
export type TimeContext = SessionPlace<QuietFlag>;

/** One end of a period, as it is sent; notes a time that the clock shows twice, or never. Throws `usage` with the flag. */
export async function periodEnd({ context, session, flags }: TimeContext, given: GivenTime): Promise<string> {
  const moment = momentFor(context, session.profile, given);
  const doubt = doubtOf(moment, given, zoneName(session.profile));
  if (doubt !== undefined) await note(context, flags, doubt);
  return moment.text;
}

/** Throws `usage` when a period ends before it begins. */
export function checkOrder(from: string, to: string, flags: readonly [string, string]): void {
  const order = compareDateTimes(from, to);
  if (order === undefined || order <= 0) return;
  throw usage(flags[0], `${flags[0]} (${from}) is after ${flags[1]} (${to})`);
}

/** A period, as two dateTimes. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The period of --from and --to; of a doubtful clock time the earlier --from and the later --to. Throws `usage`. */
export async function periodOf(
  place: TimeContext,
  flags: { readonly from: string; readonly to: string },
): Promise<Period> {
  const from = await periodEnd(place, { text: flags.from, flag: '--from', side: 'earlier' });
  const to = await periodEnd(place, { text: flags.to, flag: '--to', side: 'later' });
  checkOrder(from, to, ['--from', '--to']);
  return { from, to };
}
