import { createHash } from 'node:crypto';
import { RelctlError } from '../../core/errors/relctl-error.js';

/** A hash of a set of Ids, whatever their order. */
export class IdDigest {
  #sum = 0n;
  #count = 0;

  add(id: string): void {
    const hash = createHash('sha256').update(id.toLowerCase()).digest('hex');
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash}`));
    this.#count += 1;
  }

  get text(): string {
    return `${this.#count}:${this.#sum.toString(16)}`;
  }
}

/** What passes over a list are compared by. */
export interface Pass {
  readonly digest: string;
  /** Rows that came twice: rows moved then, and others may be missing. */
  readonly duplicates: number;
}

const mostPasses = 4;

function changesTooFast(): RelctlError {
  return new RelctlError(
    'partial',
    `${mostPasses} passes over the list did not agree on its records, or brought some twice: it changes too fast, or has no order`,
    { facts: { code: 'inconsistent' }, advice: 'Try again when less is written, or without --consistent.' },
  );
}

/**
 * Repeats passes until two in a row have the same records and none twice. A row that existed all the time is in such a
 * pass: a pass misses one only when another came twice, or when one that it had read was deleted, which the next pass does
 * not have. Throws `partial` after four passes, and what a pass throws.
 * @param drop called with each pass that is not used
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
