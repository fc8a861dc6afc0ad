import { RelctlError } from '../core/errors/relctl-error.js';
import type { PeriodFlags } from './list-flags.js';
import { periodEnd, readPeriodFlags, type Period, type TimeContext } from '../kit/session/times.js';
import { firstMoment } from '../core/text/time/moment.js';

/** The first moment that SQL Server's type datetime can hold. */
const firstOfDatetime = '1753-01-01T00:00:00';

/**
 * The start of a period without --from: before all changes. A record that was never changed has the first moment of year 1
 * as its time of change, so the period begins there. A service whose database cannot store that time refuses the call; it is
 * made once more with the first moment that SQL Server takes. Neither has a zone: with one it could be before year 1.
 */
export class OpenStart {
  #from = firstMoment;
  #isTaken = false;

  /** The start that is asked for, as a dateTime; it may change after the first answer. */
  get from(): string {
    return this.#from;
  }

  /** A note about it for stderr; undefined when there is none. */
  get note(): string | undefined {
    if (this.#from === firstMoment) return undefined;
    return `the service refuses a period from ${firstMoment.slice(0, 10)}: relctl read from ${this.#from.slice(0, 10)}; records that never changed may be missing`;
  }

  /** Makes the first call once more with the later start when it is refused. */
  async ask<T>(call: (from: string) => Promise<T>): Promise<T> {
    const from = this.#from;
    try {
      const reply = await call(from);
      this.#isTaken = true;
      return reply;
    } catch (thrown) {
      const mayBeTheStart = from === firstMoment && !this.#isTaken && RelctlError.from(thrown).kind === 'refused';
      if (!mayBeTheStart) throw thrown;
      const reply = await call(firstOfDatetime);
      this.#from = firstOfDatetime;
      this.#isTaken = true;
      return reply;
    }
  }
}

/** The period from --from to --to; without --from it begins before all changes. Throws `usage`. */
export async function resolvePeriod(
  run: TimeContext,
  { from, to = 'tomorrow' }: PeriodFlags,
): Promise<{ readonly period: Period; readonly start?: OpenStart | undefined }> {
  if (from !== undefined) return { period: await readPeriodFlags(run, { from, to }) };
  const start = new OpenStart();
  return { start, period: { from: start.from, to: await periodEnd(run, { text: to, flag: '--to', side: 'later' }) } };
}
