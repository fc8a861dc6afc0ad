import { BitSet } from '../core/values/bit-set.js';

/** Numbers of rows as ranges, first and last of each, in the order in which they came. */
export type Ranges = readonly (readonly [first: number, last: number])[];

/** The ranges of numbers, in their order: numbers that follow each other are one range. */
export function rangesOf(seqs: Iterable<number>): Ranges {
  const ranges: [number, number][] = [];
  let last: [number, number] | undefined;
  for (const seq of seqs) {
    if (last !== undefined && seq === last[1] + 1) last[1] = seq;
    else ranges.push((last = [seq, seq]));
  }
  return ranges;
}

/** The numbers of ranges, and behind them those of others that are not among them. */
export function joined(ranges: Ranges, others: Ranges): Ranges {
  const among = new BitSet();
  among.addAll(ranges);
  const more: number[] = [];
  for (const [first, last] of others) for (let seq = first; seq <= last; seq += 1) if (!among.has(seq)) more.push(seq);
  return [...ranges, ...rangesOf(more)];
}
