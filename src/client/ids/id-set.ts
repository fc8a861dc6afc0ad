import { CountedGuids } from './counted-guids.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { firstSlot, hashAt, isFree, slotWords, GuidTable, Search, guidWords, writeIdWords } from './guid-table.js';

/** A temporary file. `write` and `read` throw `local` when the file system fails. */
export interface OverflowFile {
  /** Writes all bytes, from byte `at` of the file. */
  write(bytes: Uint8Array, at: number): void;
  /** Fills all of `into`, from byte `at` of the file. */
  read(into: Uint8Array, at: number): void;
  close(): void;
}

/** Opens an overflow file. Throws `local` when it cannot be made. */
export type OpenOverflow = () => OverflowFile;

/** Tables that share one filter; each has one bit of its words. */
const filterBits = 32;

/** Bits that a GUID sets in a filter; of 16 for each: one search in 2,000 reads the file in vain. */
const marks = 8;

/** Bits of room in a filter for each slot of a table. */
const positionsOfSlot = 16;

/** A Bloom filter for 32 tables: which of them may hold a GUID. It never leaves out the one that does. */
class Filter {
  readonly #words: Uint32Array;

  constructor(positions: number) {
    this.#words = new Uint32Array(positions);
  }

  add(hash: number, bit: number): void {
    const words = this.#words;
    const step = stepOf(hash);
    for (let mark = 0, at = hash; mark < marks; mark += 1, at += step) {
      const slot = at & (words.length - 1);
      words[slot] = (words[slot] ?? 0) | bit;
    }
  }

  candidates(hash: number): number {
    const words = this.#words;
    const step = stepOf(hash);
    let match = ~0;
    for (let mark = 0, at = hash; mark < marks && match !== 0; mark += 1, at += step) {
      match &= words[at & (words.length - 1)] ?? 0;
    }
    return match;
  }
}

/** The distance between the marks of a GUID; odd, so that every position can be one. */
const stepOf = (hash: number): number => (Math.imul(hash ^ (hash >>> 13), 0x85ebca6b) >>> 11) | 1;

/** Slots that are read at once: most GUIDs are in these few from their first slot on. */
const readSlots = 32;

/**
 * Full tables in an overflow file, in the form that they had in memory, with a filter in memory, so that a new GUID hardly
 * ever makes it read the file. A million random GUIDs take 3.5 MiB of memory, a million that count 0.7 MiB.
 */
export class OverflowGuids {
  readonly #open: OpenOverflow;
  readonly #slots: number;
  readonly #counted: CountedGuids[] = [];
  readonly #filters: Filter[] = [];
  /** The tables that the filters are of, 32 each. */
  readonly #filtered: number[] = [];
  readonly #near: Uint32Array;
  #file: OverflowFile | undefined;
  #tables = 0;

  /** @param slots of each table */
  constructor(open: OpenOverflow, slots: number) {
    this.#open = open;
    this.#slots = slots;
    this.#near = new Uint32Array(Math.min(readSlots, slots) * slotWords);
  }

  /** Writes a table to the file; false when that fails with `local`. Throws any other error. */
  take({ words }: GuidTable): boolean {
    try {
      this.#file ??= this.#open();
      this.#file.write(bytesOf(words), this.#tables * words.byteLength);
    } catch (thrown) {
      if (thrown instanceof RelctlError && thrown.kind === 'local') return false;
      throw thrown;
    }
    const table = this.#tables;
    this.#tables += 1;
    if (CountedGuids.add(this.#counted, words, table)) return true;
    const index = this.#filtered.push(table) - 1;
    if (index % filterBits === 0) this.#filters.push(new Filter(this.#slots * positionsOfSlot));
    const filter = this.#filters.at(-1);
    for (let at = 0; at < words.length; at += slotWords) {
      if (!isFree(words, at)) filter?.add(hashAt(words, at), 1 << (index % filterBits));
    }
    return true;
  }

  /** Searches all tables for an entry. Throws `local` when the file cannot be read. */
  look(search: Search, hash: number): void {
    if (this.#isCounted(search, hash)) return;
    for (let group = 0; group < this.#filters.length; group += 1) {
      let candidates = this.#filters[group]?.candidates(hash) ?? 0;
      // The lowest bit first.
      for (; candidates !== 0; candidates &= candidates - 1) {
        const index = group * filterBits + 31 - Math.clz32(candidates & -candidates);
        this.#lookIn(this.#filtered[index] ?? 0, search, hash);
        if (search.isFound) return;
      }
    }
  }

  #isCounted(search: Search, hash: number): boolean {
    for (const counted of this.#counted) {
      if (!counted.has(search.entry)) continue;
      for (const table of counted.tablesOf(search.entry)) {
        this.#lookIn(table, search, hash);
        if (search.isFound) return true;
      }
    }
    return false;
  }

  #lookIn(table: number, search: Search, hash: number): void {
    const from = table * this.#slots;
    for (let slot = firstSlot(hash, this.#slots); ;) {
      const count = Math.min(this.#near.length / slotWords, this.#slots - slot);
      const words = this.#near.subarray(0, count * slotWords);
      this.#file?.read(bytesOf(words), (from + slot) * slotWords * Uint32Array.BYTES_PER_ELEMENT);
      for (let at = 0; at < words.length; at += slotWords) {
        if (search.isOver(words, at)) return;
      }
      slot = slot + count === this.#slots ? 0 : slot + count;
    }
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }
}

const bytesOf = (words: Uint32Array): Uint8Array => new Uint8Array(words.buffer, words.byteOffset, words.byteLength);

/** `new`: the Id was not in the set; `other`: it was, with other contents only; `same`: with this content. */
export type Known = 'new' | 'other' | 'same';

/** How much of a set stays in memory. */
export interface IdSetOptions {
  /** Opens the overflow file; without it, or when writing it fails, all Ids stay in memory. */
  readonly openOverflow?: OpenOverflow | undefined;
  /** Slots of the table in memory, a power of two; three quarters of them are used. */
  readonly slots?: number;
}

/** Contents that are kept of one Id: with more of them every search would be long. */
const mostContents = 64;

/** 1.5 MiB for 49,152 Ids. */
const usualSlots = 65_536;
const firstSlots = 16;
/** Slots of a small table that is full, for each that it has: many lists have few records, and none is moved often. */
const growth = 16;

const noContent = { words: new Uint32Array(slotWords), at: 0 } as const;

/** A set of record Ids, each with the contents that came with it. Millions of them take a few MiB of memory. */
export class IdSet {
  readonly #entry = new Uint32Array(slotWords);
  readonly #search = new Search(this.#entry);
  readonly #slots: number;
  readonly #table: GuidTable;
  readonly #overflow: OverflowGuids | undefined;
  #mayOverflow: boolean;

  constructor({ openOverflow, slots = usualSlots }: IdSetOptions = {}) {
    this.#slots = slots;
    this.#table = new GuidTable(Math.min(firstSlots, slots));
    this.#overflow = openOverflow === undefined ? undefined : new OverflowGuids(openOverflow, slots);
    this.#mayOverflow = openOverflow !== undefined;
  }

  /** Adds an Id, in any case of a GUID; true when it was new. Throws `local` when the overflow file fails. */
  add(id: string): boolean {
    const words = new Uint32Array(guidWords);
    writeIdWords(id, words);
    return this.take(words, 0, noContent) === 'new';
  }

  /**
   * Adds an Id, by its four words, with the two words of the hash of a content; gives what the set held before. It keeps 64
   * contents of one Id: any further one is `other` each time. Throws `local` when the overflow file fails.
   */
  take(ids: Uint32Array, at: number, content: { readonly words: Uint32Array; readonly at: number }): Known {
    const entry = this.#entry;
    for (let word = 0; word < guidWords; word += 1) entry[word] = ids[at + word] ?? 0;
    entry[guidWords] = content.words[content.at] ?? 0;
    entry[guidWords + 1] = content.words[content.at + 1] ?? 0;
    return this.#takeEntry();
  }

  #takeEntry(): Known {
    const hash = hashAt(this.#entry, 0);
    const search = this.#search;
    search.begin();
    this.#table.look(search, hash);
    if (!search.isFound) this.#overflow?.look(search, hash);
    if (search.isFound) return 'same';
    if (search.others < mostContents) {
      if (this.#table.isFull) this.#makeRoom();
      this.#table.add(this.#entry, 0, hash);
    }
    return search.others === 0 ? 'new' : 'other';
  }

  #makeRoom(): void {
    const { slots } = this.#table;
    const isLargest = slots === this.#slots;
    if (isLargest && this.#mayOverflow) this.#mayOverflow = this.#overflow?.take(this.#table) === true;
    // Without an overflow file, or when it fails, the table grows; what the file holds already is still read.
    if (isLargest && this.#mayOverflow) this.#table.clear();
    else this.#table.grow(slots < this.#slots ? Math.min(this.#slots, slots * growth) : slots * 2);
  }

  close(): void {
    this.#overflow?.close();
  }
}
