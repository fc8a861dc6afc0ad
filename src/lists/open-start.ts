import { RelctlError } from '../errors/relctl-error.js';
import { firstMoment } from '../lexical/moment.js';

/** The first moment that SQL Server's type datetime can hold. */
const firstOfDatetime = '1753-01-01T00:00:00';

/** Where a period begins that is not asked for as it was planned. */
export interface Start {
  /** The start that is asked for, as far as is known. */
  readonly from: string;
  /** What is to be said of it; undefined when there is nothing. */
  readonly note: string | undefined;
  /** Makes a call with the start. Throws what the call throws. */
  ask<T>(call: (from: string) => Promise<T>): Promise<T>;
}

/**
 * Where a period begins that was not given: before everything. What was never changed has the first moment of year 1 for
 * its change, so it is asked for from there; a service that refuses that hands the time on to a database that cannot hold
 * it, and is asked once more. Neither has a zone, which could move it before itself.
 */
export class OpenStart implements Start {
  #from = firstMoment;
  #isTaken = false;

  get from(): string {
    return this.#from;
  }

  get note(): string | undefined {
    if (this.#from === firstMoment) return undefined;
    return `the service refuses a period from ${firstMoment.slice(0, 10)}: it was asked from ${this.#from.slice(0, 10)}; what was never changed may be missing`;
  }

  /** Makes the first call that is refused once more with the later start. */
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
