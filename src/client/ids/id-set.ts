import { GuidTable, guidWords, hashAt, isFree, readGuid, Search, slotWords, writeHashOfId } from './guid-table.js';
import { OverflowGuids, type OpenOverflow } from './overflow-guids.js';

/** `new`: the Id was not in the set; `other`: it was, with other contents only; `same`: with this content. */
export type Known = 'new' | 'other' | 'same';

/** A set of record Ids, each with the contents that came with it. Millions of them take a few MiB of memory. */
export interface IdSet {
  /** Adds an Id, in any case of a GUID; true when it was new. Throws `local` when the overflow file fails. */
  add(id: string): boolean;
  /**
   * Adds an Id with a content, which is the two words of hashContent; gives what the set held before. It keeps 64 contents
   * of one Id: any further one is `other` each time. Throws `local` when the overflow file fails.
   */
  take(id: string, left: number, right: number): Known;
  /** The same for a GUID in four words, which is not the all-zero one. */
  takeGuid(words: Uint32Array, at: number, content: { readonly words: Uint32Array; readonly at: number }): Known;
  /** The same for an Id that is no GUID, by what writeHashOfId writes for it. */
  takeHash(hash: Uint32Array, left: number, right: number): Known;
  /** Closes the file. */
  close(): void;
}

/** How much of a set stays in memory. */
export interface IdSetOptions {
  /** Opens the overflow file; without it, or when writing it fails, all GUIDs stay in memory. */
  readonly openOverflow?: OpenOverflow | undefined;
  /** Slots of the table in memory, a power of two; three quarters of them are used. */
  readonly slots?: number;
}

/** Contents that are kept of one Id: with more of them every search would be long. */
const mostContents = 64;

/** 1.5 MiB for 49,152 GUIDs. */
const usualSlots = 65_536;
const firstSlots = 16;

/** The GUIDs of a set, without the all-zero one, which would look like a free slot. */
class Guids {
  /** The GUID and the content that `take` adds. */
  readonly entry = new Uint32Array(slotWords);
  readonly #search = new Search(this.entry);
  readonly #slots: number;
  readonly #table: GuidTable;
  readonly #overflow: OverflowGuids | undefined;
  #mayOverflow: boolean;

  constructor({ openOverflow, slots = usualSlots }: IdSetOptions) {
    this.#slots = slots;
    this.#table = new GuidTable(Math.min(firstSlots, slots));
    this.#overflow = openOverflow === undefined ? undefined : new OverflowGuids(openOverflow, slots);
    this.#mayOverflow = openOverflow !== undefined;
  }

  /** Adds the entry, unless too many contents of its GUID are kept; gives what the set held before. */
  take(): Known {
    const hash = hashAt(this.entry, 0);
    const search = this.#search;
    search.begin();
    this.#table.look(search, hash);
    if (!search.isFound) this.#overflow?.look(search, hash);
    if (search.isFound) return 'same';
    if (search.others < mostContents) {
      if (this.#table.isFull) this.#makeRoom();
      this.#table.add(this.entry, hash);
    }
    return search.others === 0 ? 'new' : 'other';
  }

  #makeRoom(): void {
    const isLargest = this.#table.slots === this.#slots;
    if (isLargest && this.#mayOverflow) this.#mayOverflow = this.#overflow?.take(this.#table) === true;
    // Without an overflow file, or when it fails, the table grows; what the file holds already is still read.
    if (isLargest && this.#mayOverflow) this.#table.clear();
    else this.#table.grow();
  }

  close(): void {
    this.#overflow?.close();
  }
}

/** An empty set. */
export function createIdSet(options: IdSetOptions = {}): IdSet {
  const guids = new Guids(options);
  const { entry } = guids;
  /** Made when the first Id comes that is no GUID: most services have none. */
  let others: Guids | undefined;
  const hash = new Uint32Array(guidWords);
  const takeHash = (words: Uint32Array, left: number, right: number): Known => {
    others ??= new Guids(options);
    others.entry.set(words);
    return takeEntry(others, left, right);
  };
  const takeEntry = (ids: Guids, left: number, right: number): Known => {
    ids.entry[guidWords] = left;
    ids.entry[guidWords + 1] = right;
    return ids.take();
  };
  const take = (id: string, left: number, right: number): Known => {
    if (readGuid(id, entry) && !isFree(entry, 0)) return takeEntry(guids, left, right);
    writeHashOfId(id, hash);
    return takeHash(hash, left, right);
  };
  return {
    take,
    takeHash,
    takeGuid(words, at, content) {
      for (let word = 0; word < guidWords; word += 1) entry[word] = words[at + word] ?? 0;
      entry[guidWords] = content.words[content.at] ?? 0;
      entry[guidWords + 1] = content.words[content.at + 1] ?? 0;
      return guids.take();
    },
    add: (id) => take(id, 0, 0) === 'new',
    close() {
      guids.close();
      others?.close();
    },
  };
}
