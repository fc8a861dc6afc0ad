import type { Claim } from '../client/pages.js';
import type { Identity } from './tables.js';

/** Most readings of one list in a sync, while records move. */
const mostReadings = 3;

/** What a reading of a list found. */
export interface Reading {
  /** Which one it was in this sync, from 1. */
  readonly reading: number;
  /** Rows that were there before and that no reading showed. */
  readonly missing: number;
  /** Records moved while the list was read: others may not have been shown. */
  readonly isRestless: boolean;
  /** They moved between two of its runs: what an earlier run read is of another list than the rest. */
  readonly shifted: boolean;
}

/** True when records moved while a list was read. */
export const isRestless = ({ duplicates, changed, shifted }: Claim, identity: Identity): boolean =>
  // Entries of a telephone book may have one Id and several contents.
  duplicates > 0 || shifted || (identity === 'id' && changed > 0);

/**
 * True when a list has to be read once more: to confirm that records are gone, or because they moved. A run goes on with what
 * another one read at its beginning alone, so that each run comes to a reading that is all its own.
 */
export const isToBeReadAgain = ({ reading, missing, isRestless: moved, shifted }: Reading): boolean =>
  shifted || (moved ? reading < mostReadings : missing > 0 && reading === 1);
