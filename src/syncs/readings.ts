import type { Claim } from '../client/pages.js';
import type { Pass } from '../mirror/pass.js';

/** Why a reading of a list is not enough. */
export type Unsure = ReturnType<Pass['ended']>;

/**
 * Reads a list until it is known what is gone: again when rows are missing, or when they moved while it was read. Throws what
 * reading and the pass throw.
 * @param read reads the list from the place of the pass
 */
export async function readUntilSure(
  pass: Pass,
  read: () => Promise<Claim>,
  onAgain: (why: Unsure) => Promise<void>,
): Promise<void> {
  for (;;) {
    const why = pass.ended(await read());
    if (why.missing === 0 && !why.isRestless) return;
    await onAgain(why);
  }
}
