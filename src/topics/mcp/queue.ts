/** Runs tasks, some at a time, in their order. */
export class Queue {
  readonly #most: number;
  #running = 0;
  #waiting: (() => void)[] = [];
  #idle: (() => void)[] = [];

  /** @param most how many run at once */
  constructor(most: number) {
    this.#most = most;
  }

  /** Runs a task when its turn comes. Throws what it throws. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await task();
    } finally {
      this.#next();
    }
  }

  /** Resolves when nothing runs or waits. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #next(): void {
    // Whoever is next takes the place over.
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    this.#running -= 1;
    if (this.#running > 0) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }
}
