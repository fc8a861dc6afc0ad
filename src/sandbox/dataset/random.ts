import type { InputOf } from '../../contract/infer.js';
import type { PvAuditData } from '../../contract/records/shared.js';
import data from './data/words.json' with { type: 'json' };
import { emptyId, knownId } from './known.js';

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
const spread = 0x9e3779b1;

const hash = (text: string): number => {
  let word = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) word = Math.imul(word ^ text.charCodeAt(at), 0x01000193);
  return mix(word);
};

// A GUID is written digit by digit: seven numbers as text cost more than all the rest of making a row in outline.
const guidText = Buffer.alloc(36, '-', 'latin1');
const digits = Buffer.from('0123456789abcdef', 'latin1');

const writeHex = (word: number, at: number, length: number): void => {
  for (let place = at + length - 1, left = word; place >= at; place -= 1, left >>>= 4)
    guidText[place] = digits[left & 15] ?? 0;
};

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
    writeHex(a, 0, 8);
    writeHex(b >>> 16, 9, 4);
    writeHex(0x4000 | (b & 0xfff), 14, 4);
    writeHex(0x8000 | ((c >>> 16) & 0x3fff), 19, 4);
    writeHex(c, 24, 4);
    writeHex(d, 28, 8);
    return guidText.toString('latin1');
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

const momentText = Buffer.from('0000-00-00T00:00:00', 'latin1');

const writePair = (number: number, at: number): void => {
  momentText[at] = 48 + Math.floor(number / 10);
  momentText[at + 1] = 48 + (number % 10);
};

/** The text of a moment in a year of the working past, in one of the forms that services send. */
export function moment(random: Random, year: number): string {
  writePair(Math.floor(year / 100), 0);
  writePair(year % 100, 2);
  writePair(1 + random.below(12), 5);
  writePair(1 + random.below(28), 8);
  writePair(random.below(24), 11);
  writePair(random.below(60), 14);
  writePair(random.below(60), 17);
  return momentText.toString('latin1') + random.pick(words.dateTimeEndings);
}

/** The value of a dateTime that was never set. */
export const unset = '0001-01-01T00:00:00';

/** The largest dateTime there is: "for ever". */
export const forEver = '9999-12-31T23:59:59.9999999';

/** A user or, as such services send it for changes by the system itself, the empty id. */
const authorOf = (random: Random): string => (random.percent(3) ? emptyId : knownId('user', 1 + random.below(4)));

/** Who made and changed a record, and when. */
export type Audit = InputOf<typeof PvAuditData>;

/** Audit data; now and then of a record that nobody changed, unless it must have been changed. */
export function audit(random: Random, must?: 'changed'): Audit {
  const changed = !random.percent(5) || must === 'changed';
  const CreatedAt = moment(random, 2015 + random.below(5));
  const CreatedByUser = authorOf(random);
  if (!changed) return { CreatedAt, CreatedByUser, ModifiedAt: unset, ModifiedByUser: emptyId };
  const ModifiedAt = moment(random, 2020 + random.below(6));
  return { CreatedAt, CreatedByUser, ModifiedAt, ModifiedByUser: authorOf(random) };
}

/** A price as services keep it: the scale is part of the value. */
export const price = (random: Random): string =>
  random.percent(25)
    ? random.pick(words.exactPrices)
    : `${random.below(2000)}.${String(random.below(100)).padStart(2, '0')}`;
