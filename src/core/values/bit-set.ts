/** A set of whole numbers from 0, one bit each. */
export class BitSet {
  #bits: Uint8Array<ArrayBuffer>;
  #size = 0;

  /** @param most the largest number that is expected; the set grows when there is a larger one */
  constructor(most = 0) {
    this.#bits = new Uint8Array((most >>> 3) + 1);
  }

  /** Number of members. */
  get size(): number {
    return this.#size;
  }

  has(number: number): boolean {
    return ((this.#bits[Math.floor(number / 8)] ?? 0) & (1 << (number & 7))) !== 0;
  }

  /** Adds a number; true when it was not a member. */
  add(number: number): boolean {
    if (this.has(number)) return false;
    const at = Math.floor(number / 8);
    if (at >= this.#bits.length) this.#grow(at);
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (number & 7));
    this.#size += 1;
    return true;
  }

  delete(number: number): void {
    if (!this.has(number)) return;
    const at = Math.floor(number / 8);
    this.#bits[at] = (this.#bits[at] ?? 0) & ~(1 << (number & 7));
    this.#size -= 1;
  }

  /** The members that another set does not have. */
  *without(other: BitSet): Generator<number> {
    for (const [at, byte] of this.#bits.entries()) {
      const missing = byte & ~(other.#bits[at] ?? 0);
      for (let bit = 0; missing >>> bit > 0; bit += 1) if ((missing & (1 << bit)) !== 0) yield at * 8 + bit;
    }
  }

  addAll(ranges: Iterable<readonly [first: number, last: number]>): void {
    for (const [first, last] of ranges) for (let number = first; number <= last; number += 1) this.add(number);
  }

  #grow(at: number): void {
    const larger = new Uint8Array(Math.max(at + 1, this.#bits.length * 2));
    larger.set(this.#bits);
    this.#bits = larger;
  }
}

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
