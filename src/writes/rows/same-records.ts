import { hash } from 'node:crypto';

/** Words of a slot: 64 bits of the hash of a key, and the line of its row, which is never 0. */
const slotWords = 3;

/** Keys are kept in so many tables, of which one grows at a time: while it does, it is there twice. */
const tables = 256;

const firstSlots = 7;

/** A table grows by a quarter when four of five slots are taken. */
const [mostTaken, growth] = [0.8, 1.25];

/** Keys by a part of their hashes: those that have the same last byte. */
class Table {
  #words = new Uint32Array(firstSlots * slotWords);
  #count = 0;

  /** The line that is kept for these bits; undefined for the first with them, whose line is kept. */
  before(high: number, low: number, line: number): number | undefined {
    if (this.#count + 1 > (this.#words.length / slotWords) * mostTaken) this.#grow();
    const at = this.#find(high, low);
    const known = this.#words[at + 2] ?? 0;
    if (known !== 0) return known;
    this.#words.set([high, low, line], at);
    this.#count += 1;
    return undefined;
  }

  /** The place of the slot that has these bits, or of the free one that is for them. */
  #find(high: number, low: number): number {
    const words = this.#words;
    let at = (high % (words.length / slotWords)) * slotWords;
    while (words[at + 2] !== 0 && (words[at] !== high || words[at + 1] !== low))
      at = at + slotWords === words.length ? 0 : at + slotWords;
    return at;
  }

  #grow(): void {
    const old = this.#words;
    this.#words = new Uint32Array(Math.ceil((old.length / slotWords) * growth) * slotWords);
    for (let at = 0; at < old.length; at += slotWords) {
      if (old[at + 2] === 0) continue;
      this.#words.set(old.subarray(at, at + slotWords), this.#find(old[at] ?? 0, old[at + 1] ?? 0));
    }
  }
}

/**
 * Finds rows that write to the same record. A key is kept as 64 bits of its SHA-256, because a million of them must fit into
 * little memory: 20 bytes each at most. Two keys that have the same 64 bits (once in some ten million files of a million rows)
 * make a mistake that is none: a row is refused, and never sent by mistake.
 */
export class SameRecords {
  readonly #tables = Array.from({ length: tables }, () => new Table());

  /** The line of an earlier row with the same key; undefined for the first, which is remembered. */
  before(key: string, line: number): number | undefined {
    const digest = hash('sha256', key, 'buffer');
    const [high, low] = [digest.readUInt32LE(0), digest.readUInt32LE(4)];
    return this.#tables[low % tables]?.before(high, low, line);
  }
}
