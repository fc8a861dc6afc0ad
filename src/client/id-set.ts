/** A set of record Ids that grows by 16 bytes a GUID, so that a million rows can be told apart in flat memory. */
export interface IdSet {
  readonly size: number;
  /** Adds an Id; tells whether it was new. GUIDs are compared without regard to case. */
  add(id: string): boolean;
}

const guidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

type Words = readonly [number, number, number, number];

function wordsOf(guid: string): Words {
  const digits = guid.replaceAll('-', '');
  const word = (at: number): number => Number.parseInt(digits.slice(at, at + 8), 16);
  return [word(0), word(8), word(16), word(24)];
}

/** Open addressing over groups of four 32-bit words; the all-zero GUID is kept apart because zero marks a free place. */
class GuidTable {
  #words = new Uint32Array(4 * 1024);
  #count = 0;
  #hasZero = false;

  get size(): number {
    return this.#count + (this.#hasZero ? 1 : 0);
  }

  add(words: Words): boolean {
    if (words.every((word) => word === 0)) {
      const isNew = !this.#hasZero;
      this.#hasZero = true;
      return isNew;
    }
    if ((this.#count + 1) * 8 > this.#words.length) this.#grow();
    const isNew = this.#place(words);
    if (isNew) this.#count += 1;
    return isNew;
  }

  #place(words: Words): boolean {
    const places = this.#words.length / 4;
    const [a, b, c, d] = words;
    let place = (Math.imul(a ^ d, 0x9e3779b1) ^ Math.imul(b ^ c, 0x85ebca6b)) >>> 0;
    for (place %= places; ; place = (place + 1) % places) {
      const at = place * 4;
      const [w, x, y, z] = this.#words.subarray(at, at + 4);
      if (w === 0 && x === 0 && y === 0 && z === 0) {
        this.#words.set(words, at);
        return true;
      }
      if (w === a && x === b && y === c && z === d) return false;
    }
  }

  #grow(): void {
    const old = this.#words;
    this.#words = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += 4) {
      const [a = 0, b = 0, c = 0, d = 0] = old.subarray(at, at + 4);
      if (a !== 0 || b !== 0 || c !== 0 || d !== 0) this.#place([a, b, c, d]);
    }
  }
}

/** An empty set. */
export function createIdSet(): IdSet {
  const guids = new GuidTable();
  const others = new Set<string>();
  return {
    get size() {
      return guids.size + others.size;
    },
    add(id) {
      if (guidPattern.test(id)) return guids.add(wordsOf(id));
      const isNew = !others.has(id);
      others.add(id);
      return isNew;
    },
  };
}
