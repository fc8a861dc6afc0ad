import { guidWords, isFree, slotWords } from './guid-table.js';

/** At most so many bits for each GUID: a few more would be as many as those of a Bloom filter. */
const mostBits = 8;

/** Sets that are looked at one after the other for each GUID. */
const mostSets = 8;

/** What all GUIDs of a table have in common but one word, and the numbers in that word. */
interface Span {
  readonly counting: number;
  readonly others: Uint32Array;
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

/** The word in which a GUID at a place differs from another; undefined where it differs in more than one, and -1 in none. */
function differingWord(words: Uint32Array, at: number, other: Uint32Array): number | undefined {
  let differing = -1;
  for (let word = 0; word < guidWords; word += 1) {
    if (words[at + word] === other[word]) continue;
    if (differing !== -1) return undefined;
    differing = word;
  }
  return differing;
}

/** Where the entries of a table are, or the first of them. */
function offsetsOf(words: Uint32Array, most = Infinity): readonly number[] {
  const offsets: number[] = [];
  for (let at = 0; at < words.length && offsets.length < most; at += slotWords)
    if (!isFree(words, at)) offsets.push(at);
  return offsets;
}

function spanOf(words: Uint32Array): Span | undefined {
  // Most tables do not count, and their first two entries show it; two contents of one GUID leave a table to the filter.
  const [first = 0, second = first] = offsetsOf(words, 2);
  const others = words.slice(first, first + guidWords);
  const counting = differingWord(words, second, others);
  if (counting === undefined || counting === -1) return undefined;
  const offsets = offsetsOf(words);
  if (offsets.some((at) => ![-1, counting].includes(differingWord(words, at, others) ?? guidWords))) return undefined;
  const numbers = offsets.map((at) => words[at + counting] ?? 0);
  const low = numbers.reduce((least, each) => Math.min(least, each));
  const high = numbers.reduce((most, each) => Math.max(most, each));
  const count = numbers.length;
  return high - low < count * mostBits ? { counting, others, low, high, count } : undefined;
}

/**
 * The GUIDs of full tables that count in one word, as those that a database makes in sequence: exactly which are there, a bit for
 * each number, and the tables that they are in.
 */
export class CountedGuids {
  readonly #counting: number;
  readonly #others: Uint32Array;
  readonly #tables: { readonly table: number; readonly low: number; readonly high: number }[] = [];
  #bits: Uint32Array;
  #low: number;
  #count = 0;

  private constructor({ counting, others, low }: Span) {
    this.#counting = counting;
    this.#others = others;
    this.#low = low - (low % 32);
    this.#bits = new Uint32Array(0);
  }

  /**
   * Adds a table to one of some sets, or to a new one if there is room for it; false for GUIDs that do not count.
   * @param table number of the table
   */
  static add(sets: CountedGuids[], words: Uint32Array, table: number): boolean {
    const span = spanOf(words);
    if (span === undefined) return false;
    if (sets.some((set) => set.#extend(span, words, table))) return true;
    if (sets.length === mostSets) return false;
    const set = new CountedGuids(span);
    sets.push(set);
    return set.#extend(span, words, table);
  }

  #isOf(entry: Uint32Array): boolean {
    for (let word = 0; word < guidWords; word += 1)
      if (word !== this.#counting && entry[word] !== this.#others[word]) return false;
    return true;
  }

  #extend({ counting, others, low, high, count }: Span, words: Uint32Array, table: number): boolean {
    if (counting !== this.#counting || !this.#isOf(others)) return false;
    const from = Math.min(this.#low, low - (low % 32));
    const bits = Math.max(this.#low + this.#bits.length * 32, high + 1) - from;
    if (bits > (this.#count + count) * mostBits + 32) return false;
    if (from < this.#low || bits > this.#bits.length * 32) this.#move(from, Math.ceil(bits / 32));
    for (const at of offsetsOf(words)) {
      const bit = (words[at + counting] ?? 0) - this.#low;
      this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
    this.#tables.push({ table, low, high });
    this.#count += count;
    return true;
  }

  #move(from: number, length: number): void {
    const old = this.#bits;
    this.#bits = new Uint32Array(length);
    this.#bits.set(old, (this.#low - from) / 32);
    this.#low = from;
  }

  /** True for a GUID that is in one of the tables. */
  has(entry: Uint32Array): boolean {
    const bit = (entry[this.#counting] ?? 0) - this.#low;
    return bit >= 0 && ((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0 && this.#isOf(entry);
  }

  /** The tables that may hold such a GUID. */
  tablesOf(entry: Uint32Array): readonly number[] {
    const number = entry[this.#counting] ?? 0;
    return this.#tables.filter(({ low, high }) => low <= number && number <= high).map(({ table }) => table);
  }
}
