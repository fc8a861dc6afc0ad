import { RelctlError } from '../errors/relctl-error.js';
import { compareDateTimes } from '../lexical/datetime.js';
import { momentOf } from '../lexical/moment.js';
import type { ResolvedProfile } from '../profiles/resolve.js';
import type { Context } from './context.js';
import type { Session } from './session.js';

/** The zone of moments that name none: the profile's, or the machine's. */
export function zoneName(profile: ResolvedProfile): string {
  const zone = profile.values.timeZone?.value;
  return zone === undefined ? new Intl.DateTimeFormat().resolvedOptions().timeZone : String(zone);
}

/** The same for a session. */
export const zoneOf = ({ profile }: Session): string => zoneName(profile);

/** The dateTime that a flag means, as it is sent. Throws `usage` that names the flag. */
export function timeOf(context: Context, session: Session, { text, flag }: { text: string; flag: string }): string {
  const moment = momentOf(text, { nowMs: context.clock.date().getTime(), zone: zoneOf(session) });
  if (moment !== undefined) return moment;
  throw new RelctlError(
    'usage',
    `${flag} takes a time such as 2026-01-31T09:30, 2026-01-31, now, today, yesterday, -7d or -2h, not '${text}'`,
    { facts: { path: flag } },
  );
}

/** Throws `usage` when a period ends before it begins. */
export function checkOrder(from: string, to: string, flags: readonly [string, string]): void {
  const order = compareDateTimes(from, to);
  if (order === undefined || order <= 0) return;
  throw new RelctlError('usage', `${flags[0]} (${from}) is after ${flags[1]} (${to})`, {
    facts: { path: flags[0] },
  });
}

/** The period of --from and --to. Throws `usage`. */
export function periodOf(
  context: Context,
  session: Session,
  flags: { readonly from: string; readonly to: string },
): { readonly from: string; readonly to: string } {
  const from = timeOf(context, session, { text: flags.from, flag: '--from' });
  const to = timeOf(context, session, { text: flags.to, flag: '--to' });
  checkOrder(from, to, ['--from', '--to']);
  return { from, to };
}
