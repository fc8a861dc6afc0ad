import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { syncBuiltinESMExports } from 'node:module';

/** Something that is to happen. */
class Due {
  readonly #time: WorldTime;
  readonly run: () => void;
  readonly #afterMs: number;
  /** It happens also when the process that waits for it has ended. */
  readonly isOutside: boolean;
  atMs = 0;

  constructor(time: WorldTime, run: () => void, { afterMs, isOutside }: { afterMs: number; isOutside: boolean }) {
    this.#time = time;
    this.run = run;
    this.#afterMs = Math.max(afterMs, 1);
    this.isOutside = isOutside;
    this.refresh();
  }

  refresh(): this {
    this.atMs = this.#time.nowMs + this.#afterMs;
    this.#time.queue.delete(this);
    this.#time.queue.add(this);
    return this;
  }

  cancel(): void {
    this.#time.queue.delete(this);
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

/** Nothing is to happen any more, and the work waits. */
export class Stuck extends Error {}

const turn = timersPromises.setImmediate;
/** So many turns of the loop without anything to do are enough to know that nothing comes. */
const mostIdle = 100;

/** Time that passes only where nothing else can happen: what is due next is next. */
export class WorldTime {
  /** Monotonic, and as the wall has it. */
  nowMs = Date.UTC(2026, 2, 1);
  readonly queue = new Set<Due>();
  #immediates = 0;

  /** What a process waits for. */
  after(afterMs: number, run: () => void): Due {
    return new Due(this, run, { afterMs, isOutside: false });
  }

  /** What happens whatever becomes of the process. */
  outside(afterMs: number, run: () => void): Due {
    return new Due(this, run, { afterMs, isOutside: true });
  }

  #next(isWanted: (due: Due) => boolean): Due | undefined {
    let first: Due | undefined;
    // Of those that are due at the same time the one that was made first.
    for (const due of this.queue) if (isWanted(due) && (first === undefined || due.atMs < first.atMs)) first = due;
    return first;
  }

  #happen(due: Due): void {
    this.queue.delete(due);
    this.nowMs = Math.max(this.nowMs, due.atMs);
    due.run();
  }

  /** The process has ended: what it waited for is gone. */
  endProcess(): void {
    for (const due of this.queue) if (!due.isOutside) due.cancel();
    this.#immediates = 0;
  }

  /** Lets time pass between processes. */
  pass(ms: number): void {
    const until = this.nowMs + ms;
    for (;;) {
      const due = this.#next(({ atMs, isOutside }) => isOutside && atMs <= until);
      if (due === undefined) break;
      this.#happen(due);
    }
    this.nowMs = until;
  }

  /** Lets happen what is to happen until the work is over. Throws `Stuck`, and what the work throws. */
  async during<T>(work: Promise<T>): Promise<T> {
    const state = { isOver: false };
    const end = (): void => void (state.isOver = true);
    work.then(end, end);
    let idle = 0;
    for (;;) {
      await turn();
      if (state.isOver) return work;
      if (this.#immediates > 0) continue;
      const due = this.#next(() => true);
      if (due === undefined && (idle += 1) > mostIdle) throw new Stuck('nothing is to happen any more');
      if (due === undefined) continue;
      idle = 0;
      this.#happen(due);
    }
  }

  /** What stands for the timers of Node. */
  #timers(): readonly (readonly [object, string, unknown])[] {
    const { setImmediate: realImmediate } = globalThis;
    const set = (run: (...args: unknown[]) => void, afterMs = 0, ...args: unknown[]): Due =>
      this.after(afterMs, () => run(...args));
    const clear = (due: unknown): void => {
      if (due instanceof Due) due.cancel();
    };
    const immediate = (run: (...args: unknown[]) => void, ...args: unknown[]): NodeJS.Immediate => {
      this.#immediates += 1;
      return realImmediate(() => {
        this.#immediates -= 1;
        run(...args);
      });
    };
    const wait = (ms = 0, value?: unknown, { signal }: { readonly signal?: AbortSignal } = {}): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          due.cancel();
          reject(new DOMException('aborted', 'AbortError'));
        };
        const due = this.after(ms, () => {
          signal?.removeEventListener('abort', stop);
          resolve(value);
        });
        if (signal?.aborted === true) stop();
        else signal?.addEventListener('abort', stop, { once: true });
      });
    const anEvent = (): Promise<void> => new Promise((resolve) => void immediate(() => resolve()));
    return [globalThis, timers]
      .flatMap((place): (readonly [object, string, unknown])[] => [
        [place, 'setTimeout', set],
        [place, 'clearTimeout', clear],
        [place, 'setInterval', () => set(() => undefined, 2 ** 40)],
        [place, 'clearInterval', clear],
        [place, 'setImmediate', immediate],
      ])
      .concat([
        [timersPromises, 'setTimeout', wait],
        [timersPromises, 'setImmediate', anEvent],
      ]);
  }

  /** Puts this time in the place of the machine's until the work is done. */
  async reign<T>(work: () => Promise<T>): Promise<T> {
    const before = [...this.#timers(), [performance, 'now', () => this.nowMs] as const].map(([place, name, ours]) => {
      const real: unknown = Reflect.get(place, name);
      Reflect.set(place, name, ours);
      return [place, name, real] as const;
    });
    syncBuiltinESMExports();
    try {
      return await work();
    } finally {
      for (const [place, name, real] of before) Reflect.set(place, name, real);
      syncBuiltinESMExports();
    }
  }
}
