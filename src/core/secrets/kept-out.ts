import { createMask, type Mask } from './mask.js';

/** The secrets of a run, which must not leave the process but in requests. */
export class KeptOut {
  readonly #secrets = new Set<string>();
  #mask: Mask | undefined;
  readonly #whole: KeptOut | undefined;

  /** @param whole those of all runs of the process, which gets these too */
  constructor(whole?: KeptOut) {
    this.#whole = whole;
  }

  /** Takes secrets that the run has come to know. */
  add(secrets: readonly string[]): void {
    for (const secret of secrets) this.#secrets.add(secret);
    this.#mask = undefined;
    this.#whole?.add(secrets);
  }

  /** A text without the secrets that are known so far, in any form of formsOf. */
  hide(text: string): string {
    // Made when there is something to say: most runs say nothing.
    this.#mask ??= createMask([...this.#secrets]);
    return this.#mask(text);
  }
}
