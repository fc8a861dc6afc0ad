import { askedAt, type AnswerTime } from './window.js';

/** The service's clock when it was asked, in milliseconds since 1970, and how far it was ahead of this machine's then. */
export interface ClockReading {
  readonly serverMs: number;
  /** Undefined where it was not kept: nothing can be said of clocks that were set since. */
  readonly aheadMs: number | undefined;
}

/**
 * How far the service's clock was set back between two looks at it, in milliseconds: what changed in between may have
 * stamps so much earlier than expected. This machine's clock tells how much time went by; when that was set forward
 * instead, it looks the same, and the window is only longer than it need be. 0 when nothing was set back that is worth it.
 */
function setBackMs(beforeAheadMs: number | undefined, nowAheadMs: number, toleranceMs: number): number {
  if (beforeAheadMs === undefined) return 0;
  const backMs = Math.ceil(beforeAheadMs - nowAheadMs);
  return backMs > toleranceMs ? backMs : 0;
}

/** What the answers of a run tell of the service's clock. */
export class ServerClock {
  #base: ClockReading | undefined;
  #mark: ClockReading | undefined;
  #toleranceMs = 0;

  /** Goes on from what an interrupted run was told. */
  goOn(mark: ClockReading): void {
    this.#base = mark;
    this.#mark = mark;
  }

  /**
   * Takes an answer in; true when the earliest time that the service was asked at is another one now. Throws `bad-answer`
   * when no answer has told the time yet and this one does not either.
   * @param machineMs this machine's clock when the answer had come
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
    // What an answer tells is never too much: the largest is nearest.
    const mostMs = backMs > 0 ? aheadMs : Math.max(aheadMs, this.#mark?.aheadMs ?? aheadMs);
    this.#mark = { serverMs, aheadMs: mostMs };
    return isNew;
  }

  /** Counts the service as asked so much earlier. */
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

  /** When the service was asked, at the earliest, and what else is to be remembered; undefined before the first answer. */
  get mark(): ClockReading | undefined {
    return this.#mark;
  }
}
