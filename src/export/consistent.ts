import { createHash } from 'node:crypto';
import { RelctlError } from '../errors/relctl-error.js';

/** Stands for a set of Ids whatever their order. */
export class IdDigest {
  #sum = 0n;
  #count = 0;

  /** Adds an Id; each may be added once. */
  add(id: string): void {
    const hash = createHash('sha256').update(id.toLowerCase()).digest('hex');
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash}`));
    this.#count += 1;
  }

  get text(): string {
    return `${this.#count}:${this.#sum.toString(16)}`;
  }
}

/** What a pass over a list is compared by. */
export interface Pass {
  readonly digest: string;
  /** Rows that came twice: then rows moved, and others may have been missed. */
  readonly duplicates: number;
}

/** Passes that may disagree before a consistent export gives up. */
const mostPasses = 4;

function changesTooFast(): RelctlError {
  return new RelctlError(
    'partial',
    `${mostPasses} passes over the list did not agree on its records, or brought some twice: it changes too fast, or has no order`,
    { facts: { code: 'inconsistent' }, hint: 'Try again when less is written, or without --consistent.' },
  );
}

/**
 * Repeats passes until two, one behind the other, hold the same records and none of them twice. A row that was there all
 * the time is in such a pass: a pass loses one only when another came twice, or when one that it had read was deleted, which
 * the next pass lacks. Throws `partial` after four passes, and what a pass throws.
 * @param drop called with each pass that does not count
 */
export async function untilAgreed<P extends Pass>(
  next: () => Promise<P>,
  drop: (pass: P) => void,
): Promise<P & { readonly passes: number }> {
  let before: Pass | undefined;
  for (let passes = 1; passes <= mostPasses; passes += 1) {
    const pass = await next();
    const isWhole = pass.duplicates === 0 && before?.duplicates === 0;
    if (isWhole && pass.digest === before?.digest) return { ...pass, passes };
    before = { digest: pass.digest, duplicates: pass.duplicates };
    drop(pass);
  }
  throw changesTooFast();
}
