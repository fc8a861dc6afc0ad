import { RelctlError } from '../../core/errors/relctl-error.js';
import { type ExchangeOptions, type HttpResponse, limitOf, type Phase, type PhaseLimits } from './http.js';
import { timeoutError, transportError, type Progress } from './transport-errors.js';

/** The other end of an exchange, for messages: `host:port` of the service, its origin, and that of a proxy before it. */
export type Peer = Pick<Progress, 'target' | 'origin' | 'proxy' | 'isLenient'>;

function reasonOf(signal: AbortSignal): RelctlError {
  const reason: unknown = signal.reason;
  return reason instanceof RelctlError ? reason : new RelctlError('interrupted', 'the call was stopped');
}

/** One exchange: the limits of its phases, what stops it, and how far it came, which its error depends on. */
export class Exchange {
  readonly watchdog: Watchdog;
  readonly #stopping = new AbortController();
  readonly #callersSignal: AbortSignal | undefined;
  readonly progress: Progress;
  readonly #passOn = (): void => {
    if (this.#callersSignal !== undefined) this.stop(reasonOf(this.#callersSignal));
  };

  constructor(peer: Peer, { limits, signal }: ExchangeOptions) {
    this.progress = { ...peer, limits, securing: false, handed: false, answered: false };
    this.#callersSignal = signal;
    this.watchdog = startWatchdog(limits, (phase) => this.stop(timeoutError(phase, this.progress)));
    if (signal?.aborted === true) this.#passOn();
    else signal?.addEventListener('abort', this.#passOn, { once: true });
    this.watchdog.enter('connect');
  }

  /** Aborted when the exchange is to stop. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Takes note of how far the exchange came. */
  note(progress: Partial<Progress>): void {
    Object.assign(this.progress, progress);
  }

  /** From here on part of the request may have been sent, to the service itself. */
  handOver(): void {
    this.note({ securing: false, handed: true, proxy: undefined });
    this.watchdog.enter('first-byte');
  }

  takeHead(): void {
    this.note({ answered: true });
    this.watchdog.enter('idle');
  }

  stop(error: RelctlError): void {
    this.#stopping.abort(error);
  }

  /** Stops the watchdog, and does not listen to the caller's signal any more. */
  settle(): void {
    this.watchdog.stop();
    this.#callersSignal?.removeEventListener('abort', this.#passOn);
  }

  /** Runs what makes the exchange until the head of the answer is there. Throws RelctlError, as `HttpClient` says. */
  async run(work: () => Promise<HttpResponse>): Promise<HttpResponse> {
    try {
      // What sends may begin all the same.
      this.signal.throwIfAborted();
      return await work();
    } catch (thrown) {
      this.settle();
      throw thrown instanceof RelctlError && !this.signal.aborted ? thrown : this.#failure(thrown);
    }
  }

  /** The pieces of the answer, with the idle limit while one is awaited; they end the exchange. Throws as `run`. */
  async *receive(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of pieces) {
        this.watchdog.rest();
        yield piece;
        this.watchdog.enter('idle');
      }
    } catch (thrown) {
      throw this.#failure(thrown);
    } finally {
      this.settle();
    }
  }

  /** The pieces of a request. Each one is progress for the watchdog; an error while one is made stops the exchange. */
  *watchParts(body: Iterable<Uint8Array>): Generator<Uint8Array> {
    try {
      for (const part of body) {
        this.watchdog.touch();
        yield part;
      }
    } catch (thrown) {
      this.stop(RelctlError.from(thrown));
      throw thrown;
    }
  }

  #failure(thrown: unknown): RelctlError {
    if (!this.signal.aborted) return transportError(thrown, this.progress);
    // The errors of the watchdog say whether the request was sent; the reason of another signal cannot.
    const reason = RelctlError.from(this.signal.reason);
    return this.progress.handed ? reason : reason.with({ unsent: true });
  }
}

/** Limits the time of the phases of one exchange. */
export interface Watchdog {
  /** Ends the present phase and starts another. Does nothing after `stop` or an expired limit. */
  enter(phase: Exclude<Phase, 'whole'>): void;
  /** Restarts the time of the present phase, because there was progress. */
  touch(): void;
  /** Ends the present phase without another, while relctl works; the limit of the whole exchange stays. */
  rest(): void;
  stop(): void;
}

/** Starts the limit of the whole exchange; calls `expired` at most once, with the phase that took too long. */
export function startWatchdog(limits: PhaseLimits, expired: (phase: Phase) => void): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  let watching = true;
  const rest = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const stop = (): void => {
    watching = false;
    rest();
    clearTimeout(whole);
  };
  const end = (late: Phase): void => {
    stop();
    expired(late);
  };
  const whole = setTimeout(() => end('whole'), limits.wholeMs);
  return {
    enter: (next) => {
      rest();
      if (watching) timer = setTimeout(() => end(next), limits[limitOf[next]]);
    },
    touch: () => void timer?.refresh(),
    rest,
    stop,
  };
}
