import { startOf } from '../../export/since/window.js';
import { firstMoment } from '../../lexical/time/moment.js';
import type { Start } from '../open-start.js';

/** The instant of a dateTime that is sent as the start of a window, in milliseconds since 1970. */
export const instantOf = (from: string): number => Date.parse(from === firstMoment ? `${firstMoment}Z` : from);

/** The start of a bookmark's window: earlier than planned when the service's clock was set back. */
export class WindowStart implements Start {
  readonly #planned: string;
  #backMs: number;

  constructor(planned: string, backMs: number) {
    this.#planned = planned;
    this.#backMs = backMs;
  }

  /** How much earlier it begins, in milliseconds. */
  get backMs(): number {
    return this.#backMs;
  }

  /** Makes it begin so many milliseconds earlier than planned. */
  reachBack(backMs: number): void {
    this.#backMs = backMs;
  }

  get from(): string {
    return this.#backMs === 0 ? this.#planned : startOf(instantOf(this.#planned), this.#backMs);
  }

  get note(): string | undefined {
    if (this.#backMs === 0) return undefined;
    const seconds = Math.round(this.#backMs / 1000);
    return `the service's clock was set back by ${seconds} s since the run before, or this machine's forward: the window begins so much earlier, and what was written from there may come again`;
  }

  ask<T>(call: (from: string) => Promise<T>): Promise<T> {
    return call(this.from);
  }
}
