import type { RelctlError } from '../core/errors/relctl-error.js';

interface PaceSurroundings {
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  /** Waits; rejects with the signal's reason when it is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called once, when calls are slowed down for more than one refusal, with what is told of it. */
  readonly onSlow: (message: string) => void;
  /** How long is waited at most; as for writes unless given. */
  readonly limits?: PaceLimits;
}

/** How long is waited at most, in milliseconds, and how soon it ends. */
export interface PaceLimits {
  /** Between calls, after refusals. */
  readonly mostGapMs: number;
  /** Because the service asks for it; when it asks for more, it is not waited for. */
  readonly mostWaitMs: number;
  /** What is left of a gap after each answer. */
  readonly recovery: number;
}

/** A batch may run for a night. */
const limitsOfWrites: PaceLimits = { mostGapMs: 20_000, mostWaitMs: 60 * 60_000, recovery: 0.9 };

/** Somebody waits for what is read, and each call waits before it is repeated as well. */
export const limitsOfReads: PaceLimits = { mostGapMs: 2000, mostWaitMs: 60_000, recovery: 0.5 };

/** Gaps after refusals: the first, and the one that is not worth waiting for, in milliseconds. */
const firstGapMs = 100;
const endOfGapMs = 5;

/** The longest gap between calls while answers take long, in milliseconds. */
const mostSlowGapMs = 20_000;

const reportedFromSeconds = 10;

/** Answers that are looked at together, and how much slower than the fastest such group they must be to be called slow. */
const groupSize = 8;
const slowFactor = 4;
const slowMs = 1000;

/** True for an answer by which a service says that it is asked too much. */
export const isBusy = ({ facts: { httpStatus } }: RelctlError): boolean => httpStatus === 429 || httpStatus === 503;

class Latency {
  #group: number[] = [];
  #fastestMs = Infinity;

  /** The mean of a group of answers that took much longer than the fastest group did; undefined for all others. */
  slowMean(elapsedMs: number): number | undefined {
    this.#group.push(elapsedMs);
    if (this.#group.length < groupSize) return undefined;
    const mean = this.#group.reduce((sum, each) => sum + each, 0) / groupSize;
    this.#group = [];
    this.#fastestMs = Math.min(this.#fastestMs, mean);
    return mean > slowMs && mean > this.#fastestMs * slowFactor ? mean : undefined;
  }
}

/**
 * Spreads calls over time: not more in a second than was asked for, and fewer while the service says that it is asked too
 * much, or while its answers have become much slower. One refusal alone is no reason to tell anybody: the call is
 * repeated.
 */
export class Pace {
  readonly #surroundings: PaceSurroundings;
  readonly #limits: PaceLimits;
  readonly #usualGapMs: number;
  readonly #latencies = new Map<string, Latency>();
  /** Between calls, beside that of the rate that was asked for. */
  #slowGapMs = 0;
  /** When calls were slowed down last. */
  #slowedMs = -Infinity;
  #nextMs = -Infinity;
  #isReported = false;

  /** @param perSecond calls a second at most; Infinity for as many as come */
  constructor(perSecond: number, surroundings: PaceSurroundings) {
    this.#usualGapMs = 1000 / perSecond;
    this.#surroundings = surroundings;
    this.#limits = surroundings.limits ?? limitsOfWrites;
  }

  /** Returns when the next call may be made. Throws the signal's reason. */
  async turn(signal: AbortSignal): Promise<void> {
    const { nowMs, pause } = this.#surroundings;
    const now = nowMs();
    const mine = Math.max(now, this.#nextMs);
    this.#nextMs = mine + Math.max(this.#usualGapMs, this.#slowGapMs);
    if (mine > now) await pause(mine - now, signal);
  }

  /**
   * Takes note of an answer.
   * @param operation only answers to the same one are compared
   * @param elapsedMs undefined where the time says nothing of the service, as with files of any size
   */
  answered({ operation, elapsedMs }: { readonly operation: string; readonly elapsedMs: number | undefined }): void {
    this.#slowGapMs = this.#slowGapMs < endOfGapMs ? 0 : this.#slowGapMs * this.#limits.recovery;
    if (elapsedMs === undefined) return;
    const latency = this.#latencies.get(operation) ?? new Latency();
    this.#latencies.set(operation, latency);
    const mean = latency.slowMean(elapsedMs);
    if (mean === undefined) return;
    this.#slow(Math.min(mean, mostSlowGapMs));
    this.#report('its answers have become much slower');
  }

  /**
   * Takes note of an answer by which the service says that it is asked too much.
   * @param startedMs when the call was made: of calls that were under way together, the first refusal counts
   */
  refused({ facts: { httpStatus = 0, retryAfterSeconds = 0 } }: RelctlError, startedMs: number): void {
    const { mostGapMs, mostWaitMs } = this.#limits;
    const isWaited = retryAfterSeconds * 1000 <= mostWaitMs;
    if (isWaited && retryAfterSeconds >= reportedFromSeconds)
      this.#report(`it answered HTTP ${httpStatus} and asks for ${retryAfterSeconds} s`);
    if (startedMs >= this.#slowedMs) {
      if (this.#slowGapMs > 0) this.#report(`it answered HTTP ${httpStatus} again`);
      this.#slow(Math.min(mostGapMs, Math.max(firstGapMs, this.#slowGapMs * 2)));
    }
    const waitMs = Math.max(this.#slowGapMs, isWaited ? retryAfterSeconds * 1000 : 0);
    this.#nextMs = Math.max(this.#nextMs, this.#surroundings.nowMs() + waitMs);
  }

  /** Puts a gap before each call from here on; one that is longer already stays. */
  #slow(gapMs: number): void {
    this.#slowedMs = this.#surroundings.nowMs();
    this.#slowGapMs = Math.max(this.#slowGapMs, gapMs);
  }

  #report(reason: string): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#surroundings.onSlow(`relctl calls the service less often from now on: ${reason}`);
  }
}

/** Does so many tasks at once; those that wait go on in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Does a task once a slot is free; gives and throws what that does. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free -= 1;
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  /** From here on nobody waits. */
  open(): void {
    this.#free = Infinity;
    for (const go of this.#waiting.splice(0)) go();
  }
}
