import { setImmediate } from 'node:timers/promises';

/** Requests that are being written to their connections. */
export class Leaving {
  readonly #open = new Set<Promise<void>>();

  /**
   * Sends a request; gives and throws what that does.
   * @param send calls what it gets when the request has left; one that ends has left as well
   */
  async watch<T>(send: (sent: () => void) => Promise<T>): Promise<T> {
    let tell: () => void = () => undefined;
    const leaving = new Promise<void>((resolve) => (tell = resolve));
    this.#open.add(leaving);
    const left = (): void => {
      this.#open.delete(leaving);
      tell();
    };
    try {
      return await send(left);
    } finally {
      left();
    }
  }

  /** Returns when those have left whose turn has come. */
  async done(): Promise<void> {
    // Those that wait for nothing any more begin within this turn of the loop.
    await setImmediate();
    await Promise.all(this.#open);
  }
}
