/** Lets so many do something at once; those that wait go on in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Returns when a slot is taken; each one that is taken is given back once. */
  take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  /** From here on nobody waits. */
  open(): void {
    this.#free = Infinity;
    for (const go of this.#waiting.splice(0)) go();
  }
}
