import { askedAt, type AnswerTime } from './window.js';

/** The service's clock when it was asked, in milliseconds since 1970, and how far it was ahead of this machine's then. */
export interface ClockReading {
  readonly serverMs: number;
  /** In milliseconds; undefined in older files, with which clocks cannot be compared. */
  readonly aheadMs: number | undefined;
}

/**
 * How far the service's clock was set back between two readings, in milliseconds: what changed in between may have stamps
 * that are so much too early. This machine's clock measures the time between the readings; when it was set forward instead,
 * that looks the same, and the window is only longer than needed. 0 for less than the tolerance.
 */
function setBackMs(beforeAheadMs: number | undefined, nowAheadMs: number, toleranceMs: number): number {
  if (beforeAheadMs === undefined) return 0;
  const backMs = Math.ceil(beforeAheadMs - nowAheadMs);
  return backMs > toleranceMs ? backMs : 0;
}

/** The service's clock, read from the answers of a run. */
export class ServerClock {
  #base: ClockReading | undefined;
  #mark: ClockReading | undefined;
  #toleranceMs = 0;

  /** Continues from the reading of an interrupted run. */
  goOn(mark: ClockReading): void {
    this.#base = mark;
    this.#mark = mark;
  }

  /**
   * Reads the time of an answer; true when the earliest time of a request changed by it. Throws `bad-answer` when neither
   * this answer nor one before it has a time.
   * @param machineMs this machine's clock when the answer had come, in milliseconds since 1970
   */
  hear(time: AnswerTime, machineMs: number): boolean {
    if (time.date === undefined && this.#mark !== undefined) return false;
    const atMs = askedAt(time);
    const aheadMs = atMs + time.tookMs - machineMs;
    // A Date header has no fraction, and may be written when the answer begins.
    this.#toleranceMs = 1000 + time.tookMs;
    this.#base ??= { serverMs: atMs, aheadMs };
    const backMs = setBackMs(this.#base.aheadMs, aheadMs, this.#toleranceMs);
    const before = this.#mark?.serverMs ?? atMs;
    const serverMs = Math.min(before, atMs, this.#base.serverMs - backMs);
    const isNew = serverMs !== this.#mark?.serverMs;
    // A Date header is never too late, so that no difference is too large: the largest is the best.
    const mostMs = backMs > 0 ? aheadMs : Math.max(aheadMs, this.#mark?.aheadMs ?? aheadMs);
    this.#mark = { serverMs, aheadMs: mostMs };
    return isNew;
  }

  /** Moves the readings back by so many milliseconds. */
  takeBack(ms: number): void {
    const earlier = (mark: ClockReading | undefined): ClockReading | undefined =>
      mark === undefined ? undefined : { ...mark, serverMs: mark.serverMs - ms };
    this.#base = earlier(this.#base);
    this.#mark = earlier(this.#mark);
  }

  /** How far the service's clock was set forward between a run before and the first answer of this one, in milliseconds. */
  forwardSince(before: Pick<ClockReading, 'aheadMs'>): number {
    const aheadMs = this.#base?.aheadMs;
    return before.aheadMs === undefined ? 0 : setBackMs(aheadMs, before.aheadMs, this.#toleranceMs);
  }

  /** How far the service's clock was set back between a run before and the first answer of this one, in milliseconds. */
  backSince(before: Pick<ClockReading, 'aheadMs'>): number {
    const aheadMs = this.#base?.aheadMs;
    return aheadMs === undefined ? 0 : setBackMs(before.aheadMs, aheadMs, this.#toleranceMs);
  }

  /** The earliest reading; undefined before the first answer. */
  get mark(): ClockReading | undefined {
    return this.#mark;
  }
}
