/** Time that passes only when a test says so, for whatever sets timers meanwhile. */
export interface StoppedClock {
  /** Lets time pass; timers that are due by then run, in their order. */
  pass(ms: number): void;
  /** Lets the machine's clock go on. */
  end(): void;
}

class Timer {
  due = 0;
  readonly run: () => void;
  readonly #dueNow: () => number;

  constructor(run: () => void, dueNow: () => number) {
    this.run = run;
    this.#dueNow = dueNow;
    this.refresh();
  }

  refresh(): this {
    this.due = this.#dueNow();
    return this;
  }

  unref(): this {
    return this;
  }
}

/** Stops the clock that `setTimeout` goes by in this process; sockets and `setImmediate` go on as ever. */
export function stopClock(): StoppedClock {
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis;
  const timers = new Set<Timer>();
  let now = 0;
  const replace = (set: unknown, clear: unknown): void => {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  };
  replace(
    (run: () => void, afterMs = 0) => {
      const timer = new Timer(run, () => now + afterMs);
      timers.add(timer);
      return timer;
    },
    // Timers of before are still the machine's.
    (timer: Timer) => {
      if (!timers.delete(timer)) realClear(timer as unknown as NodeJS.Timeout);
    },
  );
  return {
    pass: (ms) => {
      now += ms;
      for (const timer of [...timers].sort((left, right) => left.due - right.due)) {
        if (timer.due > now || !timers.delete(timer)) continue;
        timer.run();
      }
    },
    end: () => replace(realSet, realClear),
  };
}
