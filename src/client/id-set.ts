/** A set of record Ids that grows by some 20 bytes a GUID, so that a million rows can be told apart in flat memory. */
export interface IdSet {
  readonly size: number;
  /** Adds an Id; tells whether it was new. GUIDs are compared without regard to case. */
  add(id: string): boolean;
}

const notDigit = 0xff;
const digits = new Uint8Array(128).fill(notDigit);
for (let value = 0; value < 16; value += 1) {
  const digit = value.toString(16);
  digits[digit.charCodeAt(0)] = value;
  digits[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Four hexadecimal digits as a number; more than 0xffff when one of them is none. */
function quarter(text: string, at: number): number {
  let value = 0;
  for (let place = at; place < at + 4; place += 1) {
    const digit = digits[text.charCodeAt(place)] ?? notDigit;
    if (digit === notDigit) return 0x10000;
    value = (value << 4) | digit;
  }
  return value;
}

/** Where the groups of four digits stand in a GUID, two for each word. */
const groups = [0, 4, 9, 14, 19, 24, 28, 32] as const;
const dashes = [8, 13, 18, 23] as const;

/** Puts the four words of a GUID into `words`; false when the text is none. */
function readGuid(text: string, words: Uint32Array): boolean {
  if (text.length !== 36) return false;
  for (const at of dashes) if (text.charCodeAt(at) !== 0x2d) return false;
  for (let word = 0; word < 4; word += 1) {
    const high = quarter(text, groups[word * 2] ?? 0);
    const low = quarter(text, groups[word * 2 + 1] ?? 0);
    if (high > 0xffff || low > 0xffff) return false;
    words[word] = high * 0x10000 + low;
  }
  return true;
}

function hashOf(words: Uint32Array, from: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [words[from], words[from + 1], words[from + 2], words[from + 3]];
  const mixed = Math.imul(a ^ d, 0x9e3779b1) ^ Math.imul(b ^ c, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

const isFree = (table: Uint32Array, at: number): boolean =>
  table[at] === 0 && table[at + 1] === 0 && table[at + 2] === 0 && table[at + 3] === 0;

/** Words at a place in a table. */
interface Spot {
  readonly table: Uint32Array;
  readonly at: number;
}

const isSame = (table: Uint32Array, at: number, { table: other, at: from }: Spot): boolean =>
  table[at] === other[from] &&
  table[at + 1] === other[from + 1] &&
  table[at + 2] === other[from + 2] &&
  table[at + 3] === other[from + 3];

/** Open addressing over groups of four 32-bit words. The all-zero GUID, which would mark a free place, is kept out. */
class Segment {
  #words = new Uint32Array(4 * 16);
  #count = 0;

  add(words: Uint32Array, hash: number): boolean {
    if ((this.#count + 1) * 5 > this.#words.length) this.#grow();
    const isNew = this.#place({ table: words, at: 0 }, hash);
    if (isNew) this.#count += 1;
    return isNew;
  }

  #place(spot: Spot, hash: number): boolean {
    const table = this.#words;
    // The low bits chose the segment.
    let at = ((hash >>> 8) % (table.length / 4)) * 4;
    for (; !isFree(table, at); at = at + 4 === table.length ? 0 : at + 4) {
      if (isSame(table, at, spot)) return false;
    }
    for (let word = 0; word < 4; word += 1) table[at + word] = spot.table[spot.at + word] ?? 0;
    return true;
  }

  #grow(): void {
    const old = this.#words;
    this.#words = new Uint32Array(Math.ceil(old.length / 8) * 12);
    for (let at = 0; at < old.length; at += 4) {
      if (!isFree(old, at)) this.#place({ table: old, at }, hashOf(old, at));
    }
  }
}

/** Many small tables, which grow one at a time, because the old and the new of a large one would stand side by side. */
class GuidTable {
  readonly #segments = Array.from({ length: 256 }, () => new Segment());
  #count = 0;
  #hasZero = false;

  get size(): number {
    return this.#count;
  }

  add(words: Uint32Array): boolean {
    const isNew = words.every((word) => word === 0) ? this.#addZero() : this.#addOther(words);
    if (isNew) this.#count += 1;
    return isNew;
  }

  #addZero(): boolean {
    const isNew = !this.#hasZero;
    this.#hasZero = true;
    return isNew;
  }

  #addOther(words: Uint32Array): boolean {
    const hash = hashOf(words, 0);
    return this.#segments[hash & 0xff]?.add(words, hash) ?? false;
  }
}

/** An empty set. */
export function createIdSet(): IdSet {
  const guids = new GuidTable();
  const others = new Set<string>();
  const words = new Uint32Array(4);
  return {
    get size() {
      return guids.size + others.size;
    },
    add(id) {
      if (readGuid(id, words)) return guids.add(words);
      const isNew = !others.has(id);
      others.add(id);
      return isNew;
    },
  };
}
