import { profileOf } from '../../cli/session/session.js';
import { noTime } from '../../cli/flags/readers.js';
import { zoneName } from '../../cli/session/times.js';
import type { ConnectionFlags } from '../../cli/flags/connection.js';
import type { Context } from '../../host/context.js';
import { instantKey } from '../../lexical/time/instant-key.js';
import { firstMoment, readMoment } from '../../lexical/time/moment.js';

/** The time of a flag as mirrors keep times: UTC, to the millisecond. Throws `usage` and `profile`. */
export function sinceOf(
  context: Context,
  flags: Pick<ConnectionFlags, 'profile'>,
  { text, flag }: { readonly text: string; readonly flag: string },
): string {
  const zone = zoneName(profileOf(context, flags));
  const moment = readMoment(text, { nowMs: context.clock.date().getTime(), zone, side: 'earlier' })?.text;
  if (moment === undefined) throw noTime(text, flag);
  if (moment === firstMoment) return '';
  const ms = Date.parse(moment);
  return Number.isFinite(ms) ? new Date(ms).toISOString() : (instantKey(moment) ?? moment);
}
