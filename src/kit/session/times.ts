import { compareDateTimes } from '../../core/text/time/datetime.js';
import { readMoment, type Moment } from '../../core/text/time/moment.js';
import { zoneOfMachine, type Side } from '../../core/text/time/zone.js';
import { forMessage } from '../../core/text/text.js';
import type { ResolvedProfile } from '../../profiles/resolve.js';
import type { Context } from '../host/context.js';
import type { Environment } from '../host/environment.js';
import { noTime } from '../flags/readers.js';
import { note, type QuietFlag } from '../host/notes.js';
import type { Session } from './session.js';
import { usage } from '../../core/errors/relctl-error.js';

/** The zone of moments that name none: the profile's, or the machine's. Throws `usage` where that is not known. */
export function zoneName({ environment }: Pick<Context, 'environment'>, profile: ResolvedProfile): string {
  // Rows of a file ask for each of their times, and the machine takes long to tell.
  const known = zones.get(profile) ?? String(profile.values.timeZone?.value ?? machineZone(environment));
  zones.set(profile, known);
  return known;
}

const zones = new WeakMap<ResolvedProfile, string>();

/** The zone of this machine. Throws `usage` where that is not known: Node takes UTC then. */
export function machineZone({ timeZone: text }: Environment): string {
  const zone = zoneOfMachine(text);
  if (zone !== undefined) return zone;
  const what = text === undefined ? 'the time zone of this machine is' : `the variable TZ, '${forMessage(text)}', is`;
  throw usage('timeZone', `${what} not a known time zone, and a time here has none`, {
    advice: 'Set it with --set timeZone=ZONE, such as Europe/Amsterdam, or permanently with `relctl profile edit`.',
  });
}

const doubts = { twice: 'occurs twice in', never: 'does not exist in' } as const;

/** A time as it was given. */
export interface TimeText {
  readonly text: string;
  readonly flag: string;
  /** Which instant is meant by a clock time that comes twice, or never. */
  readonly side?: Side;
}

/**
 * The moment that is meant in the zone of a profile. Throws `usage` that names the flag, also for a clock time that comes twice
 * or never where nothing says which instant is meant.
 */
function momentFor(context: Context, profile: ResolvedProfile, { text, flag, side }: TimeText): Moment {
  const nowMs = context.clock.date().getTime();
  const read = (which: Side): Moment | undefined =>
    readMoment(text, {
      nowMs,
      // A time that has a zone needs none.
      get zone() {
        return zoneName(context, profile);
      },
      side: which,
    });
  const moment = read(side ?? 'usual');
  if (moment === undefined) throw noTime(text, flag);
  if (moment.doubt === undefined || side !== undefined) return moment;
  const zone = zoneName(context, profile);
  const both = (['earlier', 'later'] as const).map((which) => read(which)?.text).join(' or ');
  throw usage(flag, `${flag} ${text} ${doubts[moment.doubt]} ${zone}, where clocks change then: write ${both}`);
}

/** Reads times for a session. Throws `usage` that names the flag. */
export const timeReader =
  (context: Context, session: Session) =>
  (text: string, flag: string): string =>
    momentFor(context, session.profile, { text, flag }).text;

/** Where a time is read. */
export interface TimeContext {
  readonly context: Context;
  readonly session: Pick<Session, 'profile'>;
  readonly flags: QuietFlag;
}

/** One end of a period, as it is sent; notes a time that the clock shows twice, or never. Throws `usage` with the flag. */
export async function periodEnd({ context, session, flags }: TimeContext, timeText: TimeText): Promise<string> {
  const moment = momentFor(context, session.profile, timeText);
  if (moment.doubt !== undefined) {
    const { flag, text, side } = timeText;
    const which = side === 'later' ? 'later' : 'earlier';
    const what = `${flag} ${text} ${doubts[moment.doubt]} ${zoneName(context, session.profile)}`;
    await note(context, flags, `${what}, where clocks change then: the ${which} instant applies, ${moment.text}`);
  }
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
export async function readPeriodFlags(
  timeContext: TimeContext,
  flags: { readonly from: string; readonly to: string },
): Promise<Period> {
  const from = await periodEnd(timeContext, { text: flags.from, flag: '--from', side: 'earlier' });
  const to = await periodEnd(timeContext, { text: flags.to, flag: '--to', side: 'later' });
  checkOrder(from, to, ['--from', '--to']);
  return { from, to };
}
