import { RelctlError } from '../errors/relctl-error.js';
import { firstSlot, hashAt, isFree, slotWords, type GuidTable, type Search } from './guid-table.js';

/** A file that is gone with the process. Both ways throw `local`. */
export interface OverflowFile {
  /** Writes all bytes at a place. */
  write(bytes: Uint8Array, at: number): void;
  /** Fills all of `into` from a place. */
  read(into: Uint8Array, at: number): void;
  close(): void;
}

/** Opens such a file. Throws `local` where there is no place for one. */
export type OpenOverflow = () => OverflowFile;

/** Tables that share the words of a filter, a bit each. */
const filterBits = 32;

/** Bits that stand for a GUID in a filter: of 16 bits' room each, one look in some two thousand leads to the file in vain. */
const marks = 8;

/** Bits of room in a filter for each slot of a table. */
const positionsOfSlot = 16;

/** Tells which of 32 tables may hold a GUID: never none of the one that does. */
class Filter {
  readonly #words: Uint32Array;

  constructor(positions: number) {
    this.#words = new Uint32Array(positions);
  }

  add(hash: number, bit: number): void {
    const words = this.#words;
    const step = stepOf(hash);
    for (let mark = 0, at = hash; mark < marks; mark += 1, at += step) {
      const place = at & (words.length - 1);
      words[place] = (words[place] ?? 0) | bit;
    }
  }

  /** The bits of the tables that may hold it. */
  candidates(hash: number): number {
    const words = this.#words;
    const step = stepOf(hash);
    let found = ~0;
    for (let mark = 0, at = hash; mark < marks && found !== 0; mark += 1, at += step) {
      found &= words[at & (words.length - 1)] ?? 0;
    }
    return found;
  }
}

/** Odd, so that it leads to all positions. */
const stepOf = (hash: number): number => (Math.imul(hash ^ (hash >>> 13), 0x85ebca6b) >>> 11) | 1;

/** Slots that are read at once: most GUIDs stand in these few behind the first. */
const readSlots = 32;

/**
 * Full tables in a file, as they were in memory, and a filter before them, so that a GUID that is new is hardly ever looked
 * for in the file. A million takes four mebibytes of memory.
 */
export class OverflowGuids {
  readonly #open: OpenOverflow;
  readonly #slots: number;
  readonly #filters: Filter[] = [];
  readonly #near: Uint32Array;
  #file: OverflowFile | undefined;
  #tables = 0;

  /** @param slots of each table */
  constructor(open: OpenOverflow, slots: number) {
    this.#open = open;
    this.#slots = slots;
    this.#near = new Uint32Array(Math.min(readSlots, slots) * slotWords);
  }

  /** Takes the GUIDs of a table over; false when the file system does not let it. */
  take({ words }: GuidTable): boolean {
    try {
      this.#file ??= this.#open();
      this.#file.write(bytesOf(words), this.#tables * words.byteLength);
    } catch (thrown) {
      if (thrown instanceof RelctlError && thrown.kind === 'local') return false;
      throw thrown;
    }
    const index = this.#tables % filterBits;
    if (index === 0) this.#filters.push(new Filter(this.#slots * positionsOfSlot));
    const filter = this.#filters.at(-1);
    for (let at = 0; at < words.length; at += slotWords) {
      if (!isFree(words, at)) filter?.add(hashAt(words, at), 1 << index);
    }
    this.#tables += 1;
    return true;
  }

  /** Looks an entry up in all tables. Throws `local`. */
  look(search: Search, hash: number): void {
    for (let group = 0; group < this.#filters.length; group += 1) {
      let candidates = this.#filters[group]?.candidates(hash) ?? 0;
      // The lowest bit first.
      for (; candidates !== 0; candidates &= candidates - 1) {
        const table = group * filterBits + 31 - Math.clz32(candidates & -candidates);
        this.#lookIn(table, search, hash);
        if (search.isFound) return;
      }
    }
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
