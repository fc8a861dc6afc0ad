import data from './data/words.json' with { type: 'json' };

/** Finaliser of MurmurHash3: spreads every bit of the input over the whole word. */
const mix = (word: number): number => {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

/** By how much the state of a stream grows with each number; odd, so that its multiples are all different. */
const step = 0x9e3779b9;
/** The same between streams. */
const spread = 0x9e3779b1;

const hash = (text: string): number => {
  let word = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) word = Math.imul(word ^ text.charCodeAt(at), 0x01000193);
  return mix(word);
};

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');

/** Makes the streams of one data set: one stream a record, so that any record can be made without making the others. */
export function randomness(seed: number): (family: string, index: number) => Random {
  const bases = new Map<string, number>();
  return (family, index) => {
    const base = bases.get(family) ?? hash(`${seed}/${family}`);
    bases.set(family, base);
    return new Random(mix(base + Math.imul(index + 1, spread)), mix(base ^ (index + 1)));
  };
}

/**
 * A stream of numbers that depends on nothing but its seed. `key` is another one for each index of a family. Streams of a
 * million records share states of 32 bits, so a GUID takes the key in: two streams never give the same one. A class, because
 * closures for each of a million records cost more.
 */
export class Random {
  #state: number;
  readonly #key: number;

  constructor(seed: number, key: number) {
    this.#state = seed;
    this.#key = key;
  }

  /** A whole number from 0 up to but not including the bound. */
  below(bound: number): number {
    return Math.floor((this.#next() / 0x1_0000_0000) * bound);
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] ?? items[0];
  }

  /** True in so many of 100 cases. */
  percent(chance: number): boolean {
    return this.below(100) < chance;
  }

  guid(): string {
    const [a, b, c, d] = [this.#next(), this.#next(), this.#next(), this.#next() ^ this.#key];
    const [first, third, last] = [hex(b), hex(c), hex(d)];
    const variant = hex(0x8000 | ((c >>> 16) & 0x3fff)).slice(4);
    return `${hex(a)}-${first.slice(0, 4)}-4${first.slice(5)}-${variant}-${third.slice(4)}${last}`;
  }

  #next(): number {
    this.#state = (this.#state + step) >>> 0;
    return mix(this.#state);
  }
}

/**
 * Words to make records of, by what they are for. Accents, other scripts, prefixes (which Dutch sorts under the word after
 * them) and markup are there on purpose: names are where exactness shows. Of the endings of a dateTime by far the most
 * have no zone, as .asmx services send them, and trailing zeros are cut; every digit of an exact price matters.
 */
export const words = data as { readonly [K in keyof typeof data]: [string, ...string[]] };
